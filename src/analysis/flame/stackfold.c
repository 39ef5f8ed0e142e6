// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/flame/stackfold.h"
#include <stdlib.h>

struct stackfold *stackfold_new(void)
{
	struct stackfold *f = xcalloc(1, sizeof(*f));
	stacks_init(&f->own);
	f->stacks = &f->own;
	*vec_push(&f->frame) = (struct fold_frame){ .name = "[unknown]", .kind = FRAME_OTHER };
	return f;
}

void stackfold_free(struct stackfold *f)
{
	if (!f)
		return;
	profile_free(f->profile);
	layout_release(&f->layout);
	stacks_release(&f->own);
	idmap_release(&f->frames);
	idmap_release(&f->keys);
	idmap_release(&f->rows);
	vec_each(&f->owned, z)
		free(*z);
	vec_release(&f->owned);
	vec_release(&f->frame);
	vec_release(&f->gap);
	vec_release(&f->key);
	vec_release(&f->row);
	vec_release(&f->event);
	free(f);
}

int stackfold_event(const struct stackfold *f, const char *word)
{
	size_t number = *word == '%' ? strtoul(word + 1, NULL, 10) : 0;
	if (number)
		return number <= f->event.n ? (int)number - 1 : -1;
	for (size_t i = 0; i < f->event.n; i++)
		if (!strcmp(f->event.at[i].name, word))
			return i;
	for (size_t i = 0; i < f->event.n; i++)
		if (strstr(f->event.at[i].name, word))
			return i;
	return -1;
}

static const char *keep(struct stackfold *f, const char *z, size_t n)
{
	return *vec_push(&f->owned) = xstrndup(z, n);
}

int stackfold_add_event(struct stackfold *f, const char *name, const char *unit, double scale)
{
	*vec_push(&f->event) = (struct fold_event){ .name = keep(f, name, strlen(name)), .unit = keep(f, unit, strlen(unit)), .scale = scale };
	return f->event.n - 1;
}

/* Two names may have one hash: the next number is tried. */
uint32_t stackfold_frame(struct stackfold *f, const char *name, size_t n, enum frame_kind kind)
{
	for (uint64_t key = hash_bytes(name, n, kind);; key++) {
		uint32_t *id = idmap_at(&f->frames, key);
		if (!*id) {
			*id = f->frame.n;
			*vec_push(&f->frame) = (struct fold_frame){ .name = keep(f, name, n), .kind = kind };
			return f->frame.n - 1;
		}
		const struct fold_frame *at = &f->frame.at[*id];
		if (at->kind == kind && !memcmp(at->name, name, n) && !at->name[n])
			return *id;
	}
}

uint32_t stackfold_push(struct stackfold *f, uint32_t stack, uint32_t frame)
{
	return stacks_push(&f->own, stack, frame);
}

static bool same_key(const struct fold_key *a, const struct fold_key *b)
{
	return a->event == b->event && a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu && a->time == b->time && !strcmp(a->comm, b->comm);
}

uint32_t stackfold_key(struct stackfold *f, const struct fold_key *k)
{
	uint64_t hash = hash_bytes(k->comm, strlen(k->comm), k->time);
	hash = idmap_mix(idmap_mix(hash, (uint64_t)(uint32_t)k->pid << 32 | (uint32_t)k->tid), (uint64_t)(uint32_t)k->cpu << 32 | (uint32_t)k->event);
	for (;; hash++) {
		uint32_t *id = idmap_at(&f->keys, hash);
		if (*id && same_key(&f->key.at[*id - 1], k))
			return *id - 1;
		if (*id)
			continue;
		struct fold_key *new = vec_push(&f->key);
		*new = *k;
		new->comm = keep(f, k->comm, strlen(k->comm));
		*id = f->key.n;
		return *id - 1;
	}
}

void stackfold_add(struct stackfold *f, uint32_t stack, uint32_t key, uint64_t weight, uint64_t samples)
{
	uint32_t *id = idmap_at(&f->rows, (uint64_t)stack << 32 | key);
	struct fold_event *e = &f->event.at[f->key.at[key].event];
	if (!*id) {
		*vec_push(&f->row) = (struct fold_row){ .stack = stack, .key = key };
		*id = f->row.n;
	}
	f->row.at[*id - 1].weight += weight;
	f->row.at[*id - 1].samples += samples;
	e->weight += weight;
	e->samples += samples;
}

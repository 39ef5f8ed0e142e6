// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/sums.h"
#include <stdlib.h>

static uint32_t who_of(struct export_sums *u, struct exporter *x, const struct export_sample *s)
{
	const char *command = export_command(x, s->t);
	uint64_t key = idmap_mix(idmap_mix((uint64_t)(uint32_t)s->t->pid << 32 | (uint32_t)s->t->tid, (uintptr_t)s->t->comm),
				 idmap_mix((uint32_t)s->r->cpu, (uintptr_t)command));
	uint32_t *id = idmap_at(&u->whos, key ? key : 1);
	if (!*id) {
		*vec_push(&u->who) = (struct export_who){ s->t->pid, s->t->tid, s->r->cpu, s->t->comm, command };
		*id = u->who.n;
	}
	return *id - 1;
}

void sums_add(struct export_sums *u, struct exporter *x, const struct export_sample *s)
{
	uint32_t who = who_of(u, x, s);
	uint64_t key = idmap_mix((uint64_t)s->stack << 32 | who, s->r->event_index);
	uint32_t *id = idmap_at(&u->index, key ? key : 1);
	if (!*id) {
		*vec_push(&u->sum) = (struct export_sum){ .stack = s->stack, .who = who, .event = s->r->event_index };
		*id = u->sum.n;
	}
	struct export_sum *at = &u->sum.at[*id - 1];
	at->weight += s->r->period;
	at->samples++;
}

static int by_stack(const void *a, const void *b)
{
	const struct export_sum *p = a, *q = b;
	if (p->stack != q->stack)
		return p->stack < q->stack ? -1 : 1;
	return p->who != q->who ? (p->who < q->who ? -1 : 1) : p->event - q->event;
}

void sums_sort(struct export_sums *u)
{
	if (u->sum.n)
		qsort(u->sum.at, u->sum.n, sizeof(*u->sum.at), by_stack);
}

void sums_release(struct export_sums *u)
{
	vec_release(&u->sum);
	vec_release(&u->who);
	idmap_release(&u->index);
	idmap_release(&u->whos);
}

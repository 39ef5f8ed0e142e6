// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/interp/value.h"
#include <stdlib.h>
#include <string.h>
#include "base/map.h"

int value_compare(const struct interp_value *a, const struct interp_value *b)
{
	bool x = a->kind == VALUE_TEXT, y = b->kind == VALUE_TEXT;
	if (x != y && a->kind != VALUE_NONE && b->kind != VALUE_NONE)
		return x ? 1 : -1;
	if (!x && !y)
		return a->number < b->number ? -1 : a->number > b->number;
	uint32_t n = a->len < b->len ? a->len : b->len;
	int c = n ? memcmp(a->text, b->text, n) : 0;
	return c ? c : a->len < b->len ? -1 : a->len > b->len;
}

static struct interp_value own(struct interp_value v)
{
	if (v.kind == VALUE_TEXT) { /* a NUL may be in it */
		char *copy = xmalloc((size_t)v.len + 1);
		if (v.len)
			memcpy(copy, v.text, v.len);
		copy[v.len] = 0;
		v.text = copy;
	}
	return v;
}

static void drop(struct interp_value *v)
{
	if (v->kind == VALUE_TEXT)
		free((char *)v->text);
	*v = (struct interp_value){ 0 };
}

void cell_set(struct interp_cell *c, struct interp_value v)
{
	struct interp_value was = c->value;
	c->value = own(v);
	drop(&was);
}

void cell_clear(struct interp_cell *c)
{
	drop(&c->value);
	if (c->statistics) {
		statistics_release(c->statistics);
		free(c->statistics);
		c->statistics = NULL;
	}
}

static uint64_t hash_key(const struct interp_value *key, unsigned n)
{
	uint64_t h = n;
	for (unsigned i = 0; i < n; i++)
		h = key[i].kind == VALUE_TEXT ? hash_bytes(key[i].text, key[i].len, h) : hash_bytes(&key[i].number, sizeof(int64_t), h);
	return h;
}

static bool same_key(const struct interp_cell *c, const struct interp_value *key, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (value_compare(&c->key[i], &key[i]))
			return false;
	return true;
}

static void fill_slots(struct interp_array *a)
{
	memset(a->slots, 0, a->n_slots * sizeof(*a->slots));
	for (size_t i = 0; i < a->cells.n; i++) {
		size_t at = a->cells.at[i]->hash & (a->n_slots - 1);
		while (a->slots[at])
			at = (at + 1) & (a->n_slots - 1);
		a->slots[at] = (uint32_t)i + 1;
	}
}

static void free_cell(struct interp_cell *c)
{
	cell_clear(c);
	for (unsigned i = 0; i < VALUE_KEYS; i++)
		drop(&c->key[i]);
	free(c);
}

/* Takes the dead ones out, and makes room for as many again. */
static void rebuild(struct interp_array *a)
{
	size_t n = 0;
	for (size_t i = 0; i < a->cells.n; i++) {
		if (a->cells.at[i]->dead)
			free_cell(a->cells.at[i]);
		else
			a->cells.at[n++] = a->cells.at[i];
	}
	a->cells.n = n;
	a->dead = 0;
	size_t want = 16;
	while (want < n * 4)
		want *= 2;
	if (want != a->n_slots) {
		free(a->slots);
		a->slots = xcalloc(want, sizeof(*a->slots));
		a->n_slots = want;
	}
	fill_slots(a);
}

struct interp_cell *array_find(const struct interp_array *a, const struct interp_value *key)
{
	uint64_t h = hash_key(key, a->n_keys);
	for (size_t at = h & (a->n_slots - 1); a->n_slots && a->slots[at]; at = (at + 1) & (a->n_slots - 1)) {
		struct interp_cell *c = a->cells.at[a->slots[at] - 1];
		if (!c->dead && c->hash == h && same_key(c, key, a->n_keys))
			return c;
	}
	return NULL;
}

struct interp_cell *array_make(struct interp_array *a, const struct interp_value *key)
{
	struct interp_cell *c = array_find(a, key);
	if (c)
		return c;
	if (a->cells.n * 2 >= a->n_slots)
		rebuild(a);
	c = xcalloc(1, sizeof(*c));
	c->hash = hash_key(key, a->n_keys);
	c->age = ++a->ages;
	for (unsigned i = 0; i < a->n_keys; i++)
		c->key[i] = own(key[i]);
	*vec_push(&a->cells) = c;
	size_t at = c->hash & (a->n_slots - 1);
	while (a->slots[at])
		at = (at + 1) & (a->n_slots - 1);
	a->slots[at] = (uint32_t)a->cells.n;
	a->live++;
	return c;
}

void array_delete(struct interp_array *a, struct interp_cell *c)
{
	if (!c || c->dead)
		return;
	cell_clear(c);
	c->dead = true;
	a->live--;
	a->dead++;
}

struct interp_cell *array_oldest(const struct interp_array *a)
{
	for (size_t i = 0; i < a->cells.n; i++)
		if (!a->cells.at[i]->dead)
			return a->cells.at[i];
	return NULL;
}

void array_empty(struct interp_array *a)
{
	vec_each(&a->cells, c)
		free_cell(*c);
	vec_release(&a->cells);
	free(a->slots);
	*a = (struct interp_array){ .n_keys = a->n_keys };
}

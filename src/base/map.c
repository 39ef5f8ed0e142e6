// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/map.h"
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

enum { FREE, FULL, DEAD };

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed)
{
	const uint8_t *b = p;
	uint64_t h = seed ^ 0x9e3779b97f4a7c15ull ^ (n * 0xff51afd7ed558ccdull);
	while (n >= 8) {
		uint64_t w;
		memcpy(&w, b, 8);
		h = (h ^ w) * 0xc4ceb9fe1a85ec53ull;
		h ^= h >> 29;
		b += 8;
		n -= 8;
	}
	uint64_t w = 0;
	memcpy(&w, b, n);
	h = (h ^ w) * 0xc4ceb9fe1a85ec53ull;
	return h ^ h >> 32;
}

static uint64_t mix(uint64_t k)
{
	k = (k ^ k >> 32) * 0x9fb21c651e98df25ull;
	return k ^ k >> 29;
}

static size_t u64_slot(const struct u64map *m, uint64_t key, bool insert)
{
	size_t mask = m->cap - 1, dead = SIZE_MAX;
	for (size_t i = mix(key) & mask;; i = (i + 1) & mask) {
		if (m->state[i] == FREE)
			return !insert ? SIZE_MAX : dead != SIZE_MAX ? dead : i;
		if (m->state[i] == DEAD) {
			if (dead == SIZE_MAX)
				dead = i;
		} else if (m->slot[i].key == key) {
			return i;
		}
	}
}

static void u64_resize(struct u64map *m)
{
	struct u64map old = *m;
	m->cap = old.n * 2 < old.cap ? old.cap : old.cap ? old.cap * 2 : 16;
	m->slot = xcalloc(m->cap, sizeof(*m->slot));
	m->state = xcalloc(m->cap, 1);
	m->n = m->used = 0;
	for (size_t i = 0; i < old.cap; i++)
		if (old.state[i] == FULL)
			u64map_set(m, old.slot[i].key, old.slot[i].val);
	free(old.slot);
	free(old.state);
}

void u64map_release(struct u64map *m)
{
	free(m->slot);
	free(m->state);
	memset(m, 0, sizeof(*m));
}

void *u64map_get(const struct u64map *m, uint64_t key)
{
	if (!m->cap)
		return NULL;
	size_t i = u64_slot(m, key, false);
	return i == SIZE_MAX ? NULL : m->slot[i].val;
}

void *u64map_set(struct u64map *m, uint64_t key, void *val)
{
	if (m->used * 4 >= m->cap * 3)
		u64_resize(m);
	size_t i = u64_slot(m, key, true);
	void *old = NULL;
	if (m->state[i] == FULL) {
		old = m->slot[i].val;
	} else {
		m->used += m->state[i] == FREE;
		m->n++;
		m->state[i] = FULL;
		m->slot[i].key = key;
	}
	m->slot[i].val = val;
	return old;
}

void *u64map_del(struct u64map *m, uint64_t key)
{
	size_t i = m->cap ? u64_slot(m, key, false) : SIZE_MAX;
	if (i == SIZE_MAX)
		return NULL;
	m->state[i] = DEAD;
	m->n--;
	return m->slot[i].val;
}

bool u64map_next(const struct u64map *m, size_t *cursor, uint64_t *key, void **val)
{
	for (; *cursor < m->cap; ++*cursor) {
		if (m->state[*cursor] != FULL)
			continue;
		if (key)
			*key = m->slot[*cursor].key;
		if (val)
			*val = m->slot[*cursor].val;
		++*cursor;
		return true;
	}
	return false;
}

static size_t str_slot(const struct strmap *m, const char *key, uint32_t hash, bool insert)
{
	size_t mask = m->cap - 1;
	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		const struct strmap_slot *s = &m->slot[i];
		if (!s->key)
			return insert ? i : SIZE_MAX;
		if (s->hash == hash && !strcmp(s->key, key))
			return i;
	}
}

static void str_resize(struct strmap *m)
{
	struct strmap old = *m;
	m->cap = old.cap ? old.cap * 2 : 16;
	m->slot = xcalloc(m->cap, sizeof(*m->slot));
	for (size_t i = 0; i < old.cap; i++) {
		struct strmap_slot *s = &old.slot[i];
		if (s->key)
			m->slot[str_slot(m, s->key, s->hash, true)] = *s;
	}
	free(old.slot);
}

void strmap_release(struct strmap *m)
{
	for (size_t i = 0; i < m->cap; i++)
		free(m->slot[i].key);
	free(m->slot);
	memset(m, 0, sizeof(*m));
}

static size_t str_lookup(const struct strmap *m, const char *key)
{
	return m->cap ? str_slot(m, key, hash_bytes(key, strlen(key), 0), false) : SIZE_MAX;
}

void *strmap_get(const struct strmap *m, const char *key)
{
	size_t i = str_lookup(m, key);
	return i == SIZE_MAX ? NULL : m->slot[i].val;
}

bool strmap_has(const struct strmap *m, const char *key)
{
	return str_lookup(m, key) != SIZE_MAX;
}

void *strmap_set(struct strmap *m, const char *key, void *val)
{
	if (m->n * 4 >= m->cap * 3)
		str_resize(m);
	uint32_t hash = hash_bytes(key, strlen(key), 0);
	struct strmap_slot *s = &m->slot[str_slot(m, key, hash, true)];
	void *old = NULL;
	if (s->key) {
		old = s->val;
	} else {
		m->n++;
		s->key = xstrdup(key);
		s->hash = hash;
	}
	s->val = val;
	return old;
}

bool strmap_next(const struct strmap *m, size_t *cursor, const char **key, void **val)
{
	for (; *cursor < m->cap; ++*cursor) {
		const struct strmap_slot *s = &m->slot[*cursor];
		if (!s->key)
			continue;
		if (key)
			*key = s->key;
		if (val)
			*val = s->val;
		++*cursor;
		return true;
	}
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit keys to small numbers, for the hot paths of folding: 12 bytes a slot, no deletion.
 * 0 means absent, so numbers start at 1. */
#ifndef ANALYSIS_IDMAP_H
#define ANALYSIS_IDMAP_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

struct idmap {
	uint64_t *key;
	uint32_t *id;
	size_t n, cap;
};

static inline uint64_t idmap_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ 0x9e3779b97f4a7c15ull) * 0xc4ceb9fe1a85ec53ull;
	h ^= h >> 32;
	h = (h + b) * 0xff51afd7ed558ccdull;
	return h ^ h >> 29;
}

static inline size_t idmap_slot(const struct idmap *m, uint64_t key)
{
	size_t mask = m->cap - 1, i = idmap_mix(key, 0) & mask;
	while (m->id[i] && m->key[i] != key)
		i = (i + 1) & mask;
	return i;
}

static inline void idmap_grow(struct idmap *m)
{
	struct idmap old = *m;
	m->cap = old.cap ? old.cap * 2 : 64;
	m->key = xmalloc(m->cap * sizeof(*m->key));
	m->id = xcalloc(m->cap, sizeof(*m->id));
	for (size_t i = 0; i < old.cap; i++) {
		if (!old.id[i])
			continue;
		size_t j = idmap_slot(m, old.key[i]);
		m->key[j] = old.key[i];
		m->id[j] = old.id[i];
	}
	free(old.key);
	free(old.id);
}

static inline uint32_t idmap_get(const struct idmap *m, uint64_t key)
{
	return m->cap ? m->id[idmap_slot(m, key)] : 0;
}

/* Where the number of that key lives; 0 when it is new: the caller must then store a number. */
static inline uint32_t *idmap_at(struct idmap *m, uint64_t key)
{
	if (m->n * 10 >= m->cap * 7)
		idmap_grow(m);
	size_t i = idmap_slot(m, key);
	if (!m->id[i]) {
		m->key[i] = key;
		m->n++;
	}
	return &m->id[i];
}

static inline void idmap_clear(struct idmap *m)
{
	if (m->n)
		memset(m->id, 0, m->cap * sizeof(*m->id));
	m->n = 0;
}

static inline void idmap_release(struct idmap *m)
{
	free(m->key);
	free(m->id);
	memset(m, 0, sizeof(*m));
}
#endif

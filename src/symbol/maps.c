// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/maps.h"
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

struct maps *maps_new(uint64_t version)
{
	struct maps *m = xcalloc(1, sizeof(*m));
	m->refs = 1;
	m->version = version;
	return m;
}

struct maps *maps_copy(const struct maps *m, uint64_t version)
{
	struct maps *c = maps_new(version);
	for (size_t i = 0; i < m->map.n; i++)
		*vec_push(&c->map) = m->map.at[i];
	return c;
}

struct maps *maps_get(struct maps *m)
{
	m->refs++;
	return m;
}

void maps_put(struct maps *m)
{
	if (!m || --m->refs)
		return;
	vec_release(&m->map);
	free(m);
}

/* Index of the first map that ends after addr. */
static size_t first_after(const struct maps *m, uint64_t addr)
{
	size_t lo = 0, hi = m->map.n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (m->map.at[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct map *maps_find(const struct maps *m, uint64_t addr)
{
	size_t i = first_after(m, addr);
	return i < m->map.n && m->map.at[i].start <= addr ? &m->map.at[i] : NULL;
}

/* Replaces `gone` elements at i by the n given ones. */
static void splice(struct maps *m, size_t i, size_t gone, const struct map *with, size_t n)
{
	for (size_t k = gone; k < n; k++)
		vec_push(&m->map);
	size_t old = m->map.n - (n > gone ? n - gone : 0);
	memmove(m->map.at + i + n, m->map.at + i + gone, (old - i - gone) * sizeof(*m->map.at));
	memcpy(m->map.at + i, with, n * sizeof(*with));
	m->map.n = old - gone + n;
}

void maps_insert(struct maps *m, const struct map *one, uint64_t version)
{
	struct map with[3];
	size_t n = 0, i = first_after(m, one->start), last = i;
	m->version = version;
	if (i < m->map.n && m->map.at[i].start < one->start) { /* its head stays */
		with[n] = m->map.at[i];
		with[n++].end = one->start;
	}
	with[n++] = *one;
	while (last < m->map.n && m->map.at[last].start < one->end)
		last++;
	if (last > i && m->map.at[last - 1].end > one->end) { /* its tail stays */
		with[n] = m->map.at[last - 1];
		with[n].pgoff += one->end - with[n].start;
		with[n++].start = one->end;
	}
	splice(m, i, last - i, with, n);
}

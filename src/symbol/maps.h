/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address space of a process: sorted, without overlap, shared by forked processes until one of
 * them changes it. */
#ifndef SYMBOL_MAPS_H
#define SYMBOL_MAPS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/vec.h"

struct image;
struct map {
	uint64_t start, end, pgoff;
	uint32_t prot;
	struct image *image;
};
struct maps {
	unsigned refs;
	uint64_t version; /* changes with every change; unique among all maps of a session */
	VEC(struct map) map;
};
struct maps *maps_new(uint64_t version);
struct maps *maps_copy(const struct maps *m, uint64_t version);
struct maps *maps_get(struct maps *m);
void maps_put(struct maps *m);
/* Cuts what it overlaps. The caller holds the only reference. */
void maps_insert(struct maps *m, const struct map *one, uint64_t version);
const struct map *maps_find(const struct maps *m, uint64_t addr);
#endif

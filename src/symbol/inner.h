/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of src/symbol share about a session. */
#ifndef SYMBOL_INNER_H
#define SYMBOL_INNER_H
#include "symbol/image.h"
#include "symbol/maps.h"

struct maps *symbols_maps(struct symbols *s, int pid); /* NULL: nothing known of it */
struct unwind_cache;
struct unwind_cache **symbols_unwind_cache(struct symbols *s);
void unwind_cache_free(struct unwind_cache *c);
/* Does a signal handler return to there? addr: in the file. */
bool unwind_is_trampoline(struct image *im, uint64_t addr);
/* The function around addr, for what has no symbol; false: nobody knows. */
bool unwind_bounds(struct image *im, uint64_t addr, uint64_t *start, uint64_t *size);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weights of a flame tree by thread and span of time, gathered while it is made. tree.c's own. */
#ifndef ANALYSIS_FLAME_ROWS_H
#define ANALYSIS_FLAME_ROWS_H
#include "analysis/flame/tree.h"

struct flame_pile { uint64_t time; uint32_t node, thread; uint64_t weight; };
struct flame_rows {
	VEC(struct flame_pile) pile;
	VEC(struct flame_thread) thread;
	struct idmap threads, piles;
};
void flame_rows_add(struct flame_rows *r, uint32_t node, const struct fold_key *k, uint64_t weight);
/* Into the tree: place is node to 1 + where it is drawn. */
void flame_rows_finish(struct flame_rows *r, struct flame_tree *t, const struct stacks *s, const uint32_t *place, const struct stackfold *f);
void flame_rows_release(struct flame_rows *r);
#endif

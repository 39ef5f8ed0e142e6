/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cycles of straight pieces of code, from branch stacks: a piece begins where one branch went and ends where the next one
 * came from, and the hardware tells how long that took. */
#ifndef ANALYSIS_BLOCKS_H
#define ANALYSIS_BLOCKS_H
#include "analysis/idmap.h"
#include "base/vec.h"
#include "perfdata/reader.h"
#include "symbol/symbols.h"

/* All pieces of a function that end with the same branch. */
struct block {
	struct frame end; /* the branch */
	uint64_t start; /* where the longest seen begins, from the function's start on */
	bool has_start; /* false: only that it ended here is known */
	uint64_t cycles, n; /* of all of them */
};
struct blocks {
	VEC(struct block) at;
	struct idmap index; /* file and address of the branch to 1 + its number */
	uint64_t cycles; /* of all branches, also those in no function */
};
void blocks_release(struct blocks *b);
void blocks_feed(struct blocks *b, struct symbols *syms, const struct perfdata_record *r);
/* The greatest share first, as perf has them. After that nothing may be fed. */
void blocks_sort(struct blocks *b);
#endif

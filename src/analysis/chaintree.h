/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call graph below one line of a report: its stacks merged into a tree in which a run of frames that
 * never branches is one node. What is below the threshold is left out, so the work is bounded by what
 * will be shown, not by the number of stacks. */
#ifndef ANALYSIS_CHAINTREE_H
#define ANALYSIS_CHAINTREE_H
#include "analysis/places.h"

/* Of report --branch-history: what the branches told that came to a frame, or went from it. */
struct end_sum {
	uint64_t to, from; /* how many branches; none: it is of the call chain */
	uint64_t predicted, aborted; /* of those that came to it */
	uint64_t cycles, loops, loop_cycles; /* of those that went from it */
	uint32_t types; /* bits: kinds of branches (PERF_BR_*) */
	bool forward, backward; /* conditional ones */
	bool far_2m, far_4k; /* into another page of that size */
};

enum chain_mode { CHAIN_NONE, CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };

/* One stack: places path[pos], path[pos + step], ... n of them; all of them below the line. */
struct chain_item {
	const uint32_t *path;
	const struct end_sum *end; /* beside each place; NULL: no branches */
	int step, n;
	uint64_t hit, count;
};

struct chain_node {
	struct chain_node *parent; /* NULL: the root */
	uint32_t *place; /* the run of frames */
	int n_place;
	struct end_sum *end; /* of each; NULL: no branches */
	uint64_t hit, children_hit; /* samples that end here; below */
	uint64_t count, children_count;
	struct chain_node **child; /* as shown: heaviest first */
	int n_child;
};
static inline uint64_t chain_cumul(const struct chain_node *n) { return n->hit + n->children_hit; }
static inline uint64_t chain_cumul_count(const struct chain_node *n) { return n->count + n->children_count; }

struct chain_tree {
	struct chain_node *root; /* graph, fractal: its children are shown */
	struct chain_node **flat; /* flat, folded: the ends, heaviest first */
	size_t n_flat;
	VEC(void *) owned;
};
/* items are reordered. min_hit: graph, flat and folded; min_percent: fractal. */
struct chain_tree *chain_tree_build(const struct places *p, struct chain_item *items, size_t n,
				    enum chain_mode mode, uint64_t min_hit, double min_percent);
void chain_tree_free(struct chain_tree *t);
#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/chaintree.h"
#include <math.h>
#include <stdlib.h>

struct build {
	const struct places *places;
	struct chain_tree *tree;
	enum chain_mode mode;
	uint64_t min_hit;
	double min_percent;
};

static void *own(struct build *b, size_t size)
{
	return *vec_push(&b->tree->owned) = xcalloc(1, size);
}

static int by_branch(const void *x, const void *y, void *places)
{
	const struct chain_item *a = x, *b = y;
	if (*a->path == *b->path)
		return 0;
	int c = place_branch_order(places, *a->path, *b->path);
	return c ? c : *a->path < *b->path ? -1 : 1;
}

static void item_step(struct chain_item *it)
{
	it->path += it->step;
	if (it->end)
		it->end += it->step;
	it->n--;
}

/* May the run go on: all stacks continue, and with one place. */
static bool one_way(const struct chain_item *it, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!it[i].n || *it[i].path != *it[0].path)
			return false;
	return true;
}

static void add_end(struct end_sum *to, const struct end_sum *e)
{
	to->to += e->to;
	to->from += e->from;
	to->predicted += e->predicted;
	to->aborted += e->aborted;
	to->cycles += e->cycles;
	to->loops += e->loops;
	to->loop_cycles += e->loop_cycles;
	to->types |= e->types;
	to->forward |= e->forward;
	to->backward |= e->backward;
	to->far_2m |= e->far_2m;
	to->far_4k |= e->far_4k;
}

static void take_run(struct build *b, struct chain_node *node, struct chain_item *it, size_t n)
{
	VEC(uint32_t) run = { 0 };
	VEC(struct end_sum) end = { 0 };
	do {
		*vec_push(&run) = *it[0].path;
		struct end_sum *e = it[0].end ? vec_push(&end) : NULL;
		for (size_t i = 0; i < n; i++) {
			if (e)
				add_end(e, it[i].end);
			item_step(&it[i]);
		}
	} while (one_way(it, n));
	*vec_push(&b->tree->owned) = run.at;
	*vec_push(&b->tree->owned) = end.at;
	node->end = end.at;
	node->place = run.at;
	node->n_place = run.n;
}

/* Moves the stacks that end here to the front; returns how many. */
static size_t ended(struct chain_item *it, size_t n)
{
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		if (it[i].n)
			continue;
		struct chain_item t = it[i];
		it[i] = it[k];
		it[k++] = t;
	}
	return k;
}

/* Heaviest first; equals keep their order. */
static void sort_nodes(struct chain_node **at, struct chain_node **tmp, size_t n, bool flat)
{
	if (n < 2)
		return;
	size_t m = n / 2, i = 0, j = m, k = 0;
	sort_nodes(at, tmp, m, flat);
	sort_nodes(at + m, tmp, n - m, flat);
	while (i < m && j < n) {
		uint64_t l = flat ? at[i]->hit : chain_cumul(at[i]), r = flat ? at[j]->hit : chain_cumul(at[j]);
		tmp[k++] = l >= r ? at[i++] : at[j++];
	}
	while (i < m)
		tmp[k++] = at[i++];
	memcpy(at, tmp, k * sizeof(*at));
}

static void sort_by_weight(struct chain_node **at, size_t n, bool flat)
{
	struct chain_node **tmp = xmalloc((n + 1) * sizeof(*tmp));
	sort_nodes(at, tmp, n, flat);
	free(tmp);
}

static uint64_t threshold(const struct build *b, const struct chain_node *parent)
{
	if (b->mode == CHAIN_FRACTAL)
		return ceil((double)parent->children_hit * b->min_percent / 100.0);
	return b->mode == CHAIN_GRAPH ? b->min_hit : 0;
}

static void build_children(struct build *b, struct chain_node *parent, struct chain_item *it, size_t n);

static struct chain_node *build_node(struct build *b, const struct chain_node *sum, struct chain_item *it, size_t n)
{
	struct chain_node *node = own(b, sizeof(*node));
	node->parent = sum->parent;
	take_run(b, node, it, n);
	size_t k = ended(it, n);
	for (size_t i = 0; i < k; i++) {
		node->hit += it[i].hit;
		node->count += it[i].count;
	}
	node->children_hit = sum->hit - node->hit;
	node->children_count = sum->count - node->count;
	if (k < n)
		build_children(b, node, it + k, n - k);
	return node;
}

static void build_children(struct build *b, struct chain_node *parent, struct chain_item *it, size_t n)
{
	VEC(struct chain_node *) kids = { 0 };
	qsort_r(it, n, sizeof(*it), by_branch, (void *)(uintptr_t)b->places);
	for (size_t i = 0, j; i < n; i = j) {
		struct chain_node sum = { .parent = parent };
		for (j = i; j < n && *it[j].path == *it[i].path; j++) {
			sum.hit += it[j].hit;
			sum.count += it[j].count;
		}
		if (sum.hit < threshold(b, parent))
			continue;
		*vec_push(&kids) = build_node(b, &sum, it + i, j - i);
	}
	if (b->mode == CHAIN_GRAPH || b->mode == CHAIN_FRACTAL)
		sort_by_weight(kids.at, kids.n, false);
	*vec_push(&b->tree->owned) = kids.at;
	parent->child = kids.at;
	parent->n_child = kids.n;
}

typedef VEC(struct chain_node *) node_list;

/* Ends in the order perf meets them: children first. */
static void collect_flat(struct build *b, struct chain_node *n, node_list *flat)
{
	for (int i = 0; i < n->n_child; i++)
		collect_flat(b, n->child[i], flat);
	if (n->hit && n->hit >= b->min_hit)
		*vec_push(flat) = n;
}

struct chain_tree *chain_tree_build(const struct places *p, struct chain_item *items, size_t n,
				    enum chain_mode mode, uint64_t min_hit, double min_percent)
{
	struct chain_tree *t = xcalloc(1, sizeof(*t));
	struct build b = { p, t, mode, min_hit, min_percent };
	t->root = own(&b, sizeof(*t->root));
	for (size_t i = 0; i < n; i++) {
		t->root->children_hit += items[i].hit;
		t->root->children_count += items[i].count;
	}
	build_children(&b, t->root, items, n);
	if (mode == CHAIN_FLAT || mode == CHAIN_FOLDED) {
		node_list flat = { 0 };
		collect_flat(&b, t->root, &flat);
		sort_by_weight(flat.at, flat.n, true);
		t->flat = flat.at;
		t->n_flat = flat.n;
		*vec_push(&t->owned) = flat.at;
	}
	return t;
}

void chain_tree_free(struct chain_tree *t)
{
	if (!t)
		return;
	vec_each(&t->owned, o)
		free(*o);
	vec_release(&t->owned);
	free(t);
}

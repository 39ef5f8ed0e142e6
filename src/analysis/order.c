// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/order.h"
#include <stdint.h>
#include <stdlib.h>
#include "base/str.h"

/* Nodes are numbers; 0 is the black leaf. */
struct order_node { void *item; uint32_t child[2], parent; bool red; };
struct tree { struct order_node *at; uint32_t root; };

static void rotate(struct tree *t, uint32_t x, int side)
{
	struct order_node *at = t->at;
	uint32_t y = at[x].child[!side], p = at[x].parent;
	at[x].child[!side] = at[y].child[side];
	if (at[y].child[side])
		at[at[y].child[side]].parent = x;
	at[y].parent = p;
	if (!p)
		t->root = y;
	else
		at[p].child[at[p].child[1] == x] = y;
	at[y].child[side] = x;
	at[x].parent = y;
}

static void balance(struct tree *t, uint32_t x)
{
	struct order_node *at = t->at;
	while (at[x].parent && at[at[x].parent].red) {
		uint32_t p = at[x].parent, g = at[p].parent;
		int side = at[g].child[1] == p; /* of the parent */
		uint32_t uncle = at[g].child[!side];
		if (uncle && at[uncle].red) {
			at[p].red = at[uncle].red = false;
			at[g].red = true;
			x = g;
			continue;
		}
		if (at[p].child[!side] == x) {
			rotate(t, p, side);
			x = p;
			p = at[x].parent;
		}
		at[p].red = false;
		at[g].red = true;
		rotate(t, g, !side);
	}
	at[t->root].red = false;
}

static size_t walk(const struct tree *t, void **out)
{
	const struct order_node *at = t->at;
	size_t n = 0;
	uint32_t x = t->root;
	while (x && at[x].child[0])
		x = at[x].child[0];
	while (x) {
		out[n++] = at[x].item;
		if (at[x].child[1]) {
			for (x = at[x].child[1]; at[x].child[0];)
				x = at[x].child[0];
			continue;
		}
		while (at[x].parent && at[at[x].parent].child[1] == x)
			x = at[x].parent;
		x = at[x].parent;
	}
	return n;
}

void order_by_tree(void **item, size_t n, bool (*before)(const void *, const void *, void *), void *ctx)
{
	struct tree t = { .at = xcalloc(n + 1, sizeof(struct order_node)) };
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t p = 0, *link = &t.root;
		while (*link) {
			p = *link;
			link = &t.at[p].child[!before(item[i - 1], t.at[p].item, ctx)];
		}
		*link = i;
		t.at[i] = (struct order_node){ .item = item[i - 1], .parent = p, .red = true };
		balance(&t, i);
	}
	walk(&t, item);
	free(t.at);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/front/ast.h"

enum { DEEPEST = 300 };

struct script_node *node_new(struct script_source *s, enum node_kind kind, struct span at)
{
	struct script_node *n = arena_get(&s->memory, sizeof(*n));
	n->kind = kind;
	n->at = at;
	return n;
}

bool node_adopt(struct script_source *s, struct script_node *parent, const struct script_node *child)
{
	if (!child || parent->depth > child->depth)
		return true;
	parent->depth = child->depth + 1;
	if (parent->depth <= DEEPEST)
		return true;
	source_error(s, parent->at, "this is nested more than %d deep", DEEPEST);
	return false;
}

struct span span_to(struct span from, struct span to)
{
	return (struct span){ from.at, to.at + to.len > from.at ? to.at + to.len - from.at : from.len };
}

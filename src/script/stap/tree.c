// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies of trees, and their text. */
#include "script/stap/tree.h"
#include <string.h>

struct script_node *stap_clone_one(struct script_source *s, const struct script_node *n)
{
	if (!n)
		return NULL;
	struct script_node *c = arena_get(&s->memory, sizeof(*c));
	*c = *n;
	c->next = NULL;
	c->a = stap_clone_one(s, n->a);
	c->b = n->b == n->a ? c->a : stap_clone_one(s, n->b);
	c->c = stap_clone_one(s, n->c);
	c->args = stap_clone(s, n->args);
	c->body = stap_clone(s, n->body);
	c->other = stap_clone(s, n->other);
	return c;
}

struct script_node *stap_clone(struct script_source *s, const struct script_node *n)
{
	struct script_node *first = NULL, **last = &first;
	for (; n; n = n->next) {
		*last = stap_clone_one(s, n);
		last = &(*last)->next;
	}
	return first;
}

void stap_key(const struct script_node *n, struct str *out)
{
	if (!n)
		return;
	str_addf(out, "(%d %d %llu ", (int)n->kind, n->op, (unsigned long long)n->value);
	if (n->name)
		str_add(out, n->name);
	stap_key(n->a, out);
	stap_key(n->b, out);
	stap_key(n->c, out);
	for (const struct script_node *i = n->args; i; i = i->next) {
		str_addc(out, ',');
		stap_key(i, out);
	}
	str_addc(out, ')');
}

static bool below(struct script_node *n, bool (*see)(struct script_node *n, void *ctx), void *ctx)
{
	return (n->a && stap_visit(n->a, see, ctx)) || (n->b && n->b != n->a && stap_visit(n->b, see, ctx)) || (n->c && stap_visit(n->c, see, ctx)) ||
	       stap_visit(n->args, see, ctx) || stap_visit(n->body, see, ctx) || stap_visit(n->other, see, ctx);
}

bool stap_visit(struct script_node *n, bool (*see)(struct script_node *n, void *ctx), void *ctx)
{
	for (; n; n = n->next)
		if (see(n, ctx) || below(n, see, ctx))
			return true;
	return false;
}

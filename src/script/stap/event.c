// SPDX-License-Identifier: GPL-2.0-or-later
/* The one thing that a program made of a block does: it sends what the block asks for. No script can call it: the name has a
 * space. */
#include "script/builtin/builtin.h"
#include "script/run.h"
#include "script/stap/run.h"

enum { VALUES_MOST = 40 };

static struct script_type *check_event(struct checker *c, struct script_node *n)
{
	struct script_type *types[VALUES_MOST];
	unsigned k = 0;
	for (struct script_node *i = n->args; i && k < VALUES_MOST; i = i->next, k++) {
		types[k] = check_expr(c, i);
		if (types[k]->kind == TYPE_NONE || types[k]->kind == TYPE_AGGREGATE || types[k]->kind == TYPE_RECORD)
			return check_fail(c, i->at, "this has no value that could be taken from the kernel: it is a struct, or nothing");
	}
	check_site(c, n, type_tuple(&c->s->source->memory, types, k));
	return &type_none;
}

static int lower_event(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, n->args);
	return IR_NO;
}

static int show_event(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	return stap_run_event(r->s->stap_run, s, payload, n);
}

const struct builtin builtins_stap[] = {
	{ "stap event", true, 1, 0, .check = check_event, .lower = lower_event, .show = show_event },
	{ 0 },
};

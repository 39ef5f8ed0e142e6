// SPDX-License-Identifier: GPL-2.0-or-later
/* What a script says: printf, print, exit. */
#include <stddef.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/run.h"
#include "script/show/format.h"
#include "script/show/map.h"
#include "script/show/value.h"

/* ---- printf ---- */

static struct script_type *payload_of(struct checker *c, struct script_node *first, unsigned n)
{
	struct script_type *types[16];
	unsigned k = 0;
	for (struct script_node *i = first; i; i = i->next, k++) {
		if (k == 16) {
			check_fail(c, i->at, "more than 16 values at once cannot be printed");
			return NULL;
		}
		types[k] = check_expr(c, i);
		if (types[k]->kind == TYPE_NONE || types[k]->kind == TYPE_AGGREGATE || types[k]->kind == TYPE_RECORD) {
			check_fail(c, i->at, "this has no value that could be printed");
			return NULL;
		}
	}
	return type_tuple(&c->s->source->memory, types, n);
}

static struct script_type *check_printf(struct checker *c, struct script_node *n)
{
	const char *why = NULL;
	unsigned at;
	struct script_node *format = n->args;
	if (format->kind != NODE_STRING)
		return check_fail(c, format->at, "the first argument of printf() is the format, a string");
	struct script_type *t = payload_of(c, format->next, n->n_args - 1);
	if (!t)
		return &type_none;
	struct site *s = check_site(c, n, t);
	s->plan = plan_make(&c->s->source->memory, format->name, format->len, t, &why, &at);
	if (s->plan)
		return &type_none;
	for (struct script_node *i = format; i; i = i->next)
		if (!at--)
			return check_fail(c, i->at, "%s", why);
	return check_fail(c, n->at, "%s", why);
}

static int lower_printf(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, n->args->next);
	return IR_NO;
}

static int show_printf(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	struct str text = STR_INIT;
	plan_print(s->plan, &r->namer, &text, payload, n);
	run_text(r, "printf", &text);
	str_release(&text);
	return 0;
}

/* ---- print ---- */

static struct script_type *check_print(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args;
	if (a->kind == NODE_MAP && !a->n_args) {
		struct decl *d = check_map(c, a);
		if (d && c->strict && !d->keyed && n->n_args > 1 && d->type && d->type->kind != TYPE_AGGREGATE)
			return check_fail(c, a->next->at, "a map without keys has no top");
		for (struct script_node *i = a->next; i; i = i->next)
			if (!check_constant(c, i, 0, INT32_MAX, i == a->next ? "how many to print" : "what to divide by"))
				return &type_none;
		check_site(c, n, NULL);
		return &type_none;
	}
	if (a->kind == NODE_MAP && a->decl && a->decl->type && a->decl->type->kind == TYPE_AGGREGATE)
		return check_later(c, a->at, "print() of one entry of an aggregation");
	if (n->n_args > 1)
		return check_fail(c, a->next->at, "only a map has a top");
	struct script_type *t = payload_of(c, a, 1);
	if (t)
		check_site(c, n, t);
	return &type_none;
}

static int lower_print(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, n->site->payload ? n->args : NULL);
	return IR_NO;
}

static int show_print(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	const struct script_node *a = s->call->args;
	if (!s->payload)
		return show_map(r, a->decl, a->next ? (unsigned)a->next->value : 0, a->next && a->next->next ? a->next->next->value : 1);
	struct str text = STR_INIT;
	show_payload(&text, &r->namer, s->payload, payload, n, r->json);
	run_value(r, &text);
	str_release(&text);
	return 0;
}

/* ---- exit ---- */

static struct script_type *check_exit(struct checker *c, struct script_node *n)
{
	if (n->n_args)
		check_number(c, n->args, "an exit code");
	return &type_none;
}

static int lower_exit(struct lower *l, struct script_node *n)
{
	if (n->n_args)
		low_store(l, low_global(l, offsetof(struct globals, exit_code)), 8, lower_word(l, n->args));
	low_store_k(l, low_global(l, offsetof(struct globals, exiting)), 8, 1);
	low_jump(l, l->end);
	return IR_NO;
}

const struct builtin builtins_output[] = {
	{ "printf", true, 1, 0, .check = check_printf, .lower = lower_printf, .show = show_printf },
	{ "print", true, 1, 3, .check = check_print, .lower = lower_print, .show = show_print },
	{ "exit", true, 0, 1, .check = check_exit, .lower = lower_exit },
	{ 0 },
};

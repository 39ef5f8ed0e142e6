// SPDX-License-Identifier: GPL-2.0-or-later
/* What a script says: printf, print, exit. */
#include <stddef.h>
#include "base/error.h"
#include "script/builtin/said.h"
#include "script/show/map.h"
#include "script/show/value.h"

/* ---- printf ---- */

static struct script_type *check_printf(struct checker *c, struct script_node *n)
{
	return check_format(c, n, n->args);
}

static int show_printf(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	struct str text = STR_INIT;
	said_text(r, s, payload, n, &text);
	run_text(r, "printf", &text);
	str_release(&text);
	return 0;
}

/* ---- print ---- */

static bool is_histogram(const struct script_node *n)
{
	const struct script_type *t = n->kind == NODE_MAP && n->n_args && n->decl ? n->decl->type : NULL;
	return t && t->kind == TYPE_AGGREGATE && (t->aggregate == AGG_HIST || t->aggregate == AGG_LHIST);
}

/* @m[$t], where $t is a tuple: all keys at once. */
static bool is_whole_key(const struct script_node *map)
{
	return map->n_args == 1 && map->args->type && map->args->type->kind == TYPE_TUPLE;
}

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
	if (is_histogram(a)) { /* its key is sent, and the reader looks */
		struct decl *d = check_map(c, a);
		if (n->n_args > 1)
			return check_fail(c, a->next->at, "only a map has a top");
		if (d && d->key)
			check_site(c, n, is_whole_key(a) ? type_tuple(&c->s->source->memory, &d->key, 1) : d->key);
		return &type_none;
	}
	if (n->n_args > 1)
		return check_fail(c, a->next->at, "only a map has a top");
	struct script_type *t = check_payload(c, a);
	if (t)
		check_site(c, n, t);
	return &type_none;
}

static int lower_print(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, !n->site->payload ? NULL : is_histogram(n->args) ? n->args->args : n->args);
	return IR_NO;
}

static int show_print(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	const struct script_node *a = s->call->args;
	if (!s->payload)
		return show_map(r, a->decl, a->next ? (unsigned)a->next->value : 0, a->next && a->next->next ? a->next->next->value : 1);
	if (is_histogram(a))
		return show_entry(r, a->decl, payload, n, is_whole_key(a));
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

void lower_exit_with(struct lower *l, int code)
{
	low_store(l, low_global(l, offsetof(struct globals, exit_code)), 8, code);
	low_store_k(l, low_global(l, offsetof(struct globals, exiting)), 8, 1);
	low_jump(l, l->end);
}

static int lower_exit(struct lower *l, struct script_node *n)
{
	lower_exit_with(l, n->n_args ? lower_word(l, n->args) : low_const(l, 0));
	return IR_NO;
}

const struct builtin builtins_output[] = {
	{ "printf", true, 1, 0, .check = check_printf, .lower = lower_said, .show = show_printf },
	{ "print", true, 1, 3, .check = check_print, .lower = lower_print, .show = show_print },
	{ "exit", true, 0, 1, .check = check_exit, .lower = lower_exit },
	{ 0 },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* In whose memory an address is, where the script knows better: kptr, uptr. */
#include "script/builtin/builtin.h"

static struct script_type *in_space(struct checker *c, struct script_node *n, enum script_space space)
{
	struct arena *m = &c->s->source->memory;
	if (!check_address(c, n->args, "an address"))
		return &type_none;
	struct script_type *t = n->args->type;
	if (!type_is_word(t))
		t = n->args->place ? n->args->place : t;
	return type_pointer(m, t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY ? t->to : t->kind == TYPE_STRUCT ? t : NULL, space);
}

static struct script_type *check_kptr(struct checker *c, struct script_node *n) { return in_space(c, n, SPACE_KERNEL); }
static struct script_type *check_uptr(struct checker *c, struct script_node *n) { return in_space(c, n, SPACE_USER); }

static int address(struct lower *l, struct script_node *n)
{
	enum script_space space;
	int at = lower_address(l, n->args, &space);
	return type_is_word(n->args->type) ? at : low_number(l, (struct script_mem){ at, 0 });
}

const struct builtin builtins_pointer[] = {
	{ "kptr", true, 1, 1, .check = check_kptr, .lower = address },
	{ "uptr", true, 1, 1, .check = check_uptr, .lower = address },
	{ 0 },
};

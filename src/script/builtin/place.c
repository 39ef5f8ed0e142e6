// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the block is: probe, func, args, arg0 and so on. */
#include <string.h>
#include "script/builtin/builtin.h"
#include "script/provider/provider.h"

static struct script_type *check_probe(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_probe;
}

static int lower_probe(struct lower *l, struct script_node *n)
{
	(void)n;
	return l->call != IR_NO ? low_move(l, ir_reg(l->ir), l->call) : low_const(l, l->point->id);
}

static struct script_type *check_args(struct checker *c, struct script_node *n)
{
	if (c->point->args)
		return c->point->args;
	return check_fail(c, n->at, "args means nothing at %s", c->point->name);
}

static int lower_args(struct lower *l, struct script_node *n)
{
	(void)n;
	return l->context;
}

static struct script_type *check_arg(struct checker *c, struct script_node *n)
{
	if (c->point->provider->arg)
		return &type_u64;
	return check_fail(c, n->at, "%s means nothing at %s", n->name, c->point->name);
}

static int lower_arg(struct lower *l, struct script_node *n)
{
	return l->point->provider->arg(l, (unsigned)(n->name[3] - '0'));
}

#define ARG(n) { "arg" #n, .check = check_arg, .lower = lower_arg }
const struct builtin builtins_place[] = {
	{ "probe", .check = check_probe, .lower = lower_probe },
	{ "args", .check = check_args, .lower = lower_args },
	ARG(0), ARG(1), ARG(2), ARG(3), ARG(4), ARG(5), ARG(6), ARG(7), ARG(8), ARG(9),
	{ 0 },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the block is, and what is there: probe, func, args, arg0 and so on, retval, reg(). */
#include <ctype.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include "arch/dwarf_regs.h"
#include "arch/kregs.h"
#include "base/error.h"
#include "base/words.h"
#include "script/builtin/builtin.h"
#include "script/ctype/ctype.h"
#include "script/provider/provider.h"
#include "script/provider/regs.h"

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

static struct script_type *nothing(struct checker *c, const struct script_node *n)
{
	return check_fail(c, n->at, "%s means nothing at %s", n->name, c->point->name);
}

static struct script_type *check_func(struct checker *c, struct script_node *n)
{
	return c->point->func ? &type_func : nothing(c, n);
}

static struct script_type *check_args(struct checker *c, struct script_node *n)
{
	return c->point->args ? c->point->args : nothing(c, n);
}

static int lower_args(struct lower *l, struct script_node *n)
{
	(void)n;
	return l->context;
}

/* Why a provider has none of them: a pending error, told in its place. */
static struct script_type *check_arg(struct checker *c, struct script_node *n)
{
	const struct provider *p = c->point->provider;
	if (!p->arg)
		return nothing(c, n);
	if (!p->arg_type)
		return &type_u64;
	struct script_type *t = p->arg_type(c->point, (unsigned)(n->name[3] - '0'));
	if (t->kind == TYPE_NONE && error_pending()) {
		char *why = xstrdup(error_message());
		error_clear();
		check_fail(c, n->at, "%s", why);
		free(why);
	}
	return t;
}

static int lower_arg(struct lower *l, struct script_node *n)
{
	return l->point->provider->arg(l, (unsigned)(n->name[3] - '0'));
}

static struct script_type *check_retval(struct checker *c, struct script_node *n)
{
	if (!c->point->provider->retval)
		return nothing(c, n);
	if (!c->point->result)
		return &type_u64;
	if (c->point->result->kind == TYPE_NONE)
		return check_fail(c, n->at, "%s returns nothing", c->point->func);
	return c->point->provider->space == SPACE_USER ? type_in_space(&c->s->source->memory, c->point->result, SPACE_USER) : c->point->result;
}

static int lower_retval(struct lower *l, struct script_node *n)
{
	(void)n;
	return l->point->provider->retval(l);
}

/* sarg0 and so on: what the caller left on the stack, above its return address. */
static struct script_type *check_sarg(struct checker *c, struct script_node *n)
{
	return c->point->provider->registers ? &type_u64 : nothing(c, n);
}

static int lower_sarg(struct lower *l, struct script_node *n)
{
	return regs_arg(l, (l->point->narrow ? 0 : ARCH_ARG_REGS) + (unsigned)(n->name[4] - '0'));
}

/* ---- reg("ip") ---- */

static struct script_type *check_reg(struct checker *c, struct script_node *n)
{
	struct str all = STR_INIT;
	if (!c->point->provider->registers)
		return check_fail(c, n->at, "there are no registers at %s", c->point->name);
	if (n->args->kind != NODE_STRING)
		return check_fail(c, n->args->at, "a register's name is a string: reg(\"ip\")");
	if (arch_kreg_named(n->args->name) >= 0)
		return &type_u64;
	check_fail(c, n->args->at, "there is no register '%.20s'", n->args->name);
	for (int i = 0; i < ARCH_KREGS; i++)
		str_addf(&all, "%s%s", i ? ", " : "", arch_kregs[i].name);
	if (c->strict)
		error_hint("there are: %s", all.buf);
	str_release(&all);
	return &type_none;
}

static int lower_reg(struct lower *l, struct script_node *n)
{
	return low_load(l, (struct script_mem){ l->context, arch_kreg_named(n->args->name) }, 8, false);
}

#define ARG(n) { "arg" #n, .check = check_arg, .lower = lower_arg }
#define SARG(n) { "sarg" #n, .check = check_sarg, .lower = lower_sarg }
const struct builtin builtins_place[] = {
	{ "probe", .check = check_probe, .lower = lower_probe },
	{ "func", .check = check_func, .lower = lower_probe },
	{ "args", .check = check_args, .lower = lower_args },
	{ "retval", .check = check_retval, .lower = lower_retval },
	{ "reg", true, 1, 1, .check = check_reg, .lower = lower_reg },
	ARG(0), ARG(1), ARG(2), ARG(3), ARG(4), ARG(5), ARG(6), ARG(7), ARG(8), ARG(9),
	SARG(0), SARG(1), SARG(2), SARG(3), SARG(4), SARG(5), SARG(6), SARG(7), SARG(8), SARG(9),
	{ 0 },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* What changes the machine: signal, signal_thread, override, write_user. Only with --unsafe. */
#include <linux/bpf.h>
#include <string.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "syscall/decode.h"

bool check_unsafe(struct checker *c, const struct script_node *n)
{
	if (c->s->unsafe)
		return true;
	if (c->strict && !c->err) {
		check_fail(c, n->at, "%s() changes the machine", n->name);
		error_hint("sonde run --unsafe allows that");
	}
	return false;
}

/* ---- signals ---- */

static struct script_type *check_signal(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args;
	if (!check_unsafe(c, n))
		return &type_none;
	if (a->kind == NODE_WORD || a->kind == NODE_STRING) {
		int number = signal_number(a->name);
		if (number <= 0)
			return check_fail(c, a->at, "there is no signal '%s'", a->name);
		n->value = (uint64_t)number;
		return &type_s64;
	}
	if (a->kind == NODE_INT && (!a->value || a->value > 64))
		return check_fail(c, a->at, "signals are numbers from 1 to 64");
	return check_number(c, a, "a signal") ? &type_s64 : &type_none;
}

static int send(struct lower *l, struct script_node *n, int helper)
{
	int number = n->value ? low_const(l, (int64_t)n->value) : lower_word(l, n->args);
	return LOW_CALL(l, helper, arg_reg(number));
}

static int lower_signal(struct lower *l, struct script_node *n) { return send(l, n, BPF_FUNC_send_signal); }
static int lower_signal_thread(struct lower *l, struct script_node *n) { return send(l, n, BPF_FUNC_send_signal_thread); }

/* ---- write_user(address, value): a number of its type's size ---- */

static struct script_type *check_write(struct checker *c, struct script_node *n)
{
	if (!check_unsafe(c, n) || !check_number(c, n->args, "an address") || !check_number(c, n->args->next, "what is written"))
		return &type_none;
	return &type_s64;
}

static int lower_write(struct lower *l, struct script_node *n)
{
	const struct script_type *t = n->args->type, *v = n->args->next->type;
	uint32_t size = t->kind == TYPE_POINTER && t->to && t->to->kind == TYPE_INT ? t->to->size : v->kind == TYPE_INT ? v->size : 8;
	struct script_mem m = low_stack(l, 8);
	int address = lower_word(l, n->args);
	low_store(l, m, 8, lower_word(l, n->args->next));
	return LOW_CALL(l, BPF_FUNC_probe_write_user, arg_reg(address), arg_mem(m), arg_k(size));
}

const struct builtin builtins_act[] = {
	{ "signal", true, 1, 1, .check = check_signal, .lower = lower_signal },
	{ "signal_thread", true, 1, 1, .check = check_signal, .lower = lower_signal_thread },
	{ "write_user", true, 2, 2, .check = check_write, .lower = lower_write },
	{ 0 },
};

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/ir.h"
#include <stdlib.h>

void ir_release(struct ir *ir)
{
	vec_release(&ir->ins);
}

int ir_reg(struct ir *ir)
{
	return ir->n_regs++;
}

int ir_label(struct ir *ir)
{
	return ir->n_labels++;
}

struct ir_ins *ir_add(struct ir *ir, enum ir_op op)
{
	struct ir_ins *i = vec_push(&ir->ins);
	i->op = op;
	i->d = i->a = i->b = i->c = IR_NO;
	return i;
}

/* Marks all that follows from there, as far as it goes on; jumps' targets go onto the stack. */
static void mark(const struct ir *ir, const int *label, bool *seen, int *stack, size_t *depth, size_t at)
{
	for (; at < ir->ins.n && !seen[at]; at++) {
		const struct ir_ins *i = &ir->ins.at[at];
		seen[at] = true;
		if (i->op == IR_JUMP || i->op == IR_BRANCH)
			stack[(*depth)++] = label[i->imm];
		if (i->op == IR_JUMP || i->op == IR_EXIT)
			return;
	}
}

void ir_prune(struct ir *ir)
{
	int *label = xcalloc((size_t)ir->n_labels + 1, sizeof(*label)), *stack = xcalloc(ir->ins.n + 1, sizeof(*stack));
	bool *seen = xcalloc(ir->ins.n + 1, sizeof(*seen));
	size_t depth = 1, n = 0;
	for (size_t i = 0; i < ir->ins.n; i++)
		if (ir->ins.at[i].op == IR_LABEL)
			label[ir->ins.at[i].imm] = (int)i;
	while (depth) {
		size_t at = (size_t)stack[--depth];
		mark(ir, label, seen, stack, &depth, at);
	}
	for (size_t i = 0; i < ir->ins.n; i++)
		if (seen[i])
			ir->ins.at[n++] = ir->ins.at[i];
	ir->ins.n = n;
	free(label);
	free(stack);
	free(seen);
}

static void print_arg(const struct ir_arg *a, struct str *out)
{
	switch (a->kind) {
	case ARG_NONE: return;
	case ARG_REG: str_addf(out, " v%d", a->reg); break;
	case ARG_IMM: str_addf(out, " %lld", (long long)a->n); break;
	case ARG_MAP: str_addf(out, " map%lld", (long long)a->n); break;
	case ARG_STACK: str_addf(out, " fp%+lld", (long long)a->n); break;
	case ARG_SUM: str_addf(out, " v%d%+lld", a->reg, (long long)a->n); break;
	case ARG_FUNC: str_addf(out, " function%lld", (long long)a->n); break;
	}
}

static void print_operands(const struct ir_ins *i, struct str *out)
{
	if (i->d != IR_NO)
		str_addf(out, " v%d =", i->d);
	if (i->a != IR_NO)
		str_addf(out, " v%d", i->a);
	if (i->b != IR_NO)
		str_addf(out, " v%d", i->b);
	if (i->c != IR_NO)
		str_addf(out, " v%d", i->c);
	if (i->how)
		str_addf(out, " how=%x", i->how);
	if (i->size)
		str_addf(out, " size=%u", i->size);
	if (i->off)
		str_addf(out, " off=%d", i->off);
	if (i->k)
		str_addf(out, " k=%d", i->k);
}

void ir_print(const struct ir *ir, struct str *out)
{
	static const char *const names[] = { "const", "move", "alu", "neg", "cut", "load", "store", "add_to", "swap", "exchange", "fetch_add", "stack", "global",
		"context", "call", "label", "jump", "branch", "exit", "param" };
	vec_each(&ir->ins, i) {
		str_addf(out, "%4zu %-8s", (size_t)(i - ir->ins.at), names[i->op]);
		print_operands(i, out);
		str_addf(out, " imm=%lld", (long long)i->imm);
		for (int k = 0; i->op == IR_CALL && k < IR_ARGS; k++)
			print_arg(&i->arg[k], out);
		str_addc(out, '\n');
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/alloc.h"
#include <errno.h>
#include <stdlib.h>
#include "base/str.h"

enum { FIRST_LOW = 3, FIRST_HIGH = 6, LAST = 9, STACK_SIZE = 512 };

struct interval { int reg, start, end; bool calls; };

static void touch(struct interval *v, int reg, int pos)
{
	if (reg == IR_NO)
		return;
	if (v[reg].start < 0)
		v[reg].start = pos;
	v[reg].end = pos;
}

/* What is live where a loop begins, and used in it, is live to its end. */
static void extend_loops(const struct ir *ir, struct interval *v)
{
	int *label = xcalloc((size_t)ir->n_labels + 1, sizeof(*label));
	for (size_t i = 0; i < ir->ins.n; i++)
		if (ir->ins.at[i].op == IR_LABEL)
			label[ir->ins.at[i].imm] = (int)i;
	bool again = true;
	while (again) {
		again = false;
		for (int i = 0; i < (int)ir->ins.n; i++) {
			const struct ir_ins *x = &ir->ins.at[i];
			int to = x->op == IR_JUMP || x->op == IR_BRANCH ? label[x->imm] : i;
			for (int r = 0; to < i && r < ir->n_regs; r++)
				if (v[r].start >= 0 && v[r].start < to && v[r].end >= to && v[r].end < i) {
					v[r].end = i;
					again = true;
				}
		}
	}
	free(label);
}

static struct interval *measure(const struct ir *ir)
{
	struct interval *v = xcalloc((size_t)ir->n_regs + 1, sizeof(*v));
	for (int i = 0; i < ir->n_regs; i++)
		v[i] = (struct interval){ i, -1, -1, false };
	for (int i = 0; i < (int)ir->ins.n; i++) {
		const struct ir_ins *x = &ir->ins.at[i];
		touch(v, x->a, i);
		touch(v, x->b, i);
		touch(v, x->c, i);
		touch(v, x->d, i);
		if (x->op == IR_PARAM)
			v[x->d].calls = true; /* out of the way of the other arguments */
		for (int k = 0; x->op == IR_CALL && k < IR_ARGS; k++)
			if (x->arg[k].kind == ARG_REG || x->arg[k].kind == ARG_SUM)
				touch(v, x->arg[k].reg, i);
	}
	extend_loops(ir, v);
	int *calls = xcalloc(ir->ins.n + 1, sizeof(*calls)); /* how many before each */
	for (size_t i = 0; i < ir->ins.n; i++)
		calls[i + 1] = calls[i] + (ir->ins.at[i].op == IR_CALL);
	for (int i = 0; i < ir->n_regs; i++)
		v[i].calls |= v[i].start >= 0 && calls[v[i].end + 1] > calls[v[i].start + 1];
	free(calls);
	return v;
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return x->start != y->start ? (x->start < y->start ? -1 : 1) : x->reg - y->reg;
}

/* A place on the stack that is free from then on. */
static int stack_place(const struct ir *ir, int *until, int max, const struct interval *v)
{
	for (int i = 0; i < max; i++)
		if (until[i] < v->start) {
			until[i] = v->end;
			return -(int)ir->stack - 8 * (i + 1);
		}
	return 0;
}

int alloc_registers(const struct ir *ir, struct reg_homes *out)
{
	int busy[LAST + 1], until[STACK_SIZE / 8], max = (STACK_SIZE - (int)ir->stack) / 8;
	struct interval *v = measure(ir);
	int err = 0;
	for (int i = 0; i <= LAST; i++)
		busy[i] = -1;
	for (int i = 0; i < STACK_SIZE / 8; i++)
		until[i] = -1;
	out->at = xcalloc((size_t)ir->n_regs + 1, sizeof(*out->at));
	out->stack = ir->stack;
	qsort(v, (size_t)ir->n_regs, sizeof(*v), by_start);
	for (int i = 0; i < ir->n_regs && !err; i++) {
		if (v[i].start < 0)
			continue;
		int r = v[i].calls ? FIRST_HIGH : FIRST_LOW;
		while (r <= LAST && busy[r] >= v[i].start)
			r++;
		if (r <= LAST) {
			busy[r] = v[i].end;
			out->at[v[i].reg] = r;
			continue;
		}
		int place = stack_place(ir, until, max, &v[i]);
		out->at[v[i].reg] = place;
		err = place ? 0 : -E2BIG;
		if ((uint32_t)-place > out->stack)
			out->stack = (uint32_t)-place;
	}
	free(v);
	return err;
}

void reg_homes_release(struct reg_homes *p)
{
	free(p->at);
	p->at = NULL;
}

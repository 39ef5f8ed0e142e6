// SPDX-License-Identifier: GPL-2.0-or-later
/* A stack machine with a bounded stack and a bounded number of steps: branches may go backwards, so
 * only the step count keeps a hostile expression from running for ever. */
#include "symbol/unwind/expr.h"
#include <dwarf.h>
#include "symbol/unwind/cfi_inner.h"

enum { DEPTH = 64, STEPS = 1000 };

struct machine {
	const struct expr_context *x;
	struct cfi_cursor c;
	const uint8_t *start;
	uint64_t at[DEPTH];
	unsigned n;
	bool bad;
};

static void push(struct machine *m, uint64_t v)
{
	if (m->n == DEPTH)
		m->bad = true;
	else
		m->at[m->n++] = v;
}

static uint64_t pop(struct machine *m)
{
	if (m->n)
		return m->at[--m->n];
	m->bad = true;
	return 0;
}

static uint64_t pick(struct machine *m, unsigned back)
{
	if (back < m->n)
		return m->at[m->n - 1 - back];
	m->bad = true;
	return 0;
}

static uint64_t reg(struct machine *m, uint64_t n)
{
	if (n < m->x->n_regs)
		return m->x->reg[n];
	m->bad = true;
	return 0;
}

static void deref(struct machine *m, unsigned n)
{
	uint64_t v = 0, addr = pop(m);
	if (m->bad || n > 8 || !m->x->read(m->x->arg, addr, n, &v))
		m->bad = true;
	push(m, v);
}

static bool constant(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_addr: push(m, cursor_fixed(&m->c, m->x->word)); return true;
	case DW_OP_const1u: push(m, cursor_fixed(&m->c, 1)); return true;
	case DW_OP_const1s: push(m, (int8_t)cursor_fixed(&m->c, 1)); return true;
	case DW_OP_const2u: push(m, cursor_fixed(&m->c, 2)); return true;
	case DW_OP_const2s: push(m, (int16_t)cursor_fixed(&m->c, 2)); return true;
	case DW_OP_const4u: push(m, cursor_fixed(&m->c, 4)); return true;
	case DW_OP_const4s: push(m, (int32_t)cursor_fixed(&m->c, 4)); return true;
	case DW_OP_const8u: case DW_OP_const8s: push(m, cursor_fixed(&m->c, 8)); return true;
	case DW_OP_constu: push(m, cursor_uleb(&m->c)); return true;
	case DW_OP_consts: push(m, cursor_sleb(&m->c)); return true;
	case DW_OP_bregx: { uint64_t v = reg(m, cursor_uleb(&m->c)); push(m, v + cursor_sleb(&m->c)); return true; }
	}
	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		push(m, op - DW_OP_lit0);
	else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		push(m, reg(m, op - DW_OP_breg0) + cursor_sleb(&m->c));
	else
		return false;
	return true;
}

static bool shuffle(struct machine *m, uint8_t op)
{
	uint64_t a, b, c;
	switch (op) {
	case DW_OP_dup: push(m, pick(m, 0)); return true;
	case DW_OP_drop: pop(m); return true;
	case DW_OP_over: push(m, pick(m, 1)); return true;
	case DW_OP_pick: push(m, pick(m, cursor_fixed(&m->c, 1))); return true;
	case DW_OP_swap: a = pop(m); b = pop(m); push(m, a); push(m, b); return true;
	case DW_OP_rot: a = pop(m); b = pop(m); c = pop(m); push(m, a); push(m, c); push(m, b); return true;
	case DW_OP_deref: deref(m, m->x->word); return true;
	case DW_OP_deref_size: deref(m, cursor_fixed(&m->c, 1)); return true;
	case DW_OP_nop: return true;
	}
	return false;
}

static bool unary(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_abs: { uint64_t v = pop(m); push(m, (int64_t)v < 0 ? 0 - v : v); return true; }
	case DW_OP_neg: push(m, 0 - pop(m)); return true;
	case DW_OP_not: push(m, ~pop(m)); return true;
	case DW_OP_plus_uconst: { uint64_t v = pop(m); push(m, v + cursor_uleb(&m->c)); return true; }
	}
	return false;
}

static bool binary(struct machine *m, uint8_t op)
{
	if (!((op >= DW_OP_and && op <= DW_OP_xor) || (op >= DW_OP_eq && op <= DW_OP_ne)))
		return false;
	uint64_t b = pop(m), a = pop(m), v = 0;
	int64_t sb = b, sa = a;
	switch (op) {
	case DW_OP_and: v = a & b; break;
	case DW_OP_or: v = a | b; break;
	case DW_OP_xor: v = a ^ b; break;
	case DW_OP_plus: v = a + b; break;
	case DW_OP_minus: v = a - b; break;
	case DW_OP_mul: v = a * b; break;
	case DW_OP_div: v = !b ? 0 : sb == -1 ? 0 - a : (uint64_t)(sa / sb); break;
	case DW_OP_mod: v = b ? a % b : 0; break;
	case DW_OP_shl: v = b < 64 ? a << b : 0; break;
	case DW_OP_shr: v = b < 64 ? a >> b : 0; break;
	case DW_OP_shra: v = sa >> (b < 64 ? b : 63); break;
	case DW_OP_eq: v = a == b; break;
	case DW_OP_ne: v = a != b; break;
	case DW_OP_lt: v = sa < sb; break;
	case DW_OP_le: v = sa <= sb; break;
	case DW_OP_gt: v = sa > sb; break;
	case DW_OP_ge: v = sa >= sb; break;
	default: m->bad = true;
	}
	push(m, v);
	return true;
}

static bool branch(struct machine *m, uint8_t op)
{
	if (op != DW_OP_skip && op != DW_OP_bra)
		return false;
	int16_t by = cursor_fixed(&m->c, 2);
	if (op == DW_OP_bra && !pop(m))
		return true;
	int64_t to = m->c.at - m->start + by;
	if (to < 0 || to > m->c.end - m->start)
		m->bad = true;
	else
		m->c.at = m->start + to;
	return true;
}

bool expr_run(const struct expr_context *x, const uint8_t *p, size_t n, bool has_push, uint64_t first, uint64_t *result)
{
	struct machine m = { .x = x, .c = { .at = p, .end = p + n }, .start = p };
	if (has_push)
		push(&m, first);
	for (int steps = 0; m.c.at < m.c.end && !m.bad && !m.c.bad; steps++) {
		uint8_t op = cursor_fixed(&m.c, 1);
		if (steps == STEPS || !(constant(&m, op) || shuffle(&m, op) || unary(&m, op) || binary(&m, op) || branch(&m, op)))
			return false;
	}
	if (m.bad || m.c.bad || !m.n)
		return false;
	*result = m.at[m.n - 1];
	return true;
}

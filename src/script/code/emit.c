// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/emit.h"
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/code/alloc.h"

enum { R0, R1, R2, R10 = 10, CALL_DEPTH = 8, STACK_MAX = 512 };

struct emitter {
	struct script_unit *u;
	struct reg_homes homes;
	struct span at; /* of the instruction being made */
	int *label; /* where each is; -1: not yet */
	VEC(struct fixup { size_t ins; int64_t label; }) fixups;
	VEC(size_t) calls; /* instructions that have a function's number */
	uint32_t stack[CALL_DEPTH]; /* of the largest function of each depth */
};

static void put(struct emitter *e, uint8_t code, unsigned dst, unsigned src, int16_t off, int32_t imm)
{
	struct bpf_insn i = { .code = code, .dst_reg = dst & 15, .src_reg = src & 15, .off = off, .imm = imm };
	uint64_t word;
	memcpy(&word, &i, sizeof(word));
	*vec_push(&e->u->code) = word;
	*vec_push(&e->u->lines) = e->at;
}

static uint8_t width(unsigned size)
{
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W : BPF_DW;
}

static void move(struct emitter *e, unsigned to, unsigned from)
{
	if (to != from)
		put(e, BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

static void constant(struct emitter *e, unsigned to, int64_t v)
{
	if (v == (int32_t)v) {
		put(e, BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, (int32_t)v);
		return;
	}
	put(e, BPF_LD | BPF_DW | BPF_IMM, to, 0, 0, (int32_t)v);
	put(e, 0, 0, 0, 0, (int32_t)(v >> 32));
}

static void load_map(struct emitter *e, unsigned to, unsigned map, int32_t off, bool value)
{
	put(e, BPF_LD | BPF_DW | BPF_IMM, to, value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD, 0, (int32_t)map);
	put(e, 0, 0, 0, 0, off);
}

/* The machine register that has it: its own, or spare, which it is loaded into. */
static unsigned use(struct emitter *e, int reg, unsigned spare)
{
	int place = e->homes.at[reg];
	if (place > 0)
		return (unsigned)place;
	put(e, BPF_LDX | BPF_MEM | BPF_DW, spare, R10, (int16_t)place, 0);
	return spare;
}

static unsigned target(const struct emitter *e, int reg)
{
	return e->homes.at[reg] > 0 ? (unsigned)e->homes.at[reg] : R0;
}

/* What was to be in reg is in that register. */
static void done(struct emitter *e, int reg, unsigned in)
{
	int place = e->homes.at[reg];
	if (place > 0)
		move(e, (unsigned)place, in);
	else if (place)
		put(e, BPF_STX | BPF_MEM | BPF_DW, R10, in, (int16_t)place, 0);
}

static void alu(struct emitter *e, const struct ir_ins *i)
{
	unsigned t = target(e, i->d), b = R2;
	if (i->b != IR_NO)
		b = use(e, i->b, R2);
	else if (i->imm != (int32_t)i->imm)
		constant(e, R2, i->imm);
	if (t == b)
		t = R0;
	move(e, t, use(e, i->a, t));
	if (i->b == IR_NO && i->imm == (int32_t)i->imm)
		put(e, (uint8_t)(BPF_ALU64 | i->how | BPF_K), t, 0, 0, (int32_t)i->imm);
	else
		put(e, (uint8_t)(BPF_ALU64 | i->how | BPF_X), t, b, 0, 0);
	done(e, i->d, t);
}

static void cut(struct emitter *e, unsigned t, unsigned size, bool is_signed)
{
	int32_t bits = 64 - 8 * (int32_t)size;
	if (!bits)
		return;
	put(e, BPF_ALU64 | BPF_LSH | BPF_K, t, 0, 0, bits);
	put(e, (uint8_t)(BPF_ALU64 | (is_signed ? BPF_ARSH : BPF_RSH) | BPF_K), t, 0, 0, bits);
}

static void load(struct emitter *e, const struct ir_ins *i)
{
	unsigned t = target(e, i->d);
	put(e, BPF_LDX | BPF_MEM | width(i->size), t, use(e, i->a, R1), (int16_t)i->off, 0);
	if (i->is_signed)
		cut(e, t, i->size, true);
	done(e, i->d, t);
}

static void store(struct emitter *e, const struct ir_ins *i)
{
	unsigned base = use(e, i->a, R1);
	if (i->b == IR_NO && i->imm == (int32_t)i->imm) {
		put(e, BPF_ST | BPF_MEM | width(i->size), base, 0, (int16_t)i->off, (int32_t)i->imm);
		return;
	}
	unsigned v = R2;
	if (i->b == IR_NO)
		constant(e, R2, i->imm);
	else
		v = use(e, i->b, R2);
	put(e, BPF_STX | BPF_MEM | width(i->size), base, v, (int16_t)i->off, 0);
}

/* The machine compares with r0, and leaves there what it was. */
static void exchange(struct emitter *e, const struct ir_ins *i)
{
	unsigned base = use(e, i->a, R1), to = use(e, i->c, R2);
	move(e, R0, use(e, i->b, R0));
	put(e, BPF_STX | BPF_ATOMIC | BPF_DW, base, to, (int16_t)i->off, BPF_CMPXCHG);
	done(e, i->d, R0);
}

static void atomic(struct emitter *e, const struct ir_ins *i)
{
	unsigned base = use(e, i->a, R1), v = use(e, i->b, R2);
	if (i->op == IR_ADD_TO) {
		put(e, BPF_STX | BPF_ATOMIC | BPF_DW, base, v, (int16_t)i->off, BPF_ADD);
		return;
	}
	if (e->u->no_swap) { /* there nobody is preempted, and who interrupts us has put back what it took when we go on */
		put(e, BPF_LDX | BPF_MEM | BPF_DW, R0, base, (int16_t)i->off, 0);
		put(e, BPF_STX | BPF_MEM | BPF_DW, base, v, (int16_t)i->off, 0);
		done(e, i->d, R0);
		return;
	}
	move(e, R2, v);
	put(e, BPF_STX | BPF_ATOMIC | BPF_DW, base, R2, (int16_t)i->off, i->op == IR_SWAP ? BPF_XCHG : BPF_ADD | BPF_FETCH);
	done(e, i->d, R2);
}

static void load_function(struct emitter *e, unsigned to, unsigned n)
{
	*vec_push(&e->calls) = e->u->code.n;
	put(e, BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_FUNC, 0, (int32_t)n);
	put(e, 0, 0, 0, 0, 0);
}

static void argument(struct emitter *e, unsigned to, const struct ir_arg *a)
{
	switch (a->kind) {
	case ARG_NONE: break;
	case ARG_REG: move(e, to, use(e, a->reg, to)); break;
	case ARG_IMM: constant(e, to, a->n); break;
	case ARG_MAP: load_map(e, to, (unsigned)a->n, 0, false); break;
	case ARG_FUNC: load_function(e, to, (unsigned)a->n); break;
	case ARG_STACK:
		move(e, to, R10);
		put(e, BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, (int32_t)a->n);
		break;
	case ARG_SUM:
		move(e, to, use(e, a->reg, to));
		if (a->n)
			put(e, BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, (int32_t)a->n);
		break;
	}
}

static void call(struct emitter *e, const struct ir_ins *i)
{
	for (unsigned k = 0; k < IR_ARGS; k++)
		argument(e, R1 + k, &i->arg[k]);
	put(e, BPF_JMP | BPF_CALL, 0, 0, 0, (int32_t)i->imm);
	if (i->d != IR_NO)
		done(e, i->d, R0);
}

static void jump(struct emitter *e, const struct ir_ins *i)
{
	uint8_t code = BPF_JMP | BPF_JA;
	unsigned a = 0, b = 0;
	if (i->op == IR_BRANCH) {
		a = use(e, i->a, R1);
		b = i->b == IR_NO ? 0 : use(e, i->b, R2);
		code = (uint8_t)(BPF_JMP | i->how | (i->b == IR_NO ? BPF_K : BPF_X));
	}
	*vec_push(&e->fixups) = (struct fixup){ e->u->code.n, i->imm };
	put(e, code, a, b, 0, i->op == IR_BRANCH && i->b == IR_NO ? i->k : 0);
}

static void simple(struct emitter *e, const struct ir_ins *i)
{
	unsigned t = i->d == IR_NO ? R0 : target(e, i->d);
	switch (i->op) {
	case IR_CONST: constant(e, t, i->imm); break;
	case IR_MOVE: move(e, t, use(e, i->a, t)); break;
	case IR_NEG:
		move(e, t, use(e, i->a, t));
		put(e, BPF_ALU64 | BPF_NEG, t, 0, 0, 0);
		break;
	case IR_CUT:
		move(e, t, use(e, i->a, t));
		cut(e, t, i->size, i->is_signed);
		break;
	case IR_STACK:
		move(e, t, R10);
		put(e, BPF_ALU64 | BPF_ADD | BPF_K, t, 0, 0, i->off);
		break;
	case IR_GLOBAL: load_map(e, t, LOAD_GLOBAL, i->off, true); break;
	case IR_PARAM: t = (unsigned)i->imm; break;
	default: t = R1; break; /* IR_CONTEXT */
	}
	done(e, i->d, t);
}

static void instruction(struct emitter *e, const struct ir_ins *i)
{
	e->at = i->at;
	switch (i->op) {
	case IR_ALU: alu(e, i); break;
	case IR_LOAD: load(e, i); break;
	case IR_STORE: store(e, i); break;
	case IR_ADD_TO:
	case IR_FETCH_ADD:
	case IR_SWAP: atomic(e, i); break;
	case IR_EXCHANGE: exchange(e, i); break;
	case IR_CALL: call(e, i); break;
	case IR_LABEL: e->label[i->imm] = (int)e->u->code.n; break;
	case IR_JUMP:
	case IR_BRANCH: jump(e, i); break;
	case IR_EXIT:
		constant(e, R0, i->imm);
		put(e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		break;
	default:
		if (e->homes.at[i->d]) /* else nobody reads it */
			simple(e, i);
		break;
	}
}

static void fix_calls(struct emitter *e)
{
	vec_each(&e->calls, at) {
		struct bpf_insn i;
		memcpy(&i, &e->u->code.at[*at], sizeof(i));
		i.imm = (int32_t)e->u->starts.at[i.imm] - (int32_t)*at - 1;
		memcpy(&e->u->code.at[*at], &i, sizeof(i));
	}
}

static int fix_jumps(struct emitter *e)
{
	vec_each(&e->fixups, f) {
		struct bpf_insn i;
		int64_t off = e->label[f->label] - (int64_t)f->ins - 1;
		if (off != (int16_t)off)
			return -E2BIG;
		memcpy(&i, &e->u->code.at[f->ins], sizeof(i));
		i.off = (int16_t)off;
		memcpy(&e->u->code.at[f->ins], &i, sizeof(i));
	}
	return 0;
}

/* The stacks of those that are under way together are as large as one may be. */
static int add_stack(struct emitter *e, unsigned depth, uint32_t size)
{
	uint32_t sum = 0;
	if (depth >= CALL_DEPTH)
		return -E2BIG;
	if (e->stack[depth] < size)
		e->stack[depth] = size;
	for (unsigned i = 0; i < CALL_DEPTH; i++)
		sum += e->stack[i];
	return sum > STACK_MAX ? -E2BIG : 0;
}

/* A function has its own registers, labels and stack. */
static int emit_function(struct emitter *e, const struct ir *ir)
{
	int err = alloc_registers(ir, &e->homes);
	e->label = xcalloc((size_t)ir->n_labels + 1, sizeof(*e->label));
	vec_clear(&e->fixups);
	for (size_t i = 0; !err && i < ir->ins.n; i++)
		instruction(e, &ir->ins.at[i]);
	if (!err)
		err = fix_jumps(e);
	if (!err)
		err = add_stack(e, ir->depth, (e->homes.stack + 31) & ~31u);
	reg_homes_release(&e->homes);
	free(e->label);
	return err;
}

int emit_unit(const struct script_source *s, struct script_unit *u)
{
	struct emitter e = { .u = u };
	vec_clear(&u->code);
	vec_clear(&u->lines);
	vec_clear(&u->starts);
	int err = emit_function(&e, &u->ir);
	for (size_t i = 0; !err && i < u->functions.n; i++) {
		*vec_push(&u->starts) = (unsigned)u->code.n;
		err = emit_function(&e, &u->functions.at[i]);
	}
	if (!err)
		fix_calls(&e);
	if (err == -E2BIG) {
		source_error(s, u->probe->at, "the block of this probe is too large for one program");
		err = error_hint("split it into several blocks of the same probe: they run one after the other");
	}
	vec_release(&e.fixups);
	vec_release(&e.calls);
	return err;
}

void emit_relocate(struct script_unit *u, int (*fd_of)(void *ctx, const struct script_unit *u, unsigned map), void *ctx)
{
	for (size_t k = 0; k < u->code.n; k++) {
		struct bpf_insn i;
		memcpy(&i, &u->code.at[k], sizeof(i));
		if (i.code != (BPF_LD | BPF_DW | BPF_IMM))
			continue;
		if (i.src_reg == BPF_PSEUDO_MAP_FD || i.src_reg == BPF_PSEUDO_MAP_VALUE) {
			i.imm = fd_of(ctx, u, (unsigned)i.imm);
			memcpy(&u->code.at[k], &i, sizeof(i));
		}
		k++;
	}
}

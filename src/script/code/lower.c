// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/lower.h"
#include <errno.h>
#include <linux/bpf.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/check_type.h"
#include "script/code/lower_loop.h"
#include "script/front/lex.h"
#include "script/provider/provider.h"

enum { STACK_OBJECTS = 256, SMALL = 64, MANY = 2048 /* bytes: not one by one */, LONGEST = 50000 /* instructions: more than any program may have in the end */ };

/* ---- instructions ---- */

static struct ir_ins *add(struct lower *l, enum ir_op op)
{
	struct ir_ins *i = ir_add(l->ir, op);
	i->at = l->at;
	return i;
}

static struct ir_ins *add_d(struct lower *l, enum ir_op op, int *d)
{
	*d = ir_reg(l->ir);
	struct ir_ins *i = add(l, op);
	i->d = *d;
	return i;
}

int low_const(struct lower *l, int64_t v)
{
	int d;
	add_d(l, IR_CONST, &d)->imm = v;
	return d;
}

int low_move(struct lower *l, int d, int a)
{
	struct ir_ins *i = add(l, IR_MOVE);
	i->d = d;
	i->a = a;
	return d;
}

int low_alu(struct lower *l, enum ir_alu how, int a, int b)
{
	int d;
	struct ir_ins *i = add_d(l, IR_ALU, &d);
	i->how = (uint8_t)how;
	i->a = a;
	i->b = b;
	return d;
}

int low_alu_k(struct lower *l, enum ir_alu how, int a, int64_t k)
{
	int d = low_alu(l, how, a, IR_NO);
	vec_last(&l->ir->ins)->imm = k;
	return d;
}

int low_cut(struct lower *l, int a, unsigned size, bool is_signed)
{
	int d;
	struct ir_ins *i = add_d(l, IR_CUT, &d);
	i->a = a;
	i->size = (uint8_t)size;
	i->is_signed = is_signed;
	return d;
}

int low_load(struct lower *l, struct script_mem m, unsigned size, bool is_signed)
{
	int d;
	struct ir_ins *i = add_d(l, IR_LOAD, &d);
	i->a = m.base;
	i->off = m.off;
	i->size = (uint8_t)size;
	i->is_signed = is_signed && size < 8;
	return d;
}

void low_store(struct lower *l, struct script_mem m, unsigned size, int b)
{
	struct ir_ins *i = add(l, IR_STORE);
	i->a = m.base;
	i->off = m.off;
	i->size = (uint8_t)size;
	i->b = b;
}

void low_store_k(struct lower *l, struct script_mem m, unsigned size, int64_t k)
{
	low_store(l, m, size, IR_NO);
	vec_last(&l->ir->ins)->imm = k;
}

void low_add_to(struct lower *l, struct script_mem m, int b)
{
	struct ir_ins *i = add(l, IR_ADD_TO);
	i->a = m.base;
	i->off = m.off;
	i->b = b;
}

int low_fetch_add(struct lower *l, struct script_mem m, int b)
{
	int d;
	struct ir_ins *i = add_d(l, IR_FETCH_ADD, &d);
	i->a = m.base;
	i->off = m.off;
	i->b = b;
	return d;
}

int low_exchange(struct lower *l, struct script_mem m, int was, int to)
{
	int d;
	struct ir_ins *i = add_d(l, IR_EXCHANGE, &d);
	i->a = m.base;
	i->off = m.off;
	i->b = was;
	i->c = to;
	return d;
}

struct script_mem low_global(struct lower *l, uint32_t off)
{
	int d;
	add_d(l, IR_GLOBAL, &d)->off = (int32_t)off;
	return (struct script_mem){ d, 0 };
}

int low_call(struct lower *l, int helper, const struct ir_arg *args, unsigned n)
{
	int d;
	struct ir_ins *i = add_d(l, IR_CALL, &d);
	i->imm = helper;
	for (unsigned k = 0; k < n && k < IR_ARGS; k++)
		i->arg[k] = args[k];
	return d;
}

int low_param(struct lower *l, unsigned n)
{
	int d;
	add_d(l, IR_PARAM, &d)->imm = n;
	return d;
}

void low_exit(struct lower *l, int64_t value)
{
	add(l, IR_EXIT)->imm = value;
}

void low_label(struct lower *l, int label)
{
	add(l, IR_LABEL)->imm = label;
}

void low_jump(struct lower *l, int label)
{
	add(l, IR_JUMP)->imm = label;
}

void low_branch(struct lower *l, enum ir_cond how, int a, int b, int label)
{
	struct ir_ins *i = add(l, IR_BRANCH);
	i->how = (uint8_t)how;
	i->a = a;
	i->b = b;
	i->imm = label;
}

void low_branch_k(struct lower *l, enum ir_cond how, int a, int32_t k, int label)
{
	low_branch(l, how, a, IR_NO, label);
	vec_last(&l->ir->ins)->k = k;
}

/* ---- memory ---- */

struct script_mem low_stack(struct lower *l, uint32_t size)
{
	int d;
	size = (size + 7) & ~7u;
	if (l->stack_used + size > STACK_OBJECTS)
		return low_frame(l, size);
	l->stack_used += size;
	if (l->stack_used > l->ir->stack)
		l->ir->stack = l->stack_used;
	add_d(l, IR_STACK, &d)->off = -(int32_t)l->stack_used;
	return (struct script_mem){ d, 0 };
}

struct script_mem low_own_stack(struct lower *l, uint32_t size)
{
	if (l->stack_used + size > STACK_OBJECTS && !l->err)
		l->err = source_error(l->s->source, l->at, "this loop uses more from outside of it than a program has room for");
	return l->err ? (struct script_mem){ l->frame, 0 } : low_stack(l, size);
}

struct script_mem low_frame(struct lower *l, uint32_t size)
{
	struct script_mem m = { l->frame, (int32_t)l->frame_used };
	l->wants_frame = true;
	l->frame_used += (size + 7) & ~7u;
	if (l->frame_used > l->frame_max)
		l->frame_max = l->frame_used;
	if (l->frame_used > INT16_MAX && !l->err)
		l->err = source_error(l->s->source, l->at, "the strings and structs up to here take more than 32 kB");
	return m;
}

struct script_mem low_room(struct lower *l, uint32_t size)
{
	return size <= SMALL ? low_stack(l, size) : low_frame(l, size);
}

void low_zero(struct lower *l, struct script_mem m, uint32_t size)
{
	if (size > MANY && size <= ZERO_MAX) {
		LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(size), arg_mem(low_global(l, offsetof(struct globals, zero))));
		return;
	}
	for (uint32_t i = 0; i < size; i += 8)
		low_store_k(l, mem_at(m, (int32_t)i), 8, 0);
}

void low_copy(struct lower *l, struct script_mem to, struct script_mem from, uint32_t size)
{
	if (size > SMALL || size & 7) {
		LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(to), arg_k(size), arg_mem(from));
		return;
	}
	for (uint32_t i = 0; i < size; i += 8)
		low_store(l, mem_at(to, (int32_t)i), 8, low_load(l, mem_at(from, (int32_t)i), 8, false));
}

int low_get(struct lower *l, const struct decl *d)
{
	if (d->addressed)
		return low_load(l, (struct script_mem){ l->frame, (int32_t)d->number }, 8, false);
	return low_move(l, ir_reg(l->ir), (int)d->number);
}

void low_set(struct lower *l, const struct decl *d, int v)
{
	if (d->fixed)
		v = low_cut(l, v, d->fixed->size, d->fixed->is_signed);
	if (d->addressed)
		low_store(l, (struct script_mem){ l->frame, (int32_t)d->number }, 8, v);
	else
		low_move(l, (int)d->number, v);
}

/* ---- statements ---- */

static void if_statement(struct lower *l, struct script_node *n)
{
	int other = ir_label(l->ir), end = ir_label(l->ir);
	lower_condition(l, n->a, other);
	lower_statements(l, n->body);
	if (n->other)
		low_jump(l, end);
	low_label(l, other);
	lower_statements(l, n->other);
	low_label(l, end);
}

static void unroll(struct lower *l, struct script_node *n)
{
	int was_break = l->loop_break, was_next = l->loop_next;
	l->loop_break = ir_label(l->ir);
	if ((n->a->kind != NODE_INT || n->a->value < 1 || n->a->value > 100) && !l->err)
		l->err = source_error(l->s->source, n->a->at, "unroll takes a number from 1 to 100");
	for (uint64_t i = 0; i < n->a->value && !l->err; i++) {
		l->loop_next = ir_label(l->ir);
		lower_statements(l, n->body);
		low_label(l, l->loop_next);
	}
	low_label(l, l->loop_break);
	l->loop_break = was_break;
	l->loop_next = was_next;
}

static bool mentions(const struct script_node *n, const struct decl *d)
{
	if (!n)
		return false;
	for (const struct script_node *i = n->args; i; i = i->next)
		if (mentions(i, d))
			return true;
	return (n->kind == NODE_VAR && n->decl == d) || mentions(n->a, d) || (n->b != n->a && mentions(n->b, d)) || mentions(n->c, d);
}

/* A string or tuple. One that is made of what it was before ($t = ($t.1, $t.0)) is made elsewhere first. */
static void assign_memory(struct lower *l, const struct decl *d, struct script_node *value)
{
	struct script_mem to = { l->frame, (int32_t)d->number };
	if (!mentions(value, d)) {
		lower_to(l, value, d->type, to);
		return;
	}
	struct script_mem made = low_room(l, type_room(d->type));
	lower_to(l, value, d->type, made);
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(to), arg_k(type_room(d->type)), arg_mem(made));
}

void lower_assign(struct lower *l, struct script_node *n)
{
	struct script_node *a = n->a;
	if (a->kind == NODE_MAP) {
		lower_map_assign(l, n);
		return;
	}
	if (!type_is_word(a->decl->type)) {
		assign_memory(l, a->decl, n->b);
		return;
	}
	int v = lower_word(l, n->b);
	if (n->op && a->decl->type->kind == TYPE_POINTER)
		v = low_alu_k(l, ALU_MUL, v, type_step(a->decl->type));
	low_set(l, a->decl, n->op ? lower_operator(l, n->op, type_is_signed(a->decl->type), low_get(l, a->decl), v) : v);
}

/* let: what is declared in a loop begins anew in each round. */
static void declare(struct lower *l, const struct decl *d)
{
	if (!d->type)
		return;
	if (type_is_word(d->type))
		low_set(l, d, low_const(l, 0));
	else
		low_zero(l, (struct script_mem){ l->frame, (int32_t)d->number }, type_room(d->type));
}

/* For what it does, not for its value. */
static void evaluate(struct lower *l, struct script_node *n)
{
	n->unread = true;
	if (n->kind == NODE_TERNARY || type_is_word(n->type) || n->type->kind == TYPE_NONE)
		lower_word(l, n);
	else
		lower_mem(l, n);
}

/* Does all of it run, once it begins? */
static bool is_straight(const struct script_node *n)
{
	if (!n)
		return true;
	if (n->kind == NODE_TERNARY || (n->kind == NODE_BINARY && (n->op == TOKEN_AND || n->op == TOKEN_OR)) || n->body || n->other)
		return false;
	for (const struct script_node *i = n->args; i; i = i->next)
		if (!is_straight(i))
			return false;
	if (n->kind == NODE_CALL && n->builtin && n->builtin->maybe)
		return false;
	return is_straight(n->a) && is_straight(n->b) && is_straight(n->c);
}

/* The same of what decides whether the block runs: a && b has both behind it. */
static bool is_straight_condition(const struct script_node *n)
{
	if (n->kind == NODE_BINARY && n->op == TOKEN_AND)
		return is_straight_condition(n->a) && is_straight_condition(n->b);
	return is_straight(n);
}

static bool has_loops(const struct script_node *n)
{
	for (; n; n = n->next) {
		bool known = n->kind == NODE_ASSIGN || n->kind == NODE_EXPR || n->kind == NODE_IF || n->kind == NODE_UNROLL || n->kind == NODE_RETURN ||
			     n->kind == NODE_BREAK || n->kind == NODE_CONTINUE || n->kind == NODE_BLOCK;
		if (!known || has_loops(n->body) || has_loops(n->other))
			return true;
	}
	return false;
}

static void statement(struct lower *l, struct script_node *n)
{
	uint32_t frame = l->frame_used, stack = l->stack_used;
	l->at = n->at;
	if (l->ir->ins.n > LONGEST && !l->err)
		l->err = source_error(l->s->source, n->at, "up to here the block is too large for one program");
	switch (n->kind) {
	case NODE_ASSIGN: lower_assign(l, n); break;
	case NODE_EXPR: evaluate(l, n->a); break;
	case NODE_IF: if_statement(l, n); break;
	case NODE_UNROLL: unroll(l, n); break;
	case NODE_WHILE: lower_while(l, n); break;
	case NODE_EACH: lower_for(l, n); break;
	case NODE_LET: declare(l, n->a->decl); break;
	case NODE_BREAK: low_jump(l, l->loop_break); break;
	case NODE_CONTINUE: low_jump(l, l->loop_next); break;
	case NODE_RETURN:
		if (n->a)
			evaluate(l, n->a);
		low_jump(l, l->end);
		break;
	case NODE_BLOCK: lower_statements(l, n->body); break;
	default: break;
	}
	l->frame_used = frame;
	l->stack_used = stack;
}

void lower_statements(struct lower *l, struct script_node *n)
{
	l->depth++;
	for (; n && !l->err; n = n->next) {
		l->keeps = l->depth == 1 && (n->kind == NODE_ASSIGN || n->kind == NODE_EXPR) && is_straight(n);
		statement(l, n);
	}
	l->keeps = false;
	l->depth--;
}

/* ---- the unit ---- */

/* Numbers are 0 until they are set, strings empty. */
static void variables(struct lower *l)
{
	bool in_memory = lower_has_loop(l->u->probe->body);
	for (struct decl *d = l->u->probe->vars; d; d = d->next) {
		if (!d->type)
			continue;
		d->addressed |= in_memory;
		if (type_is_word(d->type) && !d->addressed) {
			d->number = (unsigned)low_const(l, 0);
			continue;
		}
		struct script_mem m = low_frame(l, type_room(d->type));
		d->number = (unsigned)m.off;
		low_zero(l, m, type_room(d->type));
	}
}

/* 0 from a program at a tracepoint means: nobody else's perf events either. (Of a raw one the kernel does not ask, and it may
 * become the other kind.) */
static void leave(struct lower *l)
{
	add(l, IR_EXIT)->imm = l->u->type == BPF_PROG_TYPE_TRACEPOINT || l->u->type == BPF_PROG_TYPE_RAW_TRACEPOINT;
}

/* Goes through the CPU's frames: the first that nobody has is ours. */
static void take_frame(struct lower *l)
{
	int have = ir_label(l->ir), one = low_const(l, 1);
	struct script_mem key = low_stack(l, 8);
	int first = low_alu_k(l, ALU_MUL, LOW_CALL(l, BPF_FUNC_get_smp_processor_id, { 0 }), FRAMES);
	for (int i = 0; i < FRAMES; i++) {
		int next = ir_label(l->ir), was;
		low_store(l, key, 4, low_alu_k(l, ALU_ADD, first, i));
		low_move(l, l->frame, LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_FRAMES), arg_mem(key)));
		low_branch_k(l, IF_EQ, l->frame, 0, next);
		struct ir_ins *s = add_d(l, IR_SWAP, &was);
		s->a = l->frame;
		s->b = one;
		low_branch_k(l, IF_EQ, was, 0, have);
		low_label(l, next);
	}
	low_add_to(l, low_global(l, offsetof(struct globals, missed)), one);
	leave(l);
	low_label(l, have);
}

static bool asks_map(const struct script_node *n)
{
	if (!n)
		return false;
	for (const struct script_node *i = n->args; i; i = i->next)
		if (asks_map(i))
			return true;
	return n->kind == NODE_MAP || asks_map(n->a) || (n->b != n->a && asks_map(n->b)) || asks_map(n->c);
}

/* --sample: one hit of many goes on. A block whose predicate asks a map (/@start[tid]/) follows what others have let through:
 * left out by itself it would take an old start for the last one. */
static void sample(struct lower *l, int leave)
{
	if (l->s->sample < 2 || l->point->provider->own || asks_map(l->u->probe->predicate))
		return;
	int dice = low_cut(l, LOW_CALL(l, BPF_FUNC_get_prandom_u32, { 0 }), 4, false);
	low_branch_k(l, IF_NE, low_alu_k(l, ALU_MOD, dice, l->s->sample), 0, leave);
}

/* The body comes first, since only then it is known whether it needs a frame; then all of it in its order. */
static void put_together(struct lower *l, struct ir *whole, struct ir *body, int busy)
{
	l->ir = whole;
	whole->n_regs = body->n_regs;
	whole->n_labels = body->n_labels;
	whole->stack = body->stack;
	l->stack_used = 0;
	add(l, IR_CONTEXT)->d = l->context;
	if (!l->point->provider->spare)
		low_branch_k(l, IF_NE, low_load(l, low_global(l, offsetof(struct globals, exiting)), 8, false), 0, busy);
	sample(l, busy);
	if (l->wants_frame)
		take_frame(l);
	vec_each(&body->ins, i)
		*vec_push(&whole->ins) = *i;
	low_label(l, l->end);
	if (l->wants_frame)
		low_store_k(l, (struct script_mem){ l->frame, 0 }, 8, 0);
	low_label(l, busy);
	leave(l);
}

int lower_unit(struct run_script *s, struct script_unit *u)
{
	struct ir body = { 0 };
	struct lower l = { .s = s, .u = u, .point = &s->points.at[u->points.at[0]], .ir = &body, .at = u->probe->at,
		.frame_used = sizeof(struct script_frame), .call = IR_NO, .narrow = IR_NO };
	l.context = ir_reg(&body);
	l.frame = ir_reg(&body);
	l.end = ir_label(&body);
	int busy = ir_label(&body);
	l.frame_max = l.frame_used;
	l.looks_again = has_loops(u->probe->body);
	variables(&l);
	if (l.point->provider->enter)
		l.point->provider->enter(&l);
	if (u->probe->predicate) {
		l.at = u->probe->predicate->at;
		l.keeps = is_straight_condition(u->probe->predicate);
		lower_condition(&l, u->probe->predicate, l.end);
		l.keeps = false;
	}
	lower_statements(&l, u->probe->body);
	put_together(&l, &u->ir, &body, busy);
	ir_prune(&u->ir);
	ir_release(&body);
	s->needs_frame |= l.wants_frame;
	if (l.frame_max > s->frame_size)
		s->frame_size = l.frame_max;
	return l.err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/check_type.h"
#include "script/front/lex.h"
#include "script/code/lower.h"
#include "script/provider/provider.h"

/* x < -1 is meant as it stands, whatever x is. */
static bool is_negative(const struct script_node *n)
{
	return n->kind == NODE_INT && n->op == '-' && (int64_t)n->value < 0;
}

static bool signs(const struct script_node *n)
{
	if (is_negative(n->a) || is_negative(n->b))
		return true;
	if (n->a->type->kind == TYPE_POINTER || n->b->type->kind == TYPE_POINTER)
		return false;
	struct script_type *t = type_join(NULL, n->a->type, n->b->type); /* of numbers: makes nothing */
	return t && type_is_signed(t);
}

/* The machine divides unsigned numbers: signs are taken off before and put back after. */
static int divide_signed(struct lower *l, bool rest, int a, int b)
{
	int x = ir_reg(l->ir), y = ir_reg(l->ir), result = ir_reg(l->ir);
	int a_fine = ir_label(l->ir), b_fine = ir_label(l->ir), end = ir_label(l->ir);
	low_move(l, x, a);
	low_move(l, y, b);
	low_branch_k(l, IF_SGE, x, 0, a_fine);
	low_move(l, x, low_alu(l, ALU_SUB, low_const(l, 0), x));
	low_label(l, a_fine);
	low_branch_k(l, IF_SGE, y, 0, b_fine);
	low_move(l, y, low_alu(l, ALU_SUB, low_const(l, 0), y));
	low_label(l, b_fine);
	low_move(l, result, low_alu(l, rest ? ALU_MOD : ALU_DIV, x, y));
	low_branch_k(l, IF_SGE, rest ? a : low_alu(l, ALU_XOR, a, b), 0, end);
	low_move(l, result, low_alu(l, ALU_SUB, low_const(l, 0), result));
	low_label(l, end);
	return result;
}

static enum ir_alu alu_of(int op, bool is_signed)
{
	switch (op) {
	case '+': return ALU_ADD;
	case '-': return ALU_SUB;
	case '*': return ALU_MUL;
	case '/': return ALU_DIV;
	case '%': return ALU_MOD;
	case '&': return ALU_AND;
	case '|': return ALU_OR;
	case '^': return ALU_XOR;
	case TOKEN_SHL: return ALU_SHL;
	default: return is_signed ? ALU_SAR : ALU_SHR;
	}
}

int lower_operator(struct lower *l, int op, bool is_signed, int a, int b)
{
	if (is_signed && (op == '/' || op == '%'))
		return divide_signed(l, op == '%', a, b);
	if (op == TOKEN_SHL || op == TOKEN_SHR)
		b = low_alu_k(l, ALU_AND, b, 63);
	return low_alu(l, alu_of(op, is_signed), a, b);
}

static bool is_compare(int op)
{
	return op == TOKEN_EQ || op == TOKEN_NE || op == '<' || op == '>' || op == TOKEN_LE || op == TOKEN_GE;
}

/* The condition that is true when the operator is not. */
static enum ir_cond opposite(int op, bool is_signed)
{
	switch (op) {
	case TOKEN_EQ: return IF_NE;
	case TOKEN_NE: return IF_EQ;
	case '<': return is_signed ? IF_SGE : IF_GE;
	case '>': return is_signed ? IF_SLE : IF_LE;
	case TOKEN_LE: return is_signed ? IF_SGT : IF_GT;
	default: return is_signed ? IF_SLT : IF_LT;
	}
}

/* A place is a number: that of a point which is called so. */
static void compare_place(struct lower *l, struct script_node *place, const char *name, bool equal, int if_false)
{
	int hit = ir_label(l->ir), v = lower_word(l, place);
	for (size_t i = 0; i < l->s->points.n; i++) {
		const struct point *p = &l->s->points.at[i];
		const char *own = place->type->kind == TYPE_PROBE ? p->name : p->func;
		if (own && !strcmp(own, name))
			low_branch_k(l, IF_EQ, v, (int32_t)i, equal ? hit : if_false);
	}
	if (equal)
		low_jump(l, if_false);
	low_label(l, hit);
}

/* Both as one type: what is kept is padded with zeros, as keys are. */
static int compare_tuples(struct lower *l, struct script_node *a, struct script_node *b, bool equal)
{
	struct script_type *t = type_join(&l->s->source->memory, a->type, b->type);
	struct script_mem x = low_room(l, t->size), y = low_room(l, t->size);
	lower_to(l, a, t, x);
	lower_to(l, b, t, y);
	return low_compare(l, x, y, t->size, equal);
}

static void compare(struct lower *l, struct script_node *n, int if_false)
{
	if (n->a->type->kind == TYPE_PROBE || n->a->type->kind == TYPE_FUNC || n->b->type->kind == TYPE_PROBE || n->b->type->kind == TYPE_FUNC) {
		bool left = n->b->kind == NODE_STRING;
		compare_place(l, left ? n->a : n->b, (left ? n->b : n->a)->name, n->op == TOKEN_EQ, if_false);
		return;
	}
	if (n->a->type->kind == TYPE_STRING || (n->a->type->kind == TYPE_SHOWN && !type_is_word(n->a->type))) {
		low_branch_k(l, IF_EQ, lower_compare_strings(l, n->a, n->b, n->op == TOKEN_EQ), 0, if_false);
		return;
	}
	if (n->a->type->kind == TYPE_ARRAY) {
		low_branch_k(l, IF_EQ, lower_compare_arrays(l, n->a, n->b, n->op == TOKEN_EQ), 0, if_false);
		return;
	}
	if (n->a->type->kind == TYPE_TUPLE) {
		low_branch_k(l, IF_EQ, compare_tuples(l, n->a, n->b, n->op == TOKEN_EQ), 0, if_false);
		return;
	}
	int a = lower_word(l, n->a);
	if (n->b->kind == NODE_INT && n->b->value == (uint64_t)(int64_t)(int32_t)n->b->value) {
		low_branch_k(l, opposite(n->op, signs(n)), a, (int32_t)n->b->value, if_false);
		return;
	}
	low_branch(l, opposite(n->op, signs(n)), a, lower_word(l, n->b), if_false);
}

void lower_condition(struct lower *l, struct script_node *n, int if_false)
{
	if (n->kind == NODE_BINARY && n->op == TOKEN_AND) {
		lower_condition(l, n->a, if_false);
		lower_condition(l, n->b, if_false);
	} else if (n->kind == NODE_BINARY && n->op == TOKEN_OR) {
		int other = ir_label(l->ir), yes = ir_label(l->ir);
		lower_condition(l, n->a, other);
		low_jump(l, yes);
		low_label(l, other);
		lower_condition(l, n->b, if_false);
		low_label(l, yes);
	} else if (n->kind == NODE_UNARY && n->op == '!') {
		low_branch_k(l, IF_NE, lower_word(l, n->a), 0, if_false);
	} else if (n->kind == NODE_BINARY && is_compare(n->op)) {
		compare(l, n, if_false);
	} else {
		low_branch_k(l, IF_EQ, lower_word(l, n), 0, if_false);
	}
}

/* 1 or 0 */
static int truth(struct lower *l, struct script_node *n)
{
	int d = ir_reg(l->ir), no = ir_label(l->ir), end = ir_label(l->ir);
	lower_condition(l, n, no);
	low_move(l, d, low_const(l, 1));
	low_jump(l, end);
	low_label(l, no);
	low_move(l, d, low_const(l, 0));
	low_label(l, end);
	return d;
}

/* In steps of what is pointed to, as C has it. */
static int pointer_sum(struct lower *l, struct script_node *n, int a, int b)
{
	uint32_t x = type_step(n->a->type), y = type_step(n->b->type);
	if (n->a->type->kind == TYPE_POINTER && n->b->type->kind == TYPE_POINTER) {
		int bytes = low_alu(l, ALU_SUB, a, b);
		return x > 1 ? lower_operator(l, '/', true, bytes, low_const(l, x)) : bytes;
	}
	if (n->a->type->kind == TYPE_POINTER && x > 1)
		b = low_alu_k(l, ALU_MUL, b, x);
	if (n->b->type->kind == TYPE_POINTER && y > 1)
		a = low_alu_k(l, ALU_MUL, a, y);
	return low_alu(l, n->op == '+' ? ALU_ADD : ALU_SUB, a, b);
}

static int binary(struct lower *l, struct script_node *n)
{
	if (is_compare(n->op) || n->op == TOKEN_AND || n->op == TOKEN_OR)
		return truth(l, n);
	int a = lower_word(l, n->a), b = lower_word(l, n->b);
	bool shift = n->op == TOKEN_SHL || n->op == TOKEN_SHR;
	if ((n->op == '+' || n->op == '-') && (n->a->type->kind == TYPE_POINTER || n->b->type->kind == TYPE_POINTER))
		return pointer_sum(l, n, a, b);
	return lower_operator(l, n->op, shift ? type_is_signed(n->a->type) : signs(n), a, b);
}

static int address_of(struct lower *l, struct script_node *n)
{
	if (n->a->kind == NODE_MAP) {
		int d = low_const(l, 0), none = ir_label(l->ir), entry = lower_map_find(l, n->a);
		low_branch_k(l, IF_EQ, entry, 0, none);
		low_move(l, d, low_number(l, (struct script_mem){ entry, (int32_t)map_value_at(n->a->decl) }));
		low_label(l, none);
		return d;
	}
	if (n->a->kind == NODE_VAR)
		return low_number(l, (struct script_mem){ l->frame, (int32_t)n->a->decl->number });
	struct script_place p = lower_place(l, n->a);
	if (!p.foreign || p.watched)
		return low_number(l, p.at);
	return p.at.off ? low_alu_k(l, ALU_ADD, p.at.base, p.at.off) : p.at.base;
}

static int unary(struct lower *l, struct script_node *n)
{
	if (n->op == '&')
		return address_of(l, n);
	if (n->op == '*')
		return lower_place_word(l, n);
	int a = n->op == '!' ? IR_NO : lower_word(l, n->a);
	switch (n->op) {
	case '-': return low_alu(l, ALU_SUB, low_const(l, 0), a);
	case '~': return low_alu_k(l, ALU_XOR, a, -1);
	default: return truth(l, n);
	}
}

static int ternary(struct lower *l, struct script_node *n)
{
	int d = ir_reg(l->ir), other = ir_label(l->ir), end = ir_label(l->ir);
	bool value = n->type->kind != TYPE_NONE;
	if (n->b == n->a) {
		low_move(l, d, lower_word(l, n->a));
		low_branch_k(l, IF_NE, d, 0, end);
		low_move(l, d, lower_word(l, n->c));
		low_label(l, end);
		return d;
	}
	lower_condition(l, n->a, other);
	int b = lower_word(l, n->b);
	if (value)
		low_move(l, d, b);
	low_jump(l, end);
	low_label(l, other);
	int c = lower_word(l, n->c);
	if (value)
		low_move(l, d, c);
	low_label(l, end);
	return value ? d : IR_NO;
}

static int step(struct lower *l, struct script_node *n)
{
	int v, by = (int)type_step(n->a->type);
	if (n->a->kind == NODE_MAP) {
		v = lower_map_step(l, n);
		return n->before ? v : low_alu_k(l, n->op == '+' ? ALU_ADD : ALU_SUB, v, by);
	}
	v = low_get(l, n->a->decl);
	int after = low_alu_k(l, n->op == '+' ? ALU_ADD : ALU_SUB, v, by);
	low_set(l, n->a->decl, after);
	return n->before ? v : n->a->decl->fixed ? low_get(l, n->a->decl) : after;
}

static int field(struct lower *l, struct script_node *n)
{
	const struct script_type *t = n->a->type;
	for (unsigned i = 0; i < t->n_fields; i++)
		if (!strcmp(t->fields[i].name, n->name))
			return l->point->provider->field(l, &t->fields[i]);
	return low_const(l, 0);
}

static int cast(struct lower *l, struct script_node *n)
{
	enum script_space space;
	const struct script_type *from = n->a->type;
	if (from->kind == TYPE_ARRAY && n->type->kind == TYPE_POINTER)
		return low_number(l, (struct script_mem){ lower_address(l, n->a, &space), 0 });
	int v = from->kind == TYPE_ARRAY ? low_load(l, lower_mem(l, n->a), 8, false) : lower_word(l, n->a);
	return low_cut(l, v, n->type->size, n->type->is_signed);
}

static int word(struct lower *l, struct script_node *n)
{
	switch (n->kind) {
	case NODE_INT: return low_const(l, (int64_t)n->value);
	case NODE_WORD:
	case NODE_CALL:
		if (!n->builtin) /* a constant of an enum */
			return low_const(l, (int64_t)n->value);
		if (n->builtin->lower)
			return n->builtin->lower(l, n);
		l->err = l->err ? l->err : source_later(l->s->source, n->at, n->name);
		return low_const(l, 0);
	case NODE_VAR: return low_get(l, n->decl);
	case NODE_MAP: return lower_map_read(l, n);
	case NODE_UNARY: return unary(l, n);
	case NODE_BINARY: return binary(l, n);
	case NODE_TERNARY: return ternary(l, n);
	case NODE_CAST: return cast(l, n);
	case NODE_SIZEOF:
	case NODE_OFFSETOF: return low_const(l, (int64_t)n->value);
	case NODE_FIELD: return n->place ? lower_place_word(l, n) : field(l, n);
	case NODE_ITEM:
		if (n->place)
			return lower_place_word(l, n);
		return low_load(l, mem_at(lower_mem(l, n->a), (int32_t)n->a->type->fields[n->value].at), 8, false);
	case NODE_STEP: return step(l, n);
	default: return low_const(l, 0);
	}
}

int lower_word(struct lower *l, struct script_node *n)
{
	struct span was = l->at;
	l->at = n->at;
	int d = word(l, n);
	l->at = was;
	return d;
}

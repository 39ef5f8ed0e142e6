// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/fold.h"
#include "script/front/lex.h"
#include "script/type.h"

static bool quotient(int op, bool is_signed, uint64_t a, uint64_t b, uint64_t *v)
{
	if (!b || (is_signed && (int64_t)b == -1))
		return false; /* as the machine has it, at run time */
	if (op == '/')
		*v = is_signed ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
	else
		*v = is_signed ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
	return true;
}

static bool compare(int op, bool is_signed, uint64_t a, uint64_t b, uint64_t *v)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
	switch (op) {
	case TOKEN_EQ: *v = a == b; return true;
	case TOKEN_NE: *v = a != b; return true;
	case '<': *v = less; return true;
	case '>': *v = !less && a != b; return true;
	case TOKEN_LE: *v = less || a == b; return true;
	case TOKEN_GE: *v = !less; return true;
	case TOKEN_AND: *v = a && b; return true;
	case TOKEN_OR: *v = a || b; return true;
	default: return false;
	}
}

static bool compute(int op, bool is_signed, uint64_t a, uint64_t b, uint64_t *v)
{
	switch (op) {
	case '+': *v = a + b; return true;
	case '-': *v = a - b; return true;
	case '*': *v = a * b; return true;
	case '&': *v = a & b; return true;
	case '|': *v = a | b; return true;
	case '^': *v = a ^ b; return true;
	case TOKEN_SHL: *v = a << (b & 63); return true;
	case TOKEN_SHR: *v = is_signed ? (uint64_t)((int64_t)a >> (b & 63)) : a >> (b & 63); return true;
	case '/':
	case '%': return quotient(op, is_signed, a, b, v);
	default: return compare(op, is_signed, a, b, v);
	}
}

static void expr(struct script_node *n);

static void number(struct script_node *n, uint64_t v)
{
	n->kind = NODE_INT;
	n->value = v;
	n->op = !n->type || n->type->is_signed ? '-' : 0; /* no type: a constant of a builtin's, as lhist's bounds. The check of the next unit is not to take it for a large one */
	n->a = n->b = n->c = NULL;
	n->name = NULL;
}

static void below(struct script_node *n)
{
	if (n->a)
		expr(n->a);
	if (n->b && n->b != n->a) /* a ?: b */
		expr(n->b);
	if (n->c)
		expr(n->c);
	for (struct script_node *i = n->args; i; i = i->next)
		expr(i);
}

static void expr(struct script_node *n)
{
	uint64_t v;
	below(n);
	if (n->kind == NODE_BINARY && n->type && n->a->kind == NODE_INT && n->b->kind == NODE_INT) {
		bool is_signed = n->a->type->is_signed && n->b->type->is_signed;
		if (compute(n->op, is_signed, n->a->value, n->b->value, &v))
			number(n, v);
	} else if (n->kind == NODE_UNARY && n->a->kind == NODE_INT) {
		number(n, n->op == '-' ? -n->a->value : n->op == '~' ? ~n->a->value : !n->a->value);
	} else if (n->kind == NODE_TERNARY && n->a->kind == NODE_INT && n->b != n->a) {
		struct script_node *next = n->next, *chosen = n->a->value ? n->b : n->c;
		if (type_same(chosen->type, n->type)) {
			*n = *chosen;
			n->next = next;
		}
	}
}

static void list(struct script_node *n)
{
	for (; n; n = n->next) {
		below(n);
		list(n->body);
		list(n->other);
	}
}

void fold_probe(struct probe *p)
{
	if (p->predicate)
		expr(p->predicate);
	list(p->body);
}

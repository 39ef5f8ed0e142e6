// SPDX-License-Identifier: GPL-2.0-or-later
/* The value behind a %f: a + b / c becomes a call that no script can write, of all operands that are no constants. */
#include <errno.h>
#include "script/builtin/said.h"
#include "script/show/fraction.h"

enum { OPERANDS_MOST = 8 };

static struct script_type *check_fraction(struct checker *c, struct script_node *n)
{
	struct script_type *types[OPERANDS_MOST];
	unsigned k = 0;
	for (struct script_node *i = n->args; i; i = i->next) {
		if (check_expr(c, i)->kind != TYPE_FLOAT && !check_is_number(c, i, "what %f shows"))
			return &type_none;
		types[k++] = i->type;
	}
	struct script_type *t = type_tuple(&c->s->source->memory, types, k);
	t->kind = TYPE_SHOWN;
	t->shown = &shown_fraction;
	t->fraction = n->fraction;
	t->size = k < 2 ? 16 : t->size; /* never a mere word, which would be a number */
	return t;
}

static void bytes_fraction(struct lower *l, struct script_node *n, struct script_mem dst)
{
	unsigned i = 0;
	low_zero(l, dst, n->type->size);
	for (struct script_node *k = n->args; k; k = k->next, i++)
		low_store(l, mem_at(dst, (int32_t)n->type->fields[i].at), 8, lower_word(l, k));
}

static const struct builtin builtin_fraction = { "%f", true, 0, OPERANDS_MOST, .check = check_fraction, .bytes = bytes_fraction };

static struct fraction *fraction_of(struct arena *m, const struct script_node *n, struct script_node *to)
{
	struct fraction *f = arena_get(m, sizeof(*f));
	if (n->kind == NODE_INT) {
		*f = (struct fraction){ 'k', .constant = (double)n->value };
	} else if (n->kind == NODE_UNARY && n->op == '-' && n->a->kind == NODE_INT) {
		*f = (struct fraction){ 'k', .constant = -(double)n->a->value };
	} else if (n->kind == NODE_BINARY && (n->op == '+' || n->op == '-' || n->op == '*' || n->op == '/')) {
		*f = (struct fraction){ n->op, .a = fraction_of(m, n->a, to) };
		f->b = fraction_of(m, n->b, to);
	} else {
		struct script_node *copy = arena_get(m, sizeof(*copy)), **last = &to->args;
		*copy = *n;
		copy->next = NULL;
		while (*last)
			last = &(*last)->next;
		*last = copy;
		*f = (struct fraction){ 'v', .operand = to->n_args++ };
	}
	return f;
}

bool fraction_make(struct checker *c, struct script_node *n)
{
	struct script_node call = { .kind = NODE_CALL, .at = n->at, .depth = n->depth + 1, .name = "%f", .builtin = &builtin_fraction, .next = n->next };
	if (n->kind == NODE_CALL && n->builtin == &builtin_fraction)
		return true;
	call.fraction = fraction_of(&c->s->source->memory, n, &call);
	if (call.n_args > OPERANDS_MOST) {
		check_fail(c, n->at, "%%f computes with at most %d values", OPERANDS_MOST);
		return false;
	}
	*n = call;
	return true;
}

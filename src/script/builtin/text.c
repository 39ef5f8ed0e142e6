// SPDX-License-Identifier: GPL-2.0-or-later
/* Strings out of the memory of programs and the kernel. */
#include <linux/bpf.h>
#include <string.h>
#include "script/builtin/builtin.h"
#include "script/run.h"
#include "script/show/value.h"

/* str(address [, length]), str($1), str($s, 3) */
static bool is_param(const struct script_node *a)
{
	return a->array && (a->kind == NODE_INT || a->kind == NODE_STRING);
}

static struct script_type *check_str(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args, *length = a->next;
	uint32_t size = is_param(a) ? (uint32_t)a->len + 1 : c->s->max_string;
	bool negative = length && length->kind == NODE_UNARY && length->op == '-' && length->a->kind == NODE_INT;
	if (length && (!check_number(c, length, "a length") || negative || (length->kind == NODE_INT && (int64_t)length->value < 0)))
		return check_fail(c, length->at, "a length is not below 0");
	if (!is_param(a)) {
		struct script_type *t = check_expr(c, a);
		if (t->kind == TYPE_STRING)
			size = t->size;
		else if (!check_address(c, a, "what str() is given"))
			return &type_none;
		else if (t->kind == TYPE_ARRAY && t->size && t->size < size) /* bytes that may all be letters */
			size = t->size + 1;
	}
	if (length && length->kind == NODE_INT && length->value < size)
		size = (uint32_t)length->value;
	return type_string(&c->s->source->memory, size ? size : 1);
}

/* A length that is only known then: at least one byte, at most all. */
static struct ir_arg bounded(struct lower *l, int v, uint32_t max)
{
	int len = ir_reg(l->ir), fine = ir_label(l->ir), some = ir_label(l->ir);
	low_move(l, len, v);
	low_branch_k(l, IF_LE, len, (int32_t)max, fine);
	low_move(l, len, low_const(l, max));
	low_label(l, fine);
	low_branch_k(l, IF_NE, len, 0, some);
	low_move(l, len, low_const(l, 1));
	low_label(l, some);
	return arg_reg(len);
}

static int text_str(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	struct script_node *a = n->args, *length = a->next;
	bool constant = length && length->kind == NODE_INT;
	struct script_node text = { .kind = NODE_STRING, .at = a->at, .name = a->name ? a->name : "", .len = a->len };
	if (constant && length->value < max)
		max = length->value ? (uint32_t)length->value : 1;
	if (is_param(a) && (!length || constant)) {
		text.len = text.len < max ? text.len : max - 1;
		return lower_text(l, &text, dst, max);
	}
	if (is_param(a) || a->type->kind == TYPE_STRING) {
		struct script_type *whole = is_param(a) ? type_string(&l->s->source->memory, (uint32_t)a->len + 1) : a->type;
		text.type = whole;
		if (!length)
			return lower_text(l, a, dst, max);
		struct script_mem from = lower_mem(l, is_param(a) ? &text : a);
		return LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(dst), constant ? arg_k(max) : bounded(l, lower_word(l, length), max), arg_mem(from));
	}
	enum script_space space;
	int address = lower_address(l, a, &space);
	if (l->s->max_string < max)
		max = l->s->max_string;
	if (a->type->kind == TYPE_ARRAY && a->type->size && a->type->size + 1 < max)
		max = a->type->size + 1;
	struct ir_arg most = !length || constant ? arg_k(max) : bounded(l, lower_word(l, length), max);
	return LOW_CALL(l, lower_reader_of(space, true), arg_mem(dst), most, arg_reg(address));
}

/* strncmp(a, b, n): 0 when their first n bytes are the same. Both are padded with zeros, so that words can be compared. */
static struct script_type *check_strncmp(struct checker *c, struct script_node *n)
{
	for (struct script_node *i = n->args; i != n->args->next->next; i = i->next)
		if (check_expr(c, i)->kind != TYPE_STRING)
			return check_fail(c, i->at, "strncmp() compares strings");
	return check_constant(c, n->args->next->next, 1, STRING_MAX, "how many bytes strncmp() compares") ? &type_u64 : &type_none;
}

static int lower_strncmp(struct lower *l, struct script_node *n)
{
	struct script_node *a = n->args, *b = a->next;
	uint32_t size = (uint32_t)b->next->value, least = a->type->size < b->type->size ? a->type->size : b->type->size;
	struct script_mem x = lower_mem(l, a), y = lower_mem(l, b);
	int d = low_const(l, 1), end = ir_label(l->ir);
	for (uint32_t i = 0; i < size && i < least; i += 8) {
		int differ = low_alu(l, ALU_XOR, low_load(l, mem_at(x, (int32_t)i), 8, false), low_load(l, mem_at(y, (int32_t)i), 8, false));
		if (size - i < 8) /* only the bytes that count, which are the lowest ones */
			differ = low_alu_k(l, ALU_SHL, differ, 8 * (8 - (size - i)));
		low_branch_k(l, IF_NE, differ, 0, end);
	}
	low_move(l, d, low_const(l, 0));
	low_label(l, end);
	return d;
}

/* join(argv [, between]): the strings of a list that ends with a null pointer, in a line. */
enum { JOINED = 16, JOINED_MOST = 1024 /* bytes of each */ };

static struct script_type *check_join(struct checker *c, struct script_node *n)
{
	if (n->n_args > 1 && n->args->next->kind != NODE_STRING)
		return check_fail(c, n->args->next->at, "what stands between the words is a string");
	if (check_number(c, n->args, "what join() is given"))
		check_site(c, n, NULL);
	return &type_none;
}

/* How many bytes a pointer of the program has: eight, unless this is a 32-bit call. */
static int pointer_bytes(struct lower *l)
{
	int d = low_const(l, 8), end = ir_label(l->ir);
	if (l->narrow == IR_NO)
		return d;
	low_branch_k(l, IF_EQ, l->narrow, 0, end);
	low_move(l, d, low_const(l, 4));
	low_label(l, end);
	return d;
}

static int lower_join(struct lower *l, struct script_node *n)
{
	uint32_t most = l->s->max_string < JOINED_MOST ? l->s->max_string : JOINED_MOST, head = sizeof(struct script_record);
	int list = low_move(l, ir_reg(l->ir), lower_word(l, n->args)), cursor = low_const(l, head), end = ir_label(l->ir), bytes = pointer_bytes(l);
	struct script_mem word = low_stack(l, 8), m = lower_record_begin(l, n->site, head + JOINED * most);
	for (int i = 0; i < JOINED; i++) {
		struct script_mem at = { low_alu(l, ALU_ADD, m.base, cursor), m.off };
		low_store_k(l, word, 8, 0);
		int r = LOW_CALL(l, BPF_FUNC_probe_read_user, arg_mem(word), arg_reg(bytes), arg_reg(list));
		low_branch_k(l, IF_NE, r, 0, end);
		low_move(l, list, low_alu(l, ALU_ADD, list, bytes));
		int text = low_load(l, word, 8, false);
		low_branch_k(l, IF_EQ, text, 0, end);
		int len = LOW_CALL(l, BPF_FUNC_probe_read_user_str, arg_mem(at), arg_k(most), arg_reg(text));
		low_branch_k(l, IF_SLE, len, 0, end);
		low_move(l, cursor, low_alu(l, ALU_ADD, cursor, len));
	}
	low_label(l, end);
	lower_send(l, m, cursor);
	return IR_NO;
}

static int show_join(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	const char *between = s->call->n_args > 1 ? s->call->args->next->name : " ", *p = (const char *)payload;
	struct str text = STR_INIT;
	for (size_t at = 0; at < n;) {
		size_t len = strnlen(p + at, n - at);
		str_add(&text, at ? between : "");
		show_string(&text, &r->namer, p + at, len, false);
		at += len + 1;
	}
	if (!r->json)
		str_addc(&text, '\n');
	run_text(r, "join", &text);
	str_release(&text);
	return 0;
}

const struct builtin builtins_text[] = {
	{ "join", true, 1, 2, .check = check_join, .lower = lower_join, .show = show_join },
	{ "strncmp", true, 3, 3, .check = check_strncmp, .lower = lower_strncmp },
	{ "str", true, 1, 2, .check = check_str, .text = text_str },
	{ 0 },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* Strings that are there already: strlen, strcap, strstr, strcontains, str_concat. They are padded with zeros in memory. */
#include <linux/bpf.h>
#include "script/builtin/builtin.h"

static bool strings(struct checker *c, struct script_node *n)
{
	for (struct script_node *i = n->args; i; i = i->next)
		if (check_expr(c, i)->kind != TYPE_STRING) {
			check_fail(c, i->at, "%s() takes strings; str() reads one at an address", n->name);
			return false;
		}
	return true;
}

static struct script_type *check_length(struct checker *c, struct script_node *n)
{
	return strings(c, n) ? &type_u64 : &type_none;
}

/* How long the text at m is, without its NUL; scratch has as much room. */
static int length_of(struct lower *l, struct script_mem m, struct script_mem scratch, uint32_t size)
{
	int len = ir_reg(l->ir), fine = ir_label(l->ir);
	low_move(l, len, low_alu_k(l, ALU_SUB, LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(scratch), arg_k(size), arg_mem(m)), 1));
	low_branch_k(l, IF_SGE, len, 0, fine);
	low_move(l, len, low_const(l, 0));
	low_label(l, fine);
	return len;
}

static int lower_strlen(struct lower *l, struct script_node *n)
{
	uint32_t size = n->args->type->size;
	if (n->args->kind == NODE_STRING)
		return low_const(l, (int64_t)n->args->len);
	return length_of(l, lower_mem(l, n->args), low_room(l, size), size);
}

static int lower_strcap(struct lower *l, struct script_node *n)
{
	return low_const(l, n->args->type->size - 1);
}

/* ---- strstr, strcontains ----
 * At each place of the text eight bytes at a time are compared with those of the pattern, of which a mask leaves as many as
 * it has. The kernel walks through all that: it is bounded by both sizes. */

enum { SEARCH_MOST = 32768 };

static struct script_type *check_search(struct checker *c, struct script_node *n, struct script_type *t)
{
	if (!strings(c, n))
		return &type_none;
	if (n->args->type->size * (n->args->next->type->size / 8) > SEARCH_MOST)
		return check_fail(c, n->at, "these strings may be too long for %s(): str(x, 64) makes them shorter", n->name);
	return t;
}

static struct script_type *check_strstr(struct checker *c, struct script_node *n) { return check_search(c, n, &type_s64); }
static struct script_type *check_strcontains(struct checker *c, struct script_node *n) { return check_search(c, n, &type_bool); }

/* Eight bytes of ones for each byte that the pattern has in its piece at `at`. */
static void mask_of(struct lower *l, struct script_mem to, int len, uint32_t at)
{
	int mask = low_const(l, 0), end = ir_label(l->ir), some = ir_label(l->ir);
	low_branch_k(l, IF_LE, len, (int32_t)at, end);
	low_move(l, mask, low_const(l, -1));
	low_branch_k(l, IF_LT, len, (int32_t)at + 8, some);
	low_jump(l, end);
	low_label(l, some);
	int bits = low_alu_k(l, ALU_AND, low_alu(l, ALU_SUB, low_const(l, 0), low_alu_k(l, ALU_SHL, len, 3)), 63);
	low_move(l, mask, low_alu(l, ALU_SHR, mask, bits));
	low_label(l, end);
	low_store(l, to, 8, mask);
}

/* Bits by which the text at that place differs from the pattern. */
static int difference(struct lower *l, int place, struct script_mem pattern, struct script_mem mask, uint32_t size)
{
	int all = low_const(l, 0);
	for (int32_t i = 0; i < (int32_t)size; i += 8) {
		int d = low_alu(l, ALU_XOR, low_load(l, (struct script_mem){ place, i }, 8, false), low_load(l, mem_at(pattern, i), 8, false));
		all = low_alu(l, ALU_OR, all, low_alu(l, ALU_AND, d, low_load(l, mem_at(mask, i), 8, false)));
	}
	return all;
}

/* Where the pattern begins in the text, or -1. */
static int lower_strstr(struct lower *l, struct script_node *n)
{
	struct script_node *a = n->args, *b = a->next;
	uint32_t size = a->type->size, width = b->type->size;
	struct script_mem text = low_frame(l, size + width), pattern = lower_mem(l, b), mask = low_frame(l, width), scratch = low_frame(l, size + width);
	int found = low_const(l, -1), end = ir_label(l->ir), again = ir_label(l->ir), next = ir_label(l->ir), at = ir_reg(l->ir);
	low_zero(l, mem_at(text, (int32_t)size), width);
	lower_to(l, a, a->type, text);
	int len = length_of(l, pattern, scratch, width);
	for (uint32_t i = 0; i < width; i += 8)
		mask_of(l, mem_at(mask, (int32_t)i), len, i);
	int last = low_alu(l, ALU_SUB, length_of(l, text, scratch, size), len);
	low_move(l, at, low_const(l, 0));
	low_label(l, again);
	low_branch_k(l, IF_GE, at, (int32_t)size, end);
	low_branch(l, IF_SGT, at, last, end);
	int place = low_alu_k(l, ALU_ADD, low_alu(l, ALU_ADD, text.base, at), text.off);
	low_branch_k(l, IF_NE, difference(l, place, pattern, mask, width), 0, next);
	low_move(l, found, at);
	low_jump(l, end);
	low_label(l, next);
	low_move(l, at, low_alu_k(l, ALU_ADD, at, 1));
	low_jump(l, again);
	low_label(l, end);
	low_store(l, scratch, 8, found); /* the verifier knows each of its values, and would go on with one after the other */
	return low_load(l, scratch, 8, false);
}

static int lower_strcontains(struct lower *l, struct script_node *n)
{
	return low_alu_k(l, ALU_ADD, low_alu_k(l, ALU_SAR, lower_strstr(l, n), 63), 1);
}

/* ---- str_concat ---- */

static struct script_type *check_concat(struct checker *c, struct script_node *n)
{
	uint32_t size = 1;
	if (!strings(c, n))
		return &type_none;
	for (struct script_node *i = n->args; i; i = i->next)
		size += i->type->size - 1;
	return type_string(&c->s->source->memory, size);
}

static int text_concat(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	uint32_t room = 0;
	for (struct script_node *i = n->args; i; i = i->next)
		room += i->type->size;
	struct script_mem m = low_frame(l, room);
	int cursor = low_const(l, 0);
	for (struct script_node *i = n->args; i; i = i->next) {
		struct script_mem from = lower_mem(l, i), to = { low_alu(l, ALU_ADD, m.base, cursor), m.off };
		int len = LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(to), arg_k(i->type->size), arg_mem(from)), none = ir_label(l->ir);
		low_branch_k(l, IF_SLE, len, 0, none);
		low_move(l, cursor, low_alu_k(l, ALU_SUB, low_alu(l, ALU_ADD, cursor, len), 1));
		low_label(l, none);
	}
	return LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(dst), arg_k(max), arg_mem(m));
}

const struct builtin builtins_string[] = {
	{ "strlen", true, 1, 1, .check = check_length, .lower = lower_strlen },
	{ "strcap", true, 1, 1, .check = check_length, .lower = lower_strcap },
	{ "strstr", true, 2, 2, .check = check_strstr, .lower = lower_strstr },
	{ "strcontains", true, 2, 2, .check = check_strcontains, .lower = lower_strcontains },
	{ "str_concat", true, 2, 0, .check = check_concat, .text = text_concat },
	{ 0 },
};

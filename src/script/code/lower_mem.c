// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/bpf.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/code/lower.h"
#include "script/provider/provider.h"

/* The bytes of a constant, eight at a time, with zeros behind. */
static uint64_t piece(const struct script_node *n, uint32_t at)
{
	uint64_t v = 0;
	if (at < n->len)
		memcpy(&v, n->name + at, n->len - at < 8 ? n->len - at : 8);
	return v;
}

static void literal(struct lower *l, const struct script_node *n, struct script_mem dst, uint32_t size)
{
	for (uint32_t i = 0; i < size; i += 8)
		low_store_k(l, mem_at(dst, (int32_t)i), 8, (int64_t)piece(n, i));
}

enum { COMPARED = 64 /* bytes, before a jump: the verifier does not like many */ };

/* Both are padded with zeros, and each ends within its size: what is equal up to the shorter one's is equal. */
int lower_compare_strings(struct lower *l, struct script_node *a, struct script_node *b, bool equal)
{
	int d = low_const(l, !equal), end = ir_label(l->ir);
	uint32_t size = a->type->size < b->type->size ? a->type->size : b->type->size;
	struct script_mem x = lower_mem(l, a), y = b->kind == NODE_STRING ? (struct script_mem){ IR_NO, 0 } : lower_mem(l, b);
	for (uint32_t i = 0; i < size;) {
		int differ = IR_NO;
		for (uint32_t k = 0; k < COMPARED && i < size; k += 8, i += 8) {
			int v = low_load(l, mem_at(x, (int32_t)i), 8, false);
			int w = b->kind == NODE_STRING ? low_const(l, (int64_t)piece(b, i)) : low_load(l, mem_at(y, (int32_t)i), 8, false);
			int d8 = low_alu(l, ALU_XOR, v, w);
			differ = differ == IR_NO ? d8 : low_alu(l, ALU_OR, differ, d8);
		}
		low_branch_k(l, IF_NE, differ, 0, end);
	}
	low_move(l, d, low_const(l, equal));
	low_label(l, end);
	return d;
}

static int text_of_memory(struct lower *l, struct script_mem from, struct script_mem dst, uint32_t max)
{
	return LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(dst), arg_k(max), arg_mem(from));
}

static int text_ternary(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	int d = ir_reg(l->ir), other = ir_label(l->ir), end = ir_label(l->ir);
	lower_condition(l, n->a, other);
	low_move(l, d, lower_text(l, n->b, dst, max));
	low_jump(l, end);
	low_label(l, other);
	low_move(l, d, lower_text(l, n->c, dst, max));
	low_label(l, end);
	return d;
}

/* A field of a tracepoint that is text: an array in the record, or behind it. */
static int text_field(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	int from = lower_word(l, n);
	return LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(dst), arg_k(max), arg_reg(from));
}

int lower_text(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	l->at = n->at;
	switch (n->kind) {
	case NODE_STRING: {
		uint32_t size = (uint32_t)n->len + 1 < max ? (uint32_t)n->len + 1 : max;
		literal(l, n, dst, size);
		return low_const(l, size);
	}
	case NODE_TERNARY: return text_ternary(l, n, dst, max);
	case NODE_FIELD:
	case NODE_ITEM:
	case NODE_UNARY:
		if (n->place)
			return lower_place_text(l, n, dst, max);
		return n->kind == NODE_FIELD ? text_field(l, n, dst, max) : text_of_memory(l, lower_mem(l, n), dst, max);
	case NODE_WORD:
	case NODE_CALL:
		if (n->builtin->text)
			return n->builtin->text(l, n, dst, max);
		break;
	default: return text_of_memory(l, lower_mem(l, n), dst, max);
	}
	l->err = l->err ? l->err : source_later(l->s->source, n->at, n->name);
	return low_const(l, 1);
}

static void tuple_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst)
{
	unsigned i = 0;
	for (struct script_node *k = n->args; k; k = k->next, i++)
		lower_to(l, k, as->fields[i].type, mem_at(dst, (int32_t)as->fields[i].at));
}

static void string_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst)
{
	if (n->kind == NODE_STRING) {
		literal(l, n, dst, as->size);
		return;
	}
	low_zero(l, dst, as->size);
	lower_text(l, n, dst, as->size);
}

/* A tuple that is in memory already; of the other's shape, but its strings may be shorter. */
static void copy_tuple(struct lower *l, const struct script_type *from_type, struct script_mem from, const struct script_type *as, struct script_mem dst)
{
	for (unsigned i = 0; i < as->n_fields; i++) {
		const struct script_type *f = as->fields[i].type, *g = from_type->fields[i].type;
		struct script_mem to = mem_at(dst, (int32_t)as->fields[i].at), of = mem_at(from, (int32_t)from_type->fields[i].at);
		if (f->kind == TYPE_TUPLE) {
			copy_tuple(l, g, of, f, to);
		} else if (f->kind == TYPE_STRUCT || f->kind == TYPE_ARRAY) {
			low_copy(l, to, of, type_room(f));
		} else if (f->kind == TYPE_SHOWN) {
			low_copy(l, to, of, g->size);
			low_zero(l, mem_at(to, (int32_t)g->size), f->size - g->size);
		} else if (f->kind == TYPE_STRING) {
			low_zero(l, to, f->size);
			text_of_memory(l, of, to, g->size);
		} else {
			low_store(l, to, 8, low_load(l, of, 8, false));
		}
	}
}

/* What is kept may have room for longer ones. */
static void bytes_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst)
{
	uint32_t size = n->type->size;
	if ((n->kind == NODE_CALL || n->kind == NODE_WORD) && n->builtin->bytes)
		n->builtin->bytes(l, n, dst);
	else
		low_copy(l, dst, lower_mem(l, n), size);
	low_zero(l, mem_at(dst, (int32_t)size), as->size - size);
}

void lower_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst)
{
	l->at = n->at;
	if (as->kind == TYPE_STRING) {
		string_to(l, n, as, dst);
	} else if (type_is_word(as)) {
		low_store(l, dst, 8, lower_word(l, n));
	} else if (n->kind == NODE_TUPLE) {
		tuple_to(l, n, as, dst);
	} else if (n->kind == NODE_TERNARY) {
		int other = ir_label(l->ir), end = ir_label(l->ir);
		lower_condition(l, n->a, other);
		lower_to(l, n->b, as, dst);
		low_jump(l, end);
		low_label(l, other);
		lower_to(l, n->c, as, dst);
		low_label(l, end);
	} else if (as->kind == TYPE_SHOWN) {
		bytes_to(l, n, as, dst);
	} else if (as->kind == TYPE_STRUCT || as->kind == TYPE_ARRAY) {
		lower_place_to(l, n, as, dst);
	} else {
		copy_tuple(l, n->type, lower_mem(l, n), as, dst);
	}
}

struct script_mem lower_mem(struct lower *l, struct script_node *n)
{
	if (n->kind == NODE_VAR)
		return (struct script_mem){ l->frame, (int32_t)n->decl->number };
	if (n->kind == NODE_ITEM && !n->place)
		return mem_at(lower_mem(l, n->a), (int32_t)n->a->type->fields[n->value].at);
	if (n->kind == NODE_MAP)
		return lower_map_mem(l, n);
	struct script_mem m = low_room(l, type_room(n->type));
	lower_to(l, n, n->type, m);
	return m;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory as it is: buf, memcmp, bswap. */
#include <linux/bpf.h>
#include <string.h>
#include "base/str.h"
#include "script/builtin/builtin.h"
#include "script/show/bytes.h"

/* buf(address, length): how many bytes there are, then those; what is behind is 0. */
static struct script_type *check_buf(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args, *len = a->next;
	uint32_t most = c->s->max_string;
	struct script_type *t = check_expr(c, a);
	bool sized = t->kind == TYPE_STRING || t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT;
	if (!sized && !check_is_number(c, a, "what buf() is given"))
		return &type_none;
	if (!len && !(sized && t->size))
		return check_fail(c, n->at, "buf() takes an address and how many bytes");
	if (len && !check_number(c, len, "a length"))
		return &type_none;
	if (len && len->kind == NODE_INT && len->value < most)
		most = (uint32_t)len->value;
	if (a->place && (a->place->kind == TYPE_ARRAY || a->place->kind == TYPE_STRUCT)) /* C's, without a NUL behind it */
		t = a->place;
	if (sized && t->size && t->size < most)
		most = t->size;
	return type_shown(&c->s->source->memory, &shown_bytes, 8 + most);
}

/* A register with a length that the kernel believes to be at most that. */
static int bounded(struct lower *l, struct script_node *n, uint32_t most)
{
	int len = ir_reg(l->ir), fine = ir_label(l->ir);
	low_move(l, len, lower_word(l, n));
	low_branch_k(l, IF_LE, len, (int32_t)most, fine);
	low_move(l, len, low_const(l, most));
	low_label(l, fine);
	return len;
}

static void bytes_buf(struct lower *l, struct script_node *n, struct script_mem dst)
{
	struct script_node *a = n->args;
	uint32_t most = n->type->size - 8;
	if (a->next && a->next->kind == NODE_INT && a->next->value < most)
		most = (uint32_t)a->next->value;
	enum script_space space;
	const struct script_type *t = a->place ? a->place : a->type;
	if ((t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT) && t->size && t->size < most)
		most = t->size;
	int unread = ir_label(l->ir), address, len;
	low_zero(l, dst, n->type->size);
	address = lower_address(l, a, &space);
	len = a->next && a->next->kind != NODE_INT ? bounded(l, a->next, most) : low_const(l, most);
	int r = LOW_CALL(l, lower_reader_of(space, false), arg_mem(mem_at(dst, 8)), arg_reg(len), arg_reg(address));
	low_branch_k(l, IF_NE, r, 0, unread);
	low_store(l, dst, 8, len);
	low_label(l, unread);
}

/* ---- bswap ---- */

static struct script_type *check_bswap(struct checker *c, struct script_node *n)
{
	static const char *const names[] = { [1] = "uint8", [2] = "uint16", [4] = "uint32", [8] = "uint64" };
	if (!check_number(c, n->args, "what bswap() is given"))
		return &type_none;
	const struct decl *kept = n->args->kind == NODE_VAR || n->args->kind == NODE_MAP ? n->args->decl : NULL;
	uint32_t size = n->args->type->kind != TYPE_INT ? 8 : kept && kept->bytes ? kept->bytes : n->args->type->size;
	return type_named(names[size]);
}

/* Neighbours of so many bits change places. */
static int swap_neighbours(struct lower *l, int v, int bits, uint64_t low)
{
	int up = low_alu_k(l, ALU_SHL, low_alu_k(l, ALU_AND, v, (int64_t)low), bits);
	return low_alu(l, ALU_OR, up, low_alu_k(l, ALU_AND, low_alu_k(l, ALU_SHR, v, bits), (int64_t)low));
}

static int reversed(struct lower *l, int v)
{
	v = swap_neighbours(l, v, 8, 0x00ff00ff00ff00ff);
	v = swap_neighbours(l, v, 16, 0x0000ffff0000ffff);
	return low_alu(l, ALU_OR, low_alu_k(l, ALU_SHL, v, 32), low_alu_k(l, ALU_SHR, v, 32));
}

static int lower_bswap(struct lower *l, struct script_node *n)
{
	return low_alu_k(l, ALU_SHR, reversed(l, lower_word(l, n->args)), 64 - 8 * (int)n->type->size);
}

/* ---- memcmp: -1, 0 or 1 ---- */

static struct script_type *check_memcmp(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->args, *b = a->next;
	for (struct script_node *i = a; i != b->next; i = i->next)
		check_address(c, i, "what memcmp() compares");
	return check_constant(c, b->next, 1, STRING_MAX, "how many bytes memcmp() compares") ? &type_s64 : &type_none;
}

/* The bytes of one side, with zeros behind them up to a multiple of eight. */
static struct script_mem side(struct lower *l, struct script_node *n, uint32_t size)
{
	struct script_mem m;
	enum script_space space;
	if (n->type->kind == TYPE_STRING && n->type->size >= size)
		return lower_mem(l, n);
	m = low_room(l, (size + 7) & ~7u);
	low_zero(l, m, (size + 7) & ~7u);
	if (n->type->kind == TYPE_STRING) {
		low_copy(l, m, lower_mem(l, n), n->type->size);
	} else {
		int at = lower_address(l, n, &space);
		LOW_CALL(l, lower_reader_of(space, false), arg_mem(m), arg_k(size), arg_reg(at));
	}
	return m;
}

static int lower_memcmp(struct lower *l, struct script_node *n)
{
	struct script_node *a = n->args, *b = a->next;
	uint32_t size = (uint32_t)b->next->value;
	struct script_mem x = side(l, a, size), y = side(l, b, size);
	int d = low_const(l, 0), end = ir_label(l->ir), differ = ir_label(l->ir), v = ir_reg(l->ir), w = ir_reg(l->ir);
	for (uint32_t i = 0; i < size; i += 8) {
		int k = size - i < 8 ? 8 * (int)(8 - (size - i)) : 0; /* only the bytes that count, which are the lowest ones */
		low_move(l, v, low_alu_k(l, ALU_SHL, low_load(l, mem_at(x, (int32_t)i), 8, false), k));
		low_move(l, w, low_alu_k(l, ALU_SHL, low_load(l, mem_at(y, (int32_t)i), 8, false), k));
		low_branch(l, IF_NE, v, w, differ);
	}
	low_jump(l, end);
	low_label(l, differ);
	low_move(l, d, low_const(l, 1));
	low_branch(l, IF_GT, reversed(l, v), reversed(l, w), end);
	low_move(l, d, low_const(l, -1));
	low_label(l, end);
	return d;
}

const struct builtin builtins_bytes[] = {
	{ "buf", true, 1, 2, .check = check_buf, .bytes = bytes_buf },
	{ "bswap", true, 1, 1, .check = check_bswap, .lower = lower_bswap },
	{ "memcmp", true, 3, 3, .check = check_memcmp, .lower = lower_memcmp },
	{ 0 },
};

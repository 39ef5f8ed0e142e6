// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of members are one offset: only a pointer on the way is read. */
#include <linux/bpf.h>
#include <string.h>
#include "script/check_type.h"
#include "script/code/lower.h"
#include "script/ctype/ctype.h"
#include "script/provider/provider.h"

int lower_reader_of(enum script_space space, bool text)
{
	switch (space) {
	case SPACE_USER: return text ? BPF_FUNC_probe_read_user_str : BPF_FUNC_probe_read_user;
	case SPACE_KERNEL: return text ? BPF_FUNC_probe_read_kernel_str : BPF_FUNC_probe_read_kernel;
	default: return text ? BPF_FUNC_probe_read_str : BPF_FUNC_probe_read; /* of either: the address tells */
	}
}

/* What has been in the frame is but a number. */
int low_number(struct lower *l, struct script_mem address)
{
	struct script_mem m = low_frame(l, 8);
	low_store(l, m, 8, address.off ? low_alu_k(l, ALU_ADD, address.base, address.off) : address.base);
	return low_load(l, m, 8, false);
}

static const struct type_field *member(const struct script_node *n)
{
	struct script_type *t = n->a->type;
	if (t->kind == TYPE_RECORD) {
		for (unsigned i = 0; i < t->n_fields; i++)
			if (!strcmp(t->fields[i].name, n->name))
				return &t->fields[i];
		return NULL;
	}
	return ctype_member(t->kind == TYPE_POINTER ? t->to : t, n->name);
}

static struct script_place pointed(struct lower *l, struct script_node *pointer)
{
	const struct script_type *t = pointer->type;
	return (struct script_place){ { lower_word(l, pointer), 0 }, .foreign = true, .space = t->kind == TYPE_POINTER ? t->space : SPACE_ANY };
}

static struct script_place of_member(struct lower *l, struct script_node *n)
{
	const struct type_field *f = member(n);
	if (n->a->type->kind == TYPE_RECORD)
		return (struct script_place){ { l->point->provider->field(l, f), 0 }, .foreign = true, .space = f->space, .watched = true };
	struct script_place p = n->a->type->kind == TYPE_POINTER ? pointed(l, n->a) : lower_place(l, n->a);
	p.at.off += (int32_t)f->at;
	return p;
}

/* An index into memory of ours stays within it: what is beyond is the first item. */
static int bounded(struct lower *l, int index, uint32_t count)
{
	int i = low_move(l, ir_reg(l->ir), index), fine = ir_label(l->ir);
	low_branch_k(l, IF_LT, i, (int32_t)count, fine);
	low_move(l, i, low_const(l, 0));
	low_label(l, fine);
	return i;
}

static struct script_place of_item(struct lower *l, struct script_node *n)
{
	struct script_node *a = n->a;
	struct script_type *array = a->place && a->place->kind == TYPE_ARRAY ? a->place : a->type;
	struct script_place p = array->kind == TYPE_POINTER ? pointed(l, a) : lower_place(l, a);
	int64_t size = ctype_size(array->to);
	if (n->b->kind == NODE_INT && n->b->value < INT32_MAX && size * (int64_t)n->b->value + p.at.off <= INT32_MAX) {
		p.at.off += (int32_t)(size * (int64_t)n->b->value);
		return p;
	}
	int index = lower_word(l, n->b);
	if (!p.foreign)
		index = bounded(l, index, array->count);
	if (p.watched)
		p = (struct script_place){ { low_number(l, p.at), 0 }, .foreign = true, .space = p.space };
	p.at.base = low_alu(l, ALU_ADD, p.at.base, low_alu_k(l, ALU_MUL, index, size));
	return p;
}

struct script_place lower_place(struct lower *l, struct script_node *n)
{
	if (n->kind == NODE_FIELD && n->place)
		return of_member(l, n);
	if (n->kind == NODE_ITEM && n->place)
		return of_item(l, n);
	if (n->kind == NODE_UNARY && n->place)
		return pointed(l, n->a);
	return (struct script_place){ .at = lower_mem(l, n), .space = SPACE_KERNEL };
}

static void read_place(struct lower *l, const struct script_place *p, struct script_mem dst, uint32_t size)
{
	LOW_CALL(l, lower_reader_of(p->foreign ? p->space : SPACE_KERNEL, false), arg_mem(dst), arg_k(size), arg_mem(p->at));
}

/* From the byte that it begins in, at most eight: what is above and below it is shifted out. */
static int read_bits(struct lower *l, const struct script_place *p, const struct type_field *f)
{
	uint32_t bytes = (f->bit_at + f->bits + 7u) / 8, used = l->stack_used;
	if (bytes > 8) {
		l->err = l->err ? l->err : source_error(l->s->source, l->at, "this bit-field is spread over nine bytes, which cannot be read at once");
		return low_const(l, 0);
	}
	struct script_mem m = low_stack(l, 8);
	low_store_k(l, m, 8, 0);
	read_place(l, p, m, bytes);
	int v = low_load(l, m, 8, false);
	l->stack_used = used;
	v = low_alu_k(l, ALU_SHL, v, 64 - f->bit_at - f->bits);
	return low_alu_k(l, f->type->is_signed ? ALU_SAR : ALU_SHR, v, 64 - f->bits);
}

int lower_place_word(struct lower *l, struct script_node *n)
{
	const struct script_type *t = n->place;
	struct script_place p = lower_place(l, n);
	const struct type_field *f = n->kind == NODE_FIELD ? member(n) : NULL;
	if (f && f->bits)
		return read_bits(l, &p, f);
	unsigned size = t->kind == TYPE_INT || t->kind == TYPE_FLOAT || t->kind == TYPE_POINTER ? t->size : 8;
	if (!p.foreign)
		return low_load(l, p.at, size, type_is_signed(t));
	uint32_t used = l->stack_used;
	struct script_mem m = low_stack(l, 8);
	read_place(l, &p, m, size);
	int v = low_load(l, m, size, type_is_signed(t));
	l->stack_used = used; /* it is in a register now */
	return v;
}

/* One byte more than the array has becomes the NUL behind one that is full. */
int lower_place_text(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	struct script_place p = lower_place(l, n);
	uint32_t count = n->place->count;
	if (count && count + 1 < max)
		max = count + 1;
	return LOW_CALL(l, lower_reader_of(p.foreign ? p.space : SPACE_KERNEL, true), arg_mem(dst), arg_k(max), arg_mem(p.at));
}

/* A number cast to an array: its bytes. */
static void number_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst)
{
	int v = lower_word(l, n->a);
	low_store(l, dst, 8, as->size < 8 ? low_alu_k(l, ALU_AND, v, (int64_t)((1ull << as->size * 8) - 1)) : v);
}

void lower_place_to(struct lower *l, struct script_node *n, const struct script_type *as, struct script_mem dst)
{
	uint32_t room = type_room(as);
	if (n->kind == NODE_CAST) {
		number_to(l, n, as, dst);
		return;
	}
	struct script_place p = lower_place(l, n);
	if (as->size < room)
		low_store_k(l, mem_at(dst, (int32_t)room - 8), 8, 0);
	read_place(l, &p, dst, as->size);
}

static int sum(struct lower *l, struct script_mem m)
{
	return m.off ? low_alu_k(l, ALU_ADD, m.base, m.off) : m.base;
}

int lower_address(struct lower *l, struct script_node *n, enum script_space *space)
{
	if (type_is_word(n->type)) {
		*space = n->type->kind == TYPE_POINTER ? n->type->space : SPACE_ANY;
		return lower_word(l, n);
	}
	struct script_place p = n->kind == NODE_FIELD && !n->place ? (struct script_place){ { lower_word(l, n), 0 }, .foreign = true, .space = SPACE_KERNEL } : lower_place(l, n);
	*space = p.foreign ? p.space : SPACE_KERNEL;
	return sum(l, p.at);
}

/* Both are padded with zeros. */
int lower_compare_arrays(struct lower *l, struct script_node *a, struct script_node *b, bool equal)
{
	struct script_mem x = lower_mem(l, a), y = lower_mem(l, b);
	return low_compare(l, x, y, a->type->size, equal);
}

int low_compare(struct lower *l, struct script_mem x, struct script_mem y, uint32_t size, bool equal)
{
	int d = low_const(l, !equal), end = ir_label(l->ir);
	for (uint32_t i = 0; i < size; i += 8)
		low_branch(l, IF_NE, low_load(l, mem_at(x, (int32_t)i), 8, false), low_load(l, mem_at(y, (int32_t)i), 8, false), end);
	low_move(l, d, low_const(l, equal));
	low_label(l, end);
	return d;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which variable is where at an address of the code: in a register, in the frame, at a fixed place; and what is at an offset of
 * its type. */
#include <stdlib.h>
#include "symbol/dwarf/inner.h"
#include "symbol/dwarf/memory.h"

enum { DEPTH_MAX = 16, GLOBALS_MAX = 1 << 20 };

bool dwarf_memory_place(struct dwarf_file *f, uint64_t addr, struct dwarf_place *p)
{
	*p = (struct dwarf_place){ .addr = addr };
	if (!dwarf_unit_at(f, addr, &p->cu) || !dwarf_function_at(f, &p->cu, addr, &p->func) || dwarf_entry(&p->func, &p->func_addr))
		return false;
	p->scope = p->func;
	p->func_name = dwarf_name(&p->func);
	return true;
}

/* ---- variables of the function, innermost scope first ---- */

typedef bool var_fn(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, void *ctx);

static bool each_in(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *scope, int depth, var_fn *fn, void *ctx)
{
	Dwarf_Die die;
	if (depth > DEPTH_MAX || dwarf_child(scope, &die))
		return false;
	Dwarf_Die first = die;
	do {
		int tag = dwarf_tag(&die);
		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(&die, p->addr) > 0 &&
		    each_in(f, p, &die, depth + 1, fn, ctx))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	die = first;
	do {
		int tag = dwarf_tag(&die);
		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && fn(f, p, &die, ctx))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

struct sought { int reg; int64_t at; Dwarf_Die *type; int64_t *offset; };

/* Where one whole variable is; false: nowhere, in pieces, or only computed. */
static bool locate(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, struct fetch *at)
{
	struct dwarf_pieces pieces = { .n = 0 };
	const char *why;
	*at = (struct fetch){ 0 };
	return !dwarf_locate(f, p, var, at, &pieces, &why) && !pieces.n && !at->n_deref && !at->bit_size;
}

static bool is_in_register(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, void *ctx)
{
	struct sought *s = ctx;
	struct fetch at;
	return locate(f, p, var, &at) && at.base == FETCH_REG && !at.memory && !at.add && at.reg == s->reg && dwarf_type_of(var, s->type);
}

bool dwarf_in_register(struct dwarf_file *f, const struct dwarf_place *p, int reg, Dwarf_Die *type)
{
	struct sought s = { .reg = reg, .type = type };
	Dwarf_Die func = p->func;
	return each_in(f, p, &func, 0, is_in_register, &s);
}

static bool covers(Dwarf_Die *var, int64_t start, const struct sought *s)
{
	int64_t size = (int64_t)dwarf_var_size(var);
	if (s->at < start || s->at - start >= size || !dwarf_type_of(var, s->type))
		return false;
	*s->offset = s->at - start;
	return true;
}

static bool is_in_frame(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, void *ctx)
{
	struct sought *s = ctx;
	struct fetch at;
	return locate(f, p, var, &at) && at.base == FETCH_REG && at.memory && at.reg == s->reg && covers(var, at.add, s);
}

bool dwarf_in_frame(struct dwarf_file *f, const struct dwarf_place *p, int reg, int64_t at, Dwarf_Die *type, int64_t *offset)
{
	struct sought s = { .reg = reg, .at = at, .type = type, .offset = offset };
	Dwarf_Die func = p->func;
	return each_in(f, p, &func, 0, is_in_frame, &s);
}

static bool is_static(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, void *ctx)
{
	struct sought *s = ctx;
	struct fetch at;
	return locate(f, p, var, &at) && at.base == FETCH_ADDR && covers(var, (int64_t)at.num + at.add, s);
}

/* ---- variables at fixed places ---- */

struct dwarf_globals { VEC(struct dwarf_global) at; };
struct dwarf_global { uint64_t start, size; Dwarf_Die var; };

static bool fixed_address(Dwarf_Die *var, uint64_t *addr)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	if (!dwarf_attr(var, DW_AT_location, &a) || dwarf_whatform(&a) != DW_FORM_exprloc || dwarf_getlocation(&a, &ops, &n) || n != 1)
		return false;
	if (ops[0].atom == DW_OP_addr)
		*addr = ops[0].number;
	return ops[0].atom == DW_OP_addr;
}

static void collect(struct dwarf_globals *g, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	if (depth > DEPTH_MAX || g->at.n >= GLOBALS_MAX || dwarf_child(parent, &die))
		return;
	do {
		struct dwarf_global one = { .var = die };
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_namespace)
			collect(g, &die, depth + 1);
		else if (tag == DW_TAG_variable && fixed_address(&die, &one.start) && (one.size = dwarf_var_size(&die)))
			*vec_push(&g->at) = one;
	} while (!dwarf_siblingof(&die, &die));
}

static int by_start(const void *a, const void *b)
{
	const struct dwarf_global *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

struct dwarf_globals *dwarf_globals_new(struct dwarf_file *f)
{
	struct dwarf_globals *g = xcalloc(1, sizeof(*g));
	Dwarf_CU *cursor = NULL;
	Dwarf_Die cu, root;
	while (dwarf_unit_next(f, &cursor, &cu, &root))
		collect(g, &root, 0);
	if (g->at.n)
		qsort(g->at.at, g->at.n, sizeof(*g->at.at), by_start);
	return g;
}

void dwarf_globals_free(struct dwarf_globals *g)
{
	if (g)
		vec_release(&g->at);
	free(g);
}

bool dwarf_global_at(struct dwarf_file *f, const struct dwarf_globals *g, const struct dwarf_place *p, uint64_t addr, Dwarf_Die *type, int64_t *offset)
{
	struct sought s = { .at = (int64_t)addr, .type = type, .offset = offset };
	Dwarf_Die func = p->func;
	size_t low = 0, high = g->at.n;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (g->at.at[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && addr - g->at.at[low - 1].start < g->at.at[low - 1].size) {
		*offset = (int64_t)(addr - g->at.at[low - 1].start);
		return dwarf_type_of(&g->at.at[low - 1].var, type);
	}
	return each_in(f, p, &func, 0, is_static, &s);
}

/* ---- what is in a type ---- */

/* The member that holds the offset, which counts from it then. */
static bool member_of(Dwarf_Die *type, int64_t *offset, Dwarf_Die *member)
{
	Dwarf_Die die;
	if (dwarf_child(type, &die))
		return false;
	do {
		int tag = dwarf_tag(&die), bits;
		int64_t bit;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&die, DW_AT_external) || !dwarf_member_at(&die, &bit, &bits))
			continue;
		int64_t start = bit / 8, size = bits ? (bit % 8 + bits + 7) / 8 : (int64_t)dwarf_var_size(&die);
		if (*offset < start || *offset - start >= size)
			continue;
		*offset -= start;
		*member = die;
		return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

static bool element_of(Dwarf_Die *array, int64_t *offset, Dwarf_Die *type)
{
	Dwarf_Word size;
	if (!dwarf_type_of(array, type) || dwarf_aggregate_size(type, &size) || !size)
		return false;
	*offset %= (int64_t)size;
	return true;
}

bool dwarf_part_at(Dwarf_Die *whole, int64_t offset, Dwarf_Die *part, struct str *field)
{
	Dwarf_Die t, member;
	*part = *whole;
	for (int i = 0; i < DEPTH_MAX; i++) {
		if (!dwarf_strip(part, &t))
			return false;
		int tag = dwarf_tag(&t);
		if (tag == DW_TAG_array_type) {
			field = NULL; /* as perf names them: members of structures, no elements */
			if (!element_of(&t, &offset, part))
				return false;
		} else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type) {
			if (!member_of(&t, &offset, &member) || !dwarf_type_of(&member, part))
				return false;
			if (field && dwarf_diename(&member)) {
				str_add(field, field->len ? "." : "");
				str_add_safez(field, dwarf_diename(&member));
			}
		} else {
			*part = t;
			return !offset;
		}
	}
	return false;
}

bool dwarf_behind_pointer(Dwarf_Die *pointer, Dwarf_Die *type)
{
	Dwarf_Die t, to;
	if (!dwarf_strip(pointer, &t))
		return false;
	int tag = dwarf_tag(&t);
	return (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type || tag == DW_TAG_array_type) &&
	       dwarf_type_of(&t, type) && dwarf_strip(type, &to);
}

/* perf has no word for what has no name. */
static void add_name(Dwarf_Die *type, int depth, struct str *name)
{
	Dwarf_Die t, element;
	int tag = dwarf_strip_qualifiers(type, &t) ? dwarf_tag(&t) : 0;
	if (tag == DW_TAG_array_type && depth < DEPTH_MAX && dwarf_type_of(&t, &element)) {
		add_name(&element, depth + 1, name);
		str_add(name, "[]");
	} else if (!dwarf_diename(&t) && (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type)) {
		str_add(name, tag == DW_TAG_structure_type ? "struct " : tag == DW_TAG_union_type ? "union " : "enum ");
	} else {
		dwarf_add_type_name(type, name);
	}
}

bool dwarf_type_name(Dwarf_Die *type, int64_t offset, struct str *name)
{
	Dwarf_Die t;
	Dwarf_Word size;
	if (!dwarf_strip(type, &t) || dwarf_aggregate_size(&t, &size) || offset < 0 || (uint64_t)offset >= size)
		return false;
	add_name(type, 0, name);
	return true;
}

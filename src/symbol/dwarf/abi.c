// SPDX-License-Identifier: GPL-2.0-or-later
/* The calling convention: in which registers a function finds its parameters and leaves its result.
 *
 * A value is a row of eight-byte words. Each is handed over in an integer register or in a vector register, and a value
 * whose words do not all find one lies on the stack. On machines other than x86-64 only what is one word is known. */
#include <dwarf.h>
#include <string.h>
#include "arch/dwarf_regs.h"
#include "symbol/dwarf/inner.h"

enum { DEPTH_MAX = 16, WORDS = 2, VECTORS = 8 };
enum abi_word { WORD_NONE, WORD_INTEGER, WORD_VECTOR };
enum abi_way { WAY_WORDS, WAY_MEMORY, WAY_X87, WAY_UNKNOWN };
struct abi_value { enum abi_way way; enum abi_word word[WORDS]; int n; uint64_t size; bool wide; /* at addresses that are multiples of 16 */ };

static Dwarf_Word encoding(Dwarf_Die *type)
{
	Dwarf_Attribute a;
	Dwarf_Word enc = 0;
	if (dwarf_attr_integrate(type, DW_AT_encoding, &a))
		(void)dwarf_formudata(&a, &enc);
	return enc;
}

/* A word with anything else than floating point in it is an integer's. */
static void take_word(struct abi_value *v, uint64_t off, uint64_t size, enum abi_word word)
{
	for (uint64_t i = off / 8; size && i <= (off + size - 1) / 8; i++) {
		if (i >= WORDS) {
			v->way = WAY_MEMORY;
			return;
		}
		v->word[i] = v->word[i] == WORD_INTEGER ? WORD_INTEGER : word;
	}
}

static void classify(Dwarf_Die *type, uint64_t off, struct abi_value *v, int depth);

static void classify_base(Dwarf_Die *t, uint64_t off, uint64_t size, struct abi_value *v)
{
	Dwarf_Word enc = encoding(t);
	v->wide |= size >= 16;
	bool is_float = enc == DW_ATE_float || enc == DW_ATE_complex_float || enc == DW_ATE_imaginary_float;
	if (is_float && size >= 16 && (enc == DW_ATE_float || size == 32))
		v->way = off || enc != DW_ATE_float ? WAY_MEMORY : WAY_X87; /* long double */
	else if (off % (size < 8 ? size : 8))
		v->way = WAY_MEMORY; /* packed */
	else
		take_word(v, off, size, is_float ? WORD_VECTOR : WORD_INTEGER);
}

/* Offset 0 and members without one: a union. */
static void classify_members(Dwarf_Die *t, uint64_t off, struct abi_value *v, int depth)
{
	Dwarf_Die die, type;
	Dwarf_Attribute a;
	Dwarf_Word at = 0, bits;
	if (dwarf_child(t, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		at = 0;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&die, DW_AT_external) || !dwarf_type_of(&die, &type))
			continue;
		if (dwarf_hasattr(&die, DW_AT_bit_size)) {
			if (dwarf_attr(&die, DW_AT_data_bit_offset, &a) && !dwarf_formudata(&a, &bits))
				take_word(v, off + bits / 8, 1, WORD_INTEGER);
			else
				v->way = WAY_UNKNOWN;
			continue;
		}
		if (dwarf_attr(&die, DW_AT_data_member_location, &a) && dwarf_formudata(&a, &at))
			v->way = WAY_UNKNOWN;
		else
			classify(&type, off + at, v, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

static void classify(Dwarf_Die *type, uint64_t off, struct abi_value *v, int depth)
{
	Dwarf_Die t, inner;
	Dwarf_Word size, element;
	if (depth > DEPTH_MAX || !dwarf_strip(type, &t) || v->way == WAY_UNKNOWN) {
		v->way = WAY_UNKNOWN;
		return;
	}
	int tag = dwarf_tag(&t);
	if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
		take_word(v, off, 8, WORD_INTEGER);
		return;
	}
	if (dwarf_aggregate_size(&t, &size)) {
		v->way = WAY_UNKNOWN;
		return;
	}
	if (dwarf_hasattr(&t, DW_AT_alignment)) {
		v->way = WAY_UNKNOWN;
		return;
	}
	if (size > 8 * WORDS && tag != DW_TAG_base_type)
		v->way = WAY_MEMORY; /* its members only tell of the alignment */
	if (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type) {
		classify_base(&t, off, size, v);
	} else if (tag == DW_TAG_array_type && !dwarf_hasattr(&t, DW_AT_GNU_vector) && dwarf_type_of(&t, &inner) &&
		   !dwarf_aggregate_size(&inner, &element) && element) {
		for (uint64_t i = 0; i < size && (!i || v->way == WAY_WORDS); i += element)
			classify(&inner, off + i, v, depth + 1);
	} else if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type) {
		classify_members(&t, off, v, depth);
	} else {
		v->way = WAY_UNKNOWN;
	}
}

/* C++ hands a class over by reference when copying it takes code. */
static bool by_reference(Dwarf_Die *t)
{
	Dwarf_Attribute a;
	Dwarf_Word cc;
	return dwarf_attr(t, DW_AT_calling_convention, &a) && !dwarf_formudata(&a, &cc) && cc == DW_CC_pass_by_reference;
}

static struct abi_value value_of(Dwarf_Die *type)
{
	struct abi_value v = { .way = WAY_WORDS };
	Dwarf_Die t;
	Dwarf_Word size = 8;
	classify(type, 0, &v, 0);
	if (dwarf_strip(type, &t) && dwarf_tag(&t) != DW_TAG_pointer_type)
		(void)dwarf_aggregate_size(&t, &size);
	v.size = size;
	while (v.n < WORDS && v.word[v.n])
		v.n++;
#if defined(__x86_64__)
	if (dwarf_strip(type, &t) && by_reference(&t))
		v.way = WAY_MEMORY;
#else
	if (v.n != 1 || size > 8 || (dwarf_strip(type, &t) && dwarf_tag(&t) == DW_TAG_structure_type))
		v.way = WAY_UNKNOWN;
#endif
	return v;
}

/* ---- parameters ---- */

struct abi_handed { int integers, vectors; int64_t stack; };

static void put_on_stack(struct abi_handed *h, const struct abi_value *v, struct fetch *out)
{
	if (v->wide)
		h->stack = (h->stack + 15) / 16 * 16;
	fetch_reg(out, ARCH_SP, ARCH_ENTRY_CFA + h->stack, true);
	h->stack += (int64_t)(v->size + 7) / 8 * 8;
}

/* Where the value goes; false: it cannot be told. */
static bool hand_over(struct abi_handed *h, const struct abi_value *v, struct fetch *out, struct dwarf_pieces *pieces)
{
	int integers = 0, vectors = 0;
	for (int i = 0; i < v->n; i++) {
		integers += v->word[i] == WORD_INTEGER;
		vectors += v->word[i] == WORD_VECTOR;
	}
	pieces->n = 0;
	if (v->way == WAY_UNKNOWN || !v->size)
		return false;
	if (v->way != WAY_WORDS || h->integers + integers > ARCH_ARG_REGS || h->vectors + vectors > VECTORS) {
		put_on_stack(h, v, out);
		return true;
	}
	for (int i = 0; i < v->n; i++) {
		int reg = v->word[i] == WORD_INTEGER ? arch_arg_regs[h->integers++] : ARCH_VECTOR + h->vectors++;
		fetch_reg(&pieces->piece[i].at, reg, 0, false);
		pieces->piece[i].off = 8 * i;
		pieces->piece[i].size = 8;
	}
	*out = pieces->piece[0].at;
	pieces->n = v->n > 1 ? v->n : 0;
	return true;
}

bool dwarf_abi_param(Dwarf_Die *func, Dwarf_Die *param, struct fetch *out, struct dwarf_pieces *pieces)
{
	struct abi_handed h = { 0 };
	Dwarf_Die die, type;
	if (dwarf_type_of(func, &type)) {
		struct abi_value result = value_of(&type);
		if (result.way == WAY_UNKNOWN)
			return false;
		h.integers = result.way == WAY_MEMORY; /* the first register says where it is to be put */
	}
	if (dwarf_child(func, &die))
		return false;
	do {
		if (dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		if (!dwarf_type_of(&die, &type))
			return false;
		struct abi_value v = value_of(&type);
		bool known = hand_over(&h, &v, out, pieces);
		if (die.addr == param->addr)
			return known;
		if (v.way == WAY_UNKNOWN)
			return false;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* ---- results ---- */

bool dwarf_abi_result(Dwarf_Die *func, bool is_c, struct str *where)
{
	Dwarf_Die type, t;
	if (!dwarf_type_of(func, &type) || !dwarf_strip(&type, &t) || (!is_c && dwarf_tag(&t) != DW_TAG_base_type))
		return true; /* void, or rules of its own */
	struct abi_value v = value_of(&type);
	if (v.way != WAY_X87 && !(v.way == WAY_WORDS && v.n && v.word[0] == WORD_VECTOR))
		return true;
	dwarf_var_type_name(func, where); /* the type that it has */
	str_addf(where, ", which is in %s", v.way == WAY_X87 ? "%st(0)" : ARCH_VECTOR_NAME);
	return false;
}

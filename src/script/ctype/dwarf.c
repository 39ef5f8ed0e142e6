// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of programs, out of their debug information. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "script/ctype/inner.h"
#include "symbol/dwarf/dwarf.h"

enum { CONSTANTS_MOST = 65536, DIMENSIONS = 8 };

static struct script_type *type_at(struct ctype_source *s, Dwarf_Die *type);

static struct script_type *target(struct ctype_source *s, Dwarf_Die *die)
{
	Dwarf_Die inner;
	return dwarf_type_of(die, &inner) ? type_at(s, &inner) : &type_none;
}

static uint64_t size_of(Dwarf_Die *die)
{
	Dwarf_Word size;
	return dwarf_aggregate_size(die, &size) ? 0 : size;
}

static struct script_type *number(struct ctype_source *s, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word encoding = 0;
	uint64_t size = size_of(die);
	const char *name = dwarf_diename(die);
	if (!dwarf_attr_integrate(die, DW_AT_encoding, &a) || dwarf_formudata(&a, &encoding))
		return &type_none;
	if (size == 1 && name && !strcmp(name, "char"))
		return ctype_base("char");
	switch (encoding) {
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		return size == 16 ? type_array(s->set->memory, ctype_number(8, false), 2) : ctype_number((unsigned)size, true);
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_boolean:
	case DW_ATE_UTF:
		return size == 16 ? type_array(s->set->memory, ctype_number(8, false), 2) : ctype_number((unsigned)size, false);
	case DW_ATE_float: return ctype_float((unsigned)size);
	default: return &type_none;
	}
}

static uint32_t length_of(Dwarf_Die *subrange)
{
	Dwarf_Attribute a;
	Dwarf_Word n;
	if (dwarf_attr_integrate(subrange, DW_AT_count, &a) && !dwarf_formudata(&a, &n))
		return n > UINT32_MAX ? 0 : (uint32_t)n;
	if (dwarf_attr_integrate(subrange, DW_AT_upper_bound, &a) && !dwarf_formudata(&a, &n))
		return n >= UINT32_MAX ? 0 : (uint32_t)n + 1; /* -1, of an empty one, becomes 0 */
	return 0;
}

static struct script_type *array(struct ctype_source *s, Dwarf_Die *die)
{
	uint32_t length[DIMENSIONS];
	int n = 0;
	Dwarf_Die child;
	struct script_type *t = target(s, die);
	if (!dwarf_child(die, &child))
		do {
			if (dwarf_tag(&child) == DW_TAG_subrange_type && n < DIMENSIONS)
				length[n++] = length_of(&child);
		} while (!dwarf_siblingof(&child, &child));
	if (!n)
		return type_array(s->set->memory, t, 0);
	while (n--)
		t = type_array(s->set->memory, t, length[n]);
	return t;
}

static unsigned count(Dwarf_Die *die, int tag)
{
	Dwarf_Die child;
	unsigned n = 0;
	if (!dwarf_child(die, &child))
		do
			n += dwarf_tag(&child) == tag;
		while (n < CONSTANTS_MOST && !dwarf_siblingof(&child, &child));
	return n;
}

static bool is_signed_enum(Dwarf_Die *die)
{
	Dwarf_Die inner, child;
	Dwarf_Attribute a;
	Dwarf_Word encoding = 0;
	Dwarf_Sword v;
	if (dwarf_type_of(die, &inner) && dwarf_strip(&inner, &child) && dwarf_attr_integrate(&child, DW_AT_encoding, &a) && !dwarf_formudata(&a, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (!dwarf_child(die, &child))
		do
			if (dwarf_attr(&child, DW_AT_const_value, &a) && dwarf_whatform(&a) == DW_FORM_sdata && !dwarf_formsdata(&a, &v) && v < 0)
				return true;
		while (!dwarf_siblingof(&child, &child));
	return false;
}

static struct script_type *enumeration(struct ctype_source *s, Dwarf_Die *die)
{
	unsigned n = count(die, DW_TAG_enumerator), k = 0;
	struct script_type *e = ctype_enum(s->set, dwarf_diename(die), (unsigned)size_of(die), is_signed_enum(die), n);
	Dwarf_Die child;
	if (e->kind == TYPE_INT && !dwarf_child(die, &child))
		do {
			int64_t v;
			const char *name = dwarf_diename(&child);
			if (dwarf_tag(&child) == DW_TAG_enumerator && name && k < n && dwarf_number(&child, DW_AT_const_value, &v))
				e->constants[k++] = (struct type_constant){ arena_text(s->set->memory, name, strlen(name)), v };
		} while (!dwarf_siblingof(&child, &child));
	if (e->kind == TYPE_INT)
		e->n_constants = k;
	ctype_enum_done(s->set, e);
	return e;
}

static struct script_type *composite(struct ctype_source *s, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	const char *name = dwarf_diename(die), *word = tag == DW_TAG_union_type ? "union" : "struct";
	Dwarf_Die whole;
	if (dwarf_hasattr(die, DW_AT_declaration)) {
		if (name && dwarf_find_type(s->dwarf, name, tag, &whole) && whole.addr != die->addr)
			return type_at(s, &whole);
		struct script_type *unknown = ctype_shell(s, 0, word, name, 0);
		unknown->source = NULL;
		return unknown;
	}
	struct script_type *t = ctype_shell(s, 0, word, name, size_of(die));
	Dwarf_Die *kept = arena_get(s->set->memory, sizeof(*kept));
	*kept = *die;
	t->id = (uintptr_t)kept;
	return t;
}

static struct script_type *make(struct ctype_source *s, Dwarf_Die *die)
{
	struct script_type *to;
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type: return number(s, die);
	case DW_TAG_enumeration_type: return enumeration(s, die);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type: return composite(s, die);
	case DW_TAG_array_type: return array(s, die);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		to = target(s, die);
		to = type_pointer(s->set->memory, to->kind == TYPE_NONE ? NULL : to, SPACE_ANY);
		to->size = dwarf_bytesize(die) == 4 ? 4 : 8; /* of a 32-bit program */
		return to;
	case DW_TAG_subroutine_type:
		to = arena_get(s->set->memory, sizeof(*to));
		to->kind = TYPE_FUNCTION;
		return to;
	default: return &type_none;
	}
}

static struct script_type *type_at(struct ctype_source *s, Dwarf_Die *type)
{
	Dwarf_Die die;
	if (!dwarf_strip(type, &die))
		return &type_none;
	struct script_type *t = u64map_get(&s->known, (uintptr_t)die.addr);
	if (t)
		return t;
	if (ctype_deeper(s->set)) {
		t = make(s, &die);
		u64map_set(&s->known, (uintptr_t)die.addr, t);
	}
	s->set->depth--;
	return t ? t : &type_none;
}

static void complete(struct script_type *t)
{
	struct ctype_source *s = t->source;
	Dwarf_Die die = *(Dwarf_Die *)(uintptr_t)t->id, child;
	struct member_list list = { .set = s->set };
	if (!dwarf_child(&die, &child))
		do {
			int64_t bit;
			int bits, tag = dwarf_tag(&child);
			if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) && !dwarf_hasattr(&child, DW_AT_external) &&
			    dwarf_member_at(&child, &bit, &bits) && bit >= 0 && bits >= 0 && bits <= 64)
				members_add(&list, tag == DW_TAG_member ? dwarf_diename(&child) : NULL, target(s, &child), (uint64_t)bit, (unsigned)bits);
		} while (!dwarf_siblingof(&child, &child));
	members_take(&list, t);
}

static struct ctype_source *source_of(struct ctypes *c, struct dwarf_file *f)
{
	for (size_t i = 0; i < c->programs.n; i++)
		if (c->programs.at[i]->dwarf == f)
			return c->programs.at[i];
	struct ctype_source *s = xcalloc(1, sizeof(*s));
	*s = (struct ctype_source){ .set = c, .complete = complete, .dwarf = f };
	*vec_push(&c->programs) = s;
	return s;
}

struct script_type *ctype_of_die(struct ctypes *c, struct dwarf_file *f, Dwarf_Die *type)
{
	return type ? type_at(source_of(c, f), type) : &type_none;
}

struct script_type *ctype_find_program(struct ctypes *c, struct dwarf_file *f, const char *kind, const char *name)
{
	static const struct { const char *kind; int tag; } tags[] = { { "struct", DW_TAG_structure_type }, { "struct", DW_TAG_class_type },
		{ "union", DW_TAG_union_type }, { "enum", DW_TAG_enumeration_type }, { "", DW_TAG_typedef }, { "", DW_TAG_base_type } };
	Dwarf_Die die;
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (!strcmp(tags[i].kind, kind) && dwarf_find_type(f, name, tags[i].tag, &die))
			return ctype_of_die(c, f, &die);
	return NULL;
}

struct script_type *ctype_program_constant(struct dwarf_file *f, const char *name, int64_t *value)
{
	return dwarf_find_constant(f, name, value) ? &type_s64 : NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Types: their names, the way along members and elements, and the probe's type for a value. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "symbol/dwarf/inner.h"

enum { TYPE_DEPTH_MAX = 32 };

/* -fdebug-types-section leaves an empty structure where the type is used, which says in which type unit it is. */
static void follow_signature(Dwarf_Die *type)
{
	Dwarf_Attribute a;
	Dwarf_Die whole;
	if (dwarf_attr(type, DW_AT_signature, &a) && dwarf_formref_die(&a, &whole))
		*type = whole;
}

bool dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute a;
	if (!dwarf_attr_integrate(die, DW_AT_type, &a) || !dwarf_formref_die(&a, type))
		return false;
	follow_signature(type);
	return true;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type || tag == DW_TAG_shared_type;
}

static bool strip(Dwarf_Die *type, Dwarf_Die *out, bool typedefs)
{
	*out = *type;
	for (int i = 0; i < TYPE_DEPTH_MAX; i++) {
		int tag = dwarf_tag(out);
		Dwarf_Die next;
		if (!is_qualifier(tag) && !(typedefs && tag == DW_TAG_typedef))
			return true;
		if (!dwarf_type_of(out, &next))
			return false; /* const void */
		*out = next;
	}
	return false;
}

bool dwarf_strip_qualifiers(Dwarf_Die *type, Dwarf_Die *out)
{
	return strip(type, out, false);
}

bool dwarf_strip(Dwarf_Die *type, Dwarf_Die *out)
{
	return strip(type, out, true);
}

/* ---- names, as perf writes them ---- */

static void type_name(Dwarf_Die *type, struct str *out, int depth)
{
	Dwarf_Die t, inner;
	if (depth > TYPE_DEPTH_MAX || !strip(type, &t, false)) {
		str_add(out, "void");
		return;
	}
	int tag = dwarf_tag(&t);
	const char *name = dwarf_diename(&t);
	if (tag == DW_TAG_array_type || tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	    tag == DW_TAG_rvalue_reference_type) {
		if (name && tag == DW_TAG_pointer_type) { /* Go and Rust name their pointers */
			str_add_safez(out, name);
			return;
		}
		if (dwarf_type_of(&t, &inner))
			type_name(&inner, out, depth + 1);
		else
			str_add(out, "void");
		str_add(out, tag == DW_TAG_reference_type ? "&" : tag == DW_TAG_rvalue_reference_type ? "&&" : "*");
		return;
	}
	if (tag == DW_TAG_subroutine_type) {
		str_add(out, "(function_type)");
		return;
	}
	if (tag == DW_TAG_structure_type)
		str_add(out, "struct ");
	else if (tag == DW_TAG_union_type)
		str_add(out, "union ");
	else if (tag == DW_TAG_enumeration_type)
		str_add(out, "enum ");
	str_add_safez(out, name ? name : "(unknown_type)");
}

void dwarf_var_type_name(Dwarf_Die *var, struct str *out)
{
	Dwarf_Die type;
	if (dwarf_type_of(var, &type))
		type_name(&type, out, 0);
	else
		str_add(out, "(unknown_type)");
}

void dwarf_add_type_name(Dwarf_Die *type, struct str *out)
{
	type_name(type, out, 0);
}

static uint64_t size_of(Dwarf_Die *type)
{
	Dwarf_Word size;
	Dwarf_Die t;
	if (!dwarf_strip(type, &t))
		return 1; /* void: as gcc counts */
	if (dwarf_tag(&t) == DW_TAG_pointer_type)
		return 8;
	return dwarf_aggregate_size(&t, &size) ? 0 : size;
}

uint64_t dwarf_var_size(Dwarf_Die *var)
{
	Dwarf_Die type;
	return dwarf_type_of(var, &type) ? size_of(&type) : 0;
}

/* ---- members ---- */

struct dwarf_member {
	Dwarf_Die die;
	int64_t off; /* bytes from the start of the structure */
	int64_t bit_off; /* from the structure's start; -1: not a bit field */
	int bit_size;
};

/* Fixed-size forms carry no sign of their own, and none of what is read here is negative. */
bool dwarf_number(Dwarf_Die *die, unsigned attr, int64_t *v)
{
	Dwarf_Attribute a;
	Dwarf_Sword s;
	Dwarf_Word u;
	if (!dwarf_attr_integrate(die, attr, &a))
		return false;
	unsigned form = dwarf_whatform(&a);
	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(&a, &s))
			return false;
		*v = s;
		return true;
	}
	if (dwarf_formudata(&a, &u) || u > INT64_MAX)
		return false;
	*v = (int64_t)u;
	return true;
}

static bool member_offset(Dwarf_Die *die, int64_t *off)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	*off = 0;
	if (!dwarf_attr(die, DW_AT_data_member_location, &a))
		return true; /* of a union */
	Dwarf_Word w;
	if (!dwarf_formudata(&a, &w)) {
		*off = (int64_t)w;
		return true;
	}
	if (dwarf_getlocation(&a, &ops, &n) || n != 1 || ops[0].atom != DW_OP_plus_uconst)
		return false; /* a virtual base */
	*off = (int64_t)ops[0].number;
	return true;
}

static bool describe_member(Dwarf_Die *die, struct dwarf_member *m)
{
	int64_t bits, at, box;
	Dwarf_Die type;
	m->die = *die;
	m->bit_off = -1;
	if (!member_offset(die, &m->off))
		return false;
	if (!dwarf_number(die, DW_AT_bit_size, &bits))
		return true;
	m->bit_size = (int)bits;
	if (dwarf_number(die, DW_AT_data_bit_offset, &at)) {
		m->bit_off = at;
		m->off = 0;
		return true;
	}
	/* DWARF 2 and 3 count from the top of a box */
	if (dwarf_number(die, DW_AT_bit_offset, &at)) {
		if (!dwarf_number(die, DW_AT_byte_size, &box))
			box = dwarf_type_of(die, &type) ? (int64_t)size_of(&type) : 4;
		m->bit_off = m->off * 8 + box * 8 - at - bits;
		m->off = 0;
	}
	return true;
}

bool dwarf_member_at(Dwarf_Die *member, int64_t *bit, int *bits)
{
	struct dwarf_member m = { .bit_size = 0 };
	if (!describe_member(member, &m))
		return false;
	*bit = m.bit_off >= 0 ? m.bit_off : m.off * 8;
	*bits = m.bit_off >= 0 ? m.bit_size : 0;
	return true;
}

/* Looks into nameless structures and base classes as well. */
static bool find_member(Dwarf_Die *structure, const char *name, int depth, struct dwarf_member *m)
{
	Dwarf_Die die, type, t;
	if (depth > TYPE_DEPTH_MAX || dwarf_child(structure, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		const char *own = dwarf_diename(&die);
		if (own && !strcmp(own, name))
			return describe_member(&die, m);
		int64_t off;
		if ((!own || tag == DW_TAG_inheritance) && member_offset(&die, &off) && dwarf_type_of(&die, &type) &&
		    dwarf_strip(&type, &t) && find_member(&t, name, depth + 1, m)) {
			if (m->bit_off >= 0)
				m->bit_off += off * 8;
			else
				m->off += off;
			return true;
		}
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* An empty structure whose type unit was not found: libdw reads but one of a split file's many sections of them. */
static int type_elsewhere(Dwarf_Die *type)
{
	Dwarf_Attribute a;
	if (!dwarf_attr(type, DW_AT_signature, &a))
		return 0;
	error_set(ENODATA, "that type is in a type unit of a split file, which cannot be read");
	return error_hint("build without -fdebug-types-section, or without -gsplit-dwarf");
}

static int no_member(Dwarf_Die *structure, const char *name)
{
	struct str s = STR_INIT;
	struct nearest near;
	Dwarf_Die die;
	if (type_elsewhere(structure))
		return error_code();
	type_name(structure, &s, 0);
	error_set(ENOENT, "%s has no member '%s'", s.buf, name);
	str_release(&s);
	nearest_init(&near, name);
	if (!dwarf_child(structure, &die))
		do {
			const char *own = dwarf_diename(&die);
			if (dwarf_tag(&die) == DW_TAG_member && own)
				nearest_offer(&near, own);
		} while (!dwarf_siblingof(&die, &die));
	nearest_hint(&near);
	return -ENOENT;
}

/* ---- walking ---- */

struct type_walk {
	struct dwarf_file *file;
	const struct fetch_want *w;
	struct fetch *f;
	struct dwarf_pieces *pieces;
	Dwarf_Die type;
	int dim; /* indices already taken from an array of several dimensions */
};

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

/* A structure in registers is cut up by bits. */
static int take_bits(struct type_walk *k, int64_t bit_off, int bit_size, int box)
{
	struct fetch *f = k->f;
	if (f->memory) {
		int64_t start = bit_off / box * box;
		if (bit_off - start + bit_size > box) { /* crosses a box: use a wider one */
			box = 64;
			start = bit_off / 8 * 8;
			if (bit_off - start + bit_size > box)
				return error_set(ENOTSUP, "the bit field is spread over more than 64 bits");
		}
		f->add += start / 8;
		f->bit_off = (int)(bit_off - start);
	} else {
		int have = f->bit_size ? f->bit_size : 64 - f->bit_off;
		if (bit_off + bit_size > have && !(f->zero_above && bit_off >= have))
			return error_set(ENOTSUP, "the member is outside of the register that holds the structure");
		f->zero_above = false;
		return fetch_cut(f, (int)bit_off, bit_size) ? error_set(ENOTSUP, "the member is in a value that is computed") : 0;
	}
	f->bit_size = bit_size;
	f->bit_box = box;
	return 0;
}

static int pick_piece(struct type_walk *k, const struct dwarf_member *m, uint64_t size)
{
	struct dwarf_pieces *ps = k->pieces;
	bool field = m->bit_off >= 0;
	int64_t off = field ? m->bit_off : m->off * 8, n = field ? m->bit_size : (int64_t)size * 8;
	for (int i = 0; i < ps->n; i++) {
		int64_t at = off - ps->piece[i].off * 8;
		if (at < 0 || at + n > ps->piece[i].size * 8)
			continue;
		*k->f = ps->piece[i].at;
		ps->n = 0;
		if (k->f->memory && !field)
			k->f->add += at / 8;
		else if (field || at)
			return take_bits(k, at, (int)n, field && size && size <= 8 ? (int)size * 8 : 64);
		return 0;
	}
	return error_set(ENOTSUP, "what is asked for of '%s' was optimized out there, or is spread over several registers", k->w->var);
}

static bool is_aggregate(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type || tag == DW_TAG_array_type;
}

/* Further in, by so many bytes: which piece it is shows only where the steps end. */
static void shift_pieces(struct type_walk *k, int64_t off)
{
	for (int i = 0; i < k->pieces->n; i++)
		k->pieces->piece[i].off -= off;
}

static int enter_pointer(struct type_walk *k)
{
	Dwarf_Die inner;
	if (k->f->bit_size)
		return error_set(ENOTSUP, "the pointer is only a part of a register there: what it points to cannot be fetched");
	if (fetch_load(k->f))
		return error_set(E2BIG, "the chain of pointers is too long");
	k->f->memory = true;
	if (!dwarf_type_of(&k->type, &inner))
		return error_set(EINVAL, "a void pointer has no members: give a type to its target in the source, or use +OFF(...)");
	if (!dwarf_strip(&inner, &k->type))
		return error_set(EINVAL, "a void pointer has no members");
	return 0;
}

static int step_member(struct type_walk *k, const struct fetch_step *s)
{
	struct dwarf_member m;
	Dwarf_Die type;
	int err;
	if (is_pointer(dwarf_tag(&k->type)) && (err = enter_pointer(k)))
		return err;
	int tag = dwarf_tag(&k->type);
	if (tag != DW_TAG_structure_type && tag != DW_TAG_union_type && tag != DW_TAG_class_type) {
		struct str t = STR_INIT;
		type_name(&k->type, &t, 0);
		error_set(EINVAL, "'%s' cannot be a member: %s is not a structure", s->name, t.buf);
		str_release(&t);
		return -EINVAL;
	}
	if (dwarf_hasattr(&k->type, DW_AT_declaration))
		(void)dwarf_scan_struct(k->file, dwarf_name(&k->type), tag, &k->type);
	if (!find_member(&k->type, s->name, 0, &m)) {
		if (dwarf_hasattr(&k->type, DW_AT_declaration))
			return error_set(ENOENT, "struct %s is only declared in this source file, not defined: its members are not known", dwarf_name(&k->type));
		return no_member(&k->type, s->name);
	}
	if (!dwarf_type_of(&m.die, &type) || !dwarf_strip(&type, &k->type))
		return error_set(EINVAL, "member '%s' has no type", s->name);
	k->dim = 0;
	uint64_t size = size_of(&k->type);
	if (k->pieces->n && is_aggregate(dwarf_tag(&k->type))) {
		shift_pieces(k, m.off);
		return 0;
	}
	if (k->pieces->n)
		return pick_piece(k, &m, size);
	if (m.bit_off >= 0)
		return take_bits(k, m.bit_off, m.bit_size, (int)(size && size <= 8 ? size * 8 : 64));
	if (k->f->memory)
		k->f->add += m.off;
	else if (m.off || k->f->bit_size)
		return take_bits(k, m.off * 8, (int)size * 8, 64);
	return 0;
}

/* Elements of one dimension in an array: -1 when not told. */
static int64_t dimension(Dwarf_Die *array, int which, int *dims)
{
	Dwarf_Die die;
	int64_t count = -1, v;
	*dims = 0;
	if (dwarf_child(array, &die))
		return -1;
	do {
		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		if ((*dims)++ == which) {
			if (dwarf_number(&die, DW_AT_count, &v))
				count = v;
			else if (dwarf_number(&die, DW_AT_upper_bound, &v))
				count = v + 1;
		}
	} while (!dwarf_siblingof(&die, &die));
	return count;
}

/* A pointer and how many there are: strings and slices. */
static const struct counted_kind { const char *start, *length; bool text; } counted_kinds[] = {
	{ "str", "len", true }, { "array", "len", false }, /* Go */
	{ "data_ptr", "length", true }, /* Rust: text only if it is called &str */
};

static const struct counted_kind *counted_kind(Dwarf_Die *type)
{
	struct dwarf_member start, length;
	if (dwarf_tag(type) != DW_TAG_structure_type || (size_of(type) != 16 && size_of(type) != 24))
		return NULL;
	for (size_t i = 0; i < sizeof(counted_kinds) / sizeof(counted_kinds[0]); i++) {
		const struct counted_kind *c = &counted_kinds[i];
		Dwarf_Die t, inner;
		if (find_member(type, c->start, 0, &start) && !start.off && find_member(type, c->length, 0, &length) && length.off == 8 &&
		    dwarf_type_of(&start.die, &t) && dwarf_strip(&t, &inner) && is_pointer(dwarf_tag(&inner)))
			return c;
	}
	return NULL;
}

/* An array that is held in registers. */
static int index_registers(struct type_walk *k, int64_t off, int64_t size)
{
	struct dwarf_member m = { .off = off, .bit_off = -1 };
	if (size <= 0)
		return error_set(EINVAL, "the size of the elements is not known");
	if (k->pieces->n && (k->dim || is_aggregate(dwarf_tag(&k->type))))
		shift_pieces(k, off);
	else if (k->pieces->n)
		return pick_piece(k, &m, (uint64_t)size);
	else if (off || k->f->bit_size)
		return take_bits(k, off * 8, (int)size * 8, 64);
	return 0;
}

static int step_index(struct type_walk *k, const struct fetch_step *s)
{
	Dwarf_Die inner;
	int dims = 0;
	int64_t count = -1, stride;
	const struct counted_kind *slice = counted_kind(&k->type);
	int err = slice ? step_member(k, &(struct fetch_step){ .name = (char *)(uintptr_t)slice->start }) : 0;
	if (err)
		return err;
	if (dwarf_tag(&k->type) == DW_TAG_array_type) {
		if (!dwarf_type_of(&k->type, &inner))
			return error_set(EINVAL, "the array's elements have no type");
		count = dimension(&k->type, k->dim, &dims);
		stride = (int64_t)size_of(&inner);
		for (int d = k->dim + 1; d < dims; d++) {
			int unused;
			stride *= dimension(&k->type, d, &unused);
		}
		if (count >= 0 && s->index >= count && count > 1)
			return error_set(ERANGE, "index %lld is outside of the array: it has %lld elements", (long long)s->index, (long long)count);
		if (++k->dim >= dims) {
			k->dim = 0;
			if (!dwarf_strip(&inner, &k->type))
				return error_set(EINVAL, "the array's elements have no type");
		}
		if (!k->f->memory || k->pieces->n)
			return index_registers(k, s->index * stride, stride);
		if (k->dim) {
			k->f->add += s->index * stride;
			return 0;
		}
	} else if (is_pointer(dwarf_tag(&k->type))) {
		if ((err = enter_pointer(k)))
			return err;
		stride = (int64_t)size_of(&k->type);
	} else {
		return error_set(EINVAL, "[%lld] needs an array or a pointer", (long long)s->index);
	}
	k->dim = 0;
	if (stride <= 0)
		return type_elsewhere(&k->type) ? error_code() : error_set(EINVAL, "the size of the elements is not known");
	k->f->add += s->index * stride;
	return 0;
}

/* ---- the probe's type ---- */

static bool is_signed(Dwarf_Die *type)
{
	int64_t enc = 0;
	Dwarf_Die under;
	int tag = dwarf_tag(type);
	if (tag == DW_TAG_enumeration_type && !dwarf_number(type, DW_AT_encoding, &enc) && dwarf_type_of(type, &under) &&
	    dwarf_strip(&under, &under)) /* gcc tells the encoding, clang the type */
		type = &under;
	return (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type) && dwarf_number(type, DW_AT_encoding, &enc) &&
	       (enc == DW_ATE_signed || enc == DW_ATE_signed_char || enc == DW_ATE_signed_fixed);
}

static bool is_char(Dwarf_Die *type)
{
	Dwarf_Die t;
	int64_t enc = 0;
	if (!dwarf_strip(type, &t) || dwarf_tag(&t) != DW_TAG_base_type || size_of(&t) != 1)
		return false;
	(void)dwarf_number(&t, DW_AT_encoding, &enc);
	return enc != DW_ATE_boolean;
}

static int as_string(const struct fetch_want *w, Dwarf_Die *type, struct fetch *f, char **out)
{
	Dwarf_Die inner;
	int tag = dwarf_tag(type);
	const char *name = w->n_steps && w->steps[w->n_steps - 1].name ? w->steps[w->n_steps - 1].name : w->var;
	if ((!is_pointer(tag) && tag != DW_TAG_array_type) || !dwarf_type_of(type, &inner) || !is_char(&inner)) {
		struct str t = STR_INIT;
		type_name(type, &t, 0);
		error_set(EINVAL, "%s (%s) is not a string: only char * and arrays of char are", name, t.buf);
		str_release(&t);
		if (tag == DW_TAG_structure_type || is_pointer(tag))
			error_hint("name the member that holds the text: %s%sMEMBER:%s", w->var, is_pointer(tag) ? "->" : ".", w->type);
		return -EINVAL;
	}
	if (is_pointer(tag)) {
		if (fetch_load(f))
			return error_set(E2BIG, "the chain of pointers is too long");
		f->memory = true;
		f->add = 0;
	} else if (!f->memory) {
		return error_set(ENOTSUP, "%s is an array in registers", name);
	}
	*out = xstrdup(w->type);
	return 0;
}

static int not_a_number(const struct fetch_want *w)
{
	const char *name = w->n_steps && w->steps[w->n_steps - 1].name ? w->steps[w->n_steps - 1].name : w->var;
	error_set(EINVAL, "'%s' is only some bits of a word: it cannot be fetched as %s", name, w->type);
	return error_hint("what such a thing can be: s, u, x, or one of these with 8, 16, 32 or 64");
}

int dwarf_choose_type(const struct fetch_want *w, Dwarf_Die *type, struct fetch *f, char **out)
{
	const char *cast = w->type;
	char prefix = is_signed(type) ? 's' : w->have_x ? 'x' : 'u';
	bool letter = cast && strlen(cast) == 1;
	*out = NULL;
	if (cast && (!strcmp(cast, "string") || !strcmp(cast, "ustring")))
		return as_string(w, type, f, out);
	if (f->bit_size) {
		*out = fetch_bits_type(f, cast, is_signed(type));
		return *out ? 0 : not_a_number(w);
	}
	if (cast && !letter) {
		*out = xstrdup(cast);
		return 0;
	}
	if (letter)
		prefix = *cast;
	uint64_t size = size_of(type);
	if (dwarf_tag(type) == DW_TAG_array_type || !size)
		return 0; /* the kernel's default, as perf leaves it */
	if (size > 8)
		note(1, "%s is longer than 64 bits: only its first 64 are fetched", w->var);
	*out = xasprintf("%c%d", prefix, size >= 8 ? 64 : size > 2 ? 32 : size == 2 ? 16 : 8);
	return 0;
}

/* ---- strings and slices ---- */

enum { SLICE_MAX = 16 }; /* elements that are fetched of one whose number nobody knows before */

static bool is_string(const char *type)
{
	return type && (!strcmp(type, "string") || !strcmp(type, "ustring"));
}

/* k is at the pointer. */
static int take_elements(struct type_walk *k, bool text, struct dwarf_value *v)
{
	const char *cast = k->w->type;
	bool array = cast && strchr(cast, '['), letter = cast && !cast[1];
	if (enter_pointer(k))
		return error_code();
	v->text = text && (!cast || is_string(cast)) && is_char(&k->type);
	if (v->text) /* its type is the caller's to find: no NUL ends it */
		return 0;
	int64_t size = (int64_t)size_of(&k->type);
	if (array) { /* who says how many is given so many, of what he says */
		v->counted = false;
	} else if (is_aggregate(dwarf_tag(&k->type)) || (size != 1 && size != 2 && size != 4 && size != 8) || (cast && !letter)) {
		const char *name = k->w->n_steps && k->w->steps[k->w->n_steps - 1].name ? k->w->steps[k->w->n_steps - 1].name : k->w->var;
		error_set(EINVAL, cast ? "'%s' is a slice, which cannot be fetched as %s" : "'%s' is a slice, and its elements are no numbers", name, cast);
		return error_hint("name an element, or a member of one: %s[0]", name);
	} else {
		char prefix = letter ? *cast : is_signed(&k->type) ? 's' : k->w->have_x ? 'x' : 'u';
		v->type = xasprintf("%c%d[%d]", prefix, (int)size * 8, SLICE_MAX);
	}
	return 0;
}

static int take_counted(struct type_walk *k, const struct counted_kind *c, struct dwarf_value *v)
{
	struct dwarf_pieces pieces = *k->pieces;
	struct type_walk l = *k;
	const char *name = dwarf_diename(&k->type);
	bool text = is_string(k->w->type) || (c->text && (strcmp(c->start, "data_ptr") || (name && !strcmp(name, "&str"))));
	l.f = &v->length;
	l.pieces = &pieces;
	v->length = *k->f;
	v->counted = true;
	int err = step_member(&l, &(struct fetch_step){ .name = (char *)(uintptr_t)c->length });
	if (!err)
		err = step_member(k, &(struct fetch_step){ .name = (char *)(uintptr_t)c->start });
	return err ? err : take_elements(k, text, v);
}

int dwarf_walk_steps(struct dwarf_file *file, const struct fetch_want *w, Dwarf_Die *type, struct dwarf_pieces *pieces,
		     struct dwarf_value *value, Dwarf_Die *out)
{
	struct type_walk k = { .file = file, .w = w, .f = &value->at, .pieces = pieces };
	int err = 0;
	if (!dwarf_strip(type, &k.type))
		return error_set(EINVAL, "'%s' has no type", w->var);
	for (size_t i = 0; i < w->n_steps && !err; i++)
		err = w->steps[i].name ? step_member(&k, &w->steps[i]) : step_index(&k, &w->steps[i]);
	const struct counted_kind *c = err ? NULL : counted_kind(&k.type);
	bool counted = c && (!w->type || is_string(w->type) || strchr(w->type, '[') || !w->type[1]);
	if (counted)
		err = take_counted(&k, c, value);
	else if (!err && pieces->n > 1)
		return error_set(ENOTSUP, is_aggregate(dwarf_tag(&k.type)) ?
				 "'%s' is scattered over several registers there: name one of its members" :
				 "'%s' is longer than 64 bits and held in several registers there", w->var);
	*out = k.type;
	return err;
}

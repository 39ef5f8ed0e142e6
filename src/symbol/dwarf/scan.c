// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding a name without parsing.
 *
 * A name in .debug_info is the offset of its string in .debug_str (DW_FORM_strp), or the string itself
 * (DW_FORM_string). So the string is looked up first, and then its offset, four bytes, is searched for
 * in .debug_info at the speed of memory. Each hit is checked: stepping back from it, some DIE must
 * start there whose name attribute lies exactly at the hit. Where that is ambiguous, or where
 * definitions may be apart from their names (C++), the whole unit is walked instead; hits by chance
 * therefore cost time, never a wrong answer. */
#include <stdlib.h>
#include <string.h>
#include "symbol/dwarf/inner.h"

enum { STEP_BACK_MAX = 96, NAMES_MAX = 64, WALK_MOST = 64 << 20 /* bytes: a second or so */ };

typedef uint8_t lanes __attribute__((vector_size(16)));

/* Positions of a 4-byte value. */
static const uint8_t *find_u32(const uint8_t *p, const uint8_t *end, uint32_t v)
{
	uint8_t b[4];
	memcpy(b, &v, 4);
	lanes want[4], at[4];
	for (int i = 0; i < 4; i++)
		want[i] = (lanes){ 0 } + b[i];
	for (; p + 19 <= end; p += 16) {
		for (int i = 0; i < 4; i++)
			memcpy(&at[i], p + i, 16);
		lanes eq = (lanes)((at[0] == want[0]) & (at[1] == want[1]) & (at[2] == want[2]) & (at[3] == want[3]));
		uint64_t any[2];
		memcpy(any, &eq, 16);
		if (!(any[0] | any[1]))
			continue;
		for (int i = 0; i < 16; i++)
			if (!memcmp(p + i, b, 4))
				return p + i;
	}
	for (; p + 4 <= end; p++)
		if (!memcmp(p, b, 4))
			return p;
	return NULL;
}

static void add_unit(dwarf_dies *list, Dwarf_Die *cu)
{
	vec_each(list, d)
		if (d->addr == cu->addr)
			return;
	*vec_push(list) = *cu;
}

/* The DIE whose attribute (one of two) has its value at pos. Several may pretend to be it. */
static int dies_at(Dwarf *dw, const uint8_t *base, size_t pos, unsigned attr1, unsigned attr2, Dwarf_Die out[2])
{
	int n = 0;
	for (size_t k = 1; k <= STEP_BACK_MAX && k < pos && n < 2; k++) {
		Dwarf_Die die;
		Dwarf_Attribute a;
		if (!dwarf_offdie(dw, pos - k, &die) || dwarf_tag(&die) == DW_TAG_invalid)
			continue;
		if ((dwarf_attr(&die, attr1, &a) && a.valp == base + pos) ||
		    (dwarf_attr(&die, attr2, &a) && a.valp == base + pos))
			out[n++] = die;
	}
	return n;
}

bool dwarf_is_c(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	}
	return false;
}

/* Bytes can look like a DIE by chance: a real one is met when walking along the unit's children. */
static bool really_there(Dwarf_Die *cu, Dwarf_Die *die)
{
	Dwarf_Die at;
	if (dwarf_child(cu, &at))
		return false;
	do {
		if (at.addr >= die->addr)
			return at.addr == die->addr;
	} while (!dwarf_siblingof(&at, &at));
	return false;
}

static void take_hit(struct dwarf_file *f, size_t pos, struct dwarf_hits *out)
{
	Dwarf_Die die[2], cu;
	int n = dies_at(f->dw, f->info.p, pos, DW_AT_name, DW_AT_linkage_name, die);
	if (!n || !dwarf_diecu(&die[0], &cu, NULL, NULL))
		return;
	bool function = dwarf_tag(&die[0]) == DW_TAG_subprogram || (n > 1 && dwarf_tag(&die[1]) == DW_TAG_subprogram);
	if (!function)
		return;
	if (n > 1 || !dwarf_is_c(&cu) || dwarf_hasattr(&die[0], DW_AT_inline)) {
		add_unit(&out->walk, &cu);
		return;
	}
	if (dwarf_hasattr(&die[0], DW_AT_declaration))
		return;
	if (really_there(&cu, &die[0]))
		*vec_push(&out->found) = die[0];
	else
		add_unit(&out->walk, &cu);
}

static void scan_value(struct dwarf_file *f, uint32_t v, struct dwarf_hits *out)
{
	const uint8_t *end = f->info.p + f->info.n;
	for (const uint8_t *p = f->info.p; (p = find_u32(p, end, v)); p++)
		take_hit(f, (size_t)(p - f->info.p), out);
}

static void scan_inline_name(struct dwarf_file *f, const char *name, struct dwarf_hits *out)
{
	const uint8_t *p = f->info.p, *end = p ? p + f->info.n : NULL;
	size_t n = strlen(name) + 1;
	while (p && (p = memmem(p, (size_t)(end - p), name, n))) {
		take_hit(f, (size_t)(p - f->info.p), out);
		p++;
	}
}

/* Offsets at which the string can be referred to; it may be the tail of a longer one. */
static size_t string_offsets(struct dwarf_bytes str, const char *name, uint32_t *out)
{
	size_t n = 0, len = strlen(name) + 1;
	const uint8_t *p = str.p, *end = p ? p + str.n : NULL;
	while (n < NAMES_MAX && p && (p = memmem(p, (size_t)(end - p), name, len))) {
		out[n++] = (uint32_t)(p - str.p);
		p++;
	}
	return n;
}

static void walk_all(struct dwarf_file *f, struct dwarf_hits *out)
{
	Dwarf_CU *cursor = NULL;
	Dwarf_Die skeleton, root;
	vec_clear(&out->found);
	vec_clear(&out->walk);
	while (dwarf_unit_next(f, &cursor, &skeleton, &root))
		*vec_push(&out->walk) = root;
}

/* An abstract function that dwz moved to the shared file: units that refer to it are walked. */
static void scan_alt(struct dwarf_file *f, uint32_t v, struct dwarf_hits *out)
{
	const uint8_t *end = f->alt_info.p + f->alt_info.n;
	for (const uint8_t *p = f->alt_info.p; f->alt_info.n && (p = find_u32(p, end, v)); p++) {
		Dwarf_Die die[2];
		dwarf_dies refs = { 0 };
		int n = dies_at(f->alt, f->alt_info.p, (size_t)(p - f->alt_info.p), DW_AT_name, DW_AT_linkage_name, die);
		for (int i = 0; i < n; i++)
			if (dwarf_tag(&die[i]) == DW_TAG_subprogram && dwarf_hasattr(&die[i], DW_AT_inline))
				dwarf_scan_refs(f, &die[i], &refs);
		vec_each(&refs, r) {
			Dwarf_Die cu;
			if (dwarf_diecu(r, &cu, NULL, NULL))
				add_unit(&out->walk, &cu);
		}
		vec_release(&refs);
	}
}

void dwarf_scan(struct dwarf_file *f, const char *name, struct dwarf_hits *out)
{
	uint32_t off[NAMES_MAX];
	const char *last = name, *p;
	bool glob = function_is_glob(name);
	while ((p = strstr(last, "::"))) /* units hold the last part of a qualified name */
		last = p + 2;
	if (glob || f->has_str_offsets || strpbrk(last, "(<>")) {
		walk_all(f, out);
		return;
	}
	size_t n = string_offsets(f->str, last, off);
	if (n == NAMES_MAX) {
		walk_all(f, out);
		return;
	}
	for (size_t i = 0; i < n; i++)
		scan_value(f, off[i], out);
	if (!n || strlen(last) < 4 || f->info.n < (64u << 20))
		scan_inline_name(f, last, out);
	n = f->alt ? string_offsets(f->alt_str, last, off) : 0;
	for (size_t i = 0; i < n && n < NAMES_MAX; i++) {
		scan_value(f, off[i], out); /* DW_FORM_GNU_strp_alt */
		scan_alt(f, off[i], out);
	}
}

static bool skip_uleb(const uint8_t **p, const uint8_t *end, uint64_t *v)
{
	*v = 0;
	for (int shift = 0; *p < end; shift += 7) {
		uint8_t b = *(*p)++;
		*v |= shift < 64 ? (uint64_t)(b & 127) << shift : 0;
		if (!(b & 128))
			return true;
	}
	return false;
}

/* Tables of abbreviations, one behind the other. A file in which units refer to each other shows it early. */
static bool abbrevs_refer_across(struct dwarf_bytes abbrev)
{
	enum { LOOK_AT = 1 << 20 };
	const uint8_t *p = abbrev.p, *end = p + (abbrev.n < LOOK_AT ? abbrev.n : LOOK_AT);
	uint64_t code, tag, attr, form, value;
	while (skip_uleb(&p, end, &code)) {
		if (!code)
			continue; /* a table ends */
		if (!skip_uleb(&p, end, &tag) || p++ >= end) /* and whether it has children */
			return false;
		do {
			if (!skip_uleb(&p, end, &attr) || !skip_uleb(&p, end, &form))
				return false;
			if (form == DW_FORM_ref_addr && (attr == DW_AT_abstract_origin || attr == DW_AT_specification))
				return true;
			if (form == DW_FORM_implicit_const && !skip_uleb(&p, end, &value))
				return false;
		} while (attr || form);
	}
	return false;
}

bool dwarf_refers_across(struct dwarf_file *f)
{
	if (!f->across)
		f->across = abbrevs_refer_across(dwarf_section_bytes(f, ".debug_abbrev")) ? 1 : -1;
	return f->across > 0;
}

void dwarf_scan_refs(struct dwarf_file *f, Dwarf_Die *abstract, dwarf_dies *out)
{
	uint32_t v = (uint32_t)dwarf_dieoffset(abstract);
	const uint8_t *end = f->info.p + f->info.n;
	for (const uint8_t *p = f->info.p; (p = find_u32(p, end, v)); p++) {
		Dwarf_Die die[2];
		Dwarf_Attribute a;
		int n = dies_at(f->dw, f->info.p, (size_t)(p - f->info.p), DW_AT_abstract_origin, DW_AT_specification, die);
		for (int i = 0; i < n; i++) {
			Dwarf_Die target;
			if (!dwarf_attr(&die[i], DW_AT_abstract_origin, &a) && !dwarf_attr(&die[i], DW_AT_specification, &a))
				continue;
			if (dwarf_formref_die(&a, &target) && target.addr == abstract->addr)
				*vec_push(out) = die[i];
		}
	}
}

/* ---- other things by name ---- */

typedef bool die_test(Dwarf_Die *die, int tag);

static bool scan_for(struct dwarf_file *f, const char *name, die_test *test, int tag, Dwarf_Die *out)
{
	uint32_t off[NAMES_MAX];
	const uint8_t *end = f->info.p + f->info.n;
	size_t n = string_offsets(f->str, name, off);
	for (size_t i = 0; i < n; i++) {
		for (const uint8_t *p = f->info.p; (p = find_u32(p, end, off[i])); p++) {
			Dwarf_Die die[2];
			int k = dies_at(f->dw, f->info.p, (size_t)(p - f->info.p), DW_AT_name, DW_AT_name, die);
			Dwarf_Die cu;
			for (int j = 0; j < k; j++) /* of several that could be it one is there */
				if (test(&die[j], tag) && dwarf_diecu(&die[j], &cu, NULL, NULL) && really_there(&cu, &die[j])) {
					*out = die[j];
					return true;
				}
		}
	}
	return false;
}

static bool defines_variable(Dwarf_Die *die, int tag)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	return dwarf_tag(die) == tag && dwarf_hasattr(die, DW_AT_external) && dwarf_location(die, &a) &&
	       !dwarf_getlocation(&a, &ops, &n) && n == 1 && ops[0].atom == DW_OP_addr;
}

bool dwarf_scan_variable(struct dwarf_file *f, const char *name, Dwarf_Die *var)
{
	return scan_for(f, name, defines_variable, DW_TAG_variable, var);
}

static bool defines_struct(Dwarf_Die *die, int tag)
{
	return dwarf_tag(die) == tag && !dwarf_hasattr(die, DW_AT_declaration) && dwarf_haschildren(die) > 0;
}

bool dwarf_scan_struct(struct dwarf_file *f, const char *name, int tag, Dwarf_Die *out)
{
	return scan_for(f, name, defines_struct, tag, out);
}

/* Short names are not in .debug_str, and some files have indices instead: then every unit is looked through, its types being at the
 * top of it in C. */
static bool walk_for(struct dwarf_file *f, const char *name, int tag, Dwarf_Die *out)
{
	Dwarf_CU *cursor = NULL;
	Dwarf_Die skeleton, root, die;
	while (dwarf_unit_next(f, &cursor, &skeleton, &root)) {
		if (dwarf_child(&root, &die))
			continue;
		do {
			if (dwarf_tag(&die) == tag && !dwarf_hasattr(&die, DW_AT_declaration) && dwarf_name_is(&die, name)) {
				*out = die;
				return true;
			}
		} while (!dwarf_siblingof(&die, &die));
	}
	return false;
}

static bool defines_type(Dwarf_Die *die, int tag)
{
	return dwarf_tag(die) == tag && !dwarf_hasattr(die, DW_AT_declaration);
}

bool dwarf_find_type(struct dwarf_file *f, const char *name, int tag, Dwarf_Die *out)
{
	uint32_t off[NAMES_MAX];
	if (scan_for(f, name, defines_type, tag, out))
		return true;
	bool may_be = strlen(name) < 4 || f->has_str_offsets || f->alt || string_offsets(f->str, name, off);
	return may_be && f->info.n <= WALK_MOST && walk_for(f, name, tag, out);
}

/* The enum that the constant is in is at the top of its unit: it is looked for there. */
static bool is_in(Dwarf_Die *parent, Dwarf_Die *die)
{
	Dwarf_Die at;
	if (dwarf_child(parent, &at))
		return false;
	do
		if (at.addr == die->addr)
			return true;
	while (!dwarf_siblingof(&at, &at));
	return false;
}

static bool enum_has(Dwarf_Die *cu, Dwarf_Die *constant)
{
	Dwarf_Die at;
	if (dwarf_child(cu, &at))
		return false;
	do
		if (dwarf_tag(&at) == DW_TAG_enumeration_type && is_in(&at, constant))
			return true;
	while (!dwarf_siblingof(&at, &at));
	return false;
}

bool dwarf_find_constant(struct dwarf_file *f, const char *name, int64_t *value)
{
	uint32_t off[NAMES_MAX];
	const uint8_t *end = f->info.p + f->info.n;
	size_t n = string_offsets(f->str, name, off);
	for (size_t i = 0; i < n; i++)
		for (const uint8_t *p = f->info.p; (p = find_u32(p, end, off[i])); p++) {
			Dwarf_Die die[2], cu;
			int k = dies_at(f->dw, f->info.p, (size_t)(p - f->info.p), DW_AT_name, DW_AT_name, die);
			for (int j = 0; j < k; j++)
				if (dwarf_tag(&die[j]) == DW_TAG_enumerator && dwarf_diecu(&die[j], &cu, NULL, NULL) && enum_has(&cu, &die[j]) &&
				    dwarf_number(&die[j], DW_AT_const_value, value))
					return true;
		}
	return false;
}

void dwarf_hits_release(struct dwarf_hits *h)
{
	vec_release(&h->found);
	vec_release(&h->walk);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of functions as a C++ programmer writes them, where the compiler left no mangled one (it does not for what other
 * files cannot see: lambdas, anonymous namespaces, templates over such types): the scopes around the declaration and its own
 * name, shop::(anonymous namespace)::Till::sell.
 *
 * libdw cannot go from a DIE to its parent. So a unit is walked once when the first such name is asked for, and each scope
 * in it remembered with the one around it. */
#include "symbol/dwarf/names.h"
#include <dwarf.h>
#include <stdlib.h>
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "symbol/demangle.h"

enum { DEPTH_MAX = 64, DIES_MAX = 4 << 20, ORIGINS_MAX = 16, SCOPES_MAX = 32, NAME_MAX_LEN = 32768 };

struct dwarf_names {
	bool no_demangle;
	struct u64map around; /* where a DIE is in memory, to the scope around it */
	struct u64map units; /* Dwarf_CU that were walked */
	VEC(Dwarf_Die *) scopes; /* that `around` leads to */
	struct strmap demangled;
	struct u64map made; /* where a DIE is, to its whole name */
};

struct dwarf_names *dwarf_names_new(bool no_demangle)
{
	struct dwarf_names *n = xcalloc(1, sizeof(*n));
	n->no_demangle = no_demangle;
	return n;
}

void dwarf_names_free(struct dwarf_names *n)
{
	size_t cursor = 0;
	const char *key;
	void *val;
	if (!n)
		return;
	while (strmap_next(&n->demangled, &cursor, &key, &val))
		free(val);
	for (cursor = 0; u64map_next(&n->made, &cursor, NULL, &val);)
		free(val);
	vec_each(&n->scopes, s)
		free(*s);
	vec_release(&n->scopes);
	strmap_release(&n->demangled);
	u64map_release(&n->around);
	u64map_release(&n->units);
	u64map_release(&n->made);
	free(n);
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_subprogram;
}

static void walk(struct dwarf_names *n, Dwarf_Die *parent, Dwarf_Die *scope, int depth, int *budget)
{
	Dwarf_Die die;
	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if (--*budget < 0)
			return;
		if (!is_scope(tag) && tag != DW_TAG_lexical_block)
			continue;
		if (scope && is_scope(tag))
			u64map_set(&n->around, (uintptr_t)die.addr, scope);
		if (!dwarf_haschildren(&die))
			continue;
		Dwarf_Die *inner = scope;
		if (is_scope(tag)) {
			inner = xmalloc(sizeof(*inner));
			*inner = die;
			*vec_push(&n->scopes) = inner;
		}
		walk(n, &die, inner, depth + 1, budget);
	} while (!dwarf_siblingof(&die, &die));
}

static Dwarf_Die *scope_of(struct dwarf_names *n, Dwarf_Die *die)
{
	Dwarf_Die unit;
	int budget = DIES_MAX;
	if (!u64map_get(&n->units, (uintptr_t)die->cu) && dwarf_diecu(die, &unit, NULL, NULL)) {
		u64map_set(&n->units, (uintptr_t)die->cu, n);
		walk(n, &unit, NULL, 0, &budget);
	}
	return u64map_get(&n->around, (uintptr_t)die->addr);
}

/* The DIE that stands where the function was declared. */
static Dwarf_Die declared(Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	for (int i = 0; i < ORIGINS_MAX; i++) {
		Dwarf_Attribute a;
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &a) && !dwarf_attr(&at, DW_AT_specification, &a))
			break;
		if (!dwarf_formref_die(&a, &next))
			break;
		at = next;
	}
	return at;
}

static const char *own_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	return dwarf_attr_integrate(die, DW_AT_name, &a) ? dwarf_formstring(&a) : NULL;
}

/* gcc leaves the class of a lambda without a name, but not what it can do. */
static const char *nameless(Dwarf_Die *scope)
{
	Dwarf_Die die;
	if (dwarf_tag(scope) == DW_TAG_namespace)
		return "(anonymous namespace)";
	if (!dwarf_child(scope, &die))
		do {
			const char *name = dwarf_tag(&die) == DW_TAG_subprogram ? own_name(&die) : NULL;
			if (name && !strcmp(name, "operator()"))
				return "{lambda}";
		} while (!dwarf_siblingof(&die, &die));
	return dwarf_tag(scope) == DW_TAG_union_type ? "{union}" : "{struct}";
}

static const char *whole_name(struct dwarf_names *n, Dwarf_Die *die, const char *name)
{
	Dwarf_Die at = declared(die), *scope;
	const char *part[SCOPES_MAX];
	int parts = 0;
	char *known = u64map_get(&n->made, (uintptr_t)at.addr);
	if (known)
		return known;
	for (scope = scope_of(n, &at); scope && parts < SCOPES_MAX; scope = scope_of(n, &at)) {
		const char *own = own_name(scope);
		part[parts++] = own ? own : nameless(scope);
		at = declared(scope);
	}
	struct str s = STR_INIT;
	while (parts-- > 0)
		if (s.len < NAME_MAX_LEN)
			str_addf(&s, "%s::", part[parts]);
	str_add(&s, name);
	known = str_detach(&s);
	u64map_set(&n->made, (uintptr_t)declared(die).addr, known);
	return known;
}

/* Only these have scopes that others write in front of a name; in C a function is called what it is called. */
static bool has_scopes(Dwarf_Die *die)
{
	Dwarf_Die at = declared(die), unit;
	switch (dwarf_diecu(&at, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_Rust:
	case DW_LANG_D: return true;
	}
	return false;
}

static const char *plain_of(struct dwarf_names *n, const char *linkage)
{
	if (n->no_demangle || !demangle_wanted(linkage))
		return linkage;
	char *known = strmap_get(&n->demangled, linkage);
	if (!known) {
		known = demangle(linkage, false) ?: xstrdup(linkage);
		strmap_set(&n->demangled, linkage, known);
	}
	return known;
}

const char *dwarf_names_of(struct dwarf_names *n, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *linkage = NULL;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a) || dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a))
		linkage = dwarf_formstring(&a);
	if (linkage)
		return plain_of(n, linkage);
	const char *name = own_name(die);
	return name && has_scopes(die) ? whole_name(n, die, name) : name;
}

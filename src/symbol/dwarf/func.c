// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions by name, with all their instances: out of line, inlined, cloned, aliased. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "symbol/demangle.h"
#include "symbol/dwarf/inner.h"

enum { TREE_DEPTH_MAX = 128 };

const char *dwarf_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	return name ? name : "";
}

int dwarf_entry(Dwarf_Die *die, uint64_t *addr)
{
	Dwarf_Addr base, end, a;
	if (!dwarf_entrypc(die, &a)) {
		*addr = a;
		return a ? 0 : -ENOENT;
	}
	if (!dwarf_hasattr(die, DW_AT_ranges) || dwarf_ranges(die, 0, &base, &a, &end) <= 0)
		return -ENOENT;
	*addr = a;
	return a ? 0 : -ENOENT;
}

/* A split unit's lines are those of its skeleton. */
bool dwarf_unit_of(Dwarf_Die *die, Dwarf_Die *cu)
{
	uint8_t type;
	Dwarf_Die sub;
	if (!dwarf_diecu(die, cu, NULL, NULL))
		return false;
	if (!dwarf_cu_info(cu->cu, NULL, &type, NULL, &sub, NULL, NULL, NULL) && type == DW_UT_split_compile && sub.addr)
		*cu = sub;
	return true;
}

bool dwarf_unit_at(struct dwarf_file *f, uint64_t addr, Dwarf_Die *cu)
{
	Dwarf_CU *cursor = NULL;
	Dwarf_Die root;
	if (dwarf_addrdie(f->dw, addr, cu))
		return true;
	while (dwarf_unit_next(f, &cursor, cu, &root))
		if (dwarf_haspc(cu, addr) > 0)
			return true;
	return false;
}

/* ---- names ---- */

/* Is the DIE inside of "a::b"? */
static bool inside(Dwarf_Die *die, const char *outer, size_t n)
{
	Dwarf_Die *scopes = NULL;
	Dwarf_Die decl;
	Dwarf_Attribute a;
	struct str path = STR_INIT;
	if (dwarf_attr(die, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &decl))
		die = &decl;
	Dwarf_Die spec;
	if (dwarf_attr(die, DW_AT_specification, &a) && dwarf_formref_die(&a, &spec))
		die = &spec;
	int k = dwarf_getscopes_die(die, &scopes);
	for (int i = k - 1; i > 0; i--) {
		const char *name = dwarf_diename(&scopes[i]);
		if (dwarf_tag(&scopes[i]) != DW_TAG_compile_unit && name)
			str_addf(&path, "%s%s", path.len ? "::" : "", name);
	}
	free(scopes);
	bool yes = path.len >= n && !strncmp(path.buf + path.len - n, outer, n) &&
		   (path.len == n || path.buf[path.len - n - 1] == ':');
	str_release(&path);
	return yes;
}

static bool linkage_is(Dwarf_Die *die, const char *want)
{
	Dwarf_Attribute a;
	const char *link = dwarf_attr_integrate(die, DW_AT_linkage_name, &a) ? dwarf_formstring(&a) : NULL;
	if (!link || !strcmp(link, want))
		return link != NULL;
	char *plain = strpbrk(want, "(<") ? demangle(link, true) : NULL; /* ns::f(int) */
	bool same = plain && !strcmp(plain, want);
	free(plain);
	return same;
}

bool dwarf_name_is(Dwarf_Die *die, const char *want)
{
	const char *name = dwarf_diename(die), *last = want, *p;
	if (!name)
		return false;
	if (function_is_glob(want))
		return glob_match(want, name);
	if (!strcmp(name, want))
		return true;
	while ((p = strstr(last, "::")))
		last = p + 2;
	if (last != want && !strcmp(name, last))
		return inside(die, want, (size_t)(last - want - 2));
	return linkage_is(die, want);
}

/* ---- places ---- */

static bool descends(int tag, bool c)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return true;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return !c;
	}
	return false;
}

static bool find_function(Dwarf_Die *parent, uint64_t addr, bool c, int depth, Dwarf_Die *func)
{
	Dwarf_Die die;
	if (depth > TREE_DEPTH_MAX || dwarf_child(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram) {
			if (dwarf_haspc(&die, addr) > 0) {
				*func = die;
				return true;
			}
			if (c)
				continue;
		} else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
			continue;
		}
		if (descends(tag, c) && find_function(&die, addr, c, depth + 1, func))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

bool dwarf_function_at(struct dwarf_file *f, Dwarf_Die *cu, uint64_t addr, Dwarf_Die *func)
{
	Dwarf_Die root = dwarf_unit_root(cu);
	(void)f;
	return find_function(&root, addr, dwarf_is_c(&root), 0, func);
}

static void scopes_below(Dwarf_Die *parent, uint64_t addr, int depth, dwarf_dies *out)
{
	Dwarf_Die die;
	if (depth > TREE_DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) || dwarf_haspc(&die, addr) <= 0)
			continue;
		if (tag == DW_TAG_inlined_subroutine)
			*vec_push(out) = die;
		scopes_below(&die, addr, depth + 1, out);
		return;
	} while (!dwarf_siblingof(&die, &die));
}

void dwarf_scopes_at(Dwarf_Die *func, uint64_t addr, dwarf_dies *out)
{
	*vec_push(out) = *func;
	scopes_below(func, addr, 0, out);
}

/* Which function is meant at an address found by its line: the one asked for by name, else the
 * nearest one declared above the line in that file. */
static bool best_scope(const struct dwarf_query *q, Dwarf_Die *func, uint64_t addr, int line, const char *file,
		       Dwarf_Die *out)
{
	dwarf_dies scopes = { 0 };
	int best = -1, decl;
	bool found = false;
	dwarf_scopes_at(func, addr, &scopes);
	for (size_t i = scopes.n; i-- > 0 && !found;) {
		Dwarf_Die *s = &scopes.at[i];
		if (q->function && dwarf_name_is(s, q->function)) {
			*out = *s;
			found = true;
			break;
		}
		const char *path = dwarf_decl_path(s);
		if (q->function || !path || !dwarf_path_matches(path, file) || dwarf_decl_line(s, &decl))
			continue;
		if (decl <= line && decl > best) {
			best = decl;
			*out = *s;
		}
	}
	if (!found && best < 0 && !q->function)
		*out = *func; /* declarations are not told (Go) */
	vec_release(&scopes);
	return found || best >= 0 || !q->function;
}

/* clang and rustc do not name the level: then locations count only from the end of the prologue on. */
static bool unoptimized(Dwarf_Die *cu)
{
	Dwarf_Attribute a;
	if (dwarf_srclang(cu) == DW_LANG_Mips_Assembler)
		return false; /* no prologue, no variables */
	const char *producer = dwarf_attr(cu, DW_AT_producer, &a) ? dwarf_formstring(&a) : NULL;
	for (const char *p = producer; p && (p = strstr(p, " -O")); p += 3)
		if (p[3] && p[3] != '0' && p[3] != ' ')
			return false;
	return true;
}

static void skip_prologue(const struct dwarf_query *q, struct dwarf_place *p)
{
	if (!q->vars || q->offset || q->ret || p->addr != p->func_addr)
		return;
	if (!unoptimized(&p->cu))
		return;
	uint64_t end = dwarf_prologue_end(&p->cu, &p->func, p->addr);
	if (end > p->addr) {
		p->addr = end;
		p->moved = true;
	}
}

static bool place_known(const dwarf_places *out, uint64_t addr)
{
	vec_each(out, o)
		if (o->addr == addr)
			return true;
	return false;
}

int dwarf_add_place(struct dwarf_file *f, const struct dwarf_query *q, Dwarf_Die *cu, Dwarf_Die *scope,
		    uint64_t addr, dwarf_places *out)
{
	struct dwarf_place p = { .cu = *cu, .addr = addr };
	if (place_known(out, addr))
		return 0;
	if ((int)out->n >= q->max) {
		error_set(E2BIG, "more than %d places are meant", q->max);
		return error_hint("narrow it, or raise the bound with --max-probes");
	}
	if (scope && dwarf_tag(scope) == DW_TAG_subprogram)
		p.func = *scope;
	else if (!dwarf_function_at(f, cu, addr, &p.func))
		return 0;
	if (scope) {
		p.scope = *scope;
	} else {
		int line = 0;
		const char *file = q->file;
		if (!dwarf_line_at(cu, addr, &file, &line) || !best_scope(q, &p.func, addr, q->has_line && !q->function ? q->line : line,
									 q->file ? q->file : file, &p.scope))
			return 0;
	}
	if (dwarf_entry(&p.func, &p.func_addr))
		p.func_addr = addr;
	p.func_name = dwarf_name(&p.func);
	const char *path;
	if (!dwarf_decl(&p.scope, &path, &p.decl_line))
		p.decl_line = 0;
	skip_prologue(q, &p);
	if (!place_known(out, p.addr))
		*vec_push(out) = p;
	return 0;
}

/* ---- search ---- */

struct search {
	struct dwarf_file *f;
	const struct dwarf_query *q;
	dwarf_places *out;
	VEC(uint64_t) lines_done; /* unit and line pairs already looked up */
	bool named; /* some function of the name exists, even if without code */
	int err;
};

static bool file_ok(struct search *s, Dwarf_Die *die)
{
	const char *path = s->q->file ? dwarf_decl_path(die) : NULL;
	return !s->q->file || (path && dwarf_path_matches(path, s->q->file));
}

/* FUNC:LINE: all code of that line in the unit, wherever the function was inlined. */
static void by_line(struct search *s, Dwarf_Die *cu, Dwarf_Die *die)
{
	int decl;
	const char *path;
	if (!dwarf_decl(die, &path, &decl))
		return;
	uint64_t key = (uint64_t)dwarf_dieoffset(cu) << 24 ^ (uint64_t)decl;
	vec_each(&s->lines_done, k)
		if (*k == key)
			return;
	*vec_push(&s->lines_done) = key;
	s->err = dwarf_places_by_line(s->f, s->q, cu, path, decl + s->q->line, NULL, s->out);
}

/* One function or inlined copy of the right name. */
static void take(struct search *s, Dwarf_Die *die)
{
	Dwarf_Die cu;
	uint64_t addr;
	bool inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	if (s->err || dwarf_hasattr(die, DW_AT_declaration) || !file_ok(s, die) || !dwarf_unit_of(die, &cu))
		return;
	s->named = true;
	if (s->q->has_line && s->q->line) {
		by_line(s, &cu, die);
		return;
	}
	if (dwarf_entry(die, &addr) || (inlined && (s->q->no_inlines || s->q->ret)))
		return;
	if (s->q->pattern) {
		const char *path = dwarf_decl_path(die);
		s->err = path ? dwarf_places_by_pattern(s->f, s->q, &cu, die, path, s->out) : 0;
		return;
	}
	s->err = dwarf_add_place(s->f, s->q, &cu, die, addr + s->q->offset, s->out);
}

/* inside: the name of an instance already taken, above; NULL. A copy there is the function's own other half, split off
 * by the compiler and inlined again: not another entry. */
static void walk(struct search *s, Dwarf_Die *parent, bool c, int depth, const char *inside)
{
	Dwarf_Die die;
	if (depth > TREE_DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		bool ours = (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) && dwarf_name_is(&die, s->q->function);
		if (ours && (!inside || (s->q->nested && strcmp(inside, dwarf_name(&die)) != 0)))
			take(s, &die);
		if (descends(tag, c))
			walk(s, &die, c, depth + 1, ours ? dwarf_name(&die) : inside);
	} while (!s->err && !dwarf_siblingof(&die, &die));
}

/* Copies in other units (link-time optimization). */
static void across_units(struct search *s, struct dwarf_hits *hits)
{
	dwarf_dies refs = { 0 };
	vec_each(&hits->walk, cu) {
		Dwarf_Die die;
		if (dwarf_child(cu, &die))
			continue;
		do {
			if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_name_is(&die, s->q->function))
				dwarf_scan_refs(s->f, &die, &refs);
		} while (!dwarf_siblingof(&die, &die));
	}
	vec_each(&hits->found, d)
		if (!dwarf_hasattr(d, DW_AT_declaration))
			dwarf_scan_refs(s->f, d, &refs);
	vec_each(&refs, r)
		if (dwarf_tag(r) == DW_TAG_subprogram || dwarf_tag(r) == DW_TAG_inlined_subroutine)
			take(s, r);
	vec_release(&refs);
}

/* A line without code: says which ones near it have some. */
static int no_code(struct dwarf_file *f, const struct dwarf_query *q)
{
	struct dwarf_lines l;
	int before = -1, after = -1, want = q->line;
	int err = dwarf_find_lines(f, q->function, q->file, q->alias, q->alias_ctx, &l);
	vec_each(&l.lines, n) {
		int rel = *n - l.base;
		if (rel < want)
			before = rel;
		else if (after < 0)
			after = rel;
	}
	error_set(ENOENT, "line %d of %s has no code", want, q->function);
	if (!err && before >= 0 && after >= 0)
		error_hint("the nearest lines that have some: %d and %d ('sonde probe -L %s' shows them)", before, after, q->function);
	else if (!err && (before >= 0 || after >= 0))
		error_hint("the nearest line that has some: %d ('sonde probe -L %s' shows them)", before >= 0 ? before : after, q->function);
	dwarf_lines_release(&l);
	return -ENOENT;
}

static int not_found(struct dwarf_file *f, const struct dwarf_query *q, bool named)
{
	const char *function = q->function;
	if (named && q->has_line)
		return no_code(f, q);
	if (named && q->pattern)
		return error_set(ENOENT, "no line of %s that has code matches ';%s'", function, q->pattern);
	if (named)
		return error_set(ENOENT, "%s has no code of its own and is inlined nowhere", function);
	if (q->file)
		return error_set(ENOENT, "there is no function '%s' in %s", function, q->file);
	error_set(ENOENT, "the debug information knows no function '%s'", function);
	if (f->missing_dwo && !f->packed && file_exists(f->missing_dwo))
		error_hint("parts of it are in %s, which is of another build or has type units (-fdebug-types-section): those of gcc's "
			   "DWARF 5 cannot be read from there", f->missing_dwo);
	else if (f->missing_dwo)
		error_hint(f->packed ? "%s.dwp lacks parts of it, which are in %s; was it made from this build?" :
			   "parts of it are in files that are not here: neither %s.dwp nor %s", f->path, f->missing_dwo);
	return -ENOENT;
}

static int find_named(struct dwarf_file *f, const struct dwarf_query *q, dwarf_places *out, bool *named)
{
	struct search s = { .f = f, .q = q, .out = out };
	struct dwarf_hits hits = { 0 };
	if (!dwarf_cache_get(f, q->function, &hits)) {
		dwarf_scan(f, q->function, &hits);
		if (!function_is_glob(q->function))
			dwarf_cache_put(f, q->function, &hits);
	}
	vec_each(&hits.found, d)
		take(&s, d);
	for (size_t i = 0; i < hits.walk.n && !s.err; i++)
		walk(&s, &hits.walk.at[i], dwarf_is_c(&hits.walk.at[i]), 0, NULL);
	if (!s.err && s.named && (!out->n || dwarf_refers_across(f)))
		across_units(&s, &hits);
	dwarf_hits_release(&hits);
	vec_release(&s.lines_done);
	*named = s.named;
	return s.err;
}

/* The symbol table knows the name but the source does not: the function at that address is it. */
static int by_alias(struct dwarf_file *f, const struct dwarf_query *q, dwarf_places *out, bool *named)
{
	uint64_t at[16];
	size_t n = q->alias ? q->alias(q->alias_ctx, q->function, at, 16) : 0;
	int err = 0;
	for (size_t i = 0; i < n && !err; i++) {
		Dwarf_Die cu, func;
		uint64_t entry;
		struct dwarf_query other = *q;
		if (!dwarf_unit_at(f, at[i], &cu) || !dwarf_function_at(f, &cu, at[i], &func) || dwarf_entry(&func, &entry) ||
		    entry != at[i] || !strcmp(dwarf_name(&func), q->function))
			continue;
		other.function = dwarf_name(&func);
		err = find_named(f, &other, out, named);
	}
	return err;
}

int dwarf_find(struct dwarf_file *f, const struct dwarf_query *q, dwarf_places *out)
{
	bool named = false;
	if (!q->function)
		return dwarf_places_by_file(f, q, out);
	int err = find_named(f, q, out, &named);
	if (!err && !out->n)
		err = by_alias(f, q, out, &named);
	return err ? err : out->n ? 0 : not_found(f, q, named);
}

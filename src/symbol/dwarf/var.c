// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables at a place: which are in scope, which are available, and how to fetch one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "symbol/dwarf/inner.h"

enum { BLOCK_DEPTH_MAX = 64 };

static bool is_var(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Go's results are parameters too, which nobody has set before the function returns. */
static bool is_param(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	bool result = false;
	if (dwarf_tag(die) != DW_TAG_formal_parameter)
		return false;
	return !dwarf_attr(die, DW_AT_variable_parameter, &a) || dwarf_formflag(&a, &result) || !result;
}

/* The blocks of the scope that hold the address, outermost (the scope itself) first. */
static void blocks_at(Dwarf_Die *scope, uint64_t addr, int depth, dwarf_dies *out)
{
	Dwarf_Die die;
	*vec_push(out) = *scope;
	if (depth > BLOCK_DEPTH_MAX || dwarf_child(scope, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_lexical_block && dwarf_haspc(&die, addr) > 0) {
			blocks_at(&die, addr, depth + 1, out);
			return;
		}
	} while (!dwarf_siblingof(&die, &die));
}

static bool find_in(Dwarf_Die *parent, const char *name, Dwarf_Die *var)
{
	Dwarf_Die die;
	bool found = false;
	if (dwarf_child(parent, &die))
		return false;
	do {
		const char *own = is_var(&die) ? dwarf_diename(&die) : NULL;
		if (!own || strcmp(own, name))
			continue;
		/* the last declaration wins, one with a place over one without */
		if (!found || dwarf_hasattr(&die, DW_AT_location) || dwarf_hasattr(&die, DW_AT_const_value))
			*var = die;
		found = true;
	} while (!dwarf_siblingof(&die, &die));
	return found;
}

/* Globals of the unit, namespaces included. */
static bool find_global(Dwarf_Die *parent, const char *name, int depth, Dwarf_Die *var)
{
	Dwarf_Die die;
	if (find_in(parent, name, var) && !dwarf_hasattr(var, DW_AT_declaration))
		return true;
	if (depth > 8 || dwarf_child(parent, &die))
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_namespace && find_global(&die, name, depth + 1, var))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

static bool find_var(struct dwarf_file *f, const struct dwarf_place *p, const char *name, Dwarf_Die *var, bool *local)
{
	dwarf_dies blocks = { 0 };
	Dwarf_Die scope = p->scope, root;
	bool found = false;
	*local = true;
	blocks_at(&scope, p->addr, 0, &blocks);
	for (size_t i = blocks.n; i-- > 0 && !found;)
		found = find_in(&blocks.at[i], name, var);
	vec_release(&blocks);
	if (found)
		return true;
	*local = false;
	scope = p->func;
	if (dwarf_diecu(&scope, &root, NULL, NULL) && find_global(&root, name, 0, var))
		return true;
	return dwarf_scan_variable(f, name, var);
}

/* ---- "available at lines 14 to 19" ---- */

struct avail { struct dwarf_file *f; Dwarf_Die *var; const struct fetch_want *w; uint64_t (*range)[2]; size_t n; };

static int keep_range(uint64_t start, uint64_t end, void *ctx)
{
	struct avail *a = ctx;
	if (a->n == 256)
		return 1;
	a->range[a->n][0] = start;
	a->range[a->n++][1] = end;
	return 0;
}

struct code_line { int line; bool here; };

static int by_line(const void *a, const void *b)
{
	return ((const struct code_line *)a)->line - ((const struct code_line *)b)->line;
}

static bool in_ranges(const struct avail *a, uint64_t addr)
{
	for (size_t i = 0; i < a->n; i++)
		if (addr >= a->range[i][0] && addr < a->range[i][1])
			return true;
	return false;
}

/* Where it is only computed it is described, and yet cannot be fetched. */
static bool fetchable(const struct avail *a, const struct dwarf_place *p, uint64_t addr)
{
	struct dwarf_place there = *p;
	struct dwarf_pieces pieces = { .n = 0 };
	struct fetch fetch = { 0 };
	const char *why;
	there.addr = addr;
	if (!in_ranges(a, addr) || dwarf_locate(a->f, &there, a->var, &fetch, &pieces, &why))
		return false;
	return a->w->n_steps || !fetch_check(&fetch, &why); /* what is computed may still be an address to go on from */
}

typedef VEC(struct code_line) code_lines;

static void code_of(const struct dwarf_place *p, const struct avail *a, code_lines *out)
{
	Dwarf_Die cu = p->cu, scope = p->scope;
	Dwarf_Lines *lines;
	size_t n;
	const char *file = dwarf_decl_path(&scope);
	if (!file || dwarf_getsrclines(&cu, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		Dwarf_Addr addr;
		bool stmt;
		int line;
		const char *src = l ? dwarf_linesrc(l, NULL, NULL) : NULL;
		if (!src || dwarf_lineaddr(l, &addr) || dwarf_linebeginstatement(l, &stmt) || !stmt ||
		    dwarf_lineno(l, &line) || line < p->decl_line || strcmp(src, file) || dwarf_haspc(&scope, addr) <= 0)
			continue;
		*vec_push(out) = (struct code_line){ line - p->decl_line, fetchable(a, p, addr) };
	}
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_line);
}

/* Consecutive lines with code where it is available are told as one range. */
static void say_lines(const code_lines *c, struct str *out)
{
	int first = -1, last = -1;
	for (size_t i = 0; i <= c->n; i++) {
		bool here = false;
		size_t j = i;
		if (i < c->n) {
			for (; j < c->n && c->at[j].line == c->at[i].line; j++)
				here |= c->at[j].here;
		}
		if (here) {
			first = first < 0 ? c->at[i].line : first;
			last = c->at[i].line;
		} else if (first >= 0) {
			str_addf(out, out->len ? ", " : "");
			str_addf(out, first == last ? "%d" : "%d to %d", first, last);
			first = -1;
		}
		if (i < c->n)
			i = j - 1;
	}
}

/* In a register for a few instructions within a line: there is still FUNC+OFF. */
static bool say_offset(const struct avail *a, const struct dwarf_place *p)
{
	for (size_t i = 0; i < a->n; i++) {
		uint64_t from = a->range[i][0];
		if (from < p->func_addr || !fetchable(a, p, from))
			continue;
		error_hint("no line begins where it is available: it is at %s+%llu", p->func_name, (unsigned long long)(from - p->func_addr));
		return true;
	}
	return false;
}

static int not_available(struct dwarf_file *f, const struct dwarf_place *p, const struct fetch_want *w, Dwarf_Die *var, const char *why)
{
	const char *name = w->var;
	struct avail a = { .f = f, .var = var, .w = w, .range = xcalloc(256, sizeof(*a.range)) };
	code_lines lines = { 0 };
	struct str text = STR_INIT;
	Dwarf_Die scope = p->scope;
	if (why)
		error_set(ENOTSUP, "'%s' cannot be fetched at %s+%llu: %s", name, p->func_name,
			  (unsigned long long)(p->addr - p->func_addr), why);
	else
		error_set(ENOENT, "'%s' is optimized out at %s+%llu", name, p->func_name,
			  (unsigned long long)(p->addr - p->func_addr));
	if (dwarf_var_ranges(var, keep_range, &a)) {
		code_of(p, &a, &lines);
		say_lines(&lines, &text);
	}
	if (text.len)
		error_hint("available at line%s %s of %s (as in %s:LINE)", strpbrk(text.buf, " ,") ? "s" : "", text.buf,
			   dwarf_name(&scope), dwarf_name(&scope));
	else if (!say_offset(&a, p))
		error_hint("nowhere in this function is it where a probe can read it; 'sonde probe -V %s' lists what is available", dwarf_name(&scope));
	int err = error_code();
	free(a.range);
	vec_release(&lines);
	str_release(&text);
	return err;
}

static int no_such_variable(struct dwarf_file *f, const struct dwarf_place *p, const char *name)
{
	wordlist names = { 0 };
	struct nearest near;
	Dwarf_Die scope = p->scope;
	error_set(ENOENT, "there is no variable '%s' in %s", name, dwarf_name(&scope));
	dwarf_var_names(f, p, false, &names);
	nearest_init(&near, name);
	vec_each(&names, n)
		nearest_offer(&near, *n);
	if (!nearest_hint(&near))
		error_hint("'sonde probe -V' lists the variables of a place");
	wordlist_release(&names);
	return -ENOENT;
}

int dwarf_fetch(struct dwarf_file *f, const struct dwarf_place *p, const struct fetch_want *w, struct dwarf_value *out)
{
	Dwarf_Die var, vtype, end;
	struct dwarf_pieces pieces = { .n = 0 };
	const char *why = NULL;
	bool local;
	memset(out, 0, sizeof(*out));
	if (!find_var(f, p, w->var, &var, &local))
		return no_such_variable(f, p, w->var);
	int err = dwarf_locate(f, p, &var, &out->at, &pieces, &why);
	if (err)
		return not_available(f, p, w, &var, why);
	if (!dwarf_type_of(&var, &vtype))
		return error_set(EINVAL, "'%s' has no type", w->var);
	err = dwarf_walk_steps(f, w, &vtype, &pieces, out, &end);
	if (!err && !out->counted)
		err = dwarf_choose_type(w, &end, &out->at, &out->type);
	if (!err && (fetch_check(&out->at, &why) || (out->counted && fetch_check(&out->length, &why)))) {
		free(out->type);
		out->type = NULL;
		return not_available(f, p, w, &var, why);
	}
	return err;
}

int dwarf_variable(struct dwarf_file *f, const struct dwarf_place *p, const char *name, struct fetch *at, Dwarf_Die *type)
{
	struct fetch_want w = { .var = name };
	struct dwarf_pieces pieces = { .n = 0 };
	const char *why = NULL;
	Dwarf_Die var;
	bool local;
	*at = (struct fetch){ 0 };
	if (!find_var(f, p, name, &var, &local))
		return no_such_variable(f, p, name);
	if (dwarf_locate(f, p, &var, at, &pieces, &why))
		return not_available(f, p, &w, &var, why);
	if (pieces.n > 1)
		return not_available(f, p, &w, &var, "it is in several pieces");
	return dwarf_type_of(&var, type) ? 0 : error_set(EINVAL, "'%s' has no type", name);
}

bool dwarf_has_variable(struct dwarf_file *f, const struct dwarf_place *p, const char *name)
{
	Dwarf_Die var;
	bool local;
	return find_var(f, p, name, &var, &local);
}

static bool nth_param(Dwarf_Die *func, int n, Dwarf_Die *out)
{
	if (dwarf_child(func, out))
		return false;
	do {
		if (dwarf_tag(out) == DW_TAG_formal_parameter && !--n)
			return true;
	} while (!dwarf_siblingof(out, out));
	return false;
}

int dwarf_fetch_param(struct dwarf_file *f, uint64_t addr, int n, struct fetch *out)
{
	Dwarf_Die cu, func, param;
	struct dwarf_pieces pieces;
	const char *why;
	if (!dwarf_unit_at(f, addr, &cu) || !dwarf_function_at(f, &cu, addr, &func) || !dwarf_is_c(&cu) || !nth_param(&func, n, &param) ||
	    !dwarf_abi_param(&func, &param, out, &pieces))
		return 0;
	if (!fetch_check(out, &why))
		return 1;
	return error_set(ENOTSUP, "parameter %d of %s, '%s', cannot be fetched: %s", n, dwarf_name(&func), dwarf_name(&param), why);
}

bool dwarf_result_type(struct dwarf_file *f, uint64_t addr, Dwarf_Die *type)
{
	Dwarf_Die cu, func;
	return dwarf_unit_at(f, addr, &cu) && dwarf_function_at(f, &cu, addr, &func) && dwarf_type_of(&func, type);
}

/* Of C and C++ only a function without a result has no type; Go's results are parameters, an assembler's are nobody's. */
static bool has_no_result(Dwarf_Die *cu, Dwarf_Die *func)
{
	Dwarf_Attribute type;
	int language = dwarf_srclang(cu);
	bool plus = language == DW_LANG_C_plus_plus || language == DW_LANG_C_plus_plus_03 || language == DW_LANG_C_plus_plus_11 ||
		    language == DW_LANG_C_plus_plus_14;
	return (plus || (dwarf_is_c(cu) && language != DW_LANG_Mips_Assembler)) && !dwarf_attr_integrate(func, DW_AT_type, &type);
}

int dwarf_check_result(struct dwarf_file *f, uint64_t addr)
{
	Dwarf_Die cu, func;
	struct str where = STR_INIT;
	if (!dwarf_unit_at(f, addr, &cu) || !dwarf_function_at(f, &cu, addr, &func))
		return 0;
	if (has_no_result(&cu, &func)) {
		error_set(ENOTSUP, "$retval cannot be fetched: %s returns nothing (void)", dwarf_name(&func));
		return error_hint("without $retval the probe tells when it returns");
	}
	if (!dwarf_abi_result(&func, dwarf_is_c(&cu), &where)) {
		error_set(ENOTSUP, "$retval cannot be fetched: %s returns %s: no probe reads that register", dwarf_name(&func), where.buf);
		error_hint("probe the line of a return statement and a variable that is in memory there: 'sonde probe -V %s:LINE' lists them",
			   dwarf_name(&func));
	}
	str_release(&where);
	return error_pending() ? error_code() : 0;
}

/* ---- -V ---- */

struct range_text { struct str *out; uint64_t base; };

static int add_range(uint64_t start, uint64_t end, void *ctx)
{
	struct range_text *r = ctx;
	str_addf(r->out, "%s%llu-%llu", r->out->buf[r->out->len - 1] == '[' ? "" : ",",
		 (unsigned long long)(start - r->base), (unsigned long long)(end - r->base));
	return 0;
}

static char *ranges_of(const struct dwarf_place *p, Dwarf_Die *var)
{
	struct str s = STR_INIT;
	struct range_text r = { &s, p->func_addr };
	Dwarf_Attribute a;
	str_addf(&s, "%s+[", p->func_name);
	if (dwarf_location(var, &a) && dwarf_whatform(&a) != DW_FORM_exprloc && dwarf_var_ranges(var, add_range, &r)) {
		str_add(&s, "]");
		return str_detach(&s);
	}
	str_release(&s);
	return NULL;
}

/* A pointer computed from a register cannot be had itself, but what it points to can. */
static bool points(Dwarf_Die *var, const struct fetch *f)
{
	Dwarf_Die type, t;
	return f->base == FETCH_REG && fetch_reg_name(f->reg) && dwarf_type_of(var, &type) && dwarf_strip(&type, &t) &&
	       dwarf_tag(&t) == DW_TAG_pointer_type;
}

static void list_one(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *die, bool ranges, dwarf_vars *out)
{
	struct fetch fetch;
	struct dwarf_pieces pieces = { .n = 0 };
	const char *why, *name = dwarf_diename(die);
	struct str type = STR_INIT;
	if (!name)
		return;
	int err = dwarf_locate(f, p, die, &fetch, &pieces, &why);
	if (!err && pieces.n <= 1 && fetch_check(&fetch, &why) && !points(die, &fetch))
		err = -ENOTSUP;
	if (err && !(ranges && err == -ERANGE))
		return;
	dwarf_var_type_name(die, &type);
	*vec_push(out) = (struct dwarf_var){
		.type = str_detach(&type), .name = xstrdup(name), .param = is_param(die),
		.here = !err, .ranges = ranges ? ranges_of(p, die) : NULL,
	};
}

static void list_in(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *parent, bool ranges, dwarf_vars *out)
{
	Dwarf_Die die;
	if (!dwarf_child(parent, &die))
		do {
			if (is_var(&die))
				list_one(f, p, &die, ranges, out);
		} while (!dwarf_siblingof(&die, &die));
}

static int by_text(const void *a, const void *b)
{
	const struct dwarf_var *x = a, *y = b;
	int d = strcmp(x->type, y->type);
	return d ? d : strcmp(x->name, y->name);
}

int dwarf_list_vars(struct dwarf_file *f, const struct dwarf_place *p, bool externs, bool ranges, dwarf_vars *out)
{
	dwarf_dies blocks = { 0 };
	Dwarf_Die scope = p->scope, root, func = p->func;
	blocks_at(&scope, p->addr, 0, &blocks);
	vec_each(&blocks, b)
		list_in(f, p, b, ranges, out);
	vec_release(&blocks);
	if (externs && dwarf_diecu(&func, &root, NULL, NULL))
		list_in(f, p, &root, ranges, out);
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_text);
	size_t n = 0;
	for (size_t i = 0; i < out->n; i++) { /* a declaration beside its definition */
		if (n && !by_text(&out->at[i], &out->at[n - 1])) {
			free(out->at[i].type);
			free(out->at[i].name);
			free(out->at[i].ranges);
		} else {
			out->at[n++] = out->at[i];
		}
	}
	out->n = n;
	return 0;
}

void dwarf_vars_release(dwarf_vars *v)
{
	vec_each(v, i) {
		free(i->type);
		free(i->name);
		free(i->ranges);
	}
	vec_release(v);
}

void dwarf_var_names(struct dwarf_file *f, const struct dwarf_place *p, bool params_only, wordlist *out)
{
	dwarf_dies blocks = { 0 };
	Dwarf_Die scope = p->scope, die;
	(void)f;
	blocks_at(&scope, p->addr, 0, &blocks);
	vec_each(&blocks, b) {
		if (dwarf_child(b, &die))
			continue;
		do {
			const char *name = is_var(&die) ? dwarf_diename(&die) : NULL;
			if (!name || (params_only && !is_param(&die)))
				continue;
			bool twice = false;
			vec_each(out, o)
				twice |= !strcmp(*o, name);
			if (!twice)
				wordlist_add(out, name);
		} while (!dwarf_siblingof(&die, &die));
	}
	vec_release(&blocks);
}

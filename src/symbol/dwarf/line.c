// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines to addresses and back. A row of the line table counts when it begins a statement. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/plain.h"
#include "symbol/dwarf/inner.h"

bool dwarf_path_matches(const char *path, const char *tail)
{
	size_t n, m;
	while (tail[0] == '.' && tail[1] == '/')
		tail += 2;
	if (glob_has(tail)) { /* "fs/proc*.c": of the path's end */
		for (const char *p = path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
			if (glob_match(tail, p))
				return true;
		return false;
	}
	n = strlen(path);
	m = strlen(tail);
	return n >= m && !strcmp(path + n - m, tail) && (n == m || tail[0] == '/' || path[n - m - 1] == '/');
}

/* libdw's own dwarf_decl_file takes file 0 for "none", which DWARF 5 uses for the unit's main file. */
const char *dwarf_decl_path(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die cu;
	Dwarf_Half version = 0;
	Dwarf_Word index;
	Dwarf_Files *files;
	size_t n;
	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &a) || dwarf_formudata(&a, &index) ||
	    dwarf_cu_info(a.cu, &version, NULL, &cu, NULL, NULL, NULL, NULL) || (!index && version < 5) ||
	    dwarf_getsrcfiles(&cu, &files, &n) || index >= n)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

struct line_row { uint64_t addr; int line; const char *file; };

static bool read_row(Dwarf_Lines *lines, size_t i, struct line_row *r)
{
	Dwarf_Line *l = dwarf_onesrcline(lines, i);
	Dwarf_Addr addr;
	bool flag;
	if (!l || dwarf_lineendsequence(l, &flag) || flag || dwarf_linebeginstatement(l, &flag) || !flag ||
	    dwarf_lineno(l, &r->line) || dwarf_lineaddr(l, &addr) || !addr)
		return false;
	r->addr = addr;
	r->file = dwarf_linesrc(l, NULL, NULL);
	return r->file != NULL;
}

bool dwarf_line_at(Dwarf_Die *cu, uint64_t addr, const char **file, int *line)
{
	Dwarf_Line *l = dwarf_getsrc_die(cu, addr);
	const char *src = l ? dwarf_linesrc(l, NULL, NULL) : NULL;
	if (!src || dwarf_lineno(l, line))
		return false;
	if (!*file)
		*file = src;
	return true;
}

bool dwarf_decl(Dwarf_Die *die, const char **path, int *line)
{
	Dwarf_Die cu;
	uint64_t entry;
	*path = dwarf_decl_path(die);
	if (*path && !dwarf_decl_line(die, line))
		return true;
	*path = NULL;
	return !dwarf_entry(die, &entry) && dwarf_unit_of(die, &cu) && dwarf_line_at(&cu, entry, path, line);
}

bool dwarf_place_decl(const struct dwarf_place *p, const char **path, int *line)
{
	Dwarf_Die scope = p->scope;
	return dwarf_decl(&scope, path, line);
}

bool dwarf_place_line(const struct dwarf_place *p, const char **path, int *line)
{
	Dwarf_Die cu = p->cu;
	*path = NULL;
	return dwarf_line_at(&cu, p->addr, path, line);
}

uint64_t dwarf_prologue_end(Dwarf_Die *cu, Dwarf_Die *func, uint64_t entry)
{
	Dwarf_Lines *lines;
	size_t n;
	uint64_t second = 0;
	if (dwarf_getsrclines(cu, &lines, &n))
		return entry;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		Dwarf_Addr addr;
		bool end, seq;
		if (!l || dwarf_lineaddr(l, &addr) || addr <= entry || dwarf_haspc(func, addr) <= 0 ||
		    dwarf_lineendsequence(l, &seq) || seq || dwarf_lineprologueend(l, &end))
			continue;
		if (end) /* clang says it */
			return addr;
		if (!second || addr < second)
			second = addr;
	}
	return second ? second : entry;
}

/* ---- calls of inlined functions count as code of the calling line ---- */

struct sites {
	Dwarf_Die *cu;
	const char *file;
	int line;
	int (*fn)(struct sites *s, uint64_t addr, int line);
	void *ctx;
	bool c; /* its types hold no code */
	int err;
};

static const char *call_path(Dwarf_Die *cu, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word index;
	Dwarf_Files *files;
	size_t n;
	if (!dwarf_attr(die, DW_AT_call_file, &a) || dwarf_formudata(&a, &index) ||
	    dwarf_getsrcfiles(cu, &files, &n) || index >= n)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

static int call_line(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word v;
	return dwarf_attr(die, DW_AT_call_line, &a) && !dwarf_formudata(&a, &v) && v < INT_MAX ? (int)v : -1;
}

static void visit_sites(struct sites *s, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	uint64_t addr;
	int line;
	if (depth > 64 || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_inlined_subroutine && (line = call_line(&die)) > 0 && (s->line < 0 || line == s->line)) {
			const char *path = call_path(s->cu, &die);
			if (path && dwarf_path_matches(path, s->file) && !dwarf_entry(&die, &addr))
				s->err = s->fn(s, addr, line);
		} else if (tag == DW_TAG_subprogram && !dwarf_decl_line(&die, &line) && (s->line < 0 || line == s->line)) {
			const char *path = dwarf_decl_path(&die);
			if (path && dwarf_path_matches(path, s->file) && !dwarf_entry(&die, &addr))
				s->err = s->fn(s, addr, line);
		}
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_namespace || (!s->c && (tag == DW_TAG_class_type || tag == DW_TAG_structure_type)))
			visit_sites(s, &die, depth + 1);
	} while (!s->err && !dwarf_siblingof(&die, &die));
}

struct by_line { struct dwarf_file *f; const struct dwarf_query *q; dwarf_places *out; };

static int site_place(struct sites *s, uint64_t addr, int line)
{
	struct by_line *b = s->ctx;
	struct dwarf_query q = *b->q;
	(void)line;
	if (!q.file)
		q.file = s->file;
	return dwarf_add_place(b->f, &q, s->cu, NULL, addr, b->out);
}

int dwarf_places_by_line(struct dwarf_file *f, const struct dwarf_query *q, Dwarf_Die *cu, const char *file,
			 int line, Dwarf_Die *within, dwarf_places *out)
{
	Dwarf_Lines *lines;
	size_t n;
	int err = 0;
	if (dwarf_getsrclines(cu, &lines, &n))
		return 0;
	for (size_t i = 0; i < n && !err; i++) {
		struct line_row r;
		if (!read_row(lines, i, &r) || r.line != line || !dwarf_path_matches(r.file, file))
			continue;
		if (!within || dwarf_haspc(within, r.addr) > 0)
			err = dwarf_add_place(f, q, cu, NULL, r.addr, out);
	}
	if (err)
		return err;
	struct by_line b = { f, q, out };
	Dwarf_Die root = dwarf_unit_root(cu);
	struct sites s = { .cu = cu, .file = file, .line = line, .fn = site_place, .ctx = &b, .c = dwarf_is_c(&root) };
	visit_sites(&s, &root, 0);
	return s.err;
}

/* ---- by file ---- */

static bool unit_has_file(Dwarf_Die *cu, const char *file)
{
	Dwarf_Files *files;
	size_t n;
	if (dwarf_getsrcfiles(cu, &files, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);
		if (path && dwarf_path_matches(path, file))
			return true;
	}
	return false;
}

/* Calls fn for each unit that has code of the file: first those named after it, and only if there are
 * none (a header), or if all is asked for (link-time optimization), every unit whose line table
 * mentions it. */
static int units_of_file(struct dwarf_file *f, const char *file, bool all, int (*fn)(Dwarf_Die *cu, void *ctx), void *ctx)
{
	int err = 0, hits = 0;
	for (int pass = all; pass < 2 && !hits && !err; pass++) {
		Dwarf_CU *cursor = NULL;
		Dwarf_Die cu, root;
		while (!err && dwarf_unit_next(f, &cursor, &cu, &root)) {
			const char *name = dwarf_diename(&root);
			if (pass ? unit_has_file(&cu, file) : name && dwarf_path_matches(name, file)) {
				hits++;
				err = fn(&cu, ctx);
			}
		}
	}
	return err ? err : hits ? 0 : -ENOENT;
}

struct by_file { struct dwarf_file *f; const struct dwarf_query *q; dwarf_places *out; struct dwarf_hits hits; };

static int file_unit(Dwarf_Die *cu, void *ctx)
{
	struct by_file *b = ctx;
	size_t before = b->out->n;
	int err = b->q->pattern ? dwarf_places_by_pattern(b->f, b->q, cu, NULL, b->q->file, b->out) :
				  dwarf_places_by_line(b->f, b->q, cu, b->q->file, b->q->line, NULL, b->out);
	if (b->out->n > before)
		*vec_push(&b->hits.walk) = *cu;
	return err;
}

static int search_units(struct by_file *b)
{
	int err = units_of_file(b->f, b->q->file, false, file_unit, b);
	if (!err && !b->out->n)
		err = units_of_file(b->f, b->q->file, true, file_unit, b);
	return err;
}

/* A line of a header is code of any unit: which ones is remembered. */
static int search_or_remember(struct by_file *b)
{
	char *key = xasprintf("%s:%d", b->q->file, b->q->line);
	struct dwarf_hits known = { 0 };
	int err = 0;
	if (dwarf_cache_get(b->f, key, &known)) {
		for (size_t i = 0; i < known.walk.n && !err; i++)
			err = file_unit(&known.walk.at[i], b);
	} else {
		err = search_units(b);
		if (!err)
			dwarf_cache_put(b->f, key, &b->hits);
	}
	dwarf_hits_release(&known);
	free(key);
	return err;
}

int dwarf_places_by_file(struct dwarf_file *f, const struct dwarf_query *q, dwarf_places *out)
{
	struct by_file b = { .f = f, .q = q, .out = out };
	int err = q->pattern ? search_units(&b) : search_or_remember(&b);
	dwarf_hits_release(&b.hits);
	if (err == -ENOENT && !error_pending())
		return error_set(ENOENT, "no source file '%s' went into %s", q->file, f->path);
	if (!err && !out->n && q->pattern)
		return error_set(ENOENT, "no line of %s that has code matches ';%s'", q->file, q->pattern);
	if (!err && !out->n)
		return error_set(ENOENT, "line %d of %s has no code", q->line, q->file);
	return err;
}

/* ---- source ---- */

static bool try_source(struct str *tried, const char *a, const char *b, char **path)
{
	char *p = b ? xasprintf("%s/%s", a, b) : xstrdup(a);
	struct stat st;
	if (!stat(p, &st) && S_ISREG(st.st_mode)) {
		*path = p;
		return true;
	}
	str_addf(tried, "%s%s", tried->len ? ", " : "", p);
	free(p);
	return false;
}

int source_open(const char *file, const char *comp_dir, const char *source_dir, char **path)
{
	struct str tried = STR_INIT;
	bool ok = false;
	if (source_dir) {
		/* any tail of the path may lie below the folder */
		for (const char *p = file; p && !ok; p = strchr(p + 1, '/'))
			ok = try_source(&tried, source_dir, p + (*p == '/'), path);
	} else {
		ok = try_source(&tried, file, NULL, path) ||
		     (comp_dir && file[0] != '/' && try_source(&tried, comp_dir, file, path));
	}
	if (!ok) {
		error_set(ENOENT, "the source file is not here: %s", tried.buf);
		error_hint("name the folder it lies below with -s DIR");
	}
	str_release(&tried);
	return ok ? 0 : -ENOENT;
}

/* Blanks count for nothing in a lazy pattern. */
static char *squeeze(const char *p, size_t n)
{
	struct str s = STR_INIT;
	for (size_t i = 0; i < n; i++)
		if (!strchr(" \t\r\n", p[i]))
			str_addc(&s, p[i]);
	return str_detach(&s);
}

static int matching_lines(const char *path, const char *pattern, intlist *out)
{
	struct str text = STR_INIT;
	int err = plain_read(path, &text, 64 << 20), line = 1;
	char *want = squeeze(pattern, strlen(pattern));
	if (err)
		error_sys(err, "cannot read %s", path);
	for (const char *p = text.buf; !err && *p; line++) {
		size_t n = strcspn(p, "\n");
		char *have = squeeze(p, n);
		if (*have && glob_match(want, have))
			*vec_push(out) = line;
		free(have);
		p += n + (p[n] == '\n');
	}
	free(want);
	str_release(&text);
	return err;
}

static const char *comp_dir_of(Dwarf_Die *cu)
{
	Dwarf_Attribute a;
	return dwarf_attr(cu, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;
}

/* The file's full name in the unit's line table, from a tail of it. */
static const char *full_name(Dwarf_Die *cu, const char *file)
{
	Dwarf_Files *files;
	size_t n;
	for (size_t i = dwarf_getsrcfiles(cu, &files, &n) ? SIZE_MAX : 0; i < n && i != SIZE_MAX; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);
		if (path && dwarf_path_matches(path, file))
			return path;
	}
	return file;
}

int dwarf_places_by_pattern(struct dwarf_file *f, const struct dwarf_query *q, Dwarf_Die *cu, Dwarf_Die *func,
			    const char *file, dwarf_places *out)
{
	intlist match = { 0 };
	char *path = NULL;
	Dwarf_Lines *lines;
	size_t n = 0;
	const char *name = full_name(cu, file);
	int err = source_open(name, comp_dir_of(cu), q->source, &path);
	if (!err)
		err = matching_lines(path, q->pattern, &match);
	if (!err && dwarf_getsrclines(cu, &lines, &n))
		n = 0;
	for (size_t i = 0; i < n && !err; i++) {
		struct line_row r;
		if (!read_row(lines, i, &r) || !intlist_has(&match, r.line) || !dwarf_path_matches(r.file, file))
			continue;
		if (!func || dwarf_haspc(func, r.addr) > 0)
			err = dwarf_add_place(f, q, cu, NULL, r.addr, out);
	}
	free(path);
	vec_release(&match);
	return err;
}

/* ---- -L ---- */

struct collect { struct dwarf_lines *out; int base; bool whole; };

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void add_line(struct dwarf_lines *l, int line)
{
	*vec_push(&l->lines) = line;
	if (line > l->last)
		l->last = line;
}

static int site_line(struct sites *s, uint64_t addr, int line)
{
	(void)addr;
	add_line(s->ctx, line);
	return 0;
}

static void sort_lines(struct dwarf_lines *l)
{
	size_t n = 0;
	if (l->lines.n)
		qsort(l->lines.at, l->lines.n, sizeof(int), by_value);
	for (size_t i = 0; i < l->lines.n; i++)
		if (!i || l->lines.at[i] != l->lines.at[n - 1])
			l->lines.at[n++] = l->lines.at[i];
	l->lines.n = n;
}

/* Does the row belong to the function itself, not to something inlined into it? */
static bool row_is_of(Dwarf_Die *func, const struct line_row *r, int base, const char *file)
{
	dwarf_dies scopes = { 0 };
	int decl = 0;
	dwarf_scopes_at(func, r->addr, &scopes);
	Dwarf_Die *in = vec_last(&scopes);
	const char *path;
	bool ours = dwarf_decl(in, &path, &decl) && decl == base && !strcmp(path, file);
	if (!ours && scopes.n > 1 && call_line(in) == r->line)
		ours = dwarf_decl(in - 1, &path, &decl) && decl == base && !strcmp(path, file);
	vec_release(&scopes);
	return ours;
}

static void function_lines(const struct dwarf_place *p, struct dwarf_lines *out)
{
	Dwarf_Lines *lines;
	size_t n;
	Dwarf_Die cu = p->cu, func = p->func, scope = p->scope;
	add_line(out, out->base);
	if (dwarf_getsrclines(&cu, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct line_row r;
		if (!read_row(lines, i, &r) || r.line < out->base || strcmp(r.file, out->file) ||
		    dwarf_haspc(&scope, r.addr) <= 0)
			continue;
		if (row_is_of(&func, &r, out->base, out->file))
			add_line(out, r.line);
	}
	struct sites s = { .cu = &cu, .file = out->file, .line = -1, .fn = site_line, .ctx = out };
	Dwarf_Die die;
	if (!dwarf_child(&scope, &die)) { /* only its own calls, not those inside of what it calls */
		do {
			int line = dwarf_tag(&die) == DW_TAG_inlined_subroutine ? call_line(&die) : -1;
			const char *path = line >= out->base ? call_path(&cu, &die) : NULL;
			if (path && !strcmp(path, out->file))
				site_line(&s, 0, line);
		} while (!dwarf_siblingof(&die, &die));
	}
}

static void set_names(Dwarf_Die *cu, const char *file, struct dwarf_lines *out)
{
	const char *dir = comp_dir_of(cu);
	if (!out->file)
		out->file = xstrdup(file);
	if (!out->comp_dir && dir)
		out->comp_dir = xstrdup(dir);
}

static int lines_of_function(struct dwarf_file *f, const struct dwarf_query *q, struct dwarf_lines *out)
{
	dwarf_places places = { 0 };
	int err = dwarf_find(f, q, &places);
	if (!err) {
		struct dwarf_place *p = &places.at[0];
		const char *path;
		int line;
		if (!dwarf_decl(&p->scope, &path, &line)) {
			err = error_set(ENOENT, "the debug information does not say where %s is written", q->function);
		} else {
			set_names(&p->cu, path, out);
			out->function = xstrdup(q->function);
			out->base = line;
			vec_each(&places, it) {
				const char *other;
				if (dwarf_decl(&it->scope, &other, &line) && !strcmp(other, out->file) && line == out->base)
					function_lines(it, out);
			}
		}
	}
	vec_release(&places);
	return err;
}

struct file_lines { const char *file; struct dwarf_lines *out; };

static int unit_lines(Dwarf_Die *cu, void *ctx)
{
	struct file_lines *fl = ctx;
	Dwarf_Lines *lines;
	size_t n;
	const char *full = full_name(cu, fl->file);
	set_names(cu, full, fl->out);
	if (dwarf_getsrclines(cu, &lines, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		struct line_row r;
		if (read_row(lines, i, &r) && !strcmp(r.file, fl->out->file))
			add_line(fl->out, r.line);
	}
	Dwarf_Die root = dwarf_unit_root(cu);
	struct sites s = { .cu = cu, .file = fl->out->file, .line = -1, .fn = site_line, .ctx = fl->out, .c = dwarf_is_c(&root) };
	visit_sites(&s, &root, 0);
	return 0;
}

int dwarf_find_lines(struct dwarf_file *f, const char *function, const char *file, dwarf_alias *alias, void *alias_ctx,
		     struct dwarf_lines *out)
{
	struct dwarf_query q = { .function = function, .file = file, .max = INT_MAX, .alias = alias,
				 .alias_ctx = alias_ctx };
	struct file_lines fl = { file, out };
	int err;
	memset(out, 0, sizeof(*out));
	if (function)
		err = lines_of_function(f, &q, out);
	else if ((err = units_of_file(f, file, false, unit_lines, &fl)) == 0 && !out->lines.n)
		err = units_of_file(f, file, true, unit_lines, &fl);
	if (err == -ENOENT && !function)
		error_set(ENOENT, "no source file '%s' went into %s", file, f->path);
	sort_lines(out);
	return err;
}

void dwarf_lines_release(struct dwarf_lines *l)
{
	free(l->file);
	free(l->comp_dir);
	free(l->function);
	vec_release(&l->lines);
}

/* ---- back from an address ---- */

/* Inlined copies: a probe on the first instruction of one is on the calling line. */
static void innermost(Dwarf_Die *cu, Dwarf_Die *func, uint64_t addr, Dwarf_Die *named, const char **file, int *line)
{
	dwarf_dies scopes = { 0 };
	dwarf_scopes_at(func, addr, &scopes);
	for (size_t i = 1; i < scopes.n; i++) {
		uint64_t entry;
		Dwarf_Die *in = &scopes.at[i];
		if (!dwarf_entry(in, &entry) && entry == addr) {
			const char *path = call_path(cu, in);
			int l = call_line(in);
			*file = path ? path : *file;
			*line = l > 0 ? l : *line;
			break;
		}
		*named = *in;
	}
	vec_release(&scopes);
}

int dwarf_describe(struct dwarf_file *f, uint64_t addr, struct dwarf_spot *out)
{
	Dwarf_Die cu, func, named;
	uint64_t entry;
	int line = 0, decl = 0;
	const char *file = NULL;
	memset(out, 0, sizeof(*out));
	out->line = -1;
	if (!dwarf_unit_at(f, addr, &cu) || !dwarf_function_at(f, &cu, addr, &func))
		return -ENOENT;
	named = func;
	bool have = dwarf_line_at(&cu, addr, &file, &line);
	if (!dwarf_entry(&func, &entry) && entry == addr) {
		const char *path = dwarf_decl_path(&func);
		out->line = 0;
		file = path ? path : file;
	} else if (have) {
		innermost(&cu, &func, addr, &named, &file, &line);
		const char *path;
		if (file && dwarf_decl(&named, &path, &decl) && !strcmp(path, file) && line >= decl)
			out->line = line - decl;
		else
			named = func;
	}
	out->offset = addr - entry;
	out->function = xstrdup(dwarf_name(&named));
	out->file = file ? xstrdup(file) : NULL;
	return 0;
}

void dwarf_spot_release(struct dwarf_spot *s)
{
	free(s->function);
	free(s->file);
	memset(s, 0, sizeof(*s));
}

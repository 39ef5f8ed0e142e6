// SPDX-License-Identifier: GPL-2.0-or-later
/* stap -l and -L: the places that a probe's words mean, with the variables that are there. */
#include "script/stap/list.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "script/ctype/ctype.h"
#include "script/provider/kernel/ksource.h"
#include "script/provider/provider.h"
#include "script/provider/user/locals.h"
#include "script/stap/front.h"
#include "symbol/dwarf/dwarf.h"

/* What the last word in quotes means here: f@fs/file.c:12, where debug information knows that; else the name that was found for the
 * pattern. */
static void place_text(struct str *out, const struct stap_block *b, const struct point *p)
{
	bool statement = strstr(b->name, ".statement(");
	const char *path = NULL, *last = strrchr(p->name, ':');
	int line = 0;
	const char *colon = statement ? strrchr(b->name, ':') : NULL;
	if (p->place && (statement ? dwarf_place_line(p->place, &path, &line) : dwarf_place_decl(p->place, &path, &line))) {
		Dwarf_Die scope = p->place->scope;
		const char *name = dwarf_diename(&scope);
		if (colon && atoi(colon + 1)) /* several lines may begin at one address */
			line = atoi(colon + 1);
		str_addf(out, "%s@%s:%d", name ? name : p->place->func_name, path, line);
	} else {
		str_add(out, b->of_source && p->func ? p->func : last + 1);
	}
}

/* kernel.function("vfs_*") with what was found for the pattern. */
static void point_text(struct str *out, const struct stap_block *b, const struct point *p)
{
	const char *open = strchr(b->name, '"'), *close = open ? strchr(open + 1, '"') : NULL, *last = strrchr(p->name, ':');
	for (const char *more = close ? strchr(close + 1, '"') : NULL; more; more = close ? strchr(close + 1, '"') : NULL) { /* process("file").function("f") */
		open = more;
		close = strchr(open + 1, '"');
	}
	if (b->word_of_script != b->name) {
		str_add(out, b->word_of_script);
	} else if (b->call && last) {
		str_addf(out, "syscall.%s%s", strstr(last, "sys_enter_") ? strstr(last, "sys_enter_") + 10 : strstr(last, "sys_exit_") ? strstr(last, "sys_exit_") + 9 : last + 1,
			 b->side == SIDE_RETURN ? ".return" : "");
	} else if (!open || !close || !last) {
		str_add(out, b->name);
	} else {
		str_addn(out, b->name, (size_t)(open + 1 - b->name));
		place_text(out, b, p);
		str_add(out, close);
	}
}

/* As C writes it: int, struct file*. */
static void c_name(const struct script_type *t, struct str *out)
{
	static const char *const sizes[] = { [1] = "char", [2] = "short", [4] = "int", [8] = "long" };
	if (t->kind == TYPE_POINTER) {
		if (t->to)
			c_name(t->to, out);
		else
			str_add(out, "void");
		str_addc(out, '*');
	} else if (t->kind == TYPE_INT && !t->name && t->size <= 8 && sizes[t->size]) {
		str_addf(out, "%s%s", t->is_signed ? "" : "unsigned ", sizes[t->size]);
	} else if (t->kind == TYPE_STRING) {
		str_addf(out, "char[%u]", t->size);
	} else {
		type_describe(t, out);
	}
}

/* What the function gives back. false: nothing, or who knows. */
static bool result(struct ctypes *types, const struct point *p, const struct point *entry, struct str *out)
{
	struct ctype_function f;
	const struct script_type *t = NULL;
	Dwarf_Die func, die;
	if (p->func && p->provider == &provider_kretprobe && ctype_function(types, p->path, p->func, &f))
		t = f.result;
	else if (entry && entry->place && (func = entry->place->func, dwarf_type_of(&func, &die)))
		t = ctype_of_die(types, entry->dwarf, &die);
	else if (!entry || !entry->place) {
		str_add(out, "long");
		return true;
	}
	if (t && t->kind != TYPE_NONE)
		c_name(t, out);
	return t && t->kind != TYPE_NONE;
}

static void variables(struct str *out, const struct run_script *s, const struct stap_block *b, const struct point *p, const struct point *entry)
{
	const struct script_type *args = b->side == SIDE_RETURN && entry ? entry->args : p->args;
	struct str back = STR_INIT;
	if (b->call)
		str_add(out, b->side == SIDE_RETURN ? " name:string retval:long retstr:string" : " name:string argstr:string");
	if (b->side == SIDE_RETURN && (b->call ? (str_add(&back, "long"), true) : result(s->types, p, entry, &back)))
		str_addf(out, " $return:%s", back.buf);
	for (unsigned i = 0; args && i < args->n_fields; i++) {
		const struct type_field *f = &args->fields[i];
		if (!f->name || !strcmp(f->name, "__syscall_nr") || f->type->kind == TYPE_NONE || (b->call && b->side == SIDE_RETURN && !strcmp(f->name, "ret")))
			continue;
		str_addf(out, " $%s:", f->name);
		c_name(f->type, out);
	}
	str_release(&back);
}

/* The j-th place of the block's program, or of that of its entry; NULL. */
static const struct point *nth_point(const struct run_script *s, const struct probe *probe, size_t j)
{
	for (size_t k = 0; probe && k < s->units.n; k++) {
		const struct script_unit *u = &s->units.at[k];
		if (u->probe != probe)
			continue;
		if (j < u->points.n)
			return &s->points.at[u->points.at[j]];
		j -= u->points.n;
	}
	return NULL;
}

/* Where the source begins with a function of the kernel that was found by its name. */
struct list_sought { struct run_script *s; struct point *p; };

static int at_begin(const struct kernel_spot *spot, void *ctx)
{
	const struct list_sought *w = ctx;
	if (spot->place->addr == spot->place->func_addr && !w->p->place)
		locals_keep_place(w->s, w->p, spot->binary->target.dwarf, spot->place);
	return 0;
}

static void find_place(struct run_script *s, const struct stap_block *b, struct point *p)
{
	struct binary *binary = p->place || !p->func || glob_has(b->name) || p->provider->space == SPACE_USER || !str_starts(b->word, "k") ? NULL : ksource_open(s, p->path);
	const struct probe_spec spec = { .function = (char *)p->func };
	if (binary)
		(void)ksource_each(binary, &spec, at_begin, &(struct list_sought){ s, p });
	error_clear();
}

/* The place at the entry of the same function. */
static const struct point *entry_point(const struct run_script *s, const struct stap_block *b, const struct point *p)
{
	const struct point *e;
	for (size_t j = 0; b->entry && (e = nth_point(s, b->entry->probe, j)); j++)
		if (!p->func || (e->func && !strcmp(e->func, p->func)))
			return e;
	return NULL;
}

static void show_block(const struct stap_block *b, struct run_script *s, bool details, struct out *out)
{
	struct str line = STR_INIT;
	const struct point *p;
	if (!b->probe)
		out_printf(out, "%s\n", b->name);
	for (size_t j = 0; (p = nth_point(s, b->probe, j)); j++) {
		const struct point *entry = entry_point(s, b, p);
		struct point shown = *p;
		shown.place = p->place || !entry ? p->place : entry->place;
		if (details)
			find_place(s, b, &shown);
		point_text(&line, b, &shown);
		if (details)
			variables(&line, s, b, p, entry);
		str_addc(&line, '\n');
		out_str(out, &line);
	}
	str_release(&line);
}

static int list(struct stap *st, struct run_script *s, struct script_source *source, bool details, struct out *out)
{
	struct params none = { 0 };
	s->types = ctypes_new(&source->memory);
	s->source = source;
	s->stap = st;
	int err = stap_places(st, s, source, &none);
	for (size_t i = 0; i < st->blocks.n && !err; i++)
		show_block(st->blocks.at[i], s, details, out);
	script_forget(s);
	stap_release(st);
	return err;
}

int stap_list(struct stap *st, struct run_script *s, const char *pattern, bool details, struct out *out)
{
	char *text = xasprintf("probe %s\n{ %s }", pattern, details ? "_ = $$vars" : "");
	struct script_source source = { .name = details ? "-L" : "-l", .text = text, .len = strlen(text) };
	int err = list(st, s, &source, details, out);
	arena_release(&source.memory);
	free(text);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* -V and -L: the variables of a place, the lines of a function. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/plain.h"
#include "probe/filter.h"
#include "probe/source.h"
#include "symbol/btf.h"

enum { LINES_AFTER = 2 };

static void show_var(const struct dwarf_var *v, const struct probe_show_options *o, struct out *out)
{
	struct str s = STR_INIT;
	str_add(&s, "\t\t");
	if (o->ranges)
		str_addf(&s, "[%s]\t", v->here ? "VAL" : "INV");
	str_addf(&s, "%s\t", v->type);
	str_add_safez(&s, v->name);
	if (o->ranges && v->ranges)
		str_addf(&s, "\t@<%s>", v->ranges);
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

static bool filtered(const struct dwarf_var *v, const char *filter)
{
	return !filter_passes(filter, v->name);
}

static int show_place(struct probe_target *t, const struct dwarf_place *p, const struct probe_show_options *o, struct out *out)
{
	dwarf_vars vars = { 0 };
	struct str s = STR_INIT;
	size_t shown = 0;
	int err = dwarf_list_vars(t->dwarf, p, o->externs, o->ranges, &vars);
	str_add(&s, "\t@<");
	str_add_safez(&s, p->func_name);
	str_addf(&s, "+%llu>\n", (unsigned long long)(p->addr - p->func_addr));
	out_str(out, &s);
	vec_each(&vars, v) {
		if (filtered(v, o->filter))
			continue;
		show_var(v, o, out);
		shown++;
	}
	if (!shown)
		out_puts(out, "\t\t(No matched variables)\n");
	dwarf_vars_release(&vars);
	str_release(&s);
	return err;
}

/* Without debug information, on a kernel with BTF: the parameters. */
static int show_params(struct probe_target *t, const struct probe_spec *s, const char *place, struct out *out)
{
	btf_args args = { 0 };
	struct str text = STR_INIT;
	bool entry = s->function && !s->file && !s->pattern && !s->offset && !(s->has_line && s->line);
	if (!entry || probe_target_btf(t))
		return probe_target_no_dwarf(t);
	int err = btf_list_args(t->btf, s->function, &args);
	if (!err) {
		str_add(&text, "Available variables at ");
		str_add_safez(&text, place);
		str_add(&text, "\n\t@<");
		str_add_safez(&text, s->function);
		str_add(&text, "+0>\n");
		vec_each(&args, a)
			str_addf(&text, "\t\t%s\t%s\n", a->type, a->name);
		if (!args.n)
			str_add(&text, "\t\t(No matched variables)\n");
		out_str(out, &text);
	}
	btf_args_release(&args);
	str_release(&text);
	return err;
}

int probe_show_vars(struct probe_target *t, const char *place, const struct probe_show_options *o, struct out *out)
{
	struct probe_spec s;
	dwarf_places places = { 0 };
	struct str text = STR_INIT;
	int err = o->filter ? filter_check(o->filter) : 0;
	if (err)
		return err;
	err = probe_spec_parse_place(&s, place);
	if (!err && probe_target_dwarf(t)) {
		err = show_params(t, &s, place, out);
		probe_spec_release(&s);
		return err;
	}
	if (!err)
		err = probe_source_places(t, &s, o->probe, false, &places);
	if (!err) {
		str_add(&text, "Available variables at ");
		str_add_safez(&text, place);
		str_addc(&text, '\n');
		out_str(out, &text);
	}
	for (size_t i = 0; i < places.n && !err; i++)
		err = show_place(t, &places.at[i], o, out);
	vec_release(&places);
	str_release(&text);
	probe_spec_release(&s);
	return err;
}

/* ---- -L ---- */

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static bool has_code(const struct dwarf_lines *l, int line)
{
	return l->lines.n && bsearch(&line, l->lines.at, l->lines.n, sizeof(int), by_value);
}

struct line_bounds { int first, last; /* absolute */ };

static struct line_bounds bounds(const struct probe_lines *r, const struct dwarf_lines *l)
{
	struct line_bounds b;
	int base = l->function ? l->base : 0;
	b.first = r->ranged ? base + r->first : l->function ? l->base : 1;
	if (r->last != INT_MAX)
		b.last = r->last > INT_MAX - base ? INT_MAX : base + r->last;
	else
		b.last = l->last > INT_MAX - LINES_AFTER ? INT_MAX : l->last + LINES_AFTER;
	return b;
}

static void show_source_line(const struct dwarf_lines *l, const char *text, size_t n, int line, struct out *out)
{
	struct str s = STR_INIT;
	if (has_code(l, line))
		str_addf(&s, "%7d  ", line - (l->function ? l->base : 0));
	else
		str_pad(&s, 9, ' ');
	for (size_t i = 0; i < n; i++) { /* tabs stay: they are the source's own */
		if (text[i] == '\t')
			str_addc(&s, '\t');
		else if (text[i] != '\r') {
			size_t k = i;
			while (k < n && text[k] != '\t' && text[k] != '\r')
				k++;
			str_add_safe(&s, text + i, k - i);
			i = k - 1;
		}
	}
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

static int show_source(const struct probe_lines *r, const struct dwarf_lines *l, const char *path, struct out *out)
{
	struct str text = STR_INIT, head = STR_INIT;
	struct line_bounds b = bounds(r, l);
	int err = plain_read(path, &text, 64 << 20), line = 1;
	if (err) {
		error_sys(err, "cannot read %s", path);
		str_release(&text);
		return err;
	}
	str_addc(&head, '<');
	if (l->function) {
		str_add_safez(&head, l->function);
		str_addc(&head, '@');
	}
	str_add_safez(&head, path);
	str_addf(&head, ":%d>\n", l->function ? b.first - l->base : b.first);
	out_str(out, &head);
	for (const char *p = text.buf; *p && line <= b.last; line++) {
		size_t n = strcspn(p, "\n");
		if (line >= b.first)
			show_source_line(l, p, n, line, out);
		p += n + (p[n] == '\n');
	}
	if (line <= b.first)
		err = error_set(ERANGE, "%s has only %d lines", path, line - 1);
	str_release(&text);
	str_release(&head);
	return err;
}

int probe_show_lines(struct probe_target *t, const char *range, struct out *out)
{
	struct probe_lines r;
	struct dwarf_lines l = { 0 };
	char *path = NULL;
	int err = probe_lines_parse(&r, range);
	if (!err && probe_target_dwarf(t))
		err = probe_target_no_dwarf(t);
	if (!err)
		err = dwarf_find_lines(t->dwarf, r.function, r.file, probe_alias, t, &l);
	if (err == -ENOENT && !r.function && r.file && probe_target_is_go(t)) { /* main.add is a function */
		error_clear();
		dwarf_lines_release(&l);
		err = dwarf_find_lines(t->dwarf, r.file, NULL, probe_alias, t, &l);
	}
	if (!err)
		err = source_open(l.file, l.comp_dir, t->options.source, &path);
	if (!err)
		err = show_source(&r, &l, path, out);
	free(path);
	dwarf_lines_release(&l);
	probe_lines_release(&r);
	return err;
}

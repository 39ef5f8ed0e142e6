// SPDX-License-Identifier: GPL-2.0-or-later
/* stap -l and -L: the places that a probe's words mean, with the variables that are there. */
#include "script/stap/list.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/ctype/ctype.h"
#include "script/stap/front.h"

/* kernel.function("vfs_*") with the name that was found for the pattern. */
static void point_text(struct str *out, const struct stap_block *b, const struct point *p)
{
	const char *open = strchr(b->name, '"'), *close = open ? strchr(open + 1, '"') : NULL, *last = strrchr(p->name, ':');
	const char *second = close ? strchr(close + 1, '"') : NULL;
	if (second) { /* process("file").function("f") */
		open = second;
		close = strchr(open + 1, '"');
	}
	if (!open || !close || !last || b->call) {
		str_add(out, b->call && last ? "syscall." : b->name);
		if (b->call && last)
			str_addf(out, "%s%s", strstr(last, "sys_enter_") ? strstr(last, "sys_enter_") + 10 : strstr(last, "sys_exit_") ? strstr(last, "sys_exit_") + 9 : last + 1,
				 b->side == SIDE_RETURN ? ".return" : "");
		return;
	}
	str_addn(out, b->name, (size_t)(open + 1 - b->name));
	str_add(out, last + 1);
	str_add(out, close);
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

static void variables(struct str *out, const struct stap_block *b, const struct script_type *args)
{
	if (b->side == SIDE_RETURN)
		str_add(out, " $return:long");
	for (unsigned i = 0; args && i < args->n_fields; i++) {
		const struct type_field *f = &args->fields[i];
		if (!f->name || !strcmp(f->name, "__syscall_nr"))
			continue;
		str_addf(out, " $%s:", f->name);
		c_name(f->type, out);
	}
}

static void show_block(const struct stap_block *b, const struct run_script *s, bool details, struct out *out)
{
	struct str line = STR_INIT;
	if (!b->probe)
		out_printf(out, "%s\n", b->name);
	for (size_t k = 0; b->probe && k < s->units.n; k++)
		for (size_t j = 0; s->units.at[k].probe == b->probe && j < s->units.at[k].points.n; j++) {
			const struct point *p = &s->points.at[s->units.at[k].points.at[j]];
			point_text(&line, b, p);
			if (details)
				variables(&line, b, p->args);
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/list.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "script/ctype/ctype.h"
#include "script/provider/provider.h"

bool list_probe(struct probe_list *l, const char *name)
{
	struct str line = STR_INIT;
	if (!glob_match(l->pattern, name))
		return false;
	str_add_safez(&line, name);
	str_addc(&line, '\n');
	out_str(l->out, &line);
	str_release(&line);
	l->shown++;
	return l->details;
}

void list_arg(struct probe_list *l, const char *text)
{
	struct str line = STR_INIT;
	str_add(&line, "    ");
	str_add_safez(&line, text);
	str_addc(&line, '\n');
	out_str(l->out, &line);
	str_release(&line);
}

/* C's name of a number: of its size and sign, since those of typedefs are looked through. */
static const char *number_name(const struct script_type *t)
{
	static const char *const names[2][9] = { { [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int", [8] = "unsigned long" },
		{ [1] = "signed char", [2] = "short", [4] = "int", [8] = "long" } };
	if (t->is_char)
		return "char";
	return t->name ? t->name : t->size <= 8 && names[t->is_signed][t->size] ? names[t->is_signed][t->size] : "?";
}

/* "struct file *", and what stands behind the name: "[16]" */
static void c_type(const struct script_type *t, struct str *before, struct str *behind)
{
	struct str none = STR_INIT;
	switch (t->kind) {
	case TYPE_INT: str_addf(before, "%s ", number_name(t)); break;
	case TYPE_STRUCT: str_addf(before, "%s ", t->name); break;
	case TYPE_ARRAY:
		c_type(t->to, before, behind);
		str_addf(behind, t->count ? "[%u]" : "[]", t->count);
		break;
	case TYPE_POINTER:
		if (t->to && t->to->kind == TYPE_FUNCTION)
			str_add(before, "void (*)() ");
		else if (t->to)
			c_type(t->to, before, &none);
		else
			str_add(before, "void ");
		if (!t->to || t->to->kind != TYPE_FUNCTION)
			str_addc(before, '*');
		break;
	default: str_add(before, "? "); break;
	}
	str_release(&none);
}

void list_field(struct probe_list *l, const struct type_field *f)
{
	struct str before = STR_INIT, behind = STR_INIT;
	c_type(f->type, &before, &behind);
	str_addf(&before, "%s%s", f->name, behind.buf);
	if (f->bits)
		str_addf(&before, " : %u", f->bits);
	list_arg(l, before.buf);
	str_release(&before);
	str_release(&behind);
}

const char *list_rest(const struct probe_list *l, const struct provider *p)
{
	size_t n = strcspn(l->pattern, ":");
	char *kind = xstrndup(l->pattern, n);
	bool named = l->pattern[n] && provider_is_called(p, kind);
	free(kind);
	return named ? l->pattern + n + 1 : NULL;
}

static int list_enum(struct probe_list *l, const struct script_type *t)
{
	out_printf(l->out, "%s {\n", t->name);
	for (unsigned i = 0; i < t->n_constants; i++)
		out_printf(l->out, "\t%s = %lld,\n", t->constants[i].name, (long long)t->constants[i].value);
	out_puts(l->out, "};\n\n");
	return 0;
}

/* struct NAME { members }, enum NAME { constants } */
static int list_type(struct probe_list *l, const char *name)
{
	struct script_type *t = ctype_find(l->s->types, NULL, name);
	if (t && t->n_constants && t->name)
		return list_enum(l, t);
	if (!t || !ctype_members(t)) {
		error_set(ENOENT, "nobody knows a '%s' here", name);
		ctype_hint(l->s->types, NULL, name);
		return -ENOENT;
	}
	out_printf(l->out, "%s {\n", t->name);
	for (unsigned i = 0; i < t->n_fields; i++) {
		struct str before = STR_INIT, behind = STR_INIT;
		c_type(t->fields[i].type, &before, &behind);
		out_printf(l->out, "\t%s%s%s", before.buf, t->fields[i].name, behind.buf);
		if (t->fields[i].bits)
			out_printf(l->out, " : %u", t->fields[i].bits);
		out_puts(l->out, ";\n");
		str_release(&before);
		str_release(&behind);
	}
	out_puts(l->out, "};\n\n");
	return 0;
}

/* Kinds go by all their names: t:sched:* lists tracepoint:sched:*. */
static char *with_long_kind(const char *pattern)
{
	size_t n = strcspn(pattern, ":");
	char *kind = xstrndup(pattern, n), *whole = NULL;
	for (const struct provider *p = NULL; pattern[n] && !whole && (p = provider_next(p));)
		if (provider_is_called(p, kind))
			whole = xasprintf("%s%s", p->name, pattern + n);
	free(kind);
	return whole ? whole : xstrdup(pattern);
}

int probe_list_all(struct run_script *s, const char *pattern, bool details, struct out *out)
{
	if (pattern && (str_starts(pattern, "struct ") || str_starts(pattern, "union ") || str_starts(pattern, "enum "))) {
		struct probe_list l = { .s = s, .out = out };
		return list_type(&l, pattern);
	}
	char *whole = with_long_kind(pattern ? pattern : "*");
	struct probe_list l = { .s = s, .out = out, .pattern = whole, .details = details };
	int err = 0;
	for (const struct provider *p = NULL; !err && (p = provider_next(p));)
		if (p->list && (glob_has(whole) || list_rest(&l, p) || !strchr(whole, ':')))
			err = p->list(&l);
	if (!err && !l.shown) {
		err = error_set(ENOENT, "there is no probe '%s' here", whole);
		if (glob_has(whole))
			error_hint("functions of programs are listed with their file: uprobe:/bin/bash:*; markers, too: usdt:FILE:*");
		else
			error_hint("a part of a name needs wildcards: '*%s*'; functions of programs are listed with their file: uprobe:/bin/bash:*", pattern ? pattern : "");
	}
	free(whole);
	return err;
}

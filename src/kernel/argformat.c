// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/argformat.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "kernel/dynevents.h"

/* What becomes of an argument in the format. */
enum arg_change { ARG_KEPT, ARG_SIGNED, ARG_STRING, ARG_LEFT_OUT, ARG_NUMBERS };
struct changed_arg { const char *name; size_t len; enum arg_change change; int bits; bool array; };
typedef VEC(struct changed_arg) changed_args;

static bool is(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(p, word, n);
}

/* Is b called as a is, with that behind it? */
static bool follows(const struct changed_arg *a, const struct changed_arg *b, const char *tail)
{
	return b->len == a->len + strlen(tail) && !memcmp(a->name, b->name, a->len) && is(b->name + a->len, b->len - a->len, tail);
}

/* The length of what comes before it. */
static void note_length(changed_args *a)
{
	struct changed_arg *length = &a->at[a->n - 1], *one = a->n > 1 ? length - 1 : NULL, *two = a->n > 2 ? length - 2 : NULL;
	length->change = ARG_SIGNED;
	length->bits = 64;
	if (two && follows(two, one, "_more") && follows(two, length, "_len")) {
		two->change = ARG_STRING;
		one->change = ARG_LEFT_OUT;
	} else if (one && one->array && follows(one, length, "_len")) {
		one->change = ARG_NUMBERS;
	}
}

/* One word of a definition: NAME=...:TYPE */
static void read_word(const char *w, const char *end, changed_args *out)
{
	const char *eq = memchr(w, '=', (size_t)(end - w)), *type = memrchr(w, ':', (size_t)(end - w));
	if (!eq || !type || type < eq)
		return;
	struct changed_arg *a = vec_push(out);
	*a = (struct changed_arg){ .name = w, .len = (size_t)(eq - w) };
	const char *open = memchr(type, '[', (size_t)(end - type));
	type++;
	a->array = open;
	if (is(type, (size_t)(end - type), "b0x40@0/64")) {
		note_length(out);
	} else if (end - type > 3 && !strncmp(type, "b0x", 3)) {
		a->change = ARG_SIGNED;
		a->bits = (int)strtol(type + 3, NULL, 16);
	}
}

static bool read_definition(const char *line, size_t n, changed_args *out)
{
	bool any = false;
	for (const char *w = line, *end = line + n, *stop; w < end; w = stop + 1) {
		stop = memchr(w, ' ', (size_t)(end - w));
		stop = stop ? stop : end;
		read_word(w, stop, out);
	}
	vec_each(out, a)
		any |= a->change != ARG_KEPT;
	return any;
}

static const struct changed_arg *find(const changed_args *a, const char *name, size_t len)
{
	vec_each(a, x)
		if (x->change && x->len == len && !memcmp(x->name, name, len))
			return x;
	return NULL;
}

/* "\tfield:u32 NAME;\toffset:16;\tsize:4;\tsigned:0;", with NAME[] for arrays */
static bool change_field(const char *line, size_t n, const changed_args *args, struct str *out)
{
	static const char head[] = "\tfield:";
	const char *blank = memchr(line, ' ', n), *semicolon = memchr(line, ';', n);
	if (n < sizeof(head) || strncmp(line, head, sizeof(head) - 1) || !blank || semicolon < blank)
		return false;
	const char *name = blank + 1;
	size_t len = (size_t)(semicolon - name), bracket = len > 2 && !memcmp(semicolon - 2, "[]", 2) ? 2 : 0;
	const struct changed_arg *a = find(args, name, len - bracket);
	const char *offset = a ? memmem(semicolon, (size_t)(line + n - semicolon), "offset:", 7) : NULL;
	const char *size = offset ? memmem(offset, (size_t)(line + n - offset), "size:", 5) : NULL;
	if (!size || (a->change != ARG_SIGNED && !bracket))
		return false;
	long at = strtol(offset + 7, NULL, 10), bytes = strtol(size + 5, NULL, 10);
	int type = (int)(blank - line - (long)sizeof(head) + 1);
	bool is_signed = memmem(size, (size_t)(line + n - size), "signed:1", 8);
	if (a->change == ARG_LEFT_OUT)
		return true;
	if (a->change == ARG_SIGNED)
		str_addf(out, "%ss%d %.*s;\toffset:%ld;\tsize:%ld;\tsigned:1;\n", head, a->bits, (int)a->len, a->name, at, bytes);
	else if (a->change == ARG_STRING)
		str_addf(out, "%schar %.*s[%.*s_len];\toffset:%ld;\tsize:%d;\tsigned:0;\n", head, (int)a->len, a->name, (int)a->len, a->name, at,
			 ARG_TEXT + ARG_MORE);
	else
		str_addf(out, "%s%.*s %.*s[%.*s_len];\toffset:%ld;\tsize:%ld;\tsigned:%d;\n", head, type, line + sizeof(head) - 1,
			 (int)a->len, a->name, (int)a->len, a->name, at, bytes, is_signed);
	return true;
}

/* A blank and NAME=%u, or NAME={...}, of what is printed. */
static void change_conversion(const char *word, size_t n, const changed_args *args, struct str *out)
{
	const char *eq = memchr(word, '=', n);
	const struct changed_arg *a = eq ? find(args, word, (size_t)(eq - word)) : NULL;
	if (a && a->change == ARG_LEFT_OUT)
		return;
	str_addc(out, ' ');
	if (a && a->change == ARG_SIGNED)
		str_addf(out, "%.*s=%s", (int)a->len, a->name, memchr(eq, 'L', (size_t)(word + n - eq)) ? "%Ld" : "%d");
	else if (a && a->change == ARG_STRING)
		str_addf(out, "%.*s=\\\"%%.*s\\\"%%s", (int)a->len, a->name);
	else
		str_addn(out, word, n);
}

/* A comma, a blank and REC->NAME or REC->NAME[0], of what is put in there. */
static void change_value(const char *word, size_t n, const changed_args *args, struct str *out)
{
	const char *open = n > 5 && !strncmp(word, "REC->", 5) ? memchr(word, '[', n) : NULL;
	const struct changed_arg *a = open ? find(args, word + 5, (size_t)(open - word - 5)) : NULL;
	int len = a ? (int)a->len : 0;
	if (a && (a->change == ARG_LEFT_OUT || (a->change == ARG_STRING && strncmp(open, "[0]", 3))))
		return;
	str_add(out, ", ");
	if (a && a->change == ARG_STRING)
		str_addf(out, "(int)REC->%.*s_len, REC->%.*s, REC->%.*s_len > %d ? \"...\" : \"\"", len, a->name, len, a->name, len, a->name,
			 ARG_TEXT + ARG_MORE);
	else
		str_addn(out, word, n);
}

static const char *end_of_text(const char *p, const char *end)
{
	while (p < end && *p != '"')
		p += 1 + (*p == '\\' && p + 1 < end);
	return p;
}

/* print fmt: "(%lx) NAME=%u NAME={%d,%d}", REC->__probe_ip, REC->NAME, REC->NAME[0], REC->NAME[1] */
static void change_print(const char *line, size_t n, const changed_args *args, struct str *out)
{
	const char *end = line + n, *p = memchr(line, '"', n), *quote = p ? end_of_text(p + 1, end) : end;
	size_t word = p ? strcspn(p, " \n") : 0;
	if (!p || p + word > quote)
		word = p ? (size_t)(quote - p) : n;
	str_addn(out, line, (size_t)((p ? p : line) - line) + word);
	for (p = p ? p + word : end; p < quote; p += 1 + word) {
		const char *stop = memchr(p + 1, ' ', (size_t)(quote - p - 1));
		word = (size_t)((stop ? stop : quote) - p - 1);
		change_conversion(p + 1, word, args, out);
	}
	if (p < end)
		str_addc(out, '"');
	for (p = quote + 1; p < end && *p == ',';) {
		const char *value = p + 1 + (p + 1 < end && p[1] == ' '), *stop = value;
		for (int depth = 0; stop < end && *stop != '\n' && (depth || *stop != ','); stop++)
			depth += *stop == '(' ? 1 : *stop == ')' ? -1 : 0;
		change_value(value, (size_t)(stop - value), args, out);
		p = stop;
	}
	if (p < end)
		str_addn(out, p, (size_t)(end - p));
}

void argformat_apply(struct str *format, const char *definition, size_t n)
{
	changed_args args = { 0 };
	struct str out = STR_INIT;
	bool any = read_definition(definition, n, &args);
	for (const char *line = format->buf, *end; any && line && *line; line = end) {
		end = strchrnul(line, '\n');
		end += *end == '\n';
		if (!strncmp(line, "print fmt:", 10))
			change_print(line, (size_t)(end - line), &args, &out);
		else if (!change_field(line, (size_t)(end - line), &args, &out))
			str_addn(&out, line, (size_t)(end - line));
	}
	if (any) {
		struct str old = *format;
		*format = out;
		out = old;
	}
	str_release(&out);
	vec_release(&args);
}

/* "p:GROUP/EVENT ...", "r8:GROUP/EVENT ..." */
static bool defines(const char *line, const char *group, const char *event)
{
	size_t g = strlen(group), e = strlen(event);
	line += strcspn(line, ":\n");
	return *line == ':' && !strncmp(line + 1, group, g) && line[1 + g] == '/' && !strncmp(line + 2 + g, event, e) &&
	       strchr(" \n", line[2 + g + e]);
}

void argformat_find(struct str *format, const char *group, const char *event)
{
	struct str all = STR_INIT;
	bool found = false;
	if (!format->len || (!strstr(format->buf, "__probe_ip") && !strstr(format->buf, "__probe_ret_ip")))
		return;
	for (int kind = DYNEVENTS_KPROBE; kind <= DYNEVENTS_UPROBE && !found; kind++) {
		str_clear(&all);
		if (dynevents_read(kind, &all))
			continue;
		for (const char *line = all.len ? all.buf : ""; *line && !found; line = strchrnul(line, '\n'), line += *line == '\n')
			if ((found = defines(line, group, event)))
				argformat_apply(format, line, strcspn(line, "\n"));
	}
	str_release(&all);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* libtraceevent trusts its input, and a recording's formats are anybody's. What it is given must look
 * like a kernel's format file: fields to the letter; in the print format only what is printable,
 * brackets and quotes in pairs and not deep, no width that fills the memory, no division by 0. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/str.h"
#include "tracedat/sound.h"

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind the text, or NULL when it does not stand there (or c is NULL). */
static const char *skip_text(const char *c, const char *text)
{
	size_t n = strlen(text);
	return c && !strncmp(c, text, n) ? c + n : NULL;
}

/* Of an id, an offset or a size: no event is larger than 64 KiB, and libtraceevent asks for as much memory as a field has. */
static const char *skip_number(const char *c)
{
	size_t n = c ? strspn(c, "0123456789") : 0;
	return n && n < 6 && strtoul(c, NULL, 10) <= 65536 ? c + n : NULL;
}

/* A name; what C has no letters for is in some events' names, too (ftrace's, probes'). */
static const char *skip_name(const char *c, const char *also)
{
	const char *from = c;
	while (c && (word_char(*c) || (*c && strchr(also, *c))))
		c++;
	return c != from ? c : NULL;
}

/* `const char * name`, `char comm[16]`, `__data_loc u8[] data`: at least two words, brackets at most once. */
static const char *skip_declaration(const char *c)
{
	int words = 0, brackets = 0;
	for (; c && *c != ';'; c = c ? c + strspn(c, " ") : NULL) {
		if (word_char(*c)) {
			words++;
			c = isdigit((unsigned char)*c) ? NULL : skip_name(c, "");
		} else if (*c == '*' && words) {
			c++;
		} else if (*c == '[' && words && !brackets++) {
			c++;
			c = skip_text(c + strspn(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ "), "]");
		} else {
			return NULL;
		}
	}
	return words >= 2 ? c : NULL;
}

/* A line `field:DECLARATION; offset:N; size:N; signed:N;` */
static const char *skip_field(const char *c)
{
	c = skip_declaration(skip_text(c, "\tfield:"));
	c = skip_number(skip_text(c, ";\toffset:"));
	c = skip_number(skip_text(c, ";\tsize:"));
	c = skip_text(c, ";");
	const char *sign = skip_number(skip_text(c, "\tsigned:"));
	return skip_text(sign ? skip_text(sign, ";") : c, "\n");
}

/* Up to the print format's first quote; NULL when something else stands before it. */
static const char *skip_fields(const char *f)
{
	const char *c = skip_text(skip_name(skip_text(f, "name: "), "-.:+@"), "\n");
	c = skip_text(skip_number(skip_text(c, "ID: ")), "\nformat:\n");
	while (c && (*c == '\t' || *c == '\n'))
		c = *c == '\n' ? c + 1 : skip_field(c);
	c = skip_text(c, "print fmt: ");
	return c && *c == '"' ? c : NULL;
}

/* Skips a literal in quotes; NULL when it does not end. */
static const char *skip_quoted(const char *c)
{
	for (char q = *c++; *c != q; c++) {
		if (!*c || (*c == '\\' && !*++c))
			return NULL;
	}
	return c;
}

/* A width of many digits, or one out of the event, would be printed as so many spaces. */
static bool sound_widths(const char *c, const char *end)
{
	for (; c < end; c++) {
		int digits = 0;
		bool width = false, star = false, dot = false;
		if (*c != '%')
			continue;
		for (c++; c < end && strchr("#-+ .*0123456789", *c); c++) {
			digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
			dot |= *c == '.';
			star |= *c == '*';
			width |= *c == '*' && !dot;
			if (digits > 4)
				return false;
		}
		while (c < end && strchr("hlLzZ", *c))
			c++;
		if (c == end || (strchr("diouxXc", *c) ? star : *c == 's' && width)) /* the next literal would go on with it */
			return false;
	}
	return true;
}

static const char *skip_spaces(const char *c)
{
	return c + strspn(c, " ");
}

/* Behind a number that is not 0; NULL for anything else. */
static const char *skip_positive(const char *c)
{
	size_t n = strspn(c, "0123456789");
	return *c < '1' || *c > '9' || n > 9 ? NULL : skip_spaces(c + n + strspn(c + n, "UuLl"));
}

/* libtraceevent divides by what is there, be it 0: a divisor must be a constant, as in NSEC / 1000L,
 * ns / (1000 * 1000) and len / sizeof(u64) (which it does not understand and leaves alone). */
static bool sound_divisor(const char *c)
{
	c = skip_spaces(c);
	if (str_starts(c, "sizeof("))
		return true;
	if (*c != '(')
		return skip_positive(c);
	c = skip_positive(skip_spaces(c + 1));
	if (c && *c == '*')
		c = skip_positive(skip_spaces(c + 1));
	return c && *c == ')';
}

/* libtraceevent falls over a field that the event does not have: what stands behind REC-> must be declared. */
static bool sound_field(const char *fields, const char *end, const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	for (const char *c = fields; n && c < end && (c = memmem(c, (size_t)(end - c), name, n)); c++)
		if ((c[-1] == ' ' || c[-1] == '*') && (c[n] == ';' || c[n] == '['))
			return true;
	return false;
}

bool format_sound(const char *f)
{
	char open[64];
	int depth = 0;
	const char *c = skip_fields(f);
	const char *fields_end = c;
	if (!c)
		return false;
	for (; *c; c++) {
		if (*c == 'R' && str_starts(c, "REC->") && !sound_field(f + 6, fields_end, c + 5))
			return false;
		if (*c == '"' || *c == '\'') {
			const char *end = skip_quoted(c);
			if (!end || !sound_widths(c + 1, end))
				return false;
			c = end;
		} else if ((*c == '/' || *c == '%') && !sound_divisor(c + 1)) {
			return false;
		} else if (strchr("([{", *c)) {
			if (depth == (int)sizeof(open))
				return false;
			open[depth++] = *c == '(' ? ')' : *c == '[' ? ']' : '}';
		} else if (strchr(")]}", *c) && (!depth || open[--depth] != *c)) {
			return false;
		} else if ((unsigned char)*c >= 127 || (*c < 32 && !strchr("\n\t", *c)) || strchr("$`@#\\", *c)) { /* not C */
			return false;
		}
	}
	return !depth;
}

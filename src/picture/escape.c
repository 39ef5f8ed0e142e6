// SPDX-License-Identifier: GPL-2.0-or-later
#include "picture/escape.h"

static void add_each(struct str *s, const char *z, size_t n, void (*add)(struct str *s, char c))
{
	struct str plain = STR_INIT;
	str_add_safe(&plain, z, n);
	for (size_t i = 0; i < plain.len; i++)
		add(s, plain.buf[i]);
	str_release(&plain);
}

static void add_entity(struct str *s, char c)
{
	switch (c) {
	case '&': str_add(s, "&amp;"); break;
	case '<': str_add(s, "&lt;"); break;
	case '>': str_add(s, "&gt;"); break;
	case '"': str_add(s, "&quot;"); break;
	case '\'': str_add(s, "&#39;"); break;
	default: str_addc(s, c);
	}
}

void escape_markup(struct str *s, const char *z, size_t n)
{
	add_each(s, z, n, add_entity);
}

void escape_markupz(struct str *s, const char *z)
{
	escape_markup(s, z, strlen(z));
}

/* "<" is the one character that a page looks for inside <script>. */
static void add_unit(struct str *s, char c)
{
	if (c == '<' || c == '>' || c == '&' || c == '\'') {
		str_addf(s, "\\u%04x", c);
		return;
	}
	if (c == '"' || c == '\\')
		str_addc(s, '\\');
	str_addc(s, c);
}

void escape_scriptz(struct str *s, const char *z)
{
	str_addc(s, '"');
	add_each(s, z, strlen(z), add_unit);
	str_addc(s, '"');
}

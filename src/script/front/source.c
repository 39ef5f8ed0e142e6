// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/front/source.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"

enum { PIECE = 16384 };
struct arena_piece {
	struct arena_piece *before;
	size_t used, size;
	_Alignas(16) char bytes[];
};

void *arena_get(struct arena *a, size_t n)
{
	n = (n + 15) & ~(size_t)15;
	if (!a->last || a->last->size - a->last->used < n) {
		size_t size = n > PIECE ? n : PIECE;
		struct arena_piece *p = xcalloc(1, sizeof(*p) + size);
		p->size = size;
		p->before = a->last;
		a->last = p;
	}
	void *at = a->last->bytes + a->last->used;
	a->last->used += n;
	return at;
}

char *arena_text(struct arena *a, const char *p, size_t n)
{
	char *t = arena_get(a, n + 1);
	memcpy(t, p, n);
	return t;
}

void arena_release(struct arena *a)
{
	while (a->last) {
		struct arena_piece *p = a->last;
		a->last = p->before;
		free(p);
	}
}

static const char *line_of(const struct script_source *s, uint32_t at)
{
	const char *p = s->text + (at > s->len ? s->len : at);
	while (p > s->text && p[-1] != '\n')
		p--;
	return p;
}

/* Line and column, both from 1, of a byte of the text. */
static void source_where(const struct script_source *s, uint32_t at, unsigned *line, unsigned *column)
{
	const char *begin = line_of(s, at);
	*line = 1;
	for (const char *p = s->text; p < begin; p++)
		*line += *p == '\n';
	*column = (unsigned)(s->text + (at > s->len ? s->len : at) - begin) + 1;
}

static int say(const struct script_source *s, struct span at, int code, const char *text)
{
	unsigned line, column;
	const char *begin = line_of(s, at.at);
	char *shown = xstrndup(begin, strcspn(begin, "\n"));
	for (char *p = shown; *p; p++)
		*p = *p == '\t' ? ' ' : *p;
	source_where(s, at.at, &line, &column);
	error_set(code, "%s:%u:%u: %s", s->name, line, column, text);
	error_caret(shown, column - 1, at.len);
	free(shown);
	return -code;
}

int source_error(const struct script_source *s, struct span at, const char *fmt, ...)
{
	va_list ap;
	struct str text = STR_INIT;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	int err = say(s, at, EINVAL, text.buf);
	str_release(&text);
	return err;
}

int source_blame(const struct script_source *s, struct span at)
{
	char *why = xstrdup(error_message()), *hints = xstrdup(error_hints());
	int err = source_error(s, at, "%s", why);
	if (*hints)
		error_hint("%s", hints);
	free(why);
	free(hints);
	return err;
}

int source_later(const struct script_source *s, struct span at, const char *what)
{
	struct str text = STR_INIT;
	str_addf(&text, "%s: sonde run cannot do that yet", what);
	int err = say(s, at, ENOTSUP, text.buf);
	str_release(&text);
	error_hint("bpftrace can, where it is installed");
	return err;
}

void source_warn(const struct script_source *s, struct span at, const char *fmt, ...)
{
	va_list ap;
	unsigned line, column;
	struct str text = STR_INIT;
	if (s->no_warnings)
		return;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	source_where(s, at.at, &line, &column);
	warn("%s:%u:%u: %s", s->name, line, column, text.buf);
	str_release(&text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/front/preprocess.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "kernel/features/features.h"

static uint32_t line_end(const struct lexer *l, uint32_t at)
{
	const char *t = l->source->text;
	for (;; at++) {
		at += (uint32_t)strcspn(t + at, "\n");
		if (!t[at] || at == 0 || t[at - 1] != '\\')
			return at;
	}
}

static uint32_t skip_blank(const char *t, uint32_t at)
{
	return at + (uint32_t)strspn(t + at, " \t");
}

static uint32_t word_end(const char *t, uint32_t at)
{
	while (isalnum((unsigned char)t[at]) || t[at] == '_')
		at++;
	return at;
}

static bool is_defined(const struct lexer *l, const char *name, size_t len)
{
	static const char btf[] = "BPFTRACE_HAVE_BTF";
	return macro_find(l, name, len) || (len == strlen(btf) && !memcmp(name, btf, len) && feature_works(FEATURE_BTF));
}

static int define(struct lexer *l, uint32_t at, uint32_t end, bool undo)
{
	const char *t = l->source->text;
	uint32_t behind = word_end(t, at);
	if (behind == at || isdigit((unsigned char)t[at]))
		return source_error(l->source, (struct span){ at, 1 }, "a name follows #define");
	struct script_macro *m = arena_get(&l->source->memory, sizeof(*m));
	*m = (struct script_macro){ .name = t + at, .len = behind - at, .undone = undo, .next = l->macros };
	int err = t[behind] == '(' && !undo ? macro_names(l, m, &behind, end) : 0;
	m->text = (struct text_part){ behind, end };
	l->macros = m;
	return err;
}

enum directive { DIR_NONE, DIR_IF, DIR_IFDEF, DIR_IFNDEF, DIR_ELIF, DIR_ELSE, DIR_ENDIF, DIR_DEFINE, DIR_UNDEF, DIR_INCLUDE, DIR_ERROR };

/* Which one begins at the #; *at: what follows its word. */
static enum directive directive(const char *t, uint32_t *at)
{
	static const char *const names[] = { "", "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "error" };
	uint32_t begin = skip_blank(t, *at + 1), end = word_end(t, begin);
	enum directive d = DIR_NONE;
	for (int i = 1; i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (strlen(names[i]) == end - begin && !memcmp(names[i], t + begin, end - begin))
			d = (enum directive)i;
	*at = skip_blank(t, end);
	return d;
}

/* #if knows 0 and 1, defined(X), !defined(X). */
static int condition(struct lexer *l, enum directive d, uint32_t at, bool *yes)
{
	const char *t = l->source->text;
	bool not = d == DIR_IFNDEF;
	if (d == DIR_IF || d == DIR_ELIF) {
		if (t[at] == '0' || t[at] == '1') {
			*yes = t[at] == '1';
			return 0;
		}
		not = t[at] == '!';
		at = skip_blank(t, at + not);
		if (!str_starts(t + at, "defined"))
			return source_later(l->source, (struct span){ at, 1 }, "#if with more than defined(NAME)");
		at = skip_blank(t, at + 7);
		at = skip_blank(t, at + (t[at] == '('));
	}
	uint32_t end = word_end(t, at);
	if (end == at)
		return source_error(l->source, (struct span){ at, 1 }, "a name is missing here");
	*yes = is_defined(l, t + at, end - at) != not;
	return 0;
}

/* From the line at pos to the #else, #elif or #endif of the same #if that is to be taken next. */
static int leave_out(struct lexer *l, struct span from, bool to_else)
{
	const char *t = l->source->text;
	unsigned depth = 0;
	while (l->pos < l->source->len) {
		uint32_t at = skip_blank(t, l->pos + (t[l->pos] == '\n')), end = line_end(l, at), after = at;
		l->pos = end;
		if (t[at] != '#')
			continue;
		enum directive d = directive(t, &after);
		bool yes = d == DIR_ELSE;
		if (d == DIR_IF || d == DIR_IFDEF || d == DIR_IFNDEF) {
			depth++;
		} else if (d == DIR_ENDIF) {
			if (!depth--) {
				l->conditions--;
				return 0;
			}
		} else if (!depth && to_else && (d == DIR_ELSE || d == DIR_ELIF)) {
			if (d == DIR_ELIF && condition(l, d, after, &yes))
				return error_code();
			if (yes)
				return 0;
		}
	}
	return source_error(l->source, from, "this has no #endif");
}

static int include(struct lexer *l, uint32_t at, uint32_t end)
{
	note(1, "%s: %.*s is taken and not read: constants are built in, types come from the kernel's own", l->source->name, (int)(end - at),
	     l->source->text + at);
	return 0;
}

int preprocess_line(struct lexer *l)
{
	const char *t = l->source->text;
	uint32_t at = l->pos, end = line_end(l, l->pos);
	struct span here = { l->pos, 1 };
	bool yes;
	int err;
	if (t[at + 1] == '!') { /* a shell starts us with the script's file */
		l->pos = end;
		return 0;
	}
	enum directive d = directive(t, &at);
	here.len = end - here.at;
	switch (d) {
	case DIR_IF:
	case DIR_IFDEF:
	case DIR_IFNDEF:
		err = condition(l, d, at, &yes);
		l->pos = end;
		l->conditions++;
		return err || yes ? err : leave_out(l, here, true);
	case DIR_ELIF:
	case DIR_ELSE:
	case DIR_ENDIF:
		if (!l->conditions)
			return source_error(l->source, here, "there is no #if before this");
		l->pos = end;
		l->conditions -= d == DIR_ENDIF;
		return d == DIR_ENDIF ? 0 : leave_out(l, here, false);
	case DIR_DEFINE:
	case DIR_UNDEF:
		l->pos = end;
		return define(l, at, end, d == DIR_UNDEF);
	case DIR_INCLUDE:
		l->pos = end;
		return include(l, at, end);
	case DIR_ERROR: return source_error(l->source, here, "%.*s", (int)(end - at), t + at);
	case DIR_NONE: break;
	}
	return source_error(l->source, here, "no line begins like that; #include, #define, #ifdef and their kin are known");
}

int preprocess_end(const struct lexer *l)
{
	return l->conditions ? source_error(l->source, (struct span){ (uint32_t)l->source->len, 1 }, "an #endif is missing at the end") : 0;
}

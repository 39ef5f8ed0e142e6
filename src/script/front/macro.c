// SPDX-License-Identifier: GPL-2.0-or-later
/* Macros: the lexer goes on in their text, and in what was given to them, so that all places stay those of the script. What was given
 * is read where it is used, with the names that were meant where it was written. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/front/preprocess.h"

enum { NAMES = 16, PUT_MOST = 4 << 20 };

const struct script_macro *macro_find(const struct lexer *l, const char *name, size_t len)
{
	const struct script_macro *m = l->macros;
	while (m && (m->len != len || memcmp(m->name, name, len)))
		m = m->next;
	return m && !m->undone ? m : NULL;
}

/* ---- text ---- */

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind the string, the comment, the word or the character that is there. */
static uint32_t behind(const char *t, uint32_t at, uint32_t end)
{
	uint32_t from = at;
	if (t[at] == '"') {
		for (at++; at < end && t[at] != '"'; at++)
			at += t[at] == '\\' && at + 1 < end;
		at++;
	} else if (t[at] == '/' && t[at + 1] == '/') {
		at += (uint32_t)strcspn(t + at, "\n");
	} else if (t[at] == '/' && t[at + 1] == '*') {
		const char *close = strstr(t + at + 2, "*/");
		at = close ? (uint32_t)(close + 2 - t) : end;
	} else {
		while (at < end && in_word(t[at]))
			at++;
	}
	at += at == from;
	return at < end ? at : end;
}

static uint32_t skip_blank(const char *t, uint32_t at, uint32_t end)
{
	while (at < end && (isspace((unsigned char)t[at]) || t[at] == '\\'))
		at++;
	return at;
}

static struct text_part trimmed(const char *t, uint32_t begin, uint32_t end)
{
	begin = skip_blank(t, begin, end);
	while (end > begin && isspace((unsigned char)t[end - 1]))
		end--;
	return (struct text_part){ begin, end };
}

/* From the bracket at *at to its other one, behind which *at goes then: what is between the commas. -1: it has none. More than `most`
 * parts are counted only. */
static int parts_of(const char *t, uint32_t *at, uint32_t end, struct text_part *parts, int most)
{
	uint32_t from = *at + 1;
	int n = 0, depth = 0;
	for (uint32_t p = *at; p < end; p = behind(t, p, end)) {
		depth += strchr("([{", t[p]) != NULL;
		depth -= strchr(")]}", t[p]) != NULL;
		if (depth && !(depth == 1 && t[p] == ','))
			continue;
		if (n < most)
			parts[n] = trimmed(t, from, p);
		from = p + 1;
		n++;
		if (!depth) {
			*at = from;
			return n == 1 && most && parts[0].begin == parts[0].end ? 0 : n;
		}
	}
	return -1;
}

/* ---- what is declared ---- */

int macro_names(struct lexer *l, struct script_macro *m, uint32_t *at, uint32_t end)
{
	const char *t = l->source->text;
	struct span here = { *at, 1 };
	struct text_part *names = arena_get(&l->source->memory, NAMES * sizeof(*names));
	int n = parts_of(t, at, end, names, NAMES);
	if (n < 0)
		return source_error(l->source, here, "the bracket ) of the macro's names is missing");
	if (n > NAMES)
		return source_error(l->source, here, "a macro has at most %d names", NAMES);
	for (int i = 0; i < n; i++) {
		uint32_t p = names[i].begin + (m->block && strchr("$@", t[names[i].begin]));
		bool word = p < names[i].end && !isdigit((unsigned char)t[p]);
		while (p < names[i].end && in_word(t[p]))
			p++;
		if (!word || p < names[i].end)
			return source_error(l->source, (struct span){ names[i].begin, names[i].end - names[i].begin + !word }, m->block ? "$name, @name or name should be here" : "a name should be here");
	}
	m->names = names;
	m->n_names = (unsigned)n;
	m->with_args = true;
	return 0;
}

int macro_declare(struct lexer *l)
{
	const char *t = l->source->text;
	struct script_macro *m = arena_get(&l->source->memory, sizeof(*m));
	uint32_t name = skip_blank(t, l->pos, l->end), at = name;
	while (at < l->end && in_word(t[at]))
		at++;
	*m = (struct script_macro){ .name = t + name, .len = at - name, .block = true, .next = l->macros };
	if (!m->len || isdigit((unsigned char)t[name]))
		return source_error(l->source, (struct span){ name, 1 }, "a name follows macro");
	if (macro_find(l, m->name, m->len))
		return source_error(l->source, (struct span){ name, (uint32_t)m->len }, "there is a macro of that name already");
	at = skip_blank(t, at, l->end);
	int err = at < l->end && t[at] == '(' ? macro_names(l, m, &at, l->end) : source_error(l->source, (struct span){ at, 1 }, "the names of a macro are in brackets: macro f($a, @m, x) { ... }");
	if (err)
		return err;
	m->text.begin = at = skip_blank(t, at, l->end);
	if (at >= l->end || t[at] != '{')
		return source_error(l->source, (struct span){ at, 1 }, "a brace { begins what a macro stands for");
	if (parts_of(t, &at, l->end, NULL, 0) < 0)
		return source_error(l->source, (struct span){ m->text.begin, 1 }, "this brace is never closed");
	m->text.end = at;
	l->macros = m;
	l->pos = at;
	return lex_next(l);
}

/* ---- what is used ---- */

/* The use whose names are meant at this place; NULL: none. */
static const struct macro_use *use_at(const struct lexer *l, unsigned inside)
{
	while (inside && !l->back[inside - 1].macro)
		inside = l->back[inside - 1].of - 1; /* as it was where it was given */
	return inside ? &l->back[inside - 1] : NULL;
}

/* Are we in its own text? Then its name is just a word. */
static bool is_used(const struct lexer *l, const struct script_macro *m)
{
	for (const struct macro_use *u = use_at(l, l->inside); u; u = use_at(l, (unsigned)(u - l->back)))
		if (u->macro == m)
			return true;
	return false;
}

static int enter(struct lexer *l, struct macro_use use, struct text_part text, struct span at)
{
	if (l->inside == sizeof(l->back) / sizeof(l->back[0]))
		return source_error(l->source, at, "macros are nested too deep here");
	l->uses++;
	l->put += 64 + text.end - text.begin;
	if (l->put > PUT_MOST)
		return source_error(l->source, at, "macros stand for too much: more than %d megabytes of text", PUT_MOST >> 20);
	use.pos = l->pos;
	use.end = l->end;
	l->back[l->inside++] = use;
	l->pos = text.begin;
	l->end = text.end;
	return 1;
}

/* What was given for this name, in brackets where it is a value. */
static int given(struct lexer *l, const struct macro_use *u, unsigned i, struct span at)
{
	const char *t = l->source->text, first = t[u->macro->names[i].begin];
	struct macro_use use = { .of = (unsigned)(u - l->back) + 1, .bracket = u->macro->block && !strchr("$@", first) };
	struct text_part text = u->given[i];
	if (use.bracket) {
		int err = enter(l, use, text, at);
		l->now = (struct token){ .kind = '(', .at = { text.begin, 1 } };
		return err < 0 ? err : 2;
	}
	return enter(l, use, text, at);
}

/* A macro takes a variable for $x, a map for @x. */
static int check_given(struct lexer *l, const struct script_macro *m, const struct text_part *parts)
{
	const char *t = l->source->text;
	for (unsigned i = 0; m->block && i < m->n_names; i++) {
		char sign = t[m->names[i].begin];
		struct span at = { parts[i].begin, parts[i].end - parts[i].begin + (parts[i].begin == parts[i].end) };
		uint32_t p = parts[i].begin + 1;
		while (p < parts[i].end && in_word(t[p]))
			p++;
		if (strchr("$@", sign) && (parts[i].begin == parts[i].end || t[parts[i].begin] != sign || p < parts[i].end))
			return source_error(l->source, at, "%.*s takes a %s here", (int)m->len, m->name, sign == '$' ? "variable ($x)" : "map (@x), without a key");
		if (parts[i].begin == parts[i].end)
			return source_error(l->source, at, "a value is missing here");
	}
	return 0;
}

/* NAME( of a macro with arguments. 0: no bracket follows, it is just a word, unless it takes nothing. */
static int call(struct lexer *l, const struct script_macro *m, struct span at)
{
	const char *t = l->source->text;
	uint32_t p = skip_blank(t, l->pos, l->end);
	if ((p >= l->end || t[p] != '(') && m->block && !m->n_names)
		return enter(l, (struct macro_use){ .macro = m, .number = l->uses + 1 }, m->text, at);
	if (p >= l->end || t[p] != '(')
		return 0;
	struct text_part *parts = arena_get(&l->source->memory, (m->n_names + 1) * sizeof(*parts));
	int n = parts_of(t, &p, l->end, parts, (int)m->n_names + 1);
	if (n < 0)
		return source_error(l->source, at, "the bracket ) of this macro is missing");
	if (n == 0 && m->n_names == 1 && !m->block)
		n = 1; /* nothing, which is text as well */
	if ((unsigned)n != m->n_names)
		return source_error(l->source, at, "%.*s takes %u arguments, and here are %d", (int)m->len, m->name, m->n_names, n);
	int err = check_given(l, m, parts);
	if (err)
		return err;
	l->put += p - l->pos;
	l->pos = p;
	return enter(l, (struct macro_use){ .macro = m, .given = parts, .number = m->block ? l->uses + 1 : 0 }, m->text, at);
}

int macro_take(struct lexer *l)
{
	const char *t = l->source->text;
	struct span at = l->now.at;
	const struct macro_use *u = use_at(l, l->inside);
	for (unsigned i = 0; u && i < u->macro->n_names; i++) {
		struct text_part n = u->macro->names[i];
		if (n.end - n.begin == at.len && !memcmp(t + n.begin, t + at.at, at.len))
			return given(l, u, i, at);
	}
	if (l->now.kind == TOKEN_VAR && u && u->number) { /* its own */
		char *name = xasprintf("%s'%u", l->now.text, u->number);
		l->now.text = arena_text(&l->source->memory, name, strlen(name));
		l->now.len = strlen(name);
		free(name);
	}
	const struct script_macro *m = l->now.kind == TOKEN_WORD && l->macros ? macro_find(l, l->now.text, l->now.len) : NULL;
	if (!m || is_used(l, m))
		return 0;
	return m->with_args ? call(l, m, at) : enter(l, (struct macro_use){ .macro = m }, m->text, at);
}

bool macro_over(struct lexer *l)
{
	if (!l->inside || l->pos < l->end || l->back[l->inside - 1].bracket)
		return false;
	l->pos = l->back[--l->inside].pos;
	l->end = l->back[l->inside].end;
	return true;
}

bool macro_bracket(struct lexer *l)
{
	if (!l->inside || l->pos < l->end || !l->back[l->inside - 1].bracket)
		return false;
	l->now = (struct token){ .kind = ')', .at = { l->end, 1 } };
	l->back[l->inside - 1].bracket = false;
	return true;
}

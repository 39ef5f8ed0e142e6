// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/stap/parse/lex.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/stap/parse/pre.h"

enum { TOKENS_MOST = 1 << 20, PASTED_DEEP = 4 };

struct reader {
	struct script_source *source;
	const struct params *params;
	stap_tokens *out;
	const char *p, *begin, *end;
	bool pasted; /* a parameter's text: all of it stands at `at` */
	struct span at;
	unsigned deep;
};

static int text(struct reader *r);

static struct span span_of(const struct reader *r, const char *from)
{
	return r->pasted ? r->at : (struct span){ (uint32_t)(from - r->begin), (uint32_t)(r->p > from ? r->p - from : 1) };
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int fail(const struct reader *r, const char *from, const char *why)
{
	return source_error(r->source, span_of(r, from), "%s", why);
}

static bool is(const struct reader *r, const char *what)
{
	size_t n = strlen(what);
	return (size_t)(r->end - r->p) >= n && !memcmp(r->p, what, n);
}

/* White space and comments. *any: there were some. */
static int skip(struct reader *r, bool *any)
{
	const char *from = r->p;
	while (r->p < r->end) {
		if (isspace((unsigned char)*r->p)) {
			r->p++;
		} else if (*r->p == '#' || is(r, "//")) {
			while (r->p < r->end && *r->p != '\n')
				r->p++;
		} else if (is(r, "/*")) {
			const char *close = memmem(r->p + 2, (size_t)(r->end - r->p - 2), "*/", 2);
			if (!close)
				return fail(r, r->p, "this comment has no end");
			r->p = close + 2;
		} else {
			break;
		}
	}
	*any = r->p > from;
	return 0;
}

static struct stap_token *push(struct reader *r, int kind, const char *from, bool spaced)
{
	struct stap_token *t = vec_push(r->out);
	*t = (struct stap_token){ .kind = kind, .at = span_of(r, from), .spaced = spaced };
	return t;
}

/* One escape, behind the backslash, as C has it. */
static void escape(struct reader *r, struct str *s)
{
	static const char from[] = "nrtabfv", to[] = "\n\r\t\a\b\f\v";
	char c = *r->p++;
	const char *at = strchr(from, c);
	unsigned v = 0;
	if (c == 'x' && r->p < r->end && isxdigit((unsigned char)*r->p)) {
		for (int i = 0; i < 2 && r->p < r->end && isxdigit((unsigned char)*r->p); i++, r->p++)
			v = v * 16 + (unsigned)(isdigit((unsigned char)*r->p) ? *r->p - '0' : tolower(*r->p) - 'a' + 10);
		str_addc(s, (char)v);
	} else if (c >= '0' && c <= '7') {
		v = (unsigned)(c - '0');
		for (int i = 0; i < 2 && r->p < r->end && *r->p >= '0' && *r->p <= '7'; i++, r->p++)
			v = v * 8 + (unsigned)(*r->p - '0');
		str_addc(s, (char)v);
	} else {
		str_addc(s, c && at ? to[at - from] : c);
	}
}

/* Strings that stand side by side are one: the parser joins them. */
static int string(struct reader *r, bool spaced)
{
	struct str s = STR_INIT;
	const char *from = r->p++;
	while (r->p < r->end && *r->p != '"') {
		if (*r->p == '\\' && r->p + 1 < r->end) {
			r->p++;
			escape(r, &s);
		} else {
			str_addc(&s, *r->p++);
		}
	}
	bool open = r->p >= r->end;
	r->p += !open;
	struct stap_token *t = push(r, TOKEN_STRING, from, spaced);
	t->text = arena_text(&r->source->memory, s.buf, s.len);
	t->len = s.len;
	str_release(&s);
	return open ? source_error(r->source, (struct span){ t->at.at, 1 }, "this string has no end") : 0;
}

static int number(struct reader *r, bool spaced)
{
	const char *from = r->p;
	uint64_t v = 0;
	bool hex = *from == '0' && r->p + 1 < r->end && (from[1] | 32) == 'x', fits = true;
	unsigned base = hex ? 16 : *from == '0' ? 8 : 10;
	for (r->p += hex ? 2 : 0; r->p < r->end && in_word(*r->p); r->p++) {
		unsigned d = isdigit((unsigned char)*r->p) ? (unsigned)(*r->p - '0') : (unsigned)(tolower(*r->p) - 'a' + 10);
		if (d >= base)
			return fail(r, from, "a number does not end like that");
		fits &= !__builtin_mul_overflow(v, base, &v) && !__builtin_add_overflow(v, d, &v);
	}
	if (!fits)
		return fail(r, from, "this number is too large for 64 bits");
	push(r, TOKEN_INT, from, spaced)->value = (int64_t)v;
	return 0;
}

static void named(struct reader *r, int kind, bool spaced)
{
	const char *from = r->p;
	r->p += kind != TOKEN_WORD;
	const char *name = r->p;
	bool pretty = kind == TOKEN_VAR || (r->out->n && vec_last(r->out)->kind == TOKEN_ARROW); /* $x$, $x->y$$ */
	while (r->p < r->end && (in_word(*r->p) || (pretty && *r->p == '$')))
		r->p++;
	struct stap_token *t = push(r, kind, from, spaced);
	t->len = (size_t)(r->p - name);
	t->text = arena_text(&r->source->memory, name, t->len);
}

/* $1 is what the parameter has, as if it stood there; @1 is that as a string; $# and @# are how many there are. */
static int param(struct reader *r, bool spaced)
{
	const char *from = r->p++;
	bool quoted = *from == '@', count = *r->p == '#';
	uint64_t which = 0;
	if (count)
		r->p++;
	else
		for (; r->p < r->end && isdigit((unsigned char)*r->p); r->p++)
			which = which < 100000 ? which * 10 + (uint64_t)(*r->p - '0') : which;
	const char *given = r->params && which && which <= r->params->n ? r->params->at[which - 1] : NULL;
	char number_text[24];
	if (count) {
		snprintf(number_text, sizeof(number_text), "%u", r->params ? r->params->n : 0);
		given = number_text;
	}
	if (quoted) {
		struct stap_token *t = push(r, given ? TOKEN_STRING : TOKEN_PARAM, from, spaced);
		t->value = (int64_t)which;
		t->len = given ? strlen(given) : 0;
		t->text = arena_text(&r->source->memory, given ? given : "", t->len);
		return 0;
	}
	if (!given) {
		push(r, TOKEN_PARAM, from, spaced)->value = (int64_t)which;
		return 0;
	}
	if (r->deep >= PASTED_DEEP)
		return fail(r, from, "a parameter's text names parameters again and again");
	struct reader in = { r->source, r->params, r->out, given, given, given + strlen(given), true, span_of(r, from), r->deep + 1 };
	return text(&in);
}

static int embedded(struct reader *r)
{
	const char *from = r->p;
	const char *close = memmem(r->p, (size_t)(r->end - r->p), "%}", 2);
	r->p += 2;
	push(r, STAP_EMBEDDED, from, true);
	r->p = close ? close + 2 : r->end;
	return 0;
}

static int operator(struct reader *r, bool spaced)
{
	static const struct { const char *text; int kind; } ops[] = { /* longer ones first */
		{ "<<<", STAP_PUSH }, { ">>>", STAP_USHR }, { "<<=", TOKEN_SHL_TO }, { ">>=", TOKEN_SHR_TO }, { "==", TOKEN_EQ },
		{ "!=", TOKEN_NE }, { "<=", TOKEN_LE }, { ">=", TOKEN_GE }, { "&&", TOKEN_AND }, { "||", TOKEN_OR }, { "<<", TOKEN_SHL },
		{ ">>", TOKEN_SHR }, { "++", TOKEN_INC }, { "--", TOKEN_DEC }, { "->", TOKEN_ARROW }, { "+=", TOKEN_ADD_TO },
		{ "-=", TOKEN_SUB_TO }, { "*=", TOKEN_MUL_TO }, { "/=", TOKEN_DIV_TO }, { "%=", TOKEN_MOD_TO }, { "&=", TOKEN_AND_TO },
		{ "|=", TOKEN_OR_TO }, { "^=", TOKEN_XOR_TO }, { ".=", STAP_DOT_TO }, { "=~", STAP_MATCH }, { "!~", STAP_NO_MATCH },
		{ "%(", STAP_PRE }, { "%?", STAP_THEN }, { "%:", STAP_ELSE }, { "%)", STAP_CLOSE },
	};
	const char *from = r->p;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (is(r, ops[i].text)) {
			r->p += strlen(ops[i].text);
			push(r, ops[i].kind, from, spaced);
			return 0;
		}
	r->p++;
	if (!strchr("+-*/%&|^~!<>=?:;,.(){}[]", *from) || !*from)
		return fail(r, from, "nothing begins with this character");
	push(r, (unsigned char)*from, from, spaced);
	return 0;
}

static int token(struct reader *r, bool spaced)
{
	char c = *r->p, next = r->p + 1 < r->end ? r->p[1] : 0;
	if (isdigit((unsigned char)c))
		return number(r, spaced);
	if (c == '"')
		return string(r, spaced);
	if ((c == '$' || c == '@') && (isdigit((unsigned char)next) || next == '#'))
		return param(r, spaced);
	if (c == '$' || c == '@' || in_word(c)) {
		if ((c == '$' || c == '@') && !in_word(next) && next != '$')
			return fail(r, r->p, "a name follows here");
		named(r, c == '$' ? TOKEN_VAR : c == '@' ? STAP_AT : TOKEN_WORD, spaced);
		return 0;
	}
	return is(r, "%{") ? embedded(r) : operator(r, spaced);
}

static int text(struct reader *r)
{
	bool any;
	int err = skip(r, &any);
	while (!err && r->p < r->end) {
		if (r->out->n >= TOKENS_MOST)
			return fail(r, r->p, "the script is too long");
		err = token(r, any);
		if (!err)
			err = skip(r, &any);
	}
	return err;
}

int stap_lex_raw(struct script_source *s, stap_tokens *out)
{
	struct reader r = { s, NULL, out, s->text, s->text, s->text + s->len, false, { 0, 0 }, 0 };
	int err = text(&r);
	*vec_push(out) = (struct stap_token){ .kind = TOKEN_END, .at = { (uint32_t)s->len, 1 } };
	return err;
}

int stap_lex(struct script_source *s, const struct params *params, stap_tokens *out)
{
	struct reader r = { s, params, out, s->text, s->text, s->text + s->len, false, { 0, 0 }, 0 };
	if (s->len > 1 << 20)
		return source_error(s, (struct span){ 0, 1 }, "a script has at most a megabyte");
	if (strlen(s->text) != s->len)
		return source_error(s, (struct span){ (uint32_t)strlen(s->text), 1 }, "there is a zero byte in the script");
	int err = text(&r);
	*vec_push(out) = (struct stap_token){ .kind = TOKEN_END, .at = { (uint32_t)s->len, 1 } };
	return err ? err : stap_preprocess(s, out);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/front/lex.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/front/preprocess.h"

static char peek(const struct lexer *l, uint32_t ahead)
{
	return l->pos + ahead < l->end ? l->source->text[l->pos + ahead] : 0;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Is only white space before it in its line? */
static bool begins_line(const struct lexer *l)
{
	uint32_t at = l->pos;
	while (at && (l->source->text[at - 1] == ' ' || l->source->text[at - 1] == '\t'))
		at--;
	return !at || l->source->text[at - 1] == '\n';
}

/* White space, comments, lines of the preprocessor, the ends of macros. */
static int skip(struct lexer *l)
{
	const char *t = l->source->text;
	for (;;) {
		while (l->pos < l->end && (isspace((unsigned char)t[l->pos]) || (l->inside && t[l->pos] == '\\' && t[l->pos + 1] == '\n')))
			l->pos++;
		if (macro_over(l)) {
			continue;
		} else if (peek(l, 0) == '/' && peek(l, 1) == '/') {
			l->pos += (uint32_t)strcspn(t + l->pos, "\n");
			l->pos = l->pos < l->end ? l->pos : l->end;
		} else if (peek(l, 0) == '/' && peek(l, 1) == '*') {
			const char *end = strstr(t + l->pos + 2, "*/");
			if (!end)
				return source_error(l->source, (struct span){ l->pos, 2 }, "this comment has no end");
			l->pos = (uint32_t)(end + 2 - t);
		} else if (peek(l, 0) == '#' && !l->inside && begins_line(l)) {
			int err = preprocess_line(l);
			if (err)
				return err;
		} else {
			return 0;
		}
	}
}

static int escape(struct lexer *l, struct str *s)
{
	static const char from[] = "nrtabfv0\\\"'", to[] = "\n\r\t\a\b\f\v\0\\\"'";
	char c = peek(l, 1);
	const char *p = c ? strchr(from, c) : NULL;
	if (c == 'x' && isxdigit((unsigned char)peek(l, 2))) {
		unsigned v = 0, n = 0;
		for (; n < 2 && isxdigit((unsigned char)peek(l, 2 + n)); n++) {
			char d = (char)tolower(peek(l, 2 + n));
			v = v * 16 + (unsigned)(isdigit((unsigned char)d) ? d - '0' : d - 'a' + 10);
		}
		str_addc(s, (char)v);
		l->pos += 2 + n;
		return 0;
	}
	if (c >= '0' && c <= '7') {
		unsigned v = 0, n = 0;
		for (; n < 3 && peek(l, 1 + n) >= '0' && peek(l, 1 + n) <= '7'; n++)
			v = v * 8 + (unsigned)(peek(l, 1 + n) - '0');
		str_addc(s, (char)v);
		l->pos += 1 + n;
		return 0;
	}
	if (!p)
		return source_error(l->source, (struct span){ l->pos, 2 }, "there is no such escape in a string");
	str_addc(s, to[p - from]);
	l->pos += 2;
	return 0;
}

static int string(struct lexer *l)
{
	struct str s = STR_INIT;
	uint32_t begin = l->pos++;
	int err = 0;
	while (!err && peek(l, 0) != '"') {
		if (l->pos >= l->end) {
			err = source_error(l->source, (struct span){ begin, 1 }, "this string has no end");
		} else if (peek(l, 0) == '\\') {
			err = escape(l, &s);
		} else {
			str_addc(&s, peek(l, 0));
			l->pos++;
		}
	}
	l->pos++;
	l->now = (struct token){ .kind = TOKEN_STRING, .at = { begin, l->pos - begin }, .len = s.len,
		.text = arena_text(&l->source->memory, s.buf, s.len) };
	str_release(&s);
	return err;
}

/* 10ms is 10,000,000: a duration is in nanoseconds. 5u and 5ull are 5. */
static bool suffix(const char *p, size_t n, uint64_t *v)
{
	static const struct { const char *name; uint64_t by; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { "m", 60000000000ull },
		{ "h", 3600000000000ull }, { "d", 86400000000000ull }, { "u", 1 }, { "l", 1 }, { "ul", 1 }, { "ll", 1 }, { "ull", 1 },
		{ "U", 1 }, { "L", 1 }, { "UL", 1 }, { "LL", 1 }, { "ULL", 1 },
	};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == n && !memcmp(p, units[i].name, n))
			return !__builtin_mul_overflow(*v, units[i].by, v);
	return !n;
}

static bool digits(struct lexer *l, unsigned base, uint64_t *v)
{
	bool fits = true;
	for (;; l->pos++) {
		char c = (char)tolower(peek(l, 0));
		if (c == '_')
			continue;
		unsigned d = isdigit((unsigned char)c) ? (unsigned)(c - '0') : base == 16 && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 99;
		if (d >= base)
			return fits;
		fits &= !__builtin_mul_overflow(*v, base, v) && !__builtin_add_overflow(*v, d, v);
	}
}

static int number(struct lexer *l)
{
	uint32_t begin = l->pos;
	uint64_t v = 0;
	bool hex = peek(l, 0) == '0' && (peek(l, 1) | 32) == 'x', binary = peek(l, 0) == '0' && (peek(l, 1) | 32) == 'b', octal = !hex && peek(l, 0) == '0' && isdigit((unsigned char)peek(l, 1));
	if (hex || binary)
		l->pos += 2;
	bool fits = digits(l, hex ? 16 : binary ? 2 : octal ? 8 : 10, &v);
	if (!hex && !binary && !octal && peek(l, 0) == 'e' && isdigit((unsigned char)peek(l, 1))) {
		uint64_t power = 0;
		l->pos++;
		digits(l, 10, &power);
		for (; power && fits; power--)
			fits = !__builtin_mul_overflow(v, 10, &v);
	}
	uint32_t end = l->pos;
	while (in_word(peek(l, 0)))
		l->pos++;
	struct span at = { begin, l->pos - begin };
	if (end == begin + 2 && (hex || binary))
		return source_error(l->source, at, "digits follow 0%c", hex ? 'x' : 'b');
	if (!fits)
		return source_error(l->source, at, "this number is too large for 64 bits");
	if (!suffix(l->source->text + end, l->pos - end, &v))
		return source_error(l->source, at, "a number does not end like that");
	l->now = (struct token){ .kind = TOKEN_INT, .at = at, .value = v };
	return 0;
}

static void named(struct lexer *l, int kind, unsigned sign)
{
	uint32_t begin = l->pos;
	l->pos += sign;
	while (in_word(peek(l, 0)))
		l->pos++;
	size_t n = l->pos - begin - sign;
	l->now = (struct token){ .kind = kind, .at = { begin, l->pos - begin }, .len = n,
		.text = arena_text(&l->source->memory, l->source->text + begin + sign, n) };
}

static int dollar(struct lexer *l)
{
	if (peek(l, 1) == '#') {
		l->now = (struct token){ .kind = TOKEN_PARAMS, .at = { l->pos, 2 } };
		l->pos += 2;
	} else if (isdigit((unsigned char)peek(l, 1))) {
		uint32_t begin = l->pos++;
		uint64_t v = 0;
		if (!digits(l, 10, &v))
			v = UINT64_MAX;
		l->now = (struct token){ .kind = TOKEN_PARAM, .at = { begin, l->pos - begin }, .value = v };
	} else if (in_word(peek(l, 1))) {
		named(l, TOKEN_VAR, 1);
	} else {
		return source_error(l->source, (struct span){ l->pos, 1 }, "a name follows a $");
	}
	return 0;
}

static int operator(struct lexer *l)
{
	static const struct { const char *text; int kind; } ops[] = { /* longer ones first */
		{ "<<=", TOKEN_SHL_TO }, { ">>=", TOKEN_SHR_TO }, { "==", TOKEN_EQ }, { "!=", TOKEN_NE }, { "<=", TOKEN_LE },
		{ ">=", TOKEN_GE }, { "&&", TOKEN_AND }, { "||", TOKEN_OR }, { "<<", TOKEN_SHL }, { ">>", TOKEN_SHR }, { "++", TOKEN_INC },
		{ "--", TOKEN_DEC }, { "->", TOKEN_ARROW }, { "+=", TOKEN_ADD_TO }, { "-=", TOKEN_SUB_TO }, { "*=", TOKEN_MUL_TO },
		{ "/=", TOKEN_DIV_TO }, { "%=", TOKEN_MOD_TO }, { "&=", TOKEN_AND_TO }, { "|=", TOKEN_OR_TO }, { "^=", TOKEN_XOR_TO },
		{ "..", TOKEN_RANGE },
	};
	const char *t = l->source->text + l->pos;
	int kind = (unsigned char)*t;
	uint32_t n = 1;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]) && n == 1; i++)
		if (str_starts(t, ops[i].text)) {
			kind = ops[i].kind;
			n = (uint32_t)strlen(ops[i].text);
		}
	if (n == 1 && !strchr("+-*/%&|^~!<>=?:;,.(){}[]", kind))
		return source_error(l->source, (struct span){ l->pos, 1 }, "nothing begins with this character");
	l->now = (struct token){ .kind = kind, .at = { l->pos, n } };
	l->pos += n;
	return 0;
}

/* The present token, or what it stands for. */
static int or_macro(struct lexer *l)
{
	int err = l->inside || l->macros ? macro_take(l) : 0;
	return err == 1 ? lex_next(l) : err < 0 ? err : 0;
}

int lex_next(struct lexer *l)
{
	int err = skip(l);
	char c = peek(l, 0);
	if (err)
		return err;
	if (macro_bracket(l))
		return 0;
	if (l->pos >= l->end) {
		l->now = (struct token){ .kind = TOKEN_END, .at = { (uint32_t)l->source->len, 1 } };
		return preprocess_end(l);
	}
	if (isdigit((unsigned char)c))
		return number(l);
	if (c == '"')
		return string(l);
	if (c == '$') {
		err = dollar(l);
		return err || l->now.kind != TOKEN_VAR ? err : or_macro(l);
	}
	if (c == '@' || in_word(c)) {
		named(l, c == '@' ? TOKEN_MAP : TOKEN_WORD, c == '@');
		return or_macro(l);
	}
	return operator(l);
}

int lex_begin(struct lexer *l, struct script_source *s)
{
	*l = (struct lexer){ .source = s, .end = (uint32_t)s->len };
	if (s->len > 1 << 20)
		return source_error(s, (struct span){ 0, 1 }, "a script has at most a megabyte");
	if (strlen(s->text) != s->len)
		return source_error(s, (struct span){ (uint32_t)strlen(s->text), 1 }, "there is a zero byte in the script");
	return lex_next(l);
}

/* Only uprobes, their kin and USDT name files: elsewhere a slash begins the predicate. */
static bool names_files(const char *p)
{
	static const char *const with_files[] = { "uprobe:", "uretprobe:", "u:", "ur:", "usdt:", "U:", "watchpoint:", "w:" };
	for (size_t i = 0; i < sizeof(with_files) / sizeof(with_files[0]); i++)
		if (str_starts(p, with_files[i]))
			return true;
	return false;
}

/* "fs/namei.c:4270" in the kernel: the slash of a file that a line follows. */
static bool in_source_file(const char *word, const char *slash)
{
	if (!str_starts(word, "kprobe:") && !str_starts(word, "k:"))
		return false;
	while (isalnum((unsigned char)*slash) || (*slash && strchr("/._-+@", *slash)))
		slash++;
	return *slash == ':' && isdigit((unsigned char)slash[1]);
}

/* "name=" before a probe is for whoever reads the script. */
static uint32_t behind_name(const char *t, uint32_t at)
{
	uint32_t end = at;
	while (in_word(t[end]))
		end++;
	return end > at && t[end] == '=' && isalpha((unsigned char)t[end + 1]) ? end + 1 : at;
}

int lex_probe(struct lexer *l, struct token *probe)
{
	const char *t = l->source->text;
	uint32_t begin = behind_name(t, l->now.at.at), end = begin, colons = 0;
	bool files = names_files(t + begin), quoted = false;
	for (; end < l->source->len && (quoted || (!isspace((unsigned char)t[end]) && !strchr(",{", t[end]))); end++) {
		if (!quoted && t[end] == '/' && (files ? colons > 1 : !in_source_file(t + begin, t + end)))
			break;
		quoted ^= t[end] == '"';
		colons += t[end] == ':';
	}
	*probe = (struct token){ .kind = TOKEN_WORD, .at = { begin, end - begin }, .len = end - begin,
		.text = arena_text(&l->source->memory, t + begin, end - begin) };
	l->pos = end;
	return lex_next(l);
}

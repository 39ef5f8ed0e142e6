/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads JSON strictly, to check what sonde writes. sonde itself reads none. */
#ifndef TESTS_JSON_READER_H
#define TESTS_JSON_READER_H
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

enum json_type { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT };
struct json_value {
	enum json_type type;
	double number;
	char *text;
	char *key; /* in an object */
	VEC(struct json_value *) child;
};
enum { JSON_DEPTH = 64, JSON_MAX = 64 << 20 };

struct parse {
	const char *start, *p, *end;
	int depth;
	bool bad;
};

static struct json_value *parse_value(struct parse *c);
static inline void json_free(struct json_value *v);

static void *bad(struct parse *c, const char *what)
{
	if (!c->bad)
		error_set(EINVAL, "JSON: %s at byte %zu", what, (size_t)(c->p - c->start));
	c->bad = true;
	return NULL;
}

static void blanks(struct parse *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t' || *c->p == '\r'))
		c->p++;
}

static bool hex4(struct parse *c, unsigned *v)
{
	*v = 0;
	if (c->end - c->p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char h = *c->p++;
		int d = h >= '0' && h <= '9' ? h - '0' : (h | 32) >= 'a' && (h | 32) <= 'f' ? (h | 32) - 'a' + 10 : -1;
		if (d < 0)
			return false;
		*v = *v << 4 | d;
	}
	return true;
}

static void add_utf8(struct str *s, unsigned u)
{
	if (u >= 0xdc80 && u <= 0xdcff) { /* the escaped raw byte */
		str_addc(s, u & 0xff);
	} else if (u < 0x80) {
		str_addc(s, u);
	} else if (u < 0x800) {
		str_addc(s, 0xc0 | u >> 6);
		str_addc(s, 0x80 | (u & 63));
	} else if (u < 0x10000) {
		str_addc(s, 0xe0 | u >> 12);
		str_addc(s, 0x80 | (u >> 6 & 63));
		str_addc(s, 0x80 | (u & 63));
	} else {
		str_addc(s, 0xf0 | u >> 18);
		str_addc(s, 0x80 | (u >> 12 & 63));
		str_addc(s, 0x80 | (u >> 6 & 63));
		str_addc(s, 0x80 | (u & 63));
	}
}

static bool parse_escape(struct parse *c, struct str *s)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	if (c->p >= c->end)
		return false;
	char e = *c->p++;
	const char *at = e ? strchr(from, e) : NULL;
	unsigned u, low;
	if (at) {
		str_addc(s, to[at - from]);
		return true;
	}
	if (e != 'u' || !hex4(c, &u))
		return false;
	if (u >= 0xd800 && u < 0xdc00 && c->end - c->p >= 6 && c->p[0] == '\\' && c->p[1] == 'u') {
		c->p += 2;
		if (!hex4(c, &low))
			return false;
		u = 0x10000 + ((u - 0xd800) << 10) + ((low - 0xdc00) & 0x3ff);
	}
	add_utf8(s, u);
	return true;
}

static char *parse_string(struct parse *c)
{
	struct str s = STR_INIT;
	c->p++;
	while (c->p < c->end && *c->p != '"') {
		if (*c->p != '\\') {
			str_addc(&s, *c->p++);
			continue;
		}
		c->p++;
		if (!parse_escape(c, &s))
			break;
	}
	if (c->p >= c->end || *c->p != '"') {
		str_release(&s);
		return bad(c, "string does not end well");
	}
	c->p++;
	return str_detach(&s);
}

static struct json_value *parse_members(struct parse *c, struct json_value *v, char close)
{
	c->p++;
	blanks(c);
	if (c->p < c->end && *c->p == close) {
		c->p++;
		return v;
	}
	for (;;) {
		char *key = NULL;
		blanks(c);
		if (close == '}') {
			if (c->p >= c->end || *c->p != '"')
				return bad(c, "a key is missing");
			key = parse_string(c);
			blanks(c);
			if (!key || c->p >= c->end || *c->p != ':') {
				free(key);
				return bad(c, "':' is missing");
			}
			c->p++;
		}
		struct json_value *e = parse_value(c);
		if (!e) {
			free(key);
			return NULL;
		}
		e->key = key;
		*vec_push(&v->child) = e;
		blanks(c);
		if (c->p < c->end && *c->p == ',') {
			c->p++;
			continue;
		}
		if (c->p < c->end && *c->p == close) {
			c->p++;
			return v;
		}
		return bad(c, "',' or a bracket is missing");
	}
}

static bool parse_word(struct parse *c, struct json_value *v)
{
	static const struct { const char *word; enum json_type type; double number; } words[] = {
		{ "null", J_NULL, 0 }, { "true", J_BOOL, 1 }, { "false", J_BOOL, 0 } };
	for (int i = 0; i < 3; i++) {
		size_t n = strlen(words[i].word);
		if ((size_t)(c->end - c->p) >= n && !memcmp(c->p, words[i].word, n)) {
			v->type = words[i].type;
			v->number = words[i].number;
			c->p += n;
			return true;
		}
	}
	char b[64], *e;
	size_t n = 0;
	while (n < sizeof(b) - 1 && c->p + n < c->end && c->p[n] && strchr("+-.0123456789eE", c->p[n]))
		n++;
	memcpy(b, c->p, n);
	b[n] = 0;
	v->type = J_NUMBER;
	v->number = strtod(b, &e);
	c->p += e - b;
	return e != b;
}

static struct json_value *parse_value(struct parse *c)
{
	struct json_value *v, *ok;
	blanks(c);
	if (c->p >= c->end)
		return bad(c, "unexpected end");
	if (c->depth >= JSON_DEPTH)
		return bad(c, "nested too deeply");
	v = xcalloc(1, sizeof(*v));
	ok = v;
	c->depth++;
	if (*c->p == '{' || *c->p == '[') {
		v->type = *c->p == '{' ? J_OBJECT : J_ARRAY;
		ok = parse_members(c, v, *c->p == '{' ? '}' : ']');
	} else if (*c->p == '"') {
		v->type = J_STRING;
		v->text = parse_string(c);
		ok = v->text ? v : NULL;
	} else if (!parse_word(c, v)) {
		ok = bad(c, "not a value");
	}
	c->depth--;
	if (!ok)
		json_free(v);
	return ok;
}

static inline struct json_value *json_parse(const char *text, size_t n)
{
	struct parse c = { text, text, text + n, 0, false };
	if (n > JSON_MAX)
		return bad(&c, "too large");
	struct json_value *v = parse_value(&c);
	if (!v)
		return NULL;
	blanks(&c);
	if (c.p != c.end) {
		json_free(v);
		return bad(&c, "trailing text");
	}
	return v;
}

static inline void json_free(struct json_value *v)
{
	if (!v)
		return;
	vec_each(&v->child, e)
		json_free(*e);
	vec_release(&v->child);
	free(v->text);
	free(v->key);
	free(v);
}

static inline const struct json_value *json_get(const struct json_value *obj, const char *key)
{
	if (obj && obj->type == J_OBJECT)
		vec_each(&obj->child, e)
			if (!strcmp((*e)->key, key))
				return *e;
	return NULL;
}

static inline size_t json_len(const struct json_value *v)
{
	return v ? v->child.n : 0;
}

static inline const char *json_text(const struct json_value *v)
{
	return v && v->type == J_STRING ? v->text : NULL;
}
#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/jsonread.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/str.h"

enum { DEPTH_MAX = 64 };

struct json_text {
	const char *start, *at, *end;
	int (*take)(void *ctx, const json_pairs *p);
	void *ctx;
};

const char *json_pair_get(const json_pairs *p, const char *key)
{
	vec_each(p, pair)
		if (!strcmp(pair->key, key))
			return pair->value;
	return NULL;
}

static int wrong(const struct json_text *t)
{
	int line = 1;
	for (const char *c = t->start; c < t->at; c++)
		line += *c == '\n';
	return error_set(EINVAL, "line %d is not JSON", line);
}

static char peek(struct json_text *t)
{
	while (t->at < t->end && isspace((unsigned char)*t->at))
		t->at++;
	return t->at < t->end ? *t->at : 0;
}

static bool take_char(struct json_text *t, char c)
{
	if (peek(t) != c)
		return false;
	t->at++;
	return true;
}

static void add_code(struct str *s, unsigned c)
{
	if (c < 0x80)
		str_addc(s, (char)c);
	else if (c < 0x800)
		str_addc(s, (char)(0xc0 | c >> 6)), str_addc(s, (char)(0x80 | (c & 63)));
	else
		str_addc(s, (char)(0xe0 | c >> 12)), str_addc(s, (char)(0x80 | (c >> 6 & 63))), str_addc(s, (char)(0x80 | (c & 63)));
}

static bool escape(struct json_text *t, struct str *s)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	char c = t->at < t->end ? *t->at++ : 0;
	const char *known = c ? strchr(from, c) : NULL;
	if (c == 'u' && t->end - t->at >= 4) {
		char hex[5] = { t->at[0], t->at[1], t->at[2], t->at[3], 0 };
		t->at += 4;
		add_code(s, (unsigned)strtoul(hex, NULL, 16));
		return true;
	}
	if (known)
		str_addc(s, to[known - from]);
	else if (c == '"' || c == '\\' || c == '/')
		str_addc(s, c);
	return known || c == '"' || c == '\\' || c == '/';
}

/* NULL: it does not end, or has an escape that is none. */
static char *take_string(struct json_text *t)
{
	struct str s = STR_INIT;
	if (!take_char(t, '"'))
		return NULL;
	while (t->at < t->end && *t->at != '"') {
		if (*t->at != '\\') {
			str_addc(&s, *t->at++);
			continue;
		}
		t->at++;
		if (!escape(t, &s)) {
			str_release(&s);
			return NULL;
		}
	}
	if (t->at < t->end && *t->at == '"') {
		t->at++;
		return str_detach(&s);
	}
	str_release(&s);
	return NULL;
}

static int take_value(struct json_text *t, int depth, char **value);

static int take_object(struct json_text *t, int depth)
{
	json_pairs pairs = { 0 };
	int err = 0;
	while (!err && peek(t) != '}') {
		if (pairs.n && !take_char(t, ','))
			err = wrong(t);
		char *key = err ? NULL : take_string(t), *value = NULL;
		if (!err && (!key || !take_char(t, ':')))
			err = wrong(t);
		if (!err)
			err = take_value(t, depth + 1, &value);
		*vec_push(&pairs) = (struct json_pair){ key ? key : xstrdup(""), value ? value : xstrdup("") };
	}
	t->at++;
	if (!err)
		err = t->take(t->ctx, &pairs);
	vec_each(&pairs, p) {
		free(p->key);
		free(p->value);
	}
	vec_release(&pairs);
	return err;
}

static int take_array(struct json_text *t, int depth)
{
	int err = 0;
	for (bool first = true; !err && peek(t) != ']'; first = false) {
		char *value = NULL;
		if (!first && !take_char(t, ','))
			return wrong(t);
		err = take_value(t, depth + 1, &value);
		free(value);
	}
	t->at++;
	return err;
}

/* value: of a text, number or word; NULL for what is nested. */
static int take_value(struct json_text *t, int depth, char **value)
{
	char c = peek(t);
	if (depth > DEPTH_MAX)
		return wrong(t);
	if (c == '{' || c == '[') {
		t->at++;
		return c == '{' ? take_object(t, depth) : take_array(t, depth);
	}
	if (c == '"') {
		*value = take_string(t);
		return *value ? 0 : wrong(t);
	}
	const char *from = t->at;
	while (t->at < t->end && (isalnum((unsigned char)*t->at) || strchr("+-.", *t->at)))
		t->at++;
	if (t->at == from)
		return wrong(t);
	*value = xstrndup(from, t->at - from);
	return 0;
}

int json_objects(const char *text, size_t n, int (*take)(void *ctx, const json_pairs *p), void *ctx)
{
	struct json_text t = { text, text, text + n, take, ctx };
	char *value = NULL;
	int err = take_value(&t, 0, &value);
	free(value);
	if (!err && peek(&t))
		err = wrong(&t);
	return err;
}

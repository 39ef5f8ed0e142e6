// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json.h"
#include <math.h>
#include <string.h>

void json_init(struct json *j, struct str *out)
{
	*j = (struct json){ .out = out };
}

static void separate(struct json *j)
{
	if (j->after_key)
		j->after_key = false;
	else if (j->depth < 64 && (j->comma >> j->depth & 1))
		str_addc(j->out, ',');
	if (j->depth < 64)
		j->comma |= 1ull << j->depth;
}

void json_open(struct json *j, char bracket)
{
	separate(j);
	str_addc(j->out, bracket);
	if (++j->depth < 64)
		j->comma &= ~(1ull << j->depth);
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	str_addc(j->out, bracket);
}

static void add_string(struct str *s, const char *z, size_t n)
{
	const unsigned char *p = (const unsigned char *)z;
	str_addc(s, '"');
	for (size_t i = 0; i < n;) {
		size_t len = utf8_length(p + i, n - i, NULL);
		if (!len) {
			str_addf(s, "\\udc%02x", p[i++]);
		} else if (len > 1) {
			str_addn(s, p + i, len);
			i += len;
		} else {
			unsigned char c = p[i++];
			if (c == '"' || c == '\\') {
				str_addc(s, '\\');
				str_addc(s, c);
			} else if (c == '\n') {
				str_add(s, "\\n");
			} else if (c == '\t') {
				str_add(s, "\\t");
			} else if (c < 0x20 || c == 0x7f) {
				str_addf(s, "\\u%04x", c);
			} else {
				str_addc(s, c);
			}
		}
	}
	str_addc(s, '"');
}

void json_key(struct json *j, const char *key)
{
	separate(j);
	add_string(j->out, key, strlen(key));
	str_addc(j->out, ':');
	j->after_key = true;
}

void json_str(struct json *j, const char *p, size_t n)
{
	separate(j);
	add_string(j->out, p, n);
}

void json_strz(struct json *j, const char *z)
{
	if (z)
		json_str(j, z, strlen(z));
	else
		json_null(j);
}

enum { SAFE_BITS = 53 };

void json_u64(struct json *j, uint64_t v)
{
	bool big = v > 1ull << SAFE_BITS;
	separate(j);
	if (big)
		str_addc(j->out, '"');
	str_add_u64(j->out, v);
	if (big)
		str_addc(j->out, '"');
}

void json_s64(struct json *j, int64_t v)
{
	bool big = v > 1ll << SAFE_BITS || v < -(1ll << SAFE_BITS);
	separate(j);
	if (big)
		str_addc(j->out, '"');
	str_add_s64(j->out, v);
	if (big)
		str_addc(j->out, '"');
}

void json_double(struct json *j, double v)
{
	separate(j);
	if (isfinite(v))
		str_addf(j->out, "%.15g", v);
	else
		str_add(j->out, "null");
}

void json_bool(struct json *j, bool v)
{
	separate(j);
	str_add(j->out, v ? "true" : "false");
}

void json_null(struct json *j)
{
	separate(j);
	str_add(j->out, "null");
}

void json_kstr(struct json *j, const char *key, const char *z)
{
	json_key(j, key);
	json_strz(j, z);
}

void json_ku64(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}

void json_ks64(struct json *j, const char *key, int64_t v)
{
	json_key(j, key);
	json_s64(j, v);
}

void json_kdouble(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_double(j, v);
}

void json_kbool(struct json *j, const char *key, bool v)
{
	json_key(j, key);
	json_bool(j, v);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON into a str. Commas are kept by the writer. Bytes that are not UTF-8 become
 * U+DC80..U+DCFF lone-surrogate escapes (\udc80 + byte - 0x80), as Python's surrogateescape does;
 * integers beyond +-2^53 become strings. See doc/JSON.md. */
#ifndef BASE_JSON_H
#define BASE_JSON_H
#include "base/str.h"

enum { JSON_SCHEMA = 1 }; /* "schema" in every document or first line */

struct json {
	struct str *out;
	unsigned depth;
	uint64_t comma; /* bit per depth: an element was written */
	bool after_key;
};
void json_init(struct json *j, struct str *out);
void json_open(struct json *j, char bracket); /* '{' or '[' */
void json_close(struct json *j, char bracket); /* '}' or ']' */
void json_key(struct json *j, const char *key);
void json_str(struct json *j, const char *p, size_t n);
void json_strz(struct json *j, const char *z); /* NULL is null */
void json_u64(struct json *j, uint64_t v);
void json_s64(struct json *j, int64_t v);
void json_double(struct json *j, double v); /* NaN and inf are null */
void json_bool(struct json *j, bool v);
void json_null(struct json *j);
/* key and value in one */
void json_kstr(struct json *j, const char *key, const char *z);
void json_ku64(struct json *j, const char *key, uint64_t v);
void json_ks64(struct json *j, const char *key, int64_t v);
void json_kdouble(struct json *j, const char *key, double v);
void json_kbool(struct json *j, const char *key, bool v);
#endif

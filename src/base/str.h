/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growable byte string. Always NUL-terminated; allocation failure aborts. */
#ifndef BASE_STR_H
#define BASE_STR_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	char *buf; /* owned; never NULL after the first add, "" before */
	size_t len, cap;
};

#define STR_INIT { .buf = str_empty }
extern char str_empty[];

void str_init(struct str *s);
void str_release(struct str *s); /* frees; s is usable again as empty */
static inline void str_clear(struct str *s)
{
	s->len = 0;
	if (s->cap)
		s->buf[0] = 0;
}
char *str_detach(struct str *s); /* caller frees; s is empty again */
void str_grow(struct str *s, size_t extra);
void str_add_bytes(struct str *s, const void *p, size_t n);
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void str_pad(struct str *s, size_t column, char fill); /* fill up to that length */

/* What is known when sonde is compiled, a word or a mark, costs a store or two. */
static inline void str_addn(struct str *s, const void *p, size_t n)
{
	if (!__builtin_constant_p(n) || n > 32) {
		str_add_bytes(s, p, n);
		return;
	}
	if (s->cap - s->len <= n)
		str_grow(s, n);
	memcpy(s->buf + s->len, p, n);
	s->len += n;
	s->buf[s->len] = 0;
}

static inline void str_add(struct str *s, const char *z)
{
	str_addn(s, z, strlen(z));
}

static inline void str_addc(struct str *s, char c)
{
	if (s->len + 1 >= s->cap)
		str_grow(s, 1);
	s->buf[s->len++] = c;
	s->buf[s->len] = 0;
}

/* Decimal and hex without printf, for hot paths. */
void str_add_u64(struct str *s, uint64_t v);
void str_add_s64(struct str *s, int64_t v);
void str_add_hex(struct str *s, uint64_t v); /* with 0x; zero is "0" as in strace */

/* Anything that came from a traced program, a file or the kernel goes to the
 * screen through these: control characters and bytes that are not UTF-8
 * become \n, \t, \33 or \x9b; nothing can move the cursor. */
void str_add_safe(struct str *s, const char *p, size_t n);
void str_add_safez(struct str *s, const char *z);
/* The same for what stands between quotes in other formats: " and \ have a \ before them. */
void str_add_slashed(struct str *s, const char *z);
/* C string literal, quotes included, escaped as strace does it. */
void str_add_quoted(struct str *s, const char *p, size_t n);

/* How many of the n bytes at p (n > 0) are one well-formed UTF-8 character, and which (code may be NULL); 0: none. */
size_t utf8_length(const void *p, size_t n, uint32_t *code);
/* The columns that a terminal takes for them; what is no character there takes one. Needs the locale of that terminal. */
size_t utf8_columns(const char *p, size_t n);

/* Plain helpers on C strings. */
char *xstrdup(const char *z);
char *xstrndup(const char *z, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Says so and ends with EXIT_SONDE. Libraries that have a handler of their own get this one. */
void out_of_memory(void) __attribute__((noreturn));
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
bool str_starts(const char *z, const char *prefix);
bool str_ends(const char *z, const char *suffix);
/* Whole-string number, 0x allowed; 0, or -EINVAL / -ERANGE. */
int parse_u64(const char *z, uint64_t *out);
int parse_s64(const char *z, int64_t *out);
#endif

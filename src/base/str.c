// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/str.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include "base/error.h"

char str_empty[1];

/* Nothing may be allocated any more, and what is in buffers may be half made: as after a kill, the kernel takes back all that
 * hangs on this process. */
void out_of_memory(void)
{
	static const char text[] = "sonde: out of memory\n"
		"hint: `ulimit -v` and memory.max of the cgroup bound it, free(1) shows what the machine has; "
		"a part takes less: --time, --comm or --cpu of a recording, -m of a live one\n";
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0) {
		/* nobody can be told */
	}
	_exit(EXIT_SONDE);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *old, size_t n)
{
	void *p = realloc(old, n ? n : 1);
	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *z)
{
	return xstrndup(z, strlen(z));
}

char *xstrndup(const char *z, size_t n)
{
	n = strnlen(z, n);
	char *p = xmalloc(n + 1);
	memcpy(p, z, n);
	p[n] = 0;
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	return str_detach(&s);
}

void str_init(struct str *s)
{
	*s = (struct str)STR_INIT;
}

void str_release(struct str *s)
{
	if (s->cap)
		free(s->buf);
	str_init(s);
}

char *str_detach(struct str *s)
{
	char *p = s->cap ? s->buf : xstrdup("");
	str_init(s);
	return p;
}

void str_grow(struct str *s, size_t extra)
{
	size_t need = s->len + extra + 1;
	if (need <= s->cap)
		return;
	if (need < s->len)
		out_of_memory();
	size_t cap = s->cap ? s->cap * 2 : 64;
	while (cap < need)
		cap *= 2;
	s->buf = xrealloc(s->cap ? s->buf : NULL, cap);
	s->cap = cap;
	s->buf[s->len] = 0;
}

/* Most of what is added is short: two moves that may overlap take less than the way to memcpy. */
static inline void copy(char *to, const char *p, size_t n)
{
	if (n > 32) {
		memcpy(to, p, n);
	} else if (n >= 16) {
		char a[16], b[16];
		memcpy(a, p, 16);
		memcpy(b, p + n - 16, 16);
		memcpy(to, a, 16);
		memcpy(to + n - 16, b, 16);
	} else if (n >= 8) {
		uint64_t a, b;
		memcpy(&a, p, 8);
		memcpy(&b, p + n - 8, 8);
		memcpy(to, &a, 8);
		memcpy(to + n - 8, &b, 8);
	} else if (n >= 4) {
		uint32_t a, b;
		memcpy(&a, p, 4);
		memcpy(&b, p + n - 4, 4);
		memcpy(to, &a, 4);
		memcpy(to + n - 4, &b, 4);
	} else {
		for (size_t i = 0; i < n; i++)
			to[i] = p[i];
	}
}

void str_add_bytes(struct str *s, const void *p, size_t n)
{
	if (!n)
		return;
	if (s->cap - s->len <= n)
		str_grow(s, n);
	copy(s->buf + s->len, p, n);
	s->len += n;
	s->buf[s->len] = 0;
}

void str_vaddf(struct str *s, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	str_grow(s, 32);
	int n = vsnprintf(s->buf + s->len, s->cap - s->len, fmt, ap);
	if (n > 0 && (size_t)n >= s->cap - s->len) {
		str_grow(s, n);
		n = vsnprintf(s->buf + s->len, s->cap - s->len, fmt, again);
	}
	if (n > 0)
		s->len += n;
	va_end(again);
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
}

void str_pad(struct str *s, size_t column, char fill)
{
	if (s->len >= column)
		return;
	size_t n = column - s->len;
	str_grow(s, n);
	memset(s->buf + s->len, fill, n);
	s->len += n;
	s->buf[s->len] = 0;
}

void str_add_u64(struct str *s, uint64_t v)
{
	char b[20];
	int i = sizeof(b);
	if (v < 10) {
		str_addc(s, '0' + v);
		return;
	}
	do
		b[--i] = '0' + v % 10;
	while (v /= 10);
	str_addn(s, b + i, sizeof(b) - i);
}

void str_add_s64(struct str *s, int64_t v)
{
	if (v < 0)
		str_addc(s, '-');
	str_add_u64(s, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void str_add_hex(struct str *s, uint64_t v)
{
	char b[18];
	int i = sizeof(b);
	if (!v) {
		str_addc(s, '0');
		return;
	}
	for (; v; v >>= 4)
		b[--i] = "0123456789abcdef"[v & 15];
	b[--i] = 'x';
	b[--i] = '0';
	str_addn(s, b + i, sizeof(b) - i);
}

size_t utf8_length(const void *at, size_t n, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = at;
	unsigned len = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
	if (!len || len > n)
		return 0;
	uint32_t c = len == 1 ? p[0] : p[0] & (0xff >> (len + 1));
	for (unsigned i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	if (code)
		*code = c;
	return len;
}

size_t utf8_columns(const char *p, size_t n)
{
	size_t columns = 0;
	for (size_t i = 0; i < n;) {
		uint32_t code = 0;
		size_t len = utf8_length(p + i, n - i, &code);
		int w = len ? wcwidth((wchar_t)code) : 1;
		columns += w < 0 ? 1 : w;
		i += len ? len : 1;
	}
	return columns;
}

/* The same for what a screen may be given: C1 controls, invisible characters and the bidi overrides
 * are refused, they rearrange what a terminal shows. */
static size_t printable_length(const unsigned char *p, size_t n)
{
	uint32_t c;
	size_t len = utf8_length(p, n, &c);
	if (!len || c < 0xa0 || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
	    c == 0xfeff)
		return 0;
	return len;
}

static inline bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f;
}

void str_add_safe(struct str *s, const char *z, size_t n)
{
	const unsigned char *p = (const unsigned char *)z;
	for (size_t i = 0; i < n;) {
		size_t len = 0;
		while (i + len < n && is_plain(p[i + len]))
			len++;
		if (!len && p[i] >= 0x80)
			len = printable_length(p + i, n - i);
		if (len) {
			str_addn(s, p + i, len);
			i += len;
		} else if (p[i] == '\n' || p[i] == '\t' || p[i] == '\r') {
			str_addc(s, '\\');
			str_addc(s, p[i] == '\n' ? 'n' : p[i] == '\t' ? 't' : 'r');
			i++;
		} else {
			str_addf(s, "\\x%02x", p[i++]);
		}
	}
}

void str_add_safez(struct str *s, const char *z)
{
	str_add_safe(s, z, strlen(z));
}

void str_add_slashed(struct str *s, const char *z)
{
	size_t at = s->len;
	str_add_safez(s, z);
	char *text = xstrndup(s->buf + at, s->len - at);
	s->len = at;
	for (const char *c = text; *c; c++) {
		if (*c == '"' || *c == '\\')
			str_addc(s, '\\');
		str_addc(s, *c);
	}
	free(text);
}

/* Where the character is one that stands for itself between quotes. */
static inline bool quotes_itself(unsigned char c)
{
	return is_plain(c) && c != '"' && c != '\\';
}

static void add_escaped(struct str *s, unsigned char c, bool digit_follows)
{
	static const char letter[] = "\0\0\0\0\0\0\0\0\0tnvfr";
	str_addc(s, '\\');
	if (c == '"' || c == '\\') {
		str_addc(s, c);
	} else if (c >= 9 && c <= 13) {
		str_addc(s, letter[c]);
	} else { /* octal, as short as the next character allows */
		if (digit_follows || c >= 0100)
			str_addc(s, '0' + (c >> 6));
		if (digit_follows || c >= 010)
			str_addc(s, '0' + (c >> 3 & 7));
		str_addc(s, '0' + (c & 7));
	}
}

void str_add_quoted(struct str *s, const char *z, size_t n)
{
	const unsigned char *p = (const unsigned char *)z;
	str_grow(s, n + 2);
	str_addc(s, '"');
	for (size_t i = 0; i < n;) {
		size_t len = 0;
		while (i + len < n && quotes_itself(p[i + len]))
			len++;
		str_addn(s, p + i, len);
		i += len;
		for (; i < n && !quotes_itself(p[i]); i++)
			add_escaped(s, p[i], i + 1 < n && p[i + 1] >= '0' && p[i + 1] <= '7');
	}
	str_addc(s, '"');
}

bool str_starts(const char *z, const char *prefix)
{
	return !strncmp(z, prefix, strlen(prefix));
}

bool str_ends(const char *z, const char *suffix)
{
	size_t n = strlen(z), m = strlen(suffix);
	return n >= m && !strcmp(z + n - m, suffix);
}

int parse_u64(const char *z, uint64_t *out)
{
	char *end;
	if (!(*z >= '0' && *z <= '9'))
		return -EINVAL;
	errno = 0;
	unsigned long long v = strtoull(z, &end, z[0] == '0' && (z[1] == 'x' || z[1] == 'X') ? 16 : 10);
	if (errno)
		return -ERANGE;
	if (*end)
		return -EINVAL;
	*out = v;
	return 0;
}

int parse_s64(const char *z, int64_t *out)
{
	uint64_t v;
	bool minus = *z == '-';
	int err = parse_u64(z + minus, &v);
	if (err)
		return err;
	if (v > (uint64_t)INT64_MAX + minus)
		return -ERANGE;
	*out = minus ? (int64_t)-v : (int64_t)v;
	return 0;
}

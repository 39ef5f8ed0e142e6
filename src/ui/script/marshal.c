// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/marshal.h"
#include <string.h>

static void add_u32(struct str *s, uint32_t v)
{
	uint8_t b[4] = { v, v >> 8, v >> 16, v >> 24 };
	str_addn(s, b, 4);
}

/* Long numbers are digits of 15 bits; the sign sits in their count. */
static void add_long(struct str *s, uint64_t v, bool negative)
{
	uint16_t digit[5];
	int n = 0;
	for (; v; v >>= 15)
		digit[n++] = v & 0x7fff;
	str_addc(s, 'l');
	add_u32(s, negative ? -n : n);
	for (int i = 0; i < n; i++) {
		str_addc(s, digit[i] & 0xff);
		str_addc(s, digit[i] >> 8);
	}
}

void marshal_u64(struct str *s, uint64_t v)
{
	if (v > INT32_MAX) {
		add_long(s, v, false);
		return;
	}
	str_addc(s, 'i');
	add_u32(s, v);
}

void marshal_s64(struct str *s, int64_t v)
{
	if (v >= INT32_MIN && v <= INT32_MAX) {
		str_addc(s, 'i');
		add_u32(s, (uint32_t)v);
	} else {
		add_long(s, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0);
	}
}

void marshal_text(struct str *s, const char *z, size_t n)
{
	const uint8_t *p = (const uint8_t *)z;
	str_addc(s, 'u');
	size_t at = s->len;
	add_u32(s, 0);
	for (size_t i = 0, len; i < n; i += len) {
		len = utf8_length(p + i, n - i, NULL);
		if (len) {
			str_addn(s, p + i, len);
			continue;
		}
		const uint8_t lone[3] = { 0xed, 0xb2 | (p[i] >> 6 & 1), 0x80 | (p[i] & 0x3f) };
		str_addn(s, lone, 3);
		len = 1;
	}
	uint32_t size = s->len - at - 4;
	memcpy(s->buf + at, &size, 4);
}

void marshal_textz(struct str *s, const char *z)
{
	if (z)
		marshal_text(s, z, strlen(z));
	else
		marshal_none(s);
}

void marshal_bytes(struct str *s, const void *p, size_t n)
{
	str_addc(s, 's');
	add_u32(s, n);
	str_addn(s, p, n);
}

void marshal_none(struct str *s)
{
	str_addc(s, 'N');
}

void marshal_bool(struct str *s, bool v)
{
	str_addc(s, v ? 'T' : 'F');
}

void marshal_tuple(struct str *s, uint32_t n)
{
	str_addc(s, '(');
	add_u32(s, n);
}

size_t marshal_list(struct str *s)
{
	str_addc(s, '[');
	add_u32(s, 0);
	return s->len - 4;
}

void marshal_list_end(struct str *s, size_t at, uint32_t n)
{
	uint8_t b[4] = { n, n >> 8, n >> 16, n >> 24 };
	memcpy(s->buf + at, b, 4);
}

void marshal_dict(struct str *s)
{
	str_addc(s, '{');
}

void marshal_dict_end(struct str *s)
{
	str_addc(s, '0');
}

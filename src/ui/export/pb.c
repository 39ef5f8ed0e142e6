// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/pb.h"
#include <endian.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, VARINT_MAX = 10 };

static size_t encode(uint8_t *out, uint64_t v)
{
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		out[n++] = v | 0x80;
	out[n++] = v;
	return n;
}

void pb_varint(struct str *s, uint64_t v)
{
	uint8_t b[VARINT_MAX];
	str_add_bytes(s, b, encode(b, v));
}

void pb_u64(struct str *s, unsigned field, uint64_t v)
{
	pb_varint(s, field << 3 | WIRE_VARINT);
	pb_varint(s, v);
}

void pb_fixed64(struct str *s, unsigned field, uint64_t v)
{
	v = htole64(v);
	pb_varint(s, field << 3 | WIRE_FIXED64);
	str_add_bytes(s, &v, sizeof(v));
}

void pb_bytes(struct str *s, unsigned field, const void *p, size_t n)
{
	pb_varint(s, field << 3 | WIRE_BYTES);
	pb_varint(s, n);
	str_add_bytes(s, p, n);
}

void pb_text(struct str *s, unsigned field, const char *z)
{
	size_t at = pb_open(s, field);
	str_add_safez(s, z ? z : "");
	pb_close(s, at);
}

size_t pb_open(struct str *s, unsigned field)
{
	pb_varint(s, field << 3 | WIRE_BYTES);
	return s->len;
}

/* Only now the length is known: what was written moves to make room for it. */
void pb_close(struct str *s, size_t opened)
{
	uint8_t b[VARINT_MAX];
	size_t len = s->len - opened, n = encode(b, len);
	str_grow(s, n);
	memmove(s->buf + opened + n, s->buf + opened, len);
	memcpy(s->buf + opened, b, n);
	s->len += n;
	s->buf[s->len] = 0;
}

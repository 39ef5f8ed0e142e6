// SPDX-License-Identifier: GPL-2.0-or-later
#include "picture/pack.h"
#include <zlib.h>

void pack_bytes(struct str *out, const struct str *in)
{
	enum { LEVEL = 6, FASTER = 3, LARGE = 1 << 20 };
	uLongf n = compressBound(in->len);
	str_grow(out, n);
	if (compress2((Bytef *)out->buf + out->len, &n, (const Bytef *)in->buf, in->len, in->len >= LARGE ? FASTER : LEVEL) != Z_OK)
		out_of_memory();
	out->len += n;
	out->buf[out->len] = 0;
}

void pack_base64(struct out *o, const void *p, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	enum { BLOCK = 3 << 16 };
	const uint8_t *b = p;
	struct str s = STR_INIT;
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)b[i] << 16 | (i + 1 < n ? b[i + 1] << 8 : 0) | (i + 2 < n ? b[i + 2] : 0);
		str_addc(&s, digit[v >> 18]);
		str_addc(&s, digit[v >> 12 & 63]);
		str_addc(&s, i + 1 < n ? digit[v >> 6 & 63] : '=');
		str_addc(&s, i + 2 < n ? digit[v & 63] : '=');
		if (s.len >= BLOCK)
			out_str(o, &s);
	}
	out_str(o, &s);
	str_release(&s);
}

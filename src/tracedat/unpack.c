// SPDX-License-Identifier: GPL-2.0-or-later
#include <zlib.h>
#include <zstd.h>
#include "tracedat/inner.h"

bool packing_known(const char *name, uint8_t *packing)
{
	static const char *const names[] = { [PACKING_NONE] = "none", [PACKING_ZSTD] = "zstd", [PACKING_ZLIB] = "zlib" };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i])) {
			*packing = i;
			return true;
		}
	return false;
}

bool unpack(uint8_t packing, const uint8_t *from, size_t n, uint8_t *to, size_t to_len)
{
	if (packing == PACKING_ZSTD)
		return ZSTD_decompress(to, to_len, from, n) == to_len;
	uLongf len = to_len;
	return packing == PACKING_ZLIB && uncompress(to, &len, from, n) == Z_OK && len == to_len;
}

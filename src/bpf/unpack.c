// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/unpack.h"
#include <stdlib.h>
#include <zstd.h>
#include "base/str.h"

const void *bpf_unpack(void **at, const void *packed, size_t packed_size, size_t size)
{
	if (!*at) {
		*at = xmalloc(size);
		if (ZSTD_decompress(*at, size, packed, packed_size) != size) {
			free(*at);
			*at = NULL;
		}
	}
	return *at;
}

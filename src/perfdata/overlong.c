// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/overlong.h"
#include <string.h>
#include "perfdata/internal.h"

enum { FIXED = 24 }; /* header and numbers: of both types */

static size_t body_end(uint32_t type, const uint8_t *rec, size_t size)
{
	if (type == PERF_RECORD_BPF_EVENT)
		return FIXED;
	const uint8_t *end = type == PERF_RECORD_KSYMBOL && size > FIXED ? memchr(rec + FIXED, 0, size - FIXED) : NULL;
	return end ? ((size_t)(end - rec) + 8) & ~(size_t)7 : size;
}

size_t overlong_size(uint32_t type, const void *rec, size_t size, size_t trailer)
{
	size_t own = body_end(type, rec, size) + trailer;
	return own < size ? own : size;
}

size_t overlong_trailer(const struct perf_event_attr *a)
{
	struct id_layout l;
	layout_init(&l, a);
	return 8 * l.id_words;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The body of a record without its trailer: fixed fields, then perhaps a text. What is not there reads as 0. */
#ifndef PERFDATA_BODY_H
#define PERFDATA_BODY_H
#include <string.h>
#include "perfdata/reader.h"

struct body { const uint8_t *at; size_t n; };

static inline struct body body_of(const struct perfdata_record *r)
{
	size_t n = r->header->size - sizeof(*r->header);
	return (struct body){ (const uint8_t *)(r->header + 1), n > r->trailer_size ? n - r->trailer_size : 0 };
}

static inline uint32_t u32_at(const struct body *b, size_t at)
{
	uint32_t v = 0;
	if (at + 4 <= b->n)
		memcpy(&v, b->at + at, 4);
	return v;
}

static inline uint64_t u64_at(const struct body *b, size_t at)
{
	uint64_t v = 0;
	if (at + 8 <= b->n)
		memcpy(&v, b->at + at, 8);
	return v;
}
#endif

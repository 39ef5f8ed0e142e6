// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracedat/ring.h"
#include <byteswap.h>
#include <stdio.h>
#include <string.h>

enum { TYPE_PADDING = 29, TYPE_TIME_EXTEND, TYPE_TIME_STAMP, DELTA_BITS = 27 };
#define COMMIT_MASK ((1u << 27) - 1)
#define LOST_EVENTS (1u << 31)
#define LOST_STORED (1u << 30)
#define TOP_OF_TIME (0xf8ull << 56) /* what an absolute time has no room for */

static uint32_t word(const struct ring_shape *s, const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, 4);
	return s->swap ? bswap_32(v) : v;
}

static uint64_t quad(const struct ring_shape *s, const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, 8);
	return s->swap ? bswap_64(v) : v;
}

void ring_shape_default(struct ring_shape *s, bool swap, bool big, unsigned long_size)
{
	uint8_t n = long_size == 4 ? 4 : 8;
	*s = (struct ring_shape){ .swap = swap, .big = big, .commit_at = 8, .commit_size = n, .data_at = 8 + n };
}

bool ring_shape_parse(struct ring_shape *s, const char *text)
{
	unsigned at, size, data;
	const char *commit = strstr(text, " commit;"), *d = strstr(text, " data;");
	if (!commit || !d || sscanf(commit, " commit;\toffset:%u;\tsize:%u;", &at, &size) != 2 || sscanf(d, " data;\toffset:%u;", &data) != 1)
		return false;
	if ((size != 4 && size != 8) || at < 8 || at > 64 || data < at + size || data > 128)
		return false;
	s->commit_at = at;
	s->commit_size = size;
	s->data_at = data;
	return true;
}

bool ring_page_begin(struct ring_page *p, const struct ring_shape *s, const uint8_t *page, size_t size)
{
	*p = (struct ring_page){ .at = page, .shape = s, .first = true };
	if (size < s->data_at)
		return false;
	p->page_time = p->time = quad(s, page);
	uint64_t commit = s->commit_size == 8 ? quad(s, page + s->commit_at) : word(s, page + s->commit_at);
	uint64_t used = commit & COMMIT_MASK;
	if (used > size - s->data_at)
		return false;
	p->pos = page + s->data_at;
	p->end = p->pos + used;
	if (!(commit & LOST_EVENTS))
		return true;
	p->lost = RING_LOST_SOME;
	if (commit & LOST_STORED && size - s->data_at - used >= s->commit_size) {
		uint64_t n = s->commit_size == 8 ? quad(s, p->end) : word(s, p->end);
		p->lost = n && n <= INT64_MAX ? (int64_t)n : RING_LOST_SOME;
	}
	return true;
}

/* Times of 59 bits stand in the page; the highest ones are those of what came before. */
static uint64_t absolute(const struct ring_page *p, uint64_t t)
{
	uint64_t top = p->time & TOP_OF_TIME;
	if (!top)
		return t;
	t |= top;
	return t < p->time && p->time - t > 1ull << 58 ? t + (1ull << 59) : t;
}

/* What an event's head says: its length with the head (0: it is no event that the page has room for), its time. */
static size_t head_of(struct ring_page *p, uint32_t head, uint32_t *type, size_t left)
{
	const struct ring_shape *s = p->shape;
	uint32_t delta = s->big ? head & ((1u << DELTA_BITS) - 1) : head >> 5, next = left >= 8 ? word(s, p->pos + 4) : 0;
	*type = s->big ? head >> DELTA_BITS : head & 31;
	switch (*type) {
	case TYPE_PADDING:
		if (!delta)
			return left; /* nothing more in this page */
		p->time += delta;
		return left >= 8 && next <= left - 4 ? ((size_t)next + 7) & ~(size_t)3 : 0;
	case TYPE_TIME_EXTEND:
		p->time += ((uint64_t)next << DELTA_BITS) + delta;
		return 8;
	case TYPE_TIME_STAMP:
		p->time = absolute(p, ((uint64_t)next << DELTA_BITS) + delta);
		return 8;
	case 0: /* the length did not fit there */
		p->time += delta;
		return left >= 8 && next >= 4 && next <= left - 4 ? ((size_t)next + 7) & ~(size_t)3 : 0;
	default:
		p->time += delta;
		return 4 + *type * 4;
	}
}

int ring_page_next(struct ring_page *p, struct ring_event *e)
{
	while (p->end - p->pos >= 4) {
		size_t left = p->end - p->pos;
		uint32_t type, head = word(p->shape, p->pos);
		size_t n = head_of(p, head, &type, left);
		if (!n || n > left)
			return -1;
		const uint8_t *from = p->pos;
		p->pos += n;
		if (type >= TYPE_PADDING)
			continue;
		size_t skip = type ? 4 : 8;
		*e = (struct ring_event){ .data = from + skip, .size = (uint32_t)(n - skip), .time = p->time, .lost = p->first ? p->lost : 0,
					  .page_start = p->first };
		p->first = false;
		return 1;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracedat/packer.h"
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/str.h"

enum { TIME_EXTEND = 30, DELTA_BITS = 27, SHORT_MAX = 28 * 4 };
#define DELTA_MAX ((1ull << DELTA_BITS) - 1)
#define LOST_EVENTS (1u << 31)
#define LOST_STORED (1u << 30)

void ring_packer_init(struct ring_packer *p, const struct ring_shape *s, int fd, size_t page_size)
{
	*p = (struct ring_packer){ .shape = *s, .fd = fd, .page_size = page_size };
}

void ring_packer_release(struct ring_packer *p)
{
	free(p->page);
	p->page = NULL;
}

static void put32(const struct ring_packer *p, uint8_t *at, uint32_t v)
{
	v = p->shape.swap ? bswap_32(v) : v;
	memcpy(at, &v, 4);
}

static void put_long(const struct ring_packer *p, uint8_t *at, uint64_t v, size_t size)
{
	if (size == 4) {
		put32(p, at, (uint32_t)v);
		return;
	}
	v = p->shape.swap ? bswap_64(v) : v;
	memcpy(at, &v, 8);
}

static uint32_t head_of(const struct ring_packer *p, uint32_t type, uint32_t delta)
{
	return p->shape.big ? type << DELTA_BITS | delta : delta << 5 | type;
}

int ring_packer_flush(struct ring_packer *p)
{
	uint64_t commit = p->used;
	size_t room = p->page_size - p->shape.data_at - p->used;
	if (!p->any)
		return 0;
	if (p->lost) {
		bool stored = p->lost > 0 && room >= p->shape.commit_size;
		commit |= LOST_EVENTS | (stored ? LOST_STORED : 0);
		if (stored)
			put_long(p, p->page + p->shape.data_at + p->used, (uint64_t)p->lost, p->shape.commit_size);
	}
	put_long(p, p->page + p->shape.commit_at, commit, p->shape.commit_size);
	for (size_t done = 0; done < p->page_size;) {
		ssize_t n = write(p->fd, p->page + done, p->page_size - done);
		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	p->written += p->page_size;
	p->any = false;
	return 0;
}

static void begin(struct ring_packer *p, uint64_t time, int64_t lost)
{
	if (!p->page)
		p->page = xmalloc(p->page_size);
	memset(p->page, 0, p->page_size);
	put_long(p, p->page, time, 8);
	p->used = 0;
	p->last = time;
	p->lost = lost;
	p->any = true;
}

int ring_packer_put(struct ring_packer *p, uint64_t time, const void *data, uint32_t size, int64_t lost)
{
	bool is_short = size && size <= SHORT_MAX && !(size % 4);
	size_t whole = is_short ? 4 + (size_t)size : (8 + (size_t)size + 3) & ~(size_t)3;
	int err = 0;
	if (whole + 8 > p->page_size - p->shape.data_at)
		return -EINVAL;
	if (p->any && (lost || time < p->last || p->used + whole + 8 > p->page_size - p->shape.data_at))
		err = ring_packer_flush(p);
	if (err)
		return err;
	if (!p->any)
		begin(p, time, lost);
	uint64_t delta = time - p->last;
	uint8_t *at = p->page + p->shape.data_at + p->used;
	if (delta > DELTA_MAX) {
		put32(p, at, head_of(p, TIME_EXTEND, delta & DELTA_MAX));
		put32(p, at + 4, (uint32_t)(delta >> DELTA_BITS));
		at += 8;
		p->used += 8;
		delta = 0;
	}
	put32(p, at, head_of(p, is_short ? size / 4 : 0, (uint32_t)delta));
	if (!is_short)
		put32(p, at + 4, size + 4);
	memcpy(at + (is_short ? 4 : 8), data, size);
	p->used += whole;
	p->last = time;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events back into ring pages, as a kernel would have written them. */
#ifndef TRACEDAT_PACKER_H
#define TRACEDAT_PACKER_H
#include "tracedat/ring.h"

struct ring_packer {
	struct ring_shape shape;
	int fd; /* pages are appended to it; the caller's */
	size_t page_size, used; /* used: bytes behind the page's head */
	uint8_t *page; /* owned; NULL before the first event */
	uint64_t last, written; /* written: bytes in the file */
	int64_t lost; /* before this page's first event */
	bool any; /* an event is in the page */
};
void ring_packer_init(struct ring_packer *p, const struct ring_shape *s, int fd, size_t page_size);
/* Times must not go back by more than the clock did. lost: what was lost before it. -errno; -EINVAL: no page has room for it. */
int ring_packer_put(struct ring_packer *p, uint64_t time, const void *data, uint32_t size, int64_t lost);
int ring_packer_flush(struct ring_packer *p); /* the page that is not full */
void ring_packer_release(struct ring_packer *p);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of the kernel's trace rings, as trace_pipe_raw gives them and a trace.dat keeps them: a head (time of the page,
 * bytes in use, what was lost before it), then events with the time since the one before them. Nothing is read outside the
 * page, whatever it says. */
#ifndef TRACEDAT_RING_H
#define TRACEDAT_RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring_shape { /* events/header_page */
	bool swap; /* the file's byte order is not ours */
	bool big; /* it is big-endian */
	uint8_t commit_at, commit_size, data_at;
};
enum { RING_LOST_SOME = -1 }; /* how many is not told */

struct ring_page {
	const uint8_t *at, *pos, *end;
	const struct ring_shape *shape;
	uint64_t time, page_time;
	int64_t lost; /* before its first event; RING_LOST_SOME */
	bool first;
};
struct ring_event {
	const uint8_t *data;
	uint32_t size;
	uint64_t time;
	int64_t lost; /* events that were lost before it: 0, a number or RING_LOST_SOME */
	bool page_start;
};

/* The shape that 64-bit kernels have had since 2.6.32. */
void ring_shape_default(struct ring_shape *s, bool swap, bool big, unsigned long_size);
/* As the text of events/header_page has it; false: it makes no sense, the shape stays as it was. */
bool ring_shape_parse(struct ring_shape *s, const char *text);
/* False: the head says that there is more in the page than fits. An empty page is one without events. */
bool ring_page_begin(struct ring_page *p, const struct ring_shape *s, const uint8_t *page, size_t size);
/* 1: an event; 0: no more; -1: one goes beyond the page. */
int ring_page_next(struct ring_page *p, struct ring_event *e);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings for opened events: one for each CPU (or, for events on any CPU, for each thread); all events of
 * that place write into it. */
#ifndef ATTACH_RINGS_H
#define ATTACH_RINGS_H
#include "attach/open.h"
#include "kernel/perf.h"

struct rings_place { /* whose a ring is, and the descriptor it is mapped on */
	int cpu, thread, fd;
	uint64_t lost, last; /* by its reader: losses told by the kernel so far; the time of its last sample */
};
struct rings {
	VEC(struct perf_ring) at;
	VEC(struct rings_place) place; /* of each ring */
	size_t bytes; /* of each ring, as mapped */
};
enum { RINGS_BYTES = 8 << 20, RINGS_BYTES_MIN = 64 << 10 };
/* bytes: wanted per ring, a power of two of pages. shrink: when the limit on locked memory refuses it,
 * take half, down to RINGS_BYTES_MIN. -errno with a pending error that names the limit. */
int rings_map(struct rings *r, const struct opened *o, size_t bytes, bool overwrite, bool shrink);
int rings_find(const struct rings *r, const struct opened_fd *f); /* index of the ring it writes to; -1: none */
void rings_release(struct rings *r);
#endif

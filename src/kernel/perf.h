/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open and the mapped rings behind it; the only caller of that system call. */
#ifndef KERNEL_PERF_H
#define KERNEL_PERF_H
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns a close-on-exec descriptor or -errno; no pending error (callers know the event's name:
 * see perf_explain). attr->size is filled in when 0. */
int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);

/* What a counter says now, as its read_format lays it out. 0 or -errno (-EIO: too short). */
int perf_read(int fd, uint64_t *words, size_t n);

/* Turns an -errno from perf_open into a pending error with hint: paranoid level, capability, no PMU,
 * too many descriptors, gone process, absent CPU. Probes causes one by one, never guesses. */
int perf_explain(int err, const struct perf_event_attr *attr, const char *event_name, pid_t pid, int cpu);

/* A known reason why the kernel refuses this very event, or NULL. */
const char *perf_refusal(int err, const struct perf_event_attr *attr);

struct perf_ring {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	size_t size, mask; /* of data; a power of two */
	uint64_t head, tail; /* our view */
	bool overwrite;
	uint8_t *wrap; /* a record that wraps is copied here */
	size_t wrap_cap;
};
/* pages: a power of two. -EPERM when over the mlock limit. */
int perf_ring_map(struct perf_ring *r, int fd, size_t pages, bool overwrite);
void perf_ring_unmap(struct perf_ring *r);
/* Begin: takes the kernel's head. next: the records up to it, NULL at the end; a record stays valid
 * until the following next(). end: gives the space back. Malformed sizes end the round (counted). */
void perf_ring_begin(struct perf_ring *r);
struct perf_event_header *perf_ring_next(struct perf_ring *r);
void perf_ring_end(struct perf_ring *r);
/* The raw bytes between tail and head, in at most two pieces, for a recorder that copies. */
size_t perf_ring_pieces(struct perf_ring *r, const void *piece[2], size_t len[2]);
void perf_ring_consume(struct perf_ring *r, size_t n);
#endif

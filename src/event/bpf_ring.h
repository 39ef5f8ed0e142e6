/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader's end of the per-CPU rings of trace.bpf.c: records of all CPUs in the order of their times. */
#ifndef EVENT_BPF_RING_H
#define EVENT_BPF_RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bpf/trace.h"

struct bpf_ring { /* of one CPU */
	struct cpu_ctl *ctl;
	const uint8_t *data;
	uint64_t pos, head; /* read up to; written up to, as last seen */
	uint64_t given_back; /* the tail the kernel knows */
	uint64_t safe; /* nothing older than this can still come */
	uint64_t before; /* head when the last sleep began */
};
struct bpf_rings {
	struct bpf_ring *ring;
	unsigned n, current;
	uint64_t size; /* of one */
	uint64_t until; /* the current ring may be read up to this time */
	uint64_t now, since; /* when we looked last; when the last sleep began */
	const struct rec *held; /* given out: its room is given back on the next call */
	uint64_t sleep_ns, sleep_max;
	uint64_t polls, sleeps, bytes;
	bool drained; /* nothing more will be written: time bounds no longer hold back */
	bool damaged;
};
/* ctl and data: the mapped maps. */
void bpf_rings_init(struct bpf_rings *r, struct cpu_ctl *ctl, const uint8_t *data, unsigned n_cpus, unsigned n_blocks);
void bpf_rings_release(struct bpf_rings *r);
/* Takes note of what was written since, and gives room back. */
void bpf_rings_look(struct bpf_rings *r);
/* The next record of those noted, valid until the next call; NULL: no more. cpu: whose it is. */
const struct rec *bpf_rings_next(struct bpf_rings *r, unsigned *cpu);
/* Throws away what is there. */
void bpf_rings_skip(struct bpf_rings *r);
/* Looks, and tells how long to sleep before it is worth looking again, at most max ns; 0: go on at once. */
uint64_t bpf_rings_pause(struct bpf_rings *r, uint64_t max);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader's end of the rings of trace.bpf.c, one for each lane of each CPU (bpf/lane.h): their records in the order of
 * their times. */
#ifndef ENGINE_BPF_RING_H
#define ENGINE_BPF_RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bpf/trace.h"

struct bpf_ring { /* of one lane */
	struct lane *lane;
	const uint8_t *data;
	uint64_t size;
	uint64_t pos, head; /* read up to; written up to, as last seen */
	uint64_t given_back; /* the tail the kernel knows */
	uint64_t safe; /* nothing older than this can still come */
	uint64_t before; /* head when the last sleep began */
	uint64_t owned_since; /* when its owner was first seen in the midst of a record, which it still is; 0: it is not */
};
struct bpf_rings {
	struct bpf_ring *ring; /* those of a CPU stand together */
	unsigned *live, n_live; /* those with something to read, or an owner */
	unsigned n, current;
	struct lane_reader *reader; /* where programs see that we are at work */
	uint64_t until; /* the current ring may be read up to this time */
	uint64_t quiet; /* nothing older than this can come from those that are not live */
	uint64_t now, since; /* when we looked last; when the last sleep began */
	const struct rec *held; /* given out: its room is given back on the next call */
	uint64_t sleep_ns, slept; /* slept: what the last look was to be late by */
	uint64_t still_ns; /* how long we stood still, all in all: see engine_stats */
	uint64_t polls, sleeps, bytes;
	bool armed; /* programs were asked to wake us */
	bool drained; /* nothing more will be written: time bounds no longer hold back */
	bool damaged;
	uint64_t (*clock)(void); /* that of the records' times; a test has its own */
};
/* frames, data and reader: the mapped memory. n_blocks: of the first ring of each CPU. */
void bpf_rings_init(struct bpf_rings *r, struct lane_frame *frames, const uint8_t *data, struct lane_reader *reader, unsigned n_cpus,
		    unsigned n_blocks);
void bpf_rings_release(struct bpf_rings *r);
/* Takes note of what was written since, and gives room back. */
void bpf_rings_look(struct bpf_rings *r);
/* The next record of those noted, valid until the next call; NULL: no more. cpu: whose it is. */
const struct rec *bpf_rings_next(struct bpf_rings *r, unsigned *cpu);
/* Throws away what is there. */
void bpf_rings_skip(struct bpf_rings *r);
/* Looks, and tells how long to sleep before it is worth looking again, at most max ns; 0: go on at once. Where that is
 * long the programs wake us when a ring fills, or, when all have been silent, with the next record. */
uint64_t bpf_rings_pause(struct bpf_rings *r, uint64_t max);
/* After that. */
void bpf_rings_awake(struct bpf_rings *r);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings that programs write and sonde reads, and how programs on one CPU keep out of each other's way.
 *
 * A program never has its CPU to itself: an interrupt's runs within it, and where the kernel lets programs be preempted
 * (tracepoints since Linux 7.0) those of other threads begin and end between any two of its instructions. So each
 * CPU has a few lanes, each with a ring of its own. A program owns a lane from lane_take to lane_give; who finds the
 * first one taken takes the next, and who finds none counts a miss. Within its lane a program is the only writer:
 * nothing else needs to be atomic, and a record that is only half made holds up nobody else's.
 *
 * A ring is a number of BLOCK-sized pieces. A position is a byte count that only grows; a record never crosses the end
 * of a block: where it might, the writer leaves a zero word and goes on in the next one. Only the owner moves the head,
 * only the reader moves the tail.
 * lane_code.h has what the programs do with it. */
#ifndef BPF_LANE_H
#define BPF_LANE_H
#include <linux/types.h>

enum {
	BLOCK = 65536,
	LANES = 4, /* of a CPU: a thread's, a soft and a hard interrupt's, and one for who was preempted */
	LANE_NONE = 0xffff,
	SIDE_BLOCKS = 2, /* of the lanes behind a CPU's first, which are hardly ever used */
	RECORD_MIN = 256, /* room that every record asks for at least */
	PATIENCE_NS = 100000000, /* a reader that does nothing for so long about a full ring is not waited for */
};

struct lane {
	/* the owner's */
	__u64 head, busy, last_time; /* busy: 1, it has an owner; last_time: of the record made last */
	__u64 events, lost, pending; /* pending: lost since the last record */
	__u64 pos; /* of the record being made */
	__u32 block, off; /* where that is, and how far it got */
	/* the reader's */
	__u64 tail, wake_at; /* wake_at: who moves the head beyond that wakes the reader */
	__u32 first, mask; /* the blocks: the first one's number, how many there are less one; a power of two */
	__u32 number, wanted; /* of this lane; wanted: 0 leaves the CPU out (-C) */
	__u64 pad[4];
	/* everybody's */
	__u64 missed; /* of a CPU's first lane: programs that found none free */
	__u64 waits, wait_ns;
	__u64 full_at; /* when it was found full, the reader having done nothing about it since */
	__u64 pad2[4];
};

/* What the reader tells all lanes. */
struct lane_reader { __u64 seen; /* when it was last at work, by CLOCK_MONOTONIC */ __u64 pad[7]; };

/* Blocks that the lanes of so many CPUs need, with n_blocks for the first of each. */
static inline __u32 lane_blocks(__u32 n_cpus, __u32 n_blocks)
{
	return n_cpus * (n_blocks + (LANES - 1) * SIDE_BLOCKS);
}

/* Before programs run: where the ring of that lane is. */
static inline void lane_init(struct lane *l, __u32 number, __u32 n_cpus, __u32 n_blocks)
{
	__u32 cpu = number / LANES, side = number % LANES;
	l->number = number;
	l->wake_at = ~0ull;
	l->first = side ? n_cpus * n_blocks + (cpu * (LANES - 1) + side - 1) * SIDE_BLOCKS : cpu * n_blocks;
	l->mask = (side ? SIDE_BLOCKS : n_blocks) - 1;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer's side of lane.h. The same text is compiled for the kernel and for tests/unit/lane.c, which steps through
 * every order of several programs' accesses. Who includes it says where lanes and blocks are: lane_at, lane_block. */
#ifndef BPF_LANE_CODE_H
#define BPF_LANE_CODE_H
#include "bpf/lane.h"

#ifndef LANE_STEP
#define LANE_STEP() /* here a test goes to another program */
#endif
#define LANE_GET(place) ({ LANE_STEP(); *(volatile __typeof__(place) *)&(place); })
#define LANE_SET(place, value) do { LANE_STEP(); *(volatile __typeof__(place) *)&(place) = (value); } while (0)

static struct lane *lane_at(__u32 number);
static void *lane_block(__u32 number);

/* True: it is ours. Programs that cannot be preempted are interrupted only by such as end before they go on, so that a look
 * and a store are enough for them; `preempted` says that this one can be. */
static __always_inline int lane_take(struct lane *l, __u32 preempted)
{
#ifndef OLD /* kernels that old do not preempt, and know no such instruction */
	if (preempted) {
		LANE_STEP();
		return !__sync_lock_test_and_set(&l->busy, 1);
	}
#endif
	if (LANE_GET(l->busy))
		return 0;
	LANE_SET(l->busy, 1);
	return 1;
}

static __always_inline void lane_give(struct lane *l)
{
	__asm__ volatile("" ::: "memory");
	LANE_SET(l->busy, 0);
}

/* The number of a lane that is ours now, of a CPU whose first one has that number; with `behind` it is one behind that.
 * LANE_NONE: a miss. */
static __always_inline __u32 lane_find(__u32 first, __u32 behind, __u32 preempted)
{
	struct lane *l = lane_at(first);
	if (!l)
		return LANE_NONE;
	if (!behind && lane_take(l, preempted))
		return first;
	for (__u32 i = 1; i < LANES; i++) {
		struct lane *next = lane_at(first + i);
		if (!next)
			return LANE_NONE;
		if (lane_take(next, preempted))
			return first + i;
	}
	__sync_fetch_and_add(&l->missed, 1);
	return LANE_NONE;
}

/* Room for a record of at most max bytes; NULL counts a loss. */
static __always_inline void *lane_reserve(struct lane *l, __u32 max)
{
	__u64 pos = LANE_GET(l->head);
	__u32 off = pos & (BLOCK - 1), i;
	char *b;
	if (off + max > BLOCK) {
		i = l->first + (pos / BLOCK & l->mask);
		b = lane_block(i);
		if (b && off <= BLOCK - 8)
			LANE_SET(*(__u64 *)(b + off), 0);
		pos = (pos | (BLOCK - 1)) + 1;
	}
	LANE_SET(l->pos, pos);
	pos = LANE_GET(l->pos); /* what the verifier knows on one way only makes it walk all that follows twice */
	off = pos & (BLOCK - 1);
	/* the whole block must be free: a record may take more than it asked for, up to the block's end */
	if ((pos | (BLOCK - 1)) + 1 - LANE_GET(l->tail) > ((__u64)l->mask + 1) * BLOCK) {
		l->lost++;
		l->pending++;
		return 0;
	}
	i = l->first + (pos / BLOCK & l->mask);
	l->block = i;
	b = lane_block(i);
	if (!b || off > BLOCK - RECORD_MIN)
		return 0;
	return b + off;
}

/* The record that was reserved is complete: of so many bytes, of that time. */
static __always_inline void lane_commit(struct lane *l, __u32 size, __u64 time)
{
	l->last_time = time;
	l->events++;
	__asm__ volatile("" ::: "memory");
	LANE_SET(l->head, l->pos + size);
}

/* Is it time to wait for the reader? */
static __always_inline int lane_is_full(struct lane *l)
{
	__u64 room = ((__u64)l->mask + 1) * BLOCK, most = room - BLOCK < room / 4 * 3 ? room - BLOCK : room / 4 * 3;
	return LANE_GET(l->head) - LANE_GET(l->tail) > most;
}

/* Is the reader worth waiting for? From when a ring is full it has PATIENCE_NS to do something, and anew with each sign of
 * life: one that is stopped, or stuck with what nobody reads, holds up nobody. */
static __always_inline int lane_is_read(struct lane *l, const struct lane_reader *r, __u64 now)
{
	if ((__s64)(LANE_GET(l->full_at) - LANE_GET(r->seen)) <= 0)
		LANE_SET(l->full_at, now);
	return now - LANE_GET(l->full_at) < PATIENCE_NS;
}
#endif

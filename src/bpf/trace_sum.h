/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: the summary, folded call by call. */
#ifndef BPF_TRACE_SUM_H
#define BPF_TRACE_SUM_H
#include "bpf/trace_core.h"

#ifdef PLAIN
static __always_inline void fold(struct lane_frame *f, const struct slot *slot, __u64 took, __s64 ret) {}
#else
/* bits if v has more than that, else 0; without a jump, since after each the verifier walks all that follows twice. */
static __always_inline __u64 above(__u64 v, __u32 bits)
{
	__u64 less = (1ull << bits) - 1 - v;
	asm volatile("" : "+r"(less)); /* or the compiler makes a jump of it */
	return (less >> 63) * bits;
}

/* The octave of a duration, and its place there: the first has a place for each ns below SUM_STEPS. */
static __always_inline __u32 octave(__u64 ns, __u32 *step)
{
	__u64 v = ns >> 5, n = above(v, 32), shift = n;
	shift += n = above(v >>= n, 16);
	shift += n = above(v >>= n, 8);
	shift += n = above(v >>= n, 4);
	shift += n = above(v >>= n, 2);
	shift += above(v >>= n, 1);
	*step = ns >> shift & (SUM_STEPS - 1);
	return shift + above(ns, 5) / 5;
}

static __always_inline struct sum *sum_overflow(const struct sum_key *key)
{
	static const struct sum zero;
	struct sum *s = bpf_map_lookup_elem(&sums, key);
	if (s)
		return s;
	bpf_map_update_elem(&sums, key, &zero, BPF_NOEXIST);
	return bpf_map_lookup_elem(&sums, key);
}

/* A row that is free becomes ours, unless another CPU's program is about to make it its own. */
static __always_inline bool sum_claim(struct sum *s, const struct sum_key *key)
{
#ifndef OLD
	if (__sync_val_compare_and_swap(&s->state, SUM_FREE, SUM_CLAIMED) != SUM_FREE)
		return false;
#endif
	s->key = *key;
	barrier();
	*(volatile __u64 *)&s->state = SUM_USED;
	return true;
}

static __always_inline struct sum *sum_row(const struct sum_key *key)
{
	__u32 of = key->call << 6 | key->octave, hash = of * 2654435761u ^ (__u32)key->id * 40503u ^ key->lane * 97u;
	__u32 i = hash >> 7 & (SUMS - 1);
	struct sum *s = bpf_map_lookup_elem(&sum_rows, &i);
	if (!s)
		return NULL;
	__u64 state = *(volatile __u64 *)&s->state;
	if (state == SUM_USED && s->key.id == key->id && s->key.call == key->call && s->key.octave == key->octave &&
	    s->key.lane == key->lane)
		return s;
	if (state == SUM_FREE && sum_claim(s, key))
		return s;
	return sum_overflow(key);
}

static __always_inline void fold(struct lane_frame *f, const struct slot *slot, __u64 took, __s64 ret)
{
	__u32 step;
	__u64 comm[2] = { 0 };
	struct sum_key key = { .call = slot->call, .octave = octave(took, &step) };
	if (summary == 1) {
		key.id = slot->tid;
	} else {
		key.lane = f->lane.number; /* nobody else counts there as long as we own it */
		if (summary == 3)
			key.id = bpf_get_current_cgroup_id();
		if (summary == 4) {
			bpf_get_current_comm(comm, sizeof(comm));
			key.id = (comm[0] * 0x9e3779b97f4a7c15ull ^ comm[1]) * 0xbf58476d1ce4e5b9ull;
		}
	}
	struct sum *s = sum_row(&key);
	if (!s) {
		f->not_summed++;
		return;
	}
	if (!s->count) {
		s->pid = slot->pid;
		s->tid = slot->tid;
		s->min = took;
		if (summary == 4) {
			s->comm[0] = comm[0];
			s->comm[1] = comm[1];
		}
	}
	s->count++;
	s->errors += (__u64)ret >= (__u64)-4095;
	s->total += took;
	if (took < s->min)
		s->min = took;
	if (took > s->max)
		s->max = took;
	s->hist[step & (SUM_STEPS - 1)]++;
}
#endif
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: the summary, folded call by call. */
#ifndef BPF_TRACE_SUM_H
#define BPF_TRACE_SUM_H
#include "bpf/trace_core.h"

#ifdef PLAIN
static __always_inline void fold(const struct slot *slot, __u64 took, __s64 ret) {}
#else
static __always_inline __u32 bucket(__u64 ns)
{
	__u32 log = 5;
	if (ns < 32)
		return 0;
	__u64 v = ns >> 5;
	if (v >> 32) { log += 32; v >>= 32; }
	if (v >> 16) { log += 16; v >>= 16; }
	if (v >> 8) { log += 8; v >>= 8; }
	if (v >> 4) { log += 4; v >>= 4; }
	if (v >> 2) { log += 2; v >>= 2; }
	if (v >> 1) log += 1;
	__u32 i = (log - 5) * 2 + (ns >> (log - 1) & 1);
	return i < 64 ? i : 63;
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

static __always_inline struct sum *sum_row(const struct sum_key *key)
{
	__u32 i = (key->call * 2654435761u ^ (__u32)key->id * 40503u ^ key->cpu * 97u) >> 7 & (SUMS - 1);
	struct sum *s = bpf_map_lookup_elem(&sum_rows, &i);
	if (!s || (s->count && (s->key.id != key->id || s->key.call != key->call || s->key.cpu != key->cpu)))
		return sum_overflow(key);
	return s;
}

static __always_inline void fold(const struct slot *slot, __u64 took, __s64 ret)
{
	struct sum_key key = { .call = slot->call };
	if (summary == 1) {
		key.id = slot->tid;
	} else {
		key.cpu = bpf_get_smp_processor_id();
		if (summary == 3)
			key.id = bpf_get_current_cgroup_id();
	}
	struct sum *s = sum_row(&key);
	if (!s)
		return;
	if (!s->count) {
		s->key = key;
		s->pid = slot->pid;
		s->tid = slot->tid;
		s->min = took;
	}
	s->count++;
	s->errors += (__u64)ret >= (__u64)-4095;
	s->total += took;
	if (took < s->min)
		s->min = took;
	if (took > s->max)
		s->max = took;
	s->hist[bucket(took) & 63]++;
}
#endif
#endif

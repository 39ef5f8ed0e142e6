/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What offcpu.bpf.c and its reader share. */
#ifndef BPF_OFFCPU_H
#define BPF_OFFCPU_H
#include <linux/types.h>

enum {
	OFFCPU_FRAMES = 127, /* as many as perf has by default */
	OFFCPU_KERNEL = 48, /* of the kernel's, which are told on request */
	OFFCPU_WAITS = 32768, /* different places in a thread */
	OFFCPU_STACKS = 16384, /* different stacks */
	OFFCPU_CGROUPS = 8,
};

/* A thread that is off its CPU; since: by the clock that stands still while nothing is measured (below). */
struct offcpu_sleep { __u64 since, stack, cgroup; __u32 pid, pad; };
/* Where it waited: stack is the key of its frames, 0: none could be had. The cgroup only where it is asked for. */
struct offcpu_place { __u32 pid, tid; __u64 stack, cgroup; };
/* Only grows. number: this place's own, small; last: when the latest wait ended. */
struct offcpu_sum { __u64 ns, last, number; };
struct offcpu_frames { __u64 kernel[OFFCPU_KERNEL], user[OFFCPU_FRAMES]; }; /* zeros behind the last ones */
struct offcpu_scratch { struct offcpu_frames frames; __u64 places; }; /* places: that came on this CPU so far */
/* A process cannot choose its stack so that another's is taken for it. */
struct offcpu_stack { __u64 hash; __u32 pid, pad; };

/* clock is one word so that nobody sees half of it. While it is measured: how long it was not, so far, times 2, and 1; then the
 * clock's time is CLOCK_MONOTONIC less that. Else: the time at which the clock stands, times 2. */
struct offcpu_state {
	__u64 clock, off_at; /* the reader's; off_at: when it was disabled */
	__u64 lost, lost_ns; /* waits that found no room */
	__u64 lost_stacks; /* waits without their stack: no room for it */
	__u64 lost_sleeps; /* threads that found no room when they fell asleep: one wait each */
};
#endif

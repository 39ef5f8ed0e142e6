/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lockwait.bpf.c and its reader share. */
#ifndef BPF_LOCKWAIT_H
#define BPF_LOCKWAIT_H
#include <linux/types.h>

enum {
	LOCKWAIT_FRAMES = 24,
	LOCKWAIT_PLACES = 16384, /* different rows */
	LOCKWAIT_UNDER_WAY = 16384,
};
/* What rows are of. */
enum lockwait_by { LOCKWAIT_BY_CALLER, LOCKWAIT_BY_THREAD, LOCKWAIT_BY_LOCK, LOCKWAIT_BY_OWNER };
/* How the kernel describes a wait (LCB_F_* of its lock tracepoints). */
enum { LOCKWAIT_SPIN = 1, LOCKWAIT_READ = 2, LOCKWAIT_WRITE = 4, LOCKWAIT_RT = 8, LOCKWAIT_PERCPU = 16, LOCKWAIT_MUTEX = 32 };

/* A wait that has begun. Sleeping locks are of a thread, spinning ones of a CPU. */
struct lockwait_who { __u64 lock; __u32 who, spins; };
struct lockwait_begun { __u64 since, id; __u32 flags, pad; };
/* id: by caller the stack's number, by lock its address, else a thread's number. */
struct lockwait_place { __u64 id; __u32 flags, pad; };
struct lockwait_sum { __u64 count, total, max, min; char name[16]; };
struct lockwait_stack { __u64 ip[LOCKWAIT_FRAMES]; }; /* zeros behind the last one */
struct lockwait_state {
	__u32 on, pad; /* the reader's */
	__u64 lost; /* waits without room */
	__u64 lost_stacks;
};
#endif

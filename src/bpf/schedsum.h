/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What schedsum.bpf.c and its reader share. */
#ifndef BPF_SCHEDSUM_H
#define BPF_SCHEDSUM_H
#include <linux/types.h>

enum { SCHEDSUM_TASKS = 65536 };
enum { SCHEDSUM_SLEEPS, SCHEDSUM_WAITS, SCHEDSUM_RUNS }; /* phase */

/* A number is used again, but not with the same start. */
struct schedsum_key { __u64 start; __u32 tid, pad; };
struct schedsum_task {
	__u64 wake, in; /* since when it waits, or runs; 0: not known */
	__u64 runtime, count, delay, max, max_from, max_to;
	__u32 phase, pid;
	char name[16];
};
struct schedsum_state {
	__u64 since; /* the reader's: nothing is measured while it is 0 */
	__u64 lost; /* tasks that found no room: how often one was seen */
};
#endif

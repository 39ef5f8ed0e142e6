/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sysrecord.bpf.c and its reader share: the rings, and the samples in them, laid out as perf.data
 * wants them.
 *
 * Each CPU has a ring of blocks. A position is a byte count that only grows; a record never crosses the
 * end of a block: where it might, the writer leaves a zero word and goes on in the next one. Only
 * that CPU's program writes (preemption off, and it cannot nest), only the reader moves the tail. */
#ifndef BPF_SYSRECORD_H
#define BPF_SYSRECORD_H
#include <linux/types.h>

enum { SYSREC_BLOCK = 65536, SYSREC_BLOCKS = 128 /* a CPU: 8 MiB */ };

struct sysrec_ctl {
	/* the program's */
	__u64 head, lost, pending; /* pending: lost since the last LOST record */
	__u64 woken; /* head when the reader was woken last */
	__u64 pad[4];
	/* the reader's */
	__u64 tail, wanted; /* wanted: 0 leaves this CPU out (-C) */
	__u64 pad2[6];
};

/* sample_type IDENTIFIER | IP | TID | TIME | CPU | RAW */
struct sysrec_head { __u32 type; __u16 misc, size; __u64 id, ip; __u32 pid, tid; __u64 time; __u32 cpu, zero; };
struct sysrec_enter { struct sysrec_head h; __u32 size; __u16 type; __u8 flags, preempt; __u32 pid; __u32 w[14]; __u32 pad; };
struct sysrec_exit { struct sysrec_head h; __u32 size; __u16 type; __u8 flags, preempt; __u32 pid; __u32 w[4]; __u32 pad; };
struct sysrec_lost { __u32 type; __u16 misc, size; __u64 id, lost; __u32 pid, tid; __u64 time; __u32 cpu, zero; __u64 identifier; };
#endif

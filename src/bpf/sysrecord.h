/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sysrecord.bpf.c and its reader share: the samples in the rings (lane.h), laid out as perf.data wants them. */
#ifndef BPF_SYSRECORD_H
#define BPF_SYSRECORD_H
#include <linux/types.h>
#include "bpf/lane.h"

enum { SYSREC_BLOCKS = 128 /* of a CPU's first lane: 8 MiB */ };

#define SYSREC_SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)
struct sysrec_head { __u32 type; __u16 misc, size; __u64 id, ip; __u32 pid, tid; __u64 time; __u32 cpu, zero; };
struct sysrec_enter { struct sysrec_head h; __u32 size; __u16 type; __u8 flags, preempt; __u32 pid; __u32 w[14]; __u32 pad; };
struct sysrec_exit { struct sysrec_head h; __u32 size; __u16 type; __u8 flags, preempt; __u32 pid; __u32 w[4]; __u32 pad; };
struct sysrec_lost { __u32 type; __u16 misc, size; __u64 id, lost; __u32 pid, tid; __u64 time; __u32 cpu, zero; __u64 identifier; };
#endif

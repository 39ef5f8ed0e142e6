/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What samplefilter.bpf.c and who makes its filters share. */
#ifndef BPF_SAMPLEFILTER_H
#define BPF_SAMPLEFILTER_H
#include <linux/types.h>

enum { SAMPLEFILTER_MAX = 64 /* conditions, as perf */ };
enum samplefilter_op { SF_EQ, SF_NE, SF_GT, SF_GE, SF_LT, SF_LE, SF_AND };
enum samplefilter_field {
	SF_IP, SF_ID, SF_TID, SF_PID, SF_CPU, SF_TIME, SF_ADDR, SF_PERIOD, SF_TXN, SF_WEIGHT, SF_WEIGHT1, SF_WEIGHT2, SF_WEIGHT3,
	SF_PHYS_ADDR, SF_CODE_PAGE, SF_DATA_PAGE, SF_MEM_OP, SF_MEM_LEVEL, SF_MEM_SNOOP, SF_MEM_REMOTE, SF_MEM_LOCK, SF_MEM_DTLB,
	SF_MEM_BLK, SF_MEM_HOPS, SF_UID, SF_GID,
};
/* or_next: it is enough when this one holds, or the next one. */
struct samplefilter_term { __u64 value; __u8 field, op, or_next, pad[5]; };
struct samplefilter_state { __u64 dropped, unknown; }; /* unknown: samples without a value that was asked for, which counts as 0 */
#endif

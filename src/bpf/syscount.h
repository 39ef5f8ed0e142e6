/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What syscount.bpf.c and its reader share. */
#ifndef BPF_SYSCOUNT_H
#define BPF_SYSCOUNT_H
#include <linux/types.h>

enum { SYSCOUNT_CALLS = 512 }; /* numbers of the native ABI; higher ones (x32) have no tracepoints */

struct syscounts { /* one for each CPU; written by it alone, where nothing preempts or interrupts it */
	__u64 enter[SYSCOUNT_CALLS], exit[SYSCOUNT_CALLS];
};
#endif

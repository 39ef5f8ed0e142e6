// SPDX-License-Identifier: GPL-2.0-or-later
/* The same as trace.bpf.c for kernels before 5.17: without bpf_loop, whose callbacks they do not take for functions, and
 * bpf_task_pt_regs. Vectors are followed less far, a full ring is waited for less long, and a call that leaves its CPU
 * is not told before it returns. */
#define OLD
#include "bpf/trace.bpf.c"

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel tells of BPF programs. */
#ifndef KERNEL_BPF_PROGRAMS_H
#define KERNEL_BPF_PROGRAMS_H
#include <stdbool.h>
#include <stdint.h>
/* The machine code of those that are loaded now, with the names kallsyms gives them. */
/* Calls for each function of each program until one returns non-zero, which is returned. Without the
 * right to look there are none. */
int bpf_programs_each(int (*call)(void *ctx, uint64_t addr, uint32_t len, const char *name), void *ctx);
/* Are programs on the tracepoints of system calls preempted? Then the kernel leaves out those of other threads that come on
 * the CPU meanwhile, and they must be attached in another way. SONDE_BPF_PREEMPTED=1 (for tests): say so. */
bool bpf_programs_preempted(void);
/* How often the kernel did not run that program because it was under way on the CPU. 0 where it does not tell. */
uint64_t bpf_program_left_out(int fd);
void bpf_programs_warn_left_out(uint64_t n); /* says so, unless it is 0; what may be missing for it is calls */
#endif

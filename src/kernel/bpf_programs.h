/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine code of the BPF programs that are loaded now, with the names kallsyms gives them. */
#ifndef KERNEL_BPF_PROGRAMS_H
#define KERNEL_BPF_PROGRAMS_H
#include <stdint.h>
/* Calls for each function of each program until one returns non-zero, which is returned. Without the
 * right to look there are none. */
int bpf_programs_each(int (*call)(void *ctx, uint64_t addr, uint32_t len, const char *name), void *ctx);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A seccomp filter that stops only on chosen system calls (SECCOMP_RET_TRACE), and lets all others run
 * at full speed. */
#ifndef KERNEL_BPF_SECCOMP_FILTER_H
#define KERNEL_BPF_SECCOMP_FILTER_H
#include <linux/filter.h>
#include <stdint.h>
#include "base/vec.h"

typedef VEC(struct sock_filter) seccomp_program;
/* Bit N of native/compat: number N is to stop. words: how many 64-bit words each has. Calls of the x32
 * kind always stop. -E2BIG when it would be longer than the kernel takes. */
int seccomp_filter_build(seccomp_program *p, const uint64_t *native, const uint64_t *compat, int words);
/* In the child, before exec; sets no_new_privs unless it has CAP_SYS_ADMIN. -errno. */
int seccomp_filter_install(const seccomp_program *p);
#endif

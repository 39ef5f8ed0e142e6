/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of a thread that a ptracer has stopped, as sysevent.uregs has them. */
#ifndef ARCH_PTRACEREGS_H
#define ARCH_PTRACEREGS_H
#include <stdint.h>

enum { PTRACE_REGS = 17, PTRACE_REG_SP = 16 };
/* At a call's entry: which call it is (-1: none, it fails with ENOSYS). At its exit: what it gives. -errno. */
int ptrace_set_call(int tid, int nr);
int ptrace_set_result(int tid, int64_t ret);
int ptrace_regs(int tid, uint64_t regs[PTRACE_REGS]); /* -errno */
#endif

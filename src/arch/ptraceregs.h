/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of a thread that a ptracer has stopped, as sysevent.uregs has them. */
#ifndef ARCH_PTRACEREGS_H
#define ARCH_PTRACEREGS_H
#include <stdint.h>

enum { PTRACE_REGS = 17, PTRACE_REG_SP = 16 };
int ptrace_regs(int tid, uint64_t regs[PTRACE_REGS]); /* -errno */
#endif

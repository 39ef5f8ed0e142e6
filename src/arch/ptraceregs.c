// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch/ptraceregs.h"
#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>

int ptrace_regs(int tid, uint64_t regs[PTRACE_REGS])
{
	struct user_regs_struct u;
	if (ptrace(PTRACE_GETREGS, tid, 0, &u))
		return -errno;
	const uint64_t r[PTRACE_REGS] = { u.r15, u.r14, u.r13, u.r12, u.rbp, u.rbx, u.r11, u.r10, u.r9, u.r8, u.rax, u.rcx, u.rdx,
					  u.rsi, u.rdi, u.rip, u.rsp };
	for (int i = 0; i < PTRACE_REGS; i++)
		regs[i] = r[i];
	return 0;
}

int ptrace_set_call(int tid, int nr)
{
	return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.orig_rax), (long)nr) ? -errno : 0;
}

int ptrace_set_result(int tid, int64_t ret)
{
	return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.rax), (long)ret) ? -errno : 0;
}

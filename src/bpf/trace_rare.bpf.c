// SPDX-License-Identifier: GPL-2.0-or-later
/* The same as trace.bpf.c for one system call that hardly ever happens: attached to that call's own two
 * tracepoints, so that all other calls pay only for the kernel's look at its table of enabled calls.
 * 32-bit calls do not come this way. */
#include "bpf/trace_life.h"

/* Four bytes of the number, not eight: the event of a call without arguments ends there, and the kernel
 * attaches no program that reads beyond its event. */
struct sys_enter_event { __u64 common; __s32 nr; };
struct sys_exit_event { __u64 common; __s32 nr; __s64 ret; };

SEC("tracepoint")
int on_enter(struct sys_enter_event *e)
{
	struct pt_regs *regs = entry_regs();
	return regs ? entered(regs, e->nr) : 0;
}

SEC("tracepoint")
int on_exit(struct sys_exit_event *e)
{
	struct pt_regs *regs = entry_regs();
	return regs ? left(e, regs, e->ret) : 0;
}

char LICENSE[] SEC("license") = "GPL";

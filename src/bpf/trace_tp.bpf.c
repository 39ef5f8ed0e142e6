// SPDX-License-Identifier: GPL-2.0-or-later
/* The same as trace.bpf.c for kernels that let programs on sys_enter and sys_exit be preempted.
 *
 * The kernel leaves out a run of a program while the same one is under way on that CPU: once to keep programs from calling
 * themselves, but where they can be preempted (since Linux 7.0 on most tracepoints, since 7.2 on those of system calls too)
 * it hits who comes next on the CPU, for as long as the other is not on again. So:
 *   calls    are taken by way of perf, from the events raw_syscalls:sys_enter and sys_exit, where preemption is off, which
 *            takes 60 to 100 ns a call more. One rare call is taken so too: the events of single calls are preempted
 *   births   are seen when the new thread is woken, with interrupts off
 *   execs    that were not told are told when the call comes back
 *   ends     that were not told are told when the thread leaves its CPU for good, with interrupts off
 *   signals  are sent and delivered under a lock, and names are also told by an exec
 * What is left out all the same (such a lock may sleep with PREEMPT_RT) the kernel counts, and it is told at the end. */
#include "bpf/trace_life.h"

struct raw_enter { __u64 common; __s64 id; };
struct raw_exit { __u64 common; __s64 id, ret; };

SEC("tracepoint")
int on_enter(struct raw_enter *e)
{
	struct pt_regs *regs = entry_regs();
	if (regs)
		entered(regs, e->id);
	return 1; /* 0 would keep the event from everybody else */
}

SEC("tracepoint")
int on_exit(struct raw_exit *e)
{
	struct pt_regs *regs = entry_regs();
	if (regs)
		left(e, regs, e->ret);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";

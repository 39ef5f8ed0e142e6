// SPDX-License-Identifier: GPL-2.0-or-later
/* The same as trace.bpf.c for one system call that hardly ever happens: attached to that call's own two
 * tracepoints, so that all other calls pay only for the kernel's look at its table of enabled calls.
 * 32-bit calls do not come this way: when a traced program makes such calls, two more programs are attached where all
 * calls pass, and take those alone. */
#define RARE
#include "bpf/trace_life.h"

/* Four bytes of the number, not eight: the event of a call without arguments ends there, and the kernel
 * attaches no program that reads beyond its event. */
struct sys_enter_event { __u64 common; __s32 nr; };
struct sys_exit_event { __u64 common; __s32 nr; __s64 ret; };

SEC("tracepoint")
int on_enter(struct sys_enter_event *e)
{
	struct pt_regs *regs = entry_regs();
	if (regs)
		entered(regs, e->nr);
	return 1; /* 0 would keep the event from everybody else */
}

SEC("tracepoint")
int on_exit(struct sys_exit_event *e)
{
	struct pt_regs *regs = entry_regs();
	if (regs)
		left(e, regs, e->ret);
	return 1;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_compat_enter, struct pt_regs *regs, long id)
{
	return wide_call() ? 0 : entered(regs, id);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_compat_exit, struct pt_regs *regs, long ret)
{
	return wide_call() ? 0 : left(ctx, regs, ret);
}

char LICENSE[] SEC("license") = "GPL";

// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's half of `sonde trace`.
 *
 * sys_enter notes only a time in the thread's slot; sys_exit makes the record, because the arguments
 * are still in the registers there. Memory that the kernel reads (paths, buffers to write) is copied
 * at entry into an ENTER record, which the reader joins with the CALL that follows; what faulted there
 * is tried again at exit and marked. Calls whose registers are gone at exit (execve, exit,
 * rt_sigreturn) have theirs in the ENTER record too.
 *
 * A slot stands for one thread. It is claimed by user space (-p), by fork from a traced parent, or, when
 * the whole machine is traced, on the first call. Two threads whose numbers fall on one slot: the
 * second lives in the hash `more`.
 *
 * The copying functions are global on purpose: the verifier looks at each once, with any arguments,
 * instead of at every way that leads there. They take plain numbers (kernels before 5.13 allow no
 * pointers) and keep their state in the frame of their lane. */
#include "bpf/trace_life.h"

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long id)
{
	return entered(regs, id);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *regs, long ret)
{
	return left(ctx, regs, ret);
}

char LICENSE[] SEC("license") = "GPL";

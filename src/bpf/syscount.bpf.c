// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts system calls by number, for `sonde stat -e 'syscalls:*'`: one program on sys_enter and one on
 * sys_exit in the place of hundreds of perf events, each of which would cost a grace period to close.
 *
 * It counts what perf's syscalls:* tracepoints count: no 32-bit calls, no x32, exec from the moment it
 * has succeeded. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/syscount.h"

#define RELOCATED __attribute__((preserve_access_index))
struct pt_regs { unsigned long orig_ax; } RELOCATED;
struct thread_info { __u32 status; } RELOCATED;
struct task_struct {
	struct thread_info thread_info;
	int pid;
	unsigned int flags;
} RELOCATED;
enum { TS_COMPAT = 2 }; /* thread_info.status: inside a 32-bit call */

#include "bpf/chosen_tasks.h"

/* One element for each CPU, mapped by the reader: no per-CPU map, because reading one takes rights. */
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct syscounts); } counts SEC(".maps");

static __always_inline int counted(void)
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	return chosen(t) && !(t->thread_info.status & TS_COMPAT);
}

static __always_inline int entered(unsigned long id)
{
	if (id >= SYSCOUNT_CALLS || !counted())
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct syscounts *c = bpf_map_lookup_elem(&counts, &cpu);
	if (c)
		c->enter[id & (SYSCOUNT_CALLS - 1)]++;
	return 0;
}

static __always_inline int left(unsigned long id)
{
	if (id >= SYSCOUNT_CALLS || !counted())
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct syscounts *c = bpf_map_lookup_elem(&counts, &cpu);
	if (c)
		c->exit[id & (SYSCOUNT_CALLS - 1)]++;
	return 0;
}

SEC("tp_btf/sys_enter")
int enter(unsigned long long *ctx) /* regs, number */
{
	return entered(ctx[1]);
}

SEC("tp_btf/sys_exit")
int leave(unsigned long long *ctx) /* regs, result */
{
	return left(((struct pt_regs *)ctx[0])->orig_ax);
}

/* The same by way of perf, where the kernel would preempt them else. */
SEC("tp/raw_syscalls/sys_enter")
int enter_event(unsigned long long *ctx) /* common fields, number */
{
	entered(ctx[1]);
	return 1; /* 0 would keep the event from everybody else */
}

SEC("tp/raw_syscalls/sys_exit")
int leave_event(unsigned long long *ctx) /* common fields, number, result */
{
	left(ctx[1]);
	return 1;
}

char _license[] SEC("license") = "GPL";

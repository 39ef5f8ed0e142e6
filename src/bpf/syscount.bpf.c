// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts system calls by number, for `sonde stat -e 'syscalls:*'`: one program on sys_enter and one on
 * sys_exit in the place of hundreds of perf events, each of which would cost a grace period to close.
 *
 * It counts what perf's syscalls:* tracepoints count: no 32-bit calls, no x32, exec from the moment it
 * has succeeded. Threads to be counted have a byte each, by thread number; fork hands it on, exec in
 * a thread other than the first moves it, exit clears it. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "bpf/syscount.h"

#define RELOCATED __attribute__((preserve_access_index))
struct pt_regs { unsigned long orig_ax; } RELOCATED;
struct thread_info { __u32 status; } RELOCATED;
struct task_struct { struct thread_info thread_info; int pid; } RELOCATED;
enum { TS_COMPAT = 2 }; /* thread_info.status: inside a 32-bit call */

const volatile __u32 by_task; /* only threads whose byte says so */
const volatile __u32 inherit;
const volatile __u32 tid_max = 32768; /* bytes in tasks */
__u32 on; /* counting */

/* One element for each CPU, mapped by the reader: no per-CPU map, because reading one takes rights. */
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__type(key, __u32); __type(value, struct syscounts); } counts SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(map_flags, BPF_F_MMAPABLE); __uint(max_entries, 1);
	__uint(key_size, 4); __uint(value_size, 32768); } tasks SEC(".maps");

/* The byte of a thread; NULL when the number is out of range. */
static __always_inline __u8 *task_byte(__u32 tid)
{
	__u32 zero = 0;
	__u8 *all = bpf_map_lookup_elem(&tasks, &zero);
	if (!all || tid >= tid_max)
		return 0;
	return all + tid;
}

static __always_inline int counted(void)
{
	struct task_struct *t = (void *)bpf_get_current_task_btf();
	if (by_task) {
		__u8 *b = task_byte(t->pid);
		if (!b || *b != TASK_COUNTED)
			return 0;
	} else if (!on) {
		return 0;
	}
	return !(t->thread_info.status & TS_COMPAT);
}

SEC("tp_btf/sys_enter")
int enter(unsigned long long *ctx) /* regs, number */
{
	unsigned long id = ctx[1];
	if (id >= SYSCOUNT_CALLS || !counted())
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct syscounts *c = bpf_map_lookup_elem(&counts, &cpu);
	if (c)
		c->enter[id & (SYSCOUNT_CALLS - 1)]++;
	return 0;
}

SEC("tp_btf/sys_exit")
int leave(unsigned long long *ctx) /* regs, result */
{
	unsigned long id = ((struct pt_regs *)ctx[0])->orig_ax;
	if (id >= SYSCOUNT_CALLS || !counted())
		return 0;
	__u32 cpu = bpf_get_smp_processor_id();
	struct syscounts *c = bpf_map_lookup_elem(&counts, &cpu);
	if (c)
		c->exit[id & (SYSCOUNT_CALLS - 1)]++;
	return 0;
}

SEC("tp_btf/sched_process_fork")
int forked(unsigned long long *ctx) /* parent, child */
{
	struct task_struct *parent = (void *)ctx[0], *child = (void *)ctx[1];
	__u8 *from = task_byte(parent->pid), *to = task_byte(child->pid);
	if (to)
		*to = inherit && from && *from == TASK_COUNTED ? TASK_COUNTED : TASK_UNCOUNTED;
	return 0;
}

SEC("tp_btf/sched_process_exec")
int execed(unsigned long long *ctx) /* task, the number it had, program */
{
	struct task_struct *t = (void *)ctx[0];
	__u8 *old = task_byte((__u32)ctx[1]), *now = task_byte(t->pid);
	if (!old || !now)
		return 0;
	__u8 state = *old;
	if (old != now)
		*old = TASK_UNCOUNTED;
	*now = state == TASK_AT_EXEC ? TASK_COUNTED : state;
	return 0;
}

SEC("tp_btf/sched_process_exit")
int ended(unsigned long long *ctx) /* task */
{
	struct task_struct *t = (void *)ctx[0];
	__u8 *b = task_byte(t->pid);
	if (b)
		*b = TASK_UNCOUNTED;
	return 0;
}

char _license[] SEC("license") = "GPL";

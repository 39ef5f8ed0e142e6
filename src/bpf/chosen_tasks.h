/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's side of chosen.h: birth hands a thread's byte on, exec in a thread other than the first moves it,
 * exit clears it. Included once per program, after its own struct task_struct.
 *
 * The kernel leaves out a run of a program while another is preempted in the same one on that CPU (trace_tp.bpf.c). So
 * births are seen when the new thread is woken, where nothing preempts, and that the command has made its exec is also
 * read off its task. The programs on system calls are attached where they are not preempted. */
#ifndef BPF_CHOSEN_TASKS_H
#define BPF_CHOSEN_TASKS_H
#include "bpf/chosen.h"

const volatile __u32 by_task; /* only threads whose byte says so */
const volatile __u32 inherit;
const volatile __u32 tid_max = 32768; /* bytes in tasks */
__u32 on; /* all, when not by_task */
enum { PF_FORKNOEXEC = 0x40 };

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

static __always_inline int chosen(const struct task_struct *t)
{
	if (!by_task)
		return on;
	__u8 *b = task_byte(t->pid);
	if (b && *b == TASK_AT_EXEC && !(t->flags & PF_FORKNOEXEC))
		*b = TASK_ON;
	return b && *b == TASK_ON;
}

SEC("tp_btf/sched_wakeup_new")
int born(unsigned long long *ctx) /* the new thread; ours is the one that made it */
{
	struct task_struct *child = (void *)ctx[0];
	/* not bpf_get_current_task_btf(): Linux 5.10 has none */
	__u8 *from = task_byte((__u32)bpf_get_current_pid_tgid()), *to = task_byte(child->pid);
	if (to)
		*to = inherit && from && *from == TASK_ON ? TASK_ON : TASK_OFF;
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
		*old = TASK_OFF;
	*now = state == TASK_AT_EXEC ? TASK_ON : state;
	return 0;
}

SEC("tp_btf/sched_process_exit")
int ended(unsigned long long *ctx) /* task */
{
	struct task_struct *t = (void *)ctx[0];
	__u8 *b = task_byte(t->pid);
	if (b)
		*b = TASK_OFF;
	return 0;
}
#endif

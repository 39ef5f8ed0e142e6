/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_rare.bpf.c: 32-bit calls do not pass the call's own tracepoints, and programs where all calls pass would cost
 * all others dearly. So those are attached by user space (engine/bpf/compat.c) when a traced program turns out to make
 * such calls: it is woken, and an exec of a 32-bit program waits for it here, before its first call. */
#ifndef BPF_TRACE_COMPAT_H
#define BPF_TRACE_COMPAT_H
#include "bpf/trace_calls.h"

#ifdef RARE
struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } bell SEC(".maps");

enum { HOLD = 1 << 20, HOLD_NS = 20000000 };

/* With preemption off: those who are woken need another CPU. */
static __always_inline void await_compat(__u32 pid)
{
	struct spin s = { .until = now() + HOLD_NS, .compat = pid };
	if (!compat.waits)
		compat.waits = pid;
	barrier();
	bpf_ringbuf_output(&bell, &pid, sizeof(pid), BPF_RB_FORCE_WAKEUP);
	if (compat.alone)
		return;
	bpf_loop(HOLD, spin_step, &s, 0);
	if (s.end > s.until)
		compat.late = pid;
}

static __always_inline bool is_compat_program(const struct task_struct *t)
{
	return !(BPF_CORE_READ(t, mm, task_size) >> 32);
}

static __always_inline void compat_exec(const struct task_struct *t, __u64 ids)
{
	struct slot *s = slot_of(ids);
	if (s && !s->ts)
		s->flags |= SLOT_NEWBORN; /* the exec's own end, which the new programs see with its 64-bit number */
	if (compat.on || !(s || (whole && ids)) || ids >> 32 == self_tgid || !is_compat_program(t))
		return;
	await_compat(ids >> 32);
}

/* A 64-bit program in a 32-bit call (int 0x80): nothing tells of its beginning, but many of them block. */
static __always_inline void compat_switch(struct task_struct *prev, struct slot *s)
{
	__u32 pid;
	if (compat.on || compat.odd || !s || !(s->flags & SLOT_TRACED) || !(prev->thread_info.status & 2) || is_compat_program(prev))
		return;
	if (!s->ts)
		s->flags &= ~SLOT_NEWBORN; /* under way when we came */
	pid = s->pid;
	compat.odd = pid;
	bpf_ringbuf_output(&bell, &pid, sizeof(pid), BPF_RB_FORCE_WAKEUP);
}
#else
static __always_inline void compat_exec(const struct task_struct *t, __u64 ids) { }
static __always_inline void compat_switch(struct task_struct *prev, struct slot *s) { }
#endif
#endif

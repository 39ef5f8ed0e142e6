/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: forks, execs, ends, signals, and calls that leave their CPU. */
#ifndef BPF_TRACE_LIFE_H
#define BPF_TRACE_LIFE_H
#include "bpf/trace_calls.h"
#include "bpf/trace_compat.h"

/* ---- what happens besides calls ---- */

static __always_inline void other_record(struct lane_frame *f, __u8 type, __u8 flags, __u64 ids, __u32 a, __u32 b,
					 const void *info, __u32 n)
{
	struct rec_other *r = reserve(f, sizeof(*r), RECORD_MIN);
	if (!r)
		return;
	head_fill(&r->h, type, flags, ids);
	r->a = a;
	r->b = b;
	if (info && bpf_probe_read_kernel(r->info, n & 63, info))
		r->info[0] = 0;
	commit(f, &r->h);
}

static __always_inline void other(__u8 type, __u8 flags, __u32 a, __u32 b, const void *info, __u32 n)
{
	struct lane_frame *f = frame_any();
	if (!f)
		return;
	other_record(f, type, flags, current_ids(), a, b, info, n);
	frame_give(f);
}

static __always_inline int born(struct task_struct *parent, struct task_struct *child)
{
	__u64 ids = task_ids(parent), kid_ids = task_ids(child);
	__u32 kid = kid_ids, kid_pid = kid_ids >> 32;
	struct slot *s = slot_of(ids), *k;
	forget_stack(child);
	if (whole) {
		if (kid_pid == self_tgid || !kid)
			return 0;
		/* claimed before its first exit can be taken for one that was under way */
		__u8 flags = SLOT_TRACED | SLOT_NEWBORN;
		if (s && kid_pid == ids >> 32) /* a thread is what its process is */
			flags = SLOT_NEWBORN | (s->flags & (SLOT_TRACED | SLOT_NOWAIT));
		k = slot_claim(kid, kid_pid, flags);
		if (k)
			k->born = child->start_time;
		if (!(flags & SLOT_TRACED) || !passes())
			return 0;
	} else {
		k = slot_of(kid_ids);
		if (k)
			slot_drop(k, kid);
		if (!s || !follow)
			return 0;
		k = slot_claim(kid, kid_pid, SLOT_TRACED | SLOT_NEWBORN | (s->flags & SLOT_NOWAIT));
		if (k)
			k->born = child->start_time;
		if (!passes())
			return 0;
	}
	other(REC_FORK, 0, kid, kid_pid, child->comm, 16);
	return 0;
}

#ifdef OLD
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	return born(parent, child);
}
#else
enum { PF_IO_WORKER = 0x10, PF_USER_WORKER = 0x4000 }; /* threads that never leave the kernel */

/* When it is woken by the one that made it, before it runs: nothing preempts or interrupts us here. */
SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_fork, struct task_struct *child)
{
	return child->flags & (PF_IO_WORKER | PF_USER_WORKER) ? 0 : born((void *)bpf_get_current_task_btf(), child);
}
#endif

/* The call's own memory is gone, but the new program has its copy: arguments, environment and the file's name lie one
 * behind the other. The kernel's own note, struct linux_binprm, would cost two milliseconds at each start: its place in
 * the cache of types that CO-RE looks up is that of pt_regs. */
static __always_inline void take_exec_words(struct lane_frame *f)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	struct mm_struct *mm = BPF_CORE_READ(t, mm);
	__u32 i = f->lane.block, off = f->lane.off;
	char *b = bpf_map_lookup_elem(&blocks, &i);
	asm volatile("" : "+r"(off));
	if (!b || off > BLOCK - sizeof(struct exec_words))
		return;
	struct exec_words *w = (struct exec_words *)(b + off);
	__u64 start = BPF_CORE_READ(mm, arg_start), end = BPF_CORE_READ(mm, env_end), n = end - start;
	w->args = BPF_CORE_READ(mm, arg_end) - start;
	bpf_probe_read_user_str(w->filename, PIECE_MAX, (void *)end);
	if (n > EXEC_WORDS)
		n = EXEC_WORDS;
	asm volatile("" : "+r"(n)); /* or the bound is checked on a copy */
	w->total = n & ~(bpf_probe_read_user(w->words, n, (void *)start) >> 63); /* no branch: fewer ways to walk */
	f->lane.off = off + __builtin_offsetof(struct exec_words, words) + ((n + 7) & 0x7ff8);
}

/* Programs that give more rights than their user has, or that he may not read, are marked: nobody but root may look into them
 * (MMF_DUMPABLE_MASK, SUID_DUMP_USER). */
static __always_inline bool is_open(struct task_struct *p)
{
	struct mm_struct *mm = BPF_CORE_READ(p, mm);
	struct mm_struct___new *other = (void *)mm;
	__u64 flags = 0;
	if (bpf_core_field_exists(mm->flags))
		flags = BPF_CORE_READ(mm, flags);
	else if (bpf_core_field_exists(other->flags))
		flags = BPF_CORE_READ(other, flags.__mm_flags[0]);
	return (flags & 3) == 1;
}

static __always_inline void take_parent(struct rec_other *r)
{
	struct task_struct *t = (void *)bpf_get_current_task(), *parent = BPF_CORE_READ(t, real_parent, group_leader);
	r->b = pid_space ? ids_here(parent) >> 32 : (__u32)BPF_CORE_READ(parent, tgid);
	if (bpf_core_read(r->info + 16, 16, &parent->comm))
		r->info[16] = 0;
}

/* Global as the copying functions are: it would be walked once for each kind of slot. */
__noinline int tell_exec(__u64 ids, __u32 old, __u32 late, __u32 flags)
{
	struct lane_frame *f = frame_any();
	if (!f)
		return 0;
	struct rec_other *r = reserve(f, sizeof(*r), late ? RECORD_MIN + sizeof(struct exec_words) : RECORD_MIN);
	if (r) {
		head_fill(&r->h, REC_EXEC, flags, ids);
		r->a = old;
		bpf_get_current_comm(r->info, 16);
		take_parent(r);
		if (late)
			take_exec_words(f);
		commit(f, &r->h);
	}
	frame_give(f);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *p, int old_pid)
{
	__u64 ids = task_ids(p);
	__u32 tid = ids, old = pid_space ? owner_of(p) : old_pid;
	if (pid_space && !old)
		old = tid;
	struct slot *s = slot_of(ids), *o = old != tid ? slot_find(old) : NULL;
	if (o) { /* a thread that execs becomes its leader */
		__u64 ts = o->ts;
		__u16 call = o->call;
		__u8 flags = o->flags, late = o->late;
		slot_drop(o, old);
		s = slot_claim(tid, ids >> 32, flags);
		forget_stack(p);
		if (s) {
			s->ts = ts;
			s->call = call;
			s->late = late;
		}
	}
	/* whatever it passes now: it may get the user, the name or the cgroup that are asked for later */
	if (s && own_only && !is_open(p)) {
		slot_drop(s, tid);
		tell_exec(ids, old, 0, REC_FOREIGN);
	} else if (s && s->flags & SLOT_TRACED) {
		s->flags = (s->flags & ~SLOT_UNTIL_EXEC) | SLOT_EXECED;
		bool named = is_named(), was = s->ts && !(s->flags & SLOT_MISNAMED);
		if (is_chosen() && (named || was))
			tell_exec(ids, old, s->late, named ? 0 : REC_MISNAMED);
		s->late = 0; /* what lies at the old addresses now is another program's */
	}
	compat_exec(p, ids);
	return 0;
}

SEC("tp_btf/task_rename")
int BPF_PROG(on_rename, struct task_struct *task, const char *comm)
{
	__u64 ids = task_ids(task);
	struct slot *s = slot_of(ids);
	struct lane_frame *f = s ? frame_any() : NULL;
	if (!f)
		return 0;
	struct rec_other *r = reserve(f, sizeof(*r), RECORD_MIN);
	if (r) {
		head_fill(&r->h, REC_COMM, 0, ids);
		bpf_probe_read_kernel_str(r->info, 16, comm);
		commit(f, &r->h);
	}
	frame_give(f);
	return 0;
}

SEC("tp_btf/signal_deliver")
int BPF_PROG(on_signal, int sig, void *info, struct k_sigaction *ka)
{
	struct slot *s = current_slot();
	if (s && lines)
		other(REC_SIGNAL, 0, sig, !ka->sa.sa_handler, info, 48);
	return 0;
}

/* One that ends the process is delivered as SIGKILL, and whoever sent it is forgotten. */
static __always_inline bool is_fatal(struct task_struct *task, int sig)
{
	struct signal_struct *s = BPF_CORE_READ(task, signal);
	return BPF_CORE_READ(s, flags) & 4 /* SIGNAL_GROUP_EXIT */ && BPF_CORE_READ(s, group_exit_code) == sig;
}

/* The kernel drops a signal that is ignored, by default as SIGCHLD is or by wish, before it is delivered: it is told
 * when it is sent, by the sender's CPU. */
SEC("tp_btf/signal_generate")
int BPF_PROG(on_ignored, int sig, void *info, struct task_struct *task, int group, int result)
{
	if (result > 1 /* TRACE_SIGNAL_DELIVERED, TRACE_SIGNAL_IGNORED */ || !lines || use_uid || use_comm || use_cgroup || use_cpus)
		return 0;
	if (!result && !is_fatal(task, sig))
		return 0;
	__u64 ids = task_ids(task);
	struct slot *s = slot_of(ids);
	if (!s || !(s->flags & SLOT_TRACED) || s->flags & SLOT_UNTIL_EXEC)
		return 0;
	struct lane_frame *f = frame_any();
	if (!f)
		return 0;
	struct rec_other *r = reserve(f, sizeof(*r), RECORD_MIN);
	if (r) {
		head_fill(&r->h, REC_SIGNAL, 0, ids);
		r->a = sig;
		r->b = result ? 0 : SIGNAL_FATAL;
		if (bpf_probe_read_kernel(r->info, 48, info)) { /* no siginfo but a mark: 0 by a user, 1 by the kernel */
			__builtin_memset(r->info, 0, 48);
			*(__u32 *)(r->info + 8) = info ? 0x80 /* SI_KERNEL */ : 0;
		}
		commit(f, &r->h);
	}
	frame_give(f);
	return 0;
}

/* A call that does not return soon, or never will. With REC_GONE: that the thread has ended with that code, in that call if
 * with REC_DIED. */
static __always_inline void announce(struct slot *s, struct lane_frame *f, __u8 flags, __s64 code)
{
	__u32 call = s->call;
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	struct pt_regs *regs = entry_regs();
	if (!d || !regs)
		return;
	struct rec_call *r = reserve(f, head_size(d), RECORD_MIN);
	if (r) {
		fill(r, REC_BLOCKED, now(), d->flags & DEF_ARGS_AT_ENTER ? (call & (CALLS - 1)) : regs->orig_ax, d, s);
		r->h.flags = flags | (s->flags & SLOT_ENTERED ? REC_ENTERED : 0);
		r->enter = s->ts;
		r->ret = code;
		read_args(r->args, regs, is_compat(s));
		if (s->quick)
			put_kept(f, r, d, s);
		if ((rare || see_files) && d->fds)
			take_files(f, r, d);
		s->flags |= SLOT_ANNOUNCED;
		commit(f, &r->h);
	}
}

/* What REC_GONE goes with. */
static __always_inline __u8 end_flags(const struct slot *s, bool last)
{
	__u32 call = s->call;
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	bool died = s->ts && d && !(d->flags & DEF_NORETURN) && !summary_only;
	return REC_GONE | died * REC_DIED | last * REC_GROUP;
}

/* Behind on_ignored and before on_switch: programs that look at the same kinds of struct are neighbours, for that cache. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_end, struct task_struct *p)
{
	__u64 ids = task_ids(p);
	__u32 tid = ids;
	struct slot *s = slot_of(ids);
	if (!s)
		return 0;
	struct lane_frame *f = s->flags & SLOT_TRACED && passes() ? frame_any() : NULL;
	if (!f) {
		slot_drop(s, tid);
		return 0;
	}
#ifdef RARE /* signal_struct has the place of files_struct in the kernel's cache of types: 2 ms each time another is asked for */
	bool last = tid == ids >> 32;
#else
	bool last = !BPF_CORE_READ(p, signal, live.counter);
#endif
#ifdef OLD /* no registers, no call to tell of */
	other_record(f, REC_EXIT, last ? REC_GROUP : 0, ids, p->exit_code, 0, NULL, 0);
#else
	announce(s, f, forgotten(&f->scratch[0], end_flags(s, last)), p->exit_code);
#endif
	frame_give(f);
	slot_drop(s, tid);
	return 0;
}

/* For the reader's choice of a CPU. Only idle tasks have the number 0. */
static __always_inline void note_idle(struct lane_frame *c, bool was, bool is)
{
	__u64 time = now();
	if (was && c->idle_since)
		c->idle_ns += time - c->idle_since;
	c->idle_since = is ? time : 0;
}

/* With interrupts off, in whatever the thread was doing: that may be one of our programs. */
SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 tid = prev->pid;
	bool into_idle = !next->pid;
	struct lane_frame *c = this_cpu(), *f;
	if (!c)
		return 0;
	if (!tid || into_idle || c->idle_since)
		note_idle(c, !tid, into_idle);
	if (pid_space && tid)
		tid = owner_of(prev);
	struct slot *s = slot_find(tid);
	compat_switch(prev, s);
	if (!s)
		return 0;
	__u32 gone = prev->exit_state; /* for good, and on_end, which drops the slot, did not see it */
	if (gone && s->born && s->born != prev->start_time)
		return 0; /* that slot is somebody else's, who got the number of who leaves */
	if (!gone && !(blocked_lines && s->ts && !(s->flags & (SLOT_ANNOUNCED | SLOT_UNTIL_EXEC))))
		return 0;
	f = s->flags & SLOT_TRACED && (!use_cpus || c->lane.wanted) && passes() ? frame_take(c) : NULL;
	if (f) {
		announce(s, f, forgotten(&f->scratch[0], gone ? end_flags(s, s->tid == s->pid) : 0), prev->exit_code);
		frame_give(f);
	}
	if (gone)
		slot_drop(s, s->tid);
	return 0;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: a call's entry and exit, whichever tracepoint told of them. */
#ifndef BPF_TRACE_CALLS_H
#define BPF_TRACE_CALLS_H
#include "bpf/trace_copy.h"
#include "bpf/trace_sum.h"

/* ---- calls ---- */

/* `compat` is 1 for 32-bit calls. It comes out of memory each time: a value that the verifier knows makes it walk
 * all that follows once for each, which is what start-up takes longest. */

static __always_inline void read_args(__u64 *a, const struct pt_regs *regs, __u32 compat)
{
	if (!compat) {
		a[0] = regs->di;
		a[1] = regs->si;
		a[2] = regs->dx;
		a[3] = regs->r10;
		a[4] = regs->r8;
		a[5] = regs->r9;
	} else {
		a[0] = (__u32)regs->bx;
		a[1] = (__u32)regs->cx;
		a[2] = (__u32)regs->dx;
		a[3] = (__u32)regs->si;
		a[4] = (__u32)regs->di;
		a[5] = (__u32)regs->bp;
	}
}

/* Those that a short buffer may be among. */
static __always_inline void read_args4(__u64 *a, const struct pt_regs *regs, __u32 compat)
{
	a[0] = compat ? (__u32)regs->bx : regs->di;
	a[1] = compat ? (__u32)regs->cx : regs->si;
	a[2] = compat ? (__u32)regs->dx : regs->dx;
	a[3] = compat ? (__u32)regs->si : regs->r10;
}

static __always_inline __u32 is_compat(const struct slot *s)
{
	return *(volatile __u16 *)&s->call / CALLS;
}

/* The row of the table that a number falls on. */
static __always_inline __u32 call_index(long nr, __u32 compat)
{
	__u32 n = nr;
	if (n >> 30 == 1 && !compat)
		n &= ~0x40000000; /* x32 */
	if (n >= CALLS)
		n = CALLS - 1;
	return n + compat * CALLS;
}

static __always_inline void fill(struct rec_call *r, __u8 type, __u64 time, __s32 nr, const struct call_plan *d, const struct slot *s)
{
	__u32 compat = is_compat(s), high = (__u32)nr >> 30;
	r->h.type = type;
	r->h.abi = compat | (high & ~(high >> 1) & ~compat & 1) << 1; /* 1: 32 bit; 2: x32 */
	r->h.nargs = d->nargs;
	r->h.nr = nr;
	r->h.tid = s->tid;
	r->h.pid = s->pid;
	r->h.time = time;
}

static __always_inline __u32 head_size(const struct call_plan *d)
{
	return sizeof(struct rec) + 16 + 8 * (d->nargs & 7);
}

/* The arguments that r has, for the copying functions. */
static __always_inline void keep_args(struct lane_frame *f, const struct rec_call *r, const struct slot *s, __s64 ret,
				      __u64 sp)
{
	for (int i = 0; i < 6; i++)
		f->args[i] = r->args[i];
	f->args[6] = ret;
	f->args[7] = sp;
	f->call = s->call;
	f->word = 8 - 4 * is_compat(s);
}

/* At most QUICK_MAX bytes by way of the stack: a copy from user memory straight into a map's memory has the kernel
 * search its vmalloc areas each time. A function of its own, because one with less than 64 bytes of stack has them
 * on the thread's stack, which the kernel's check of the copy is quick about; others have a stack of BPF's. */
static __noinline long fetch(__u64 *to, __u64 addr, __u32 len)
{
	__u64 tmp[QUICK_MAX / 8] = { 0 };
	long err;
	if (len > QUICK_MAX)
		return -1;
	/* A single byte comes cheaper as a string: fewer checks on the way, and a NUL is as good as any. */
	if (len == 1)
		err = bpf_probe_read_user_str(tmp, 2, (void *)addr);
	else
		err = bpf_probe_read_user(tmp, len, (void *)addr);
	for (int i = 0; i < QUICK_MAX / 8; i++)
		to[i] = tmp[i];
	return err;
}

/* The common case is a short buffer as the only thing to copy, of n bytes. */
static __always_inline __u32 quick_len(__u64 n)
{
	__u32 len = n > limit_data ? limit_data : n;
	asm volatile("" : "+r"(len));
	return len;
}

static __always_inline void put_quick(struct lane_frame *f, struct rec_call *r, const struct call_plan *d, __u64 n, __u32 len,
				      __u8 flags)
{
	const struct copy_row *row = &d->plan.row[0];
	struct piece *p = (void *)r + head_size(d);
	p->addr = r->args[row->arg & 3];
	p->full = n > 0xffffffffu ? 0xffffffffu : n;
	p->len = len;
	p->place = row->arg << 4;
	p->flags = flags | (n > limit_data ? PIECE_CUT : 0);
	f->lane.off += sizeof(*p) + ((len + 7) & 0x38);
}

/* Of what the kernel reads: kept with the thread until the exit, where the record is made. What faults is read there. */
static __always_inline void keep_quick(struct slot *s, const struct call_plan *d, struct pt_regs *regs)
{
	const struct copy_row *row = &d->plan.row[0];
	read_args4(s->data, regs, is_compat(s)); /* the thread's own memory, and about to be written anyway */
	__u64 addr = s->data[row->arg & 3], n = s->data[row->len_arg & 3];
	__u32 len = quick_len(n);
	if (!n || !addr)
		return;
	s->late = len && fetch(s->data, addr, len) < 0;
	s->quick = s->late ? 0 : 1 + len;
}

static __always_inline void put_kept(struct lane_frame *f, struct rec_call *r, const struct call_plan *d, const struct slot *s)
{
	__u64 *to = (void *)r + head_size(d) + sizeof(struct piece);
	for (int i = 0; i < QUICK_MAX / 8; i++)
		to[i] = s->data[i];
	put_quick(f, r, d, r->args[d->plan.row[0].len_arg & 3], s->quick - 1, 0);
}

/* What the kernel has filled. */
static __always_inline void take_quick(struct lane_frame *f, struct rec_call *r, const struct call_plan *d, __u64 n)
{
	__u64 addr = r->args[d->plan.row[0].arg & 3];
	__u32 len = quick_len(n);
	if (!addr)
		return;
	bool faulted = len && fetch((void *)r + head_size(d) + sizeof(struct piece), addr, len) < 0;
	put_quick(f, r, d, n, faulted ? 0 : len, PIECE_EXIT | (faulted ? PIECE_FAULTED : 0));
}

/* The record of an entry, whose time is told. The thread's own note of it is made after: see entered. */
static __always_inline __u64 enter_record(struct slot *s, struct lane_frame *f, const struct call_plan *d, struct pt_regs *regs,
					  __s32 nr)
{
	__u64 ts = now();
	struct rec_call *r = reserve(f, head_size(d), d->max);
	if (r) {
		fill(r, REC_ENTER, ts, nr, d, s);
		r->h.flags = d->flags & DEF_NORETURN ? REC_NORETURN : 0;
		if (use_comm && s->flags & SLOT_MISNAMED)
			r->h.flags |= REC_MISNAMED;
		r->enter = ts;
		r->ret = 0;
		read_args(r->args, regs, is_compat(s));
		if (d->flags & call_flags & DEF_ENTER) {
			keep_args(f, r, s, 0, regs->sp);
			s->late = take_rows(d->rows, 0, frame_tag(f));
		}
		s->flags |= SLOT_ENTERED | (d->flags & DEF_NORETURN) << 1; /* SLOT_ANNOUNCED: there is no more to say of it */
		commit(f, &r->h);
	}
	return ts;
}

static __always_inline bool test_one(const struct test *t, __u64 v)
{
	__s64 a = v, b = t->value;
	bool below = t->is_signed ? a < b : v < (__u64)b;
	switch (t->op) {
	case 0: return a == b;
	case 1: return a != b;
	case 2: return below;
	case 3: return below || a == b;
	case 4: return !below && a != b;
	case 5: return !below;
	case 6: return a & b;
	}
	return true;
}

/* --where, on the arguments that the frame holds; a test on the result is left for the exit. */
__noinline int tests_hold(__u32 call, __u32 at_exit, __u32 frame)
{
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	struct lane_frame *f = frame_at(frame);
	if (!d || !f)
		return 1;
	for (int i = 0; i < TESTS; i++) {
		const struct test *t = &d->test[i];
		if (!t->on)
			break;
		if (t->arg == 6 && !at_exit)
			continue;
		if (!test_one(t, arg_of(f, t->arg)))
			return 0;
	}
	return 1;
}

static __always_inline void name_thread(__u64 ids)
{
	struct lane_frame *f = frame_any();
	if (!f)
		return;
	struct rec_other *r = reserve(f, sizeof(*r), RECORD_MIN);
	if (r) {
		head_fill(&r->h, REC_COMM, 0, ids);
		bpf_get_current_comm(r->info, 16);
		commit(f, &r->h);
	}
	frame_give(f);
}

/* The slot of the current thread if it is traced. */
static __always_inline struct slot *current_slot(void)
{
	struct slot *s = slot_of(current_ids());
	return s && (!(s->flags & SLOT_TRACED) || !passes()) ? NULL : s;
}

/* Who runs on this kernel stack? Asked once per thread. 0: nobody we trace. */
static __noinline __u32 find_owner(__u32 index, __u32 key)
{
	__u64 id = current_ids(), *o = bpf_map_lookup_elem(&owners, &index);
	__u32 tid = id, pid = id >> 32;
	struct slot *s = slot_of(id);
	if (whole && !s && tid && pid != self_tgid) {
		s = slot_claim(tid, pid, SLOT_TRACED);
		name_thread(id);
	}
	if (!s || !(s->flags & SLOT_TRACED))
		tid = 0;
	if (o)
		*(volatile __u64 *)o = (__u64)key << 32 | tid;
	return tid;
}

/* An address as a number. A pointer cannot be computed with, but the difference of two can; what the one of them is was
 * stored and is read back, always the same. */
static __always_inline __u64 address(const void *p)
{
	if (!*(volatile __u64 *)&origin)
		*(volatile __u64 *)&origin = (__u64)&origin;
	return (__u64)p - (__u64)&origin + *(volatile __u64 *)&origin;
}

/* The same for the caller of a system call, whatever its name, without a helper: the registers lie on its kernel stack, whose
 * address is as good as a thread number. */
static __always_inline struct slot *caller_slot(struct pt_regs *regs)
{
	__u32 key = address(regs) >> 14, i = key >> 1 & (OWNERS - 1), tid;
	__u64 *o = bpf_map_lookup_elem(&owners, &i), v;
	if (!o)
		return NULL;
	v = *(volatile __u64 *)o;
	tid = v >> 32 == key ? (__u32)v : find_owner(i, key);
	if (!tid)
		return NULL;
	return slot_find(tid);
}

/* The number of the thread that had t's stack when it last made a call; 0: unknown. Cheaper than asking for one in a
 * namespace, and after an exec by another thread than the leader the only trace of what it was before. */
static __always_inline __u32 owner_of(const struct task_struct *t)
{
	__u64 stack = 0;
	bpf_core_read(&stack, 8, &t->stack);
	for (__u64 at = 8192; at <= 24576; at += 16384) {
		__u32 key = (stack + at) >> 14, i = key >> 1 & (OWNERS - 1);
		__u64 *o = bpf_map_lookup_elem(&owners, &i), v = o ? *(volatile __u64 *)o : 0;
		if (o && v >> 32 == key)
			return v;
	}
	return 0;
}

/* A new thread on that stack, or another number for the one that is there. */
static __always_inline void forget_stack(struct task_struct *t)
{
	__u64 stack = 0;
	bpf_core_read(&stack, 8, &t->stack);
	for (__u64 at = 8192; at <= 24576; at += 16384) { /* 16 kB, or twice that with KASAN */
		__u32 key = (stack + at) >> 14, i = key >> 1 & (OWNERS - 1);
		__u64 *o = bpf_map_lookup_elem(&owners, &i);
		if (o)
			*(volatile __u64 *)o = 0;
	}
}

/* Do the tests let the call pass, as far as is known at its entry? */
static __always_inline bool passes_at_entry(struct lane_frame *first, struct pt_regs *regs, __u32 call, __u32 compat)
{
	if (!lane_take(&first->lane, preemptible))
		return true; /* no miss: they are made again at its exit */
	read_args(first->args, regs, compat);
	bool hold = tests_hold(call, 0, first->lane.number);
	frame_give(first);
	return hold;
}

/* The slot's time is set last: with it on_switch takes the call for one under way, which may be told. */
static __always_inline int entered(struct pt_regs *regs, long id)
{
	struct lane_frame *c = this_cpu(), *f;
	struct slot *s = c ? caller_slot(regs) : NULL;
	if (!s || !is_chosen())
		return 0;
	/* SYSCALL leaves these traces in the registers; what came otherwise is asked about */
	*(volatile __u8 *)&s->compat = !((regs->cx == regs->ip && regs->r11 == regs->flags) || wide_call());
	__u32 compat = *(volatile __u8 *)&s->compat & 1, call = call_index(id, compat);
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	/* an exec gives another name: whether it is the one that is asked for is known at its end */
	bool named = is_named();
	if (!named && !(d && d->flags & DEF_EXEC))
		return 0;
	*(volatile __u64 *)&s->ts = 0;
	s->flags &= ~(SLOT_NEWBORN | SLOT_ENTERED | SLOT_ANNOUNCED | SLOT_EXECED | SLOT_MISNAMED);
	if (!named)
		s->flags |= SLOT_MISNAMED;
	if (!d || !d->on || (s->flags & SLOT_UNTIL_EXEC && !(d->flags & DEF_EXEC)) ||
	    (use_tests && d->flags & DEF_TESTS && !passes_at_entry(c, regs, call, compat))) {
		s->flags |= SLOT_NEWBORN; /* not "under way at attach": nothing to show at its exit */
		return 0;
	}
	s->call = call;
	s->late = 0;
	s->quick = 0;
	/* where the last wait was in vain */
	if (!summary_only && d->max > RECORD_MIN && lane_is_full(&c->lane) && !(s->flags & SLOT_NOWAIT))
		wait_for_room(c, now());
	__u64 ts = now();
	if (!summary_only && limit_data <= QUICK_MAX && d->flags & call_flags & DEF_QUICK_ENTER)
		keep_quick(s, d, regs);
	else if (!summary_only && d->flags & call_flags & (DEF_ENTER | DEF_ARGS_AT_ENTER) && (f = frame_take(c))) {
		ts = enter_record(s, f, d, regs, id);
		frame_give(f);
		wake_reader(f);
	}
	barrier();
	*(volatile __u64 *)&s->ts = ts;
	return 0;
}

static __always_inline void exit_record(void *ctx, struct slot *s, struct lane_frame *f, const struct call_plan *d,
					struct pt_regs *regs, __s64 ret, __u64 ts, __u64 time, __u8 midway)
{
	__u64 was = s->flags;
	struct rec_call *r = reserve(f, head_size(d), d->max);
	if (!r)
		return;
	/* an entry that must be told by the entry's record is told so by the table */
	fill(r, REC_CALL, time, d->flags & DEF_ARGS_AT_ENTER ? (s->call & (CALLS - 1)) : regs->orig_ax, d, s);
	r->h.flags = (was & SLOT_ENTERED ? REC_ENTERED : 0) | (was & SLOT_ANNOUNCED ? REC_ANNOUNCED : 0) |
		     (d->flags << 1 & ~(was >> 1) & REC_EXEC_UNTOLD) | midway; /* DEF_EXEC, SLOT_EXECED: without a jump */
	r->enter = ts;
	r->ret = ret;
	read_args(r->args, regs, is_compat(s));
	if (call_flags & DEF_QUICK_ENTER && s->quick) {
		put_kept(f, r, d, s);
	} else if (limit_data <= QUICK_MAX && d->flags & call_flags & DEF_QUICK_EXIT) {
		if (ret > 0)
			take_quick(f, r, d, ret);
	} else if (call_flags & (DEF_ENTER | DEF_EXIT) && (d->flags & DEF_EXIT || s->late)) {
		keep_args(f, r, s, ret, regs->sp);
		take_rows(d->rows, s->late, frame_tag(f) | PIECE_EXIT);
	}
	if ((rare || see_files) && d->fds)
		take_files(f, r, d);
	else if (!rare && d->local)
		take_local(r->args[0], r->ret, r->args[4], d->local, frame_tag(f));
	if (graph_user || graph_kernel)
		take_stacks(ctx, f, regs);
	commit(f, &r->h);
}

/* What is made of a call at its end, in that frame. */
static __always_inline void tell_call(void *ctx, struct slot *s, struct lane_frame *f, const struct call_plan *d,
				      struct pt_regs *regs, __s64 ret, __u64 ts, __u64 time, __u8 midway)
{
	if (use_tests && d->flags & DEF_TESTS) {
		read_args(f->args, regs, is_compat(s));
		f->args[6] = ret;
		if (!tests_hold(s->call, 1, f->lane.number))
			return;
	}
	if (summary && ts && (summary_only || !d->silent))
		fold(f, s, time - ts, ret);
	if (!summary_only)
		exit_record(ctx, s, f, d, regs, ret, ts, time, midway);
}

static __always_inline bool is_exec(struct pt_regs *regs)
{
	__u32 call = call_index(regs->orig_ax, !wide_call());
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	return d && d->flags & DEF_EXEC;
}

/* The command before its exec: has that come back, the program that should have seen it having been left out? */
static __always_inline void until_exec(struct slot *s, struct pt_regs *regs, long ret)
{
	if (!ret && is_exec(regs))
		s->flags &= ~SLOT_UNTIL_EXEC;
	s->ts = 0;
	s->flags |= SLOT_NEWBORN;
}

static __always_inline int left(void *ctx, struct pt_regs *regs, long ret)
{
	struct lane_frame *c = this_cpu(), *f;
	struct slot *s = c ? caller_slot(regs) : NULL;
	__u8 midway = 0;
	if (!s)
		return 0;
	/* an exec that on_exec did not judge: what it became may not be the caller's to see */
	if (own_only && !ret && !(s->flags & SLOT_EXECED) && is_exec(regs)) {
		slot_drop(s, s->tid);
		return 0;
	}
	if (!is_chosen())
		return 0;
	if (s->flags & SLOT_UNTIL_EXEC) {
		until_exec(s, regs, ret);
		return 0;
	}
	__u64 ts = s->ts;
	if (!is_named() && (!ts || s->flags & SLOT_MISNAMED)) { /* neither before nor now */
		*(volatile __u64 *)&s->ts = 0;
		return 0;
	}
	if (!ts) {
		if (s->flags & SLOT_NEWBORN || summary_only)
			return 0; /* it began before entries were seen, and is no call that we found it in */
		midway = REC_MIDWAY; /* it was in the kernel when we came: nothing was copied at entry */
		s->late = (1 << COPY_ROWS) - 1;
		s->call = call_index(regs->orig_ax, !wide_call());
	}
	*(volatile __u64 *)&s->ts = 0;
	barrier();
	s->flags |= SLOT_NEWBORN;
	__u32 call = s->call;
	struct call_plan *d = bpf_map_lookup_elem(&defs, &call);
	if (!d || !d->on)
		return 0;
	if (use_cpus && !c->lane.wanted)
		return 0;
	f = frame_take(c);
	if (!f)
		return 0;
	__u64 time = now();
	tell_call(ctx, s, f, d, regs, ret, ts, time, midway);
	frame_give(f);
	if (summary_only)
		return 0;
	wake_reader(f);
	if (lane_is_full(&f->lane) && !(s->flags & SLOT_NOWAIT))
		wait_for_room(f, time);
	return 0;
}
#endif

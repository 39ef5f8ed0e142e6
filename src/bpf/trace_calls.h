/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.bpf.c: a call's entry and exit, whichever tracepoint told of them. */
#ifndef BPF_TRACE_CALLS_H
#define BPF_TRACE_CALLS_H
#include "bpf/trace_copy.h"
#include "bpf/trace_sum.h"

/* ---- calls ---- */

/* `narrow` is 1 for 32-bit calls. It comes out of memory each time: a value that the verifier knows makes it walk
 * all that follows once for each, which is what start-up takes longest. */

static __always_inline void read_args(__u64 *a, const struct pt_regs *regs, __u32 narrow)
{
	if (!narrow) {
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

static __always_inline __u32 is_narrow(const struct slot *s)
{
	return *(volatile __u16 *)&s->call / CALLS;
}

/* The row of the table that a number falls on. */
static __always_inline __u32 call_index(long nr, __u32 narrow)
{
	__u32 n = nr;
	if (n >> 30 == 1 && !narrow)
		n &= ~0x40000000; /* x32 */
	if (n >= CALLS)
		n = CALLS - 1;
	return n + narrow * CALLS;
}

static __always_inline void fill(struct rec_call *r, __u8 type, __u64 time, __s32 nr, const struct call_def *d, const struct slot *s)
{
	__u32 narrow = is_narrow(s), high = (__u32)nr >> 30;
	r->h.type = type;
	r->h.abi = narrow | (high & ~(high >> 1) & ~narrow & 1) << 1; /* 1: 32 bit; 2: x32 */
	r->h.nargs = d->nargs;
	r->h.nr = nr;
	r->h.tid = s->tid;
	r->h.pid = s->pid;
	r->h.time = time;
}

static __always_inline __u32 head_size(const struct call_def *d)
{
	return sizeof(struct rec) + 16 + 8 * (d->nargs & 7);
}

/* The arguments that r has, for the copying functions. */
static __always_inline void keep_args(struct cpu_ctl *c, const struct rec_call *r, const struct slot *s, __s64 ret, __u64 sp)
{
	for (int i = 0; i < 6; i++)
		c->args[i] = r->args[i];
	c->args[6] = ret;
	c->args[7] = sp;
	c->call = s->call;
	c->word = 8 - 4 * is_narrow(s);
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

static __always_inline void put_quick(struct cpu_ctl *c, struct rec_call *r, const struct call_def *d, __u64 n, __u32 len, __u8 flags)
{
	const struct copy_row *row = &d->plan.row[0];
	struct piece *p = (void *)r + head_size(d);
	p->addr = r->args[row->arg & 3];
	p->full = n > 0xffffffffu ? 0xffffffffu : n;
	p->len = len;
	p->place = row->arg << 4;
	p->flags = flags | (n > limit_data ? PIECE_CUT : 0);
	c->off += sizeof(*p) + ((len + 7) & 0x38);
}

/* Of what the kernel reads: kept with the thread until the exit, where the record is made. What faults is read there. */
static __always_inline void keep_quick(struct cpu_ctl *c, struct slot *s, const struct call_def *d, struct pt_regs *regs)
{
	const struct copy_row *row = &d->plan.row[0];
	read_args(c->args, regs, is_narrow(s));
	__u64 addr = c->args[row->arg & 3], n = c->args[row->len_arg & 3];
	__u32 len = quick_len(n);
	if (!n || !addr)
		return;
	s->late = len && fetch(s->data, addr, len) < 0;
	s->quick = s->late ? 0 : 1 + len;
}

static __always_inline void put_kept(struct cpu_ctl *c, struct rec_call *r, const struct call_def *d, const struct slot *s)
{
	__u64 *to = (void *)r + head_size(d) + sizeof(struct piece);
	for (int i = 0; i < QUICK_MAX / 8; i++)
		to[i] = s->data[i];
	put_quick(c, r, d, r->args[d->plan.row[0].len_arg & 3], s->quick - 1, 0);
}

/* What the kernel has filled. */
static __always_inline void take_quick(struct cpu_ctl *c, struct rec_call *r, const struct call_def *d, __u64 n)
{
	__u64 addr = r->args[d->plan.row[0].arg & 3];
	__u32 len = quick_len(n);
	if (!addr)
		return;
	bool faulted = len && fetch((void *)r + head_size(d) + sizeof(struct piece), addr, len) < 0;
	put_quick(c, r, d, n, faulted ? 0 : len, PIECE_EXIT | (faulted ? PIECE_FAULTED : 0));
}

static __always_inline bool full(struct cpu_ctl *c)
{
	__u64 room = (__u64)n_blocks * BLOCK, most = room - BLOCK < room / 4 * 3 ? room - BLOCK : room / 4 * 3;
	return c->head - *(volatile __u64 *)&c->tail > most;
}

enum { SPIN = 4000, SPIN_NS = 200000 };
struct spin { __u64 until, end; __u32 narrow; /* a process that waits, but not for room: see trace_narrow.h */ };

static int spin_step(__u32 i, struct spin *s)
{
	s->end = now();
	struct cpu_ctl *c = this_ctl();
	if (rare && s->narrow)
		return s->end > s->until || *(volatile __u32 *)&narrow.on || *(volatile __u32 *)&narrow.stopped == s->narrow;
	return !c || s->end > s->until || !full(c);
}

/* Gives the reader a moment, outside of what is counted as the call's time. */
__noinline int wait_for_room(__u64 start)
{
	struct spin s = { .until = start + SPIN_NS, .end = start };
#ifdef OLD
	for (int i = 0; i < 256; i++)
		if (spin_step(i, &s))
			break;
#else
	bpf_loop(SPIN, spin_step, &s, 0);
#endif
	struct cpu_ctl *c = this_ctl();
	if (c) {
		c->waits++;
		c->wait_ns += s.end - start;
	}
	return 0;
}

static __always_inline void enter_record(struct slot *s, struct cpu_ctl *c, const struct call_def *d, struct pt_regs *regs, __s32 nr)
{
	c->busy = 1;
	struct rec_call *r = reserve(c, head_size(d), d->max);
	if (r) {
		fill(r, REC_ENTER, s->ts, nr, d, s);
		r->h.flags = d->flags & DEF_NORETURN ? REC_NORETURN : 0;
		r->enter = s->ts;
		r->ret = 0;
		read_args(r->args, regs, is_narrow(s));
		if (d->flags & call_flags & DEF_ENTER) {
			keep_args(c, r, s, 0, regs->sp);
			s->late = take_enter(d->rows);
		}
		s->flags |= SLOT_ENTERED;
		commit(c, &r->h);
	}
	c->busy = 0;
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

/* --where, on the arguments that c holds; a test on the result is left for the exit. */
__noinline int tests_hold(__u32 call, __u32 at_exit)
{
	struct call_def *d = bpf_map_lookup_elem(&defs, &call);
	struct cpu_ctl *c = this_ctl();
	if (!d || !c)
		return 1;
	for (int i = 0; i < TESTS; i++) {
		const struct test *t = &d->test[i];
		if (!t->on)
			break;
		if (t->arg == 6 && !at_exit)
			continue;
		if (!test_one(t, arg_of(c, t->arg)))
			return 0;
	}
	return 1;
}

static __always_inline void name_thread(__u32 tid, __u32 pid, __u64 time)
{
	struct cpu_ctl *c = this_ctl();
	if (!c)
		return;
	c->busy = 1;
	struct rec_other *r = reserve(c, sizeof(*r), RECORD_MIN);
	if (r) {
		head_fill(&r->h, REC_COMM, 0, (__u64)pid << 32 | tid);
		bpf_get_current_comm(r->info, 16);
		commit(c, &r->h);
	}
	c->busy = 0;
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
		name_thread(tid, pid, 0);
	}
	if (!s || !(s->flags & SLOT_TRACED))
		tid = 0;
	if (o)
		*(volatile __u64 *)o = (__u64)key << 32 | tid;
	return tid;
}

/* The same for the caller of a system call, without a helper: the registers lie on its kernel stack, whose
 * address is as good as a thread number. Stored and read back because a pointer cannot be computed with. */
static __always_inline struct slot *caller_slot(struct cpu_ctl *c, struct pt_regs *regs)
{
	*(volatile __u64 *)&c->scratch[0] = (__u64)regs;
	__u32 key = *(volatile __u64 *)&c->scratch[0] >> 14, i = key >> 1 & (OWNERS - 1), tid;
	__u64 *o = bpf_map_lookup_elem(&owners, &i), v;
	if (!o)
		return NULL;
	v = *(volatile __u64 *)o;
	tid = v >> 32 == key ? (__u32)v : find_owner(i, key);
	if (!tid)
		return NULL;
	struct slot *s = slot_find(tid);
	return s && !passes() ? NULL : s;
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

static __always_inline int entered(struct pt_regs *regs, long id)
{
	struct cpu_ctl *c = this_ctl();
	struct slot *s = c ? caller_slot(c, regs) : NULL;
	if (!s)
		return 0;
	/* SYSCALL leaves these traces in the registers; what came otherwise is asked about */
	*(volatile __u64 *)&c->scratch[1] = !((regs->cx == regs->ip && regs->r11 == regs->flags) || wide_call());
	__u32 narrow = *(volatile __u64 *)&c->scratch[1] & 1, call = call_index(id, narrow);
	struct call_def *d = bpf_map_lookup_elem(&defs, &call);
	s->flags &= ~(SLOT_NEWBORN | SLOT_ENTERED | SLOT_ANNOUNCED);
	if (!d || !d->on || (s->flags & SLOT_UNTIL_EXEC && !(d->flags & DEF_EXEC))) {
		s->ts = 0;
		s->flags |= SLOT_NEWBORN; /* not "under way at attach": nothing to show at its exit */
		return 0;
	}
	if (use_tests && d->flags & DEF_TESTS) {
		read_args(c->args, regs, narrow);
		if (!tests_hold(call, 0)) {
			s->ts = 0;
			s->flags |= SLOT_NEWBORN;
			return 0;
		}
	}
	s->call = call;
	s->late = 0;
	s->quick = 0;
	if (!summary_only && d->max > RECORD_MIN && full(c) && !(s->flags & SLOT_NOWAIT)) /* the last wait was in vain */
		wait_for_room(now());
	s->ts = now();
	if (summary_only)
		return 0;
	if (limit_data <= QUICK_MAX && d->flags & call_flags & DEF_QUICK_ENTER)
		keep_quick(c, s, d, regs);
	else if (d->flags & call_flags & (DEF_ENTER | DEF_ARGS_AT_ENTER))
		enter_record(s, c, d, regs, id);
	return 0;
}

static __always_inline void exit_record(void *ctx, struct slot *s, struct cpu_ctl *c, const struct call_def *d, struct pt_regs *regs,
					__s64 ret, __u64 ts, __u64 time, __u8 midway)
{
	__u64 was = s->flags;
	struct rec_call *r = reserve(c, head_size(d), d->max);
	if (!r)
		return;
	/* an entry that must be told by the entry's record is told so by the table */
	fill(r, REC_CALL, time, d->flags & DEF_ARGS_AT_ENTER ? (s->call & (CALLS - 1)) : regs->orig_ax, d, s);
	r->h.flags = (was & SLOT_ENTERED ? REC_ENTERED : 0) | (was & SLOT_ANNOUNCED ? REC_ANNOUNCED : 0) | midway;
	r->enter = ts;
	r->ret = ret;
	read_args(r->args, regs, is_narrow(s));
	if (call_flags & DEF_QUICK_ENTER && s->quick) {
		put_kept(c, r, d, s);
	} else if (limit_data <= QUICK_MAX && d->flags & call_flags & DEF_QUICK_EXIT) {
		if (ret > 0)
			take_quick(c, r, d, ret);
	} else if (call_flags & (DEF_ENTER | DEF_EXIT) && (d->flags & DEF_EXIT || s->late)) {
		keep_args(c, r, s, ret, regs->sp);
		take_exit(d->rows, s->late);
	}
	if ((rare || see_files) && d->fds)
		take_files(r, d);
	if (graph_user || graph_kernel)
		take_stacks(ctx, c, regs);
	commit(c, &r->h);
}

static __always_inline int left(void *ctx, struct pt_regs *regs, long ret)
{
	struct cpu_ctl *c = this_ctl();
	struct slot *s = c ? caller_slot(c, regs) : NULL;
	__u8 midway = 0;
	if (!s)
		return 0;
	__u64 ts = s->ts;
	if (!ts) {
		if (s->flags & SLOT_NEWBORN || summary_only)
			return 0; /* it began before entries were seen, and is no call that we found it in */
		midway = REC_MIDWAY; /* it was in the kernel when we came: nothing was copied at entry */
		s->late = (1 << COPY_ROWS) - 1;
		s->call = call_index(regs->orig_ax, !wide_call());
	}
	s->ts = 0;
	s->flags |= SLOT_NEWBORN;
	__u32 call = s->call;
	struct call_def *d = bpf_map_lookup_elem(&defs, &call);
	if (!d || !d->on || s->flags & SLOT_UNTIL_EXEC)
		return 0;
	if (use_cpus && !c->wanted)
		return 0;
	if (use_tests && d->flags & DEF_TESTS) {
		read_args(c->args, regs, is_narrow(s));
		c->args[6] = ret;
		if (!tests_hold(call, 1))
			return 0;
	}
	if (summary && summary_only) {
		fold(s, now() - ts, ret);
		return 0;
	}
	c->busy = 1;
	__u64 time = now();
	if (summary && ts && !d->silent)
		fold(s, time - ts, ret);
	exit_record(ctx, s, c, d, regs, ret, ts, time, midway);
	c->busy = 0;
	if (full(c) && !(s->flags & SLOT_NOWAIT))
		wait_for_room(time);
	return 0;
}
#endif

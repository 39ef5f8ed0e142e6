// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine 1: a BPF program makes the records (bpf/trace.bpf.c tells how), this side joins them.
 *
 * A call's ENTER record (memory copied at entry) waits with its thread until the CALL record comes; a
 * BLOCKED record tells of a call that left its CPU, and is given out as SYS_UNFINISHED, so that a view
 * can show what a thread is waiting in. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "event/bpf_cost.h"
#include "event/bpf_load.h"
#include "event/bpf_ring.h"
#include "event/bpf_settings.h"
#include "event/bpf_table.h"
#include "event/engine.h"
#include "event/keep_away.h"
#include "event/midway.h"
#include "event/pid_space.h"
#include "event/readers.h"
#include "kernel/clock.h"
#include "kernel/features.h"
#include "kernel/root.h"

enum { REGS = 17 };

struct call_wait { /* a thread, and the call it is in */
	int tid, pid;
	char comm[16];
	struct rec_call *enter; /* copy of the ENTER or BLOCKED record */
	size_t cap;
	bool in_call, given; /* given: as SYS_UNFINISHED */
};

struct engine {
	struct bpf_programs programs;
	struct bpf_rings rings;
	struct cpu_ctl *ctl;
	uint8_t *blocks;
	struct slot *slots;
	uint32_t n_slots, n_cpus;
	size_t ctl_len, blocks_len, slots_len;
	struct u64map threads;
	struct call_wait *last; /* most events come from the thread of the one before */
	struct call_wait *gone; /* ended; freed on the next call */
	VEC(struct copied) copied;
	VEC(struct file_seen) files;
	uint64_t kstack[STACK_MAX], ustack[STACK_MAX];
	struct str stack; /* bytes of the user stack, for DWARF */
	const struct rec *again; /* a record whose loss line went first */
	unsigned again_cpu;
	bool stopping, announce, told_midway;
	size_t cursor; /* of the unfinished calls at the end */
	uint64_t events, cost_ns, opened;
	const struct sysset *calls;
	bool real_time;
	struct keep_away away;
	VEC(struct engine_sum) sums;
	enum engine_summary summary;
};

static struct call_wait *thread_of(struct engine *g, int tid, int pid)
{
	if (g->last && g->last->tid == tid)
		return g->last;
	struct call_wait *t = u64map_get(&g->threads, tid);
	if (!t) {
		t = xcalloc(1, sizeof(*t));
		t->tid = tid;
		t->pid = pid;
		struct str s = STR_INIT;
		if (!file_read(root_path(ROOT_PROC, "%d/comm", tid), &s, 64) && s.len)
			memcpy(t->comm, s.buf, s.len - 1 < 15 ? s.len - 1 : 15);
		str_release(&s);
		u64map_set(&g->threads, tid, t);
	}
	g->last = t;
	return t;
}

static void thread_free(struct call_wait *t)
{
	if (t)
		free(t->enter);
	free(t);
}

static void thread_forget(struct engine *g, int tid)
{
	if (g->summary == SUMMARY_THREAD)
		return; /* the table will want its name */
	struct call_wait *t = u64map_del(&g->threads, tid);
	if (g->last == t)
		g->last = NULL;
	thread_free(g->gone);
	g->gone = t;
}

static void keep(struct call_wait *t, const struct rec *r)
{
	if (t->cap < r->size) {
		t->cap = r->size * 2;
		t->enter = xrealloc(t->enter, t->cap);
	}
	memcpy(t->enter, r, r->size);
	t->in_call = true;
	t->given = false;
}

/* ---- from record to event ---- */

static void stack_piece(struct engine *g, struct sysevent *e, const struct piece *p, const uint8_t *data)
{
	unsigned n = p->len / 8;
	if (p->addr == 3 && p->len == sizeof(struct file_id)) {
		const struct file_id *id = (const struct file_id *)data;
		*vec_push(&g->files) = (struct file_seen){ makedev(id->dev >> 20, id->dev & 0xfffff), id->ino, id->fd };
	} else if (p->addr == 2 && n == REGS) {
		e->uregs = (const uint64_t *)data;
	} else if (p->addr > 4096) {
		if (!e->ustack_len)
			e->ustack_data = data; /* set for good below: the pieces are not adjacent */
		str_addn(&g->stack, data, p->len);
		e->ustack_len += p->len;
	} else if (n <= STACK_MAX) {
		uint64_t *to = p->addr ? g->ustack : g->kstack;
		memcpy(to, data, n * 8);
		if (p->addr)
			e->ustack = to, e->n_ustack = n;
		else
			e->kstack = to, e->n_kstack = n;
	}
}

/* Adds the pieces behind a call record to the event's list. Left out: the rows of the mask `late` as they were at entry
 * (they faulted there and were read again), those of `before` as they were read late (attaching saw them earlier). */
static void add_pieces(struct engine *g, struct sysevent *e, const struct rec_call *r, uint8_t late, uint8_t before)
{
	const uint8_t *p = (const uint8_t *)r + sizeof(struct rec) + 16 + 8 * (r->h.nargs & 7);
	const uint8_t *end = (const uint8_t *)r + r->h.size;
	unsigned part = 0, row = 255;
	while (end - p >= (ptrdiff_t)sizeof(struct piece)) {
		const struct piece *q = (const struct piece *)p;
		const uint8_t *data = p + sizeof(*q);
		if (q->len > end - data)
			return;
		p = data + ((q->len + 7) & ~7u);
		if (q->flags & PIECE_STACK) {
			stack_piece(g, e, q, data);
			continue;
		}
		if ((q->place & 15) != row || !(q->flags & PIECE_NESTED))
			part = 0;
		row = q->place & 15;
		if ((!(q->flags & PIECE_EXIT) && late >> row & 1) || (q->flags & PIECE_EXIT && q->flags & PIECE_LATE && before >> row & 1))
			continue;
		struct copied *c = vec_push(&g->copied);
		c->arg = q->place >> 4;
		c->row = row;
		c->late = q->flags & PIECE_LATE;
		c->at_exit = (q->flags & PIECE_EXIT) && !c->late;
		c->faulted = q->flags & PIECE_FAULTED;
		c->truncated = q->flags & PIECE_CUT;
		c->part = part < 255 ? part++ : 255;
		c->addr = q->addr;
		c->len = q->len;
		c->full_len = q->flags & PIECE_STRING ? 0 : q->full;
		c->data = data;
	}
}

/* Which rows were read later than at entry. */
static uint8_t late_rows(const struct rec_call *r)
{
	const uint8_t *p = (const uint8_t *)r + sizeof(struct rec) + 16 + 8 * (r->h.nargs & 7);
	const uint8_t *end = (const uint8_t *)r + r->h.size;
	uint8_t rows = 0;
	while (end - p >= (ptrdiff_t)sizeof(struct piece)) {
		const struct piece *q = (const struct piece *)p;
		if (q->flags & PIECE_LATE)
			rows |= 1 << (q->place & 7);
		p += sizeof(*q) + ((q->len + 7) & ~7u);
	}
	return rows;
}

static void event_init(struct engine *g, struct sysevent *e, enum sys_type type, const struct rec *r, unsigned cpu)
{
	size_t n = sizeof(*e);
	__asm__("" : "+r"(n)); /* a size that is known is made "rep stos", which takes longer to begin than libc to end */
	memset(e, 0, n);
	e->type = type;
	e->abi = r->abi;
	e->pid = r->pid;
	e->tid = r->tid;
	e->cpu = cpu;
	e->time = r->time;
	e->nr = r->nr;
	vec_clear(&g->copied);
	vec_clear(&g->files);
	if (g->stack.len)
		str_clear(&g->stack);
}

static void call_args(struct sysevent *e, const struct rec_call *r)
{
	memcpy(e->args, r->args, 8 * (r->h.nargs < 6 ? r->h.nargs : 6));
	e->args_known = true;
	e->enter_time = r->enter;
	if (e->abi == ABI_X32)
		e->nr &= ~0x40000000;
}

static void finish_event(struct engine *g, struct sysevent *e, const struct call_wait *t)
{
	memcpy(e->comm, t->comm, 16);
	e->copied = g->copied.at;
	e->n_copied = g->copied.n;
	e->files = g->files.at;
	e->n_files = g->files.n;
	if (e->ustack_len)
		e->ustack_data = (const uint8_t *)g->stack.buf;
	g->events++;
}

static bool same_call(const struct rec_call *a, const struct rec_call *b)
{
	return a->h.nr == b->h.nr && a->h.abi == b->h.abi && !memcmp(a->args, b->args, 8 * (b->h.nargs & 7));
}

static int on_call(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_call *r = (const struct rec_call *)h, *in;
	struct call_wait *t = thread_of(g, h->tid, h->pid);
	uint8_t before = 0;
	bool announced = h->flags & (REC_ANNOUNCED | REC_MIDWAY) && t->in_call && t->given;
	event_init(g, e, announced || h->flags & REC_MIDWAY ? SYS_RESUMED : SYS_CALL, h, cpu);
	e->seen_enter = announced;
	e->ret = r->ret;
	in = h->flags & REC_ENTERED && t->in_call && t->enter->enter == r->enter ? t->enter : NULL;
	call_args(e, r);
	if (in) {
		memcpy(e->args, in->args, 8 * (in->h.nargs < 6 ? in->h.nargs : 6));
		e->nr = in->h.abi == ABI_X32 ? in->h.nr & ~0x40000000 : in->h.nr;
		e->abi = in->h.abi;
		add_pieces(g, e, in, h->size > 64 ? late_rows(r) : 0, 0);
	}
	if (h->flags & REC_MIDWAY && t->in_call && !t->enter->enter && same_call(t->enter, r)) {
		before = late_rows(t->enter);
		add_pieces(g, e, t->enter, 0, 0);
	}
	add_pieces(g, e, r, 0, before);
	t->in_call = false;
	finish_event(g, e, t);
	return 1;
}

/* The call stands in the kernel: told at once when it cannot return, else kept. */
static int on_enter(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	struct call_wait *t = thread_of(g, h->tid, h->pid);
	keep(t, h);
	if (!(h->flags & REC_NORETURN) || !g->ctl[cpu].wanted)
		return 0;
	event_init(g, e, SYS_CALL, h, cpu);
	call_args(e, t->enter);
	e->no_return = true;
	add_pieces(g, e, t->enter, 0, 0);
	t->in_call = false;
	finish_event(g, e, t);
	return 1;
}

static void unfinished(struct engine *g, struct sysevent *e, struct call_wait *t, unsigned cpu)
{
	event_init(g, e, SYS_UNFINISHED, &t->enter->h, cpu);
	call_args(e, t->enter);
	add_pieces(g, e, t->enter, 0, 0);
	t->given = true;
	finish_event(g, e, t);
}

static int on_blocked(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_call *r = (const struct rec_call *)h;
	struct call_wait *t = thread_of(g, h->tid, h->pid);
	bool died = h->flags & REC_DIED, was = t->in_call && t->given && t->enter->enter == r->enter;
	if (!(h->flags & REC_ENTERED && t->in_call && t->enter->enter == r->enter))
		keep(t, h);
	unfinished(g, e, t, cpu);
	e->time = h->time;
	if (died) {
		e->type = was ? SYS_RESUMED : SYS_CALL;
		e->seen_enter = was;
		e->no_return = true;
		t->in_call = false;
	} else if (!g->announce) {
		return 0;
	}
	return 1;
}

static int on_signal_rec(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_other *r = (const struct rec_other *)h;
	struct call_wait *t = thread_of(g, h->tid, h->pid);
	siginfo_t info = { 0 };
	memcpy(&info, r->info, sizeof(r->info));
	if (r->a == SIGKILL)
		return 0; /* its end is told by the exit */
	event_init(g, e, SYS_SIGNAL, h, cpu);
	e->sig = r->a;
	e->sig_code = info.si_code;
	e->stops = is_stop(r->a) && r->b;
	if (r->a == SIGSEGV || r->a == SIGBUS || r->a == SIGILL || r->a == SIGFPE || r->a == SIGTRAP) {
		if (info.si_code > 0)
			e->sig_addr = (uintptr_t)info.si_addr;
	}
	if (info.si_code <= 0 || r->a == SIGCHLD) {
		e->sig_pid = info.si_pid;
		e->sig_uid = info.si_uid;
		e->sig_status = info.si_status;
	}
	finish_event(g, e, t);
	return 1;
}

static int on_other(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_other *r = (const struct rec_other *)h;
	struct call_wait *t = thread_of(g, h->tid, h->pid), *kid;
	switch (h->type) {
	case REC_SIGNAL:
		return on_signal_rec(g, e, h, cpu);
	case REC_COMM:
		t->pid = h->pid;
		memcpy(t->comm, r->info, 15);
		return 0;
	case REC_FORK:
		event_init(g, e, SYS_FORK, h, cpu);
		e->child_tid = r->a;
		e->child_pid = r->b;
		finish_event(g, e, t);
		thread_forget(g, r->a); /* a number used before */
		kid = u64map_get(&g->threads, r->a);
		if (!kid) {
			kid = xcalloc(1, sizeof(*kid));
			u64map_set(&g->threads, r->a, kid);
		}
		kid->tid = r->a;
		kid->pid = r->b;
		kid->in_call = false;
		memcpy(kid->comm, r->info, 15);
		return 1;
	case REC_EXEC:
		event_init(g, e, SYS_EXEC, h, cpu);
		e->old_tid = r->a != h->tid ? r->a : 0;
		e->enter_time = t->in_call ? t->enter->enter : 0;
		memcpy(t->comm, r->info, 15);
		if (e->old_tid && (kid = u64map_get(&g->threads, r->a))) {
			struct rec_call *enter = t->enter; /* the call goes on under the leader's number */
			t->enter = kid->enter;
			t->cap = kid->cap;
			t->in_call = kid->in_call;
			t->given = false;
			kid->enter = enter;
			kid->cap = 0;
			thread_forget(g, r->a);
		}
		finish_event(g, e, t);
		return 1;
	case REC_EXIT:
		event_init(g, e, SYS_EXIT, h, cpu);
		e->sig = r->a & 0x7f;
		e->exit_code = r->a >> 8 & 0xff;
		e->core_dumped = r->a & 0x80;
		e->group_exit = h->flags & REC_GROUP;
		finish_event(g, e, t);
		thread_forget(g, h->tid);
		return 1;
	}
	return 0;
}

static int convert(struct engine *g, struct sysevent *e, const struct rec *r, unsigned cpu)
{
	switch (r->type) {
	case REC_CALL: return on_call(g, e, r, cpu);
	case REC_ENTER: return on_enter(g, e, r, cpu);
	case REC_BLOCKED: return on_blocked(g, e, r, cpu);
	default: return on_other(g, e, r, cpu) && g->ctl[cpu].wanted;
	}
}

/* Threads that were inside a call when we came: kept as a record like the kernel's own, told at once where calls under
 * way are told. What the arguments pointed to then is better than what they point to at the exit. */
static void keep_midway(struct call_wait *t, struct midway *m)
{
	struct str s = STR_INIT;
	unsigned n;
	struct copied *c = copier_list(&m->copy, &n);
	struct rec_call r = { .h = { .type = REC_BLOCKED, .nargs = 6, .tid = t->tid, .pid = t->pid, .nr = m->nr, .abi = m->abi } };
	memcpy(r.args, m->args, sizeof(r.args));
	str_addn(&s, &r, sizeof(r));
	for (unsigned i = 0; i < n && s.len < BLOCK; i++) {
		struct piece p = { .addr = c[i].addr, .full = c[i].full_len > UINT32_MAX ? UINT32_MAX : c[i].full_len, .len = c[i].len,
				   .place = c[i].row | c[i].arg << 4, .flags = PIECE_LATE | (c[i].faulted ? PIECE_FAULTED : 0) |
				   (c[i].truncated ? PIECE_CUT : 0) | (c[i].part ? PIECE_NESTED : 0) };
		str_addn(&s, &p, sizeof(p));
		str_addn(&s, c[i].data, c[i].len);
		str_pad(&s, (s.len + 7) & ~7ul, 0);
	}
	((struct rec *)s.buf)->size = s.len;
	keep(t, (const struct rec *)s.buf);
	str_release(&s);
}

static void note_midway(struct engine *g, struct call_wait *t, const struct copier_limits *limits)
{
	struct slot *slot = &g->slots[t->tid & (g->n_slots - 1)];
	struct midway m = { 0 };
	/* silent ones need no line */
	if (!slot->ts && !t->in_call && midway_read(&m, t->tid, limits) && (!g->calls || sysset_has(g->calls, m.abi, m.nr)))
		keep_midway(t, &m);
	midway_release(&m);
}

static int next_midway(struct engine *g, struct sysevent *e)
{
	uint64_t tid;
	void *val;
	while (u64map_next(&g->threads, &g->cursor, &tid, &val)) {
		struct call_wait *t = val;
		if (!t->in_call || t->given || t->enter->enter || t->enter->h.type != REC_BLOCKED)
			continue;
		unfinished(g, e, t, 0);
		e->time = g->opened;
		return 1;
	}
	g->told_midway = true;
	g->cursor = 0;
	return 0;
}

/* What is still in the kernel at the end and was not told yet. */
static int next_unfinished(struct engine *g, struct sysevent *e)
{
	uint64_t tid;
	void *val;
	while (u64map_next(&g->threads, &g->cursor, &tid, &val)) {
		struct call_wait *t = val;
		struct slot *s = &g->slots[tid & (g->n_slots - 1)];
		bool ended = s->tid == tid && !s->ts && t->enter && t->enter->enter; /* 0: not seen to begin, so not to end */
		if (!t->in_call || t->given || ended)
			continue;
		unfinished(g, e, t, 0);
		return 1;
	}
	return -ENODATA;
}

static int lost_event(struct engine *g, struct sysevent *e, const struct rec *r, unsigned cpu)
{
	memset(e, 0, sizeof(*e));
	e->type = SYS_LOST;
	e->time = r->time;
	e->cpu = cpu;
	e->lost = r->lost;
	g->again = r;
	g->again_cpu = cpu;
	return 1;
}

static struct cpu_use use_of(void *ctx, unsigned cpu)
{
	struct engine *g = ctx;
	const struct cpu_ctl *c = &g->ctl[cpu];
	uint64_t since = __atomic_load_n(&c->idle_since, __ATOMIC_ACQUIRE), now = clock_ns(), idle = c->idle_ns;
	return (struct cpu_use){ g->rings.ring[cpu].head, idle + (since && now > since ? now - since : 0) };
}

/* One chosen call that is rare is seen by its own tracepoints, which 32-bit programs do not pass. */
static int follow_narrow(struct engine *g)
{
	int r = bpf_programs_narrow(&g->programs);
	if (r)
		return r < 0 ? r : 0;
	warn("process %u started a 32-bit program: its first calls may be missing (-e with a second call sees all)", *g->programs.narrow_wanted);
	return 0;
}

static int bpf_next(struct engine *g, struct sysevent *e, int timeout_ms)
{
	uint64_t left = timeout_ms * 1000000ull;
	if (!g->told_midway && next_midway(g, e))
		return 1;
	for (;;) {
		unsigned cpu;
		const struct rec *r;
		if (g->again) {
			r = g->again;
			cpu = g->again_cpu;
			g->again = NULL;
		} else {
			r = bpf_rings_next(&g->rings, &cpu);
			if (r && r->lost)
				return lost_event(g, e, r, cpu);
		}
		if (r) {
			if (convert(g, e, r, cpu))
				return 1;
			continue;
		}
		if (g->stopping)
			return next_unfinished(g, e);
		if (!left)
			return 0;
		uint64_t pause = bpf_rings_pause(&g->rings, left);
		keep_away_look(&g->away, g->n_cpus, use_of, g);
		if (!pause)
			continue;
		struct pollfd wake = { .fd = signals_fd(), .events = POLLIN };
		struct timespec ts = { pause / 1000000000, pause % 1000000000 };
		left -= pause;
		if (ppoll(&wake, 1, &ts, NULL) > 0)
			left = 0; /* look once more, then tell the caller */
		bpf_rings_look(&g->rings);
		if (*g->programs.narrow_wanted && follow_narrow(g))
			return error_code();
	}
}

/* ---- opening ---- */

static struct slot *claim(struct engine *g, int tid, int pid, uint8_t flags)
{
	struct slot *s = &g->slots[tid & (g->n_slots - 1)];
	if (s->tid && (int)s->tid != tid)
		return NULL;
	s->ts = 0;
	s->pid = pid;
	s->flags = flags;
	__atomic_store_n(&s->tid, tid, __ATOMIC_RELEASE);
	return s;
}

static void target_thread(struct engine *g, int tid, int pid, uint8_t flags)
{
	if (!claim(g, tid, pid, flags)) {
		struct slot s = { .tid = tid, .pid = pid, .flags = flags };
		uint32_t key = tid;
		bpf_map_update_elem(g->programs.more, &key, &s, BPF_ANY);
		*g->programs.have_more = 1;
	}
	thread_of(g, tid, pid);
}

/* Every thread of a process; again until no new one shows up (those they start are followed). */
static int target_process(struct engine *g, int pid, uint8_t flags)
{
	for (int round = 0, fresh = 1; fresh && round < 8; round++) {
		DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
		if (!d && round)
			break;
		if (!d) {
			error_set(ESRCH, "there is no process %d", pid);
			return error_hint("it may have ended; pgrep -a NAME finds a process by its name");
		}
		fresh = 0;
		for (struct dirent *ent; (ent = readdir(d));) {
			int tid = atoi(ent->d_name);
			if (tid > 0 && !u64map_get(&g->threads, tid)) {
				target_thread(g, tid, pid, flags);
				fresh = 1;
			}
		}
		closedir(d);
	}
	return 0;
}

static int add_targets(struct engine *g, const struct engine_options *o)
{
	int err = 0;
	const struct workload *command = engine_command(o);
	if (command && command->pid > 0)
		target_thread(g, command->pid, command->pid, SLOT_TRACED | SLOT_NEWBORN | SLOT_UNTIL_EXEC);
	for (size_t i = 0; !err && i < o->pids.n; i++)
		err = target_process(g, o->pids.at[i], SLOT_TRACED);
	for (size_t i = 0; !err && i < o->tids.n; i++) {
		if (!file_exists(root_path(ROOT_PROC, "%d", o->tids.at[i])))
			return error_set(ESRCH, "there is no thread %d", o->tids.at[i]);
		target_thread(g, o->tids.at[i], o->tids.at[i], SLOT_TRACED);
	}
	return err;
}

/* With the whole machine traced: who reads our lines is not held back; who shows them is not traced at all. */
static void spare_readers(struct engine *g, const struct engine_options *o)
{
	intlist pids = { 0 };
	bool terminal;
	if (!o->all)
		return;
	readers_of(o->out_fd, &pids, &terminal);
	for (size_t i = 0; i < pids.n; i++)
		if (target_process(g, pids.at[i], terminal ? 0 : SLOT_TRACED | SLOT_NOWAIT))
			error_clear(); /* gone already */
	vec_release(&pids);
}

static void *map_it(int fd, size_t len, int prot)
{
	void *p = mmap(NULL, len, prot, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		error_sys(errno, "cannot map the tracing program's memory");
		return NULL;
	}
	return p;
}

static size_t pages(size_t n)
{
	return (n + 4095) & ~4095ul;
}

static int map_all(struct engine *g, const struct bpf_settings *s, const struct engine_options *o)
{
	g->n_cpus = s->n_cpus;
	g->n_slots = s->slot_mask + 1;
	g->ctl_len = pages(s->n_cpus * sizeof(struct cpu_ctl));
	g->blocks_len = (size_t)s->n_cpus * s->n_blocks * BLOCK;
	g->slots_len = pages(g->n_slots * sizeof(struct slot));
	g->ctl = map_it(g->programs.ctl, g->ctl_len, PROT_READ | PROT_WRITE);
	g->blocks = g->ctl ? map_it(g->programs.blocks, g->blocks_len, PROT_READ) : NULL;
	g->slots = g->blocks ? map_it(g->programs.slots, g->slots_len, PROT_READ | PROT_WRITE) : NULL;
	if (!g->slots)
		return error_code();
	for (uint32_t i = 0; i < s->n_cpus; i++) {
		g->ctl[i].wanted = !o->cpus.n || intlist_has(&o->cpus, i);
		g->ctl[i].idle_since = clock_ns(); /* until the first switch tells */
	}
	bpf_rings_init(&g->rings, g->ctl, g->blocks, s->n_cpus, s->n_blocks);
	size_t len = pages(2 * CALLS * sizeof(struct call_def));
	struct call_def *defs = map_it(g->programs.defs, len, PROT_READ | PROT_WRITE);
	if (!defs)
		return error_code();
	bpf_table_fill(defs, o);
	munmap(defs, len);
	return 0;
}

static void bpf_close(struct engine *g)
{
	if (!g)
		return;
	uint64_t tid;
	void *t;
	size_t cursor = 0;
	bpf_programs_release(&g->programs);
	if (g->ctl)
		munmap(g->ctl, g->ctl_len);
	if (g->blocks)
		munmap(g->blocks, g->blocks_len);
	if (g->slots)
		munmap(g->slots, g->slots_len);
	bpf_rings_release(&g->rings);
	while (u64map_next(&g->threads, &cursor, &tid, &t))
		thread_free(t);
	thread_free(g->gone);
	u64map_release(&g->threads);
	vec_release(&g->copied);
	vec_release(&g->files);
	vec_release(&g->sums);
	str_release(&g->stack);
	keep_away_end(&g->away);
	if (g->real_time)
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	free(g);
}

/* The reader must come in time even when the traced programs want every CPU. Real-time, because a task with a very
 * low nice value weighs so much that the scheduler moves all others to the other CPUs: to the traced program's. */
static void be_prompt(struct engine *g)
{
	struct sched_param first = { .sched_priority = 1 };
	g->real_time = sched_getscheduler(0) == SCHED_OTHER && !sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first);
	prctl(PR_SET_TIMERSLACK, 1000ul);
	keep_away_init(&g->away);
}

/* The program may have noted the late ones as nobody's. */
static void forget_owners(struct engine *g)
{
	size_t len = OWNERS * sizeof(uint64_t);
	void *p = map_it(g->programs.owners, len, PROT_READ | PROT_WRITE);
	if (p) {
		memset(p, 0, len);
		munmap(p, len);
	}
}

/* Does one of the targets run a 32-bit program already? */
static bool has_narrow(struct engine *g, const struct engine_options *o)
{
	uint64_t tid;
	size_t cursor = 0;
	void *t;
	bool found = false;
	while (!found && u64map_next(&g->threads, &cursor, &tid, &t))
		found = program_abi((int)tid) == ABI_32;
	DIR *d = o->all ? opendir(root_path(ROOT_PROC, ".")) : NULL;
	for (struct dirent *ent; !found && d && (ent = readdir(d));)
		found = atoi(ent->d_name) > 0 && program_abi(atoi(ent->d_name)) == ABI_32;
	if (d)
		closedir(d);
	return found;
}

static void look_midway(struct engine *g, const struct engine_options *o)
{
	uint64_t tid;
	size_t cursor = 0;
	void *t;
	struct copier_limits limits = { o->path_limit, o->string_limit, o->environ };
	g->opened = clock_ns();
	g->calls = o->calls;
	g->told_midway = !g->announce || o->all || o->no_calls || o->summary_only;
	if (o->all || o->no_calls || o->summary_only)
		return;
	while (u64map_next(&g->threads, &cursor, &tid, &t))
		if (!o->workload || (int)tid != o->workload->pid)
			note_midway(g, t, &limits);
}

/* The child's events are thrown away; nobody else of the traced has started yet, or is only missed for that long. */
static void measure(struct engine *g, struct bpf_cost *c)
{
	g->cost_ns = bpf_cost_end(c);
	bpf_rings_skip(&g->rings);
	thread_forget(g, c->pid);
}

static struct engine *bpf_open(const struct engine_options *o)
{
	struct bpf_settings s;
	struct engine *g;
	if (bpf_settings_make(&s, o))
		return NULL;
	g = xcalloc(1, sizeof(*g));
	str_init(&g->stack);
	g->announce = s.announce;
	g->summary = o->summary;
	const bool want[PROG_COUNT] = {
		[PROG_FORK] = true, [PROG_EXEC] = true, [PROG_RENAME] = true, [PROG_END] = true,
		[PROG_SIGNAL] = s.lines, [PROG_IGNORED] = s.lines, [PROG_SWITCH] = s.watch_idle,
		[PROG_EXIT] = !o->no_calls, [PROG_ENTER] = !o->no_calls,
	};
	struct bpf_cost cost = { 0 };
	if (o->measure && !o->summary)
		bpf_cost_begin(&cost);
	int err = bpf_programs_load(&g->programs, &s) || map_all(g, &s, o) || add_targets(g, o);
	if (!err)
		spare_readers(g, o);
	if (!err && cost.pid > 0)
		target_thread(g, cost.pid, cost.pid, SLOT_TRACED | SLOT_NEWBORN);
	if (err || bpf_programs_attach(&g->programs, &s, want) || (s.rare && has_narrow(g, o) && bpf_programs_narrow(&g->programs) < 0)) {
		bpf_cost_end(&cost);
		bpf_close(g);
		return NULL;
	}
	if (cost.pid > 0)
		measure(g, &cost);
	size_t before = g->threads.n;
	for (size_t i = 0; i < o->pids.n; i++) /* threads that were started before fork was watched */
		target_process(g, o->pids.at[i], SLOT_TRACED);
	if (g->threads.n != before)
		forget_owners(g);
	look_midway(g, o);
	be_prompt(g);
	return g;
}

static bool lives(uint32_t tid)
{
	return file_exists(root_path(ROOT_PROC, "%u", tid));
}

/* Whoever has a slot, unless it died before its end was watched. The numbers in `more` are few or none. */
static bool bpf_busy(struct engine *g)
{
	uint32_t tid, *before = NULL;
	for (uint32_t i = 0; i < g->n_slots; i++)
		if (g->slots[i].tid && g->slots[i].flags & SLOT_TRACED && lives(g->slots[i].tid))
			return true;
	return *g->programs.have_more && !bpf_map_get_next_key(g->programs.more, before, &tid);
}

static void bpf_stop(struct engine *g)
{
	bpf_programs_detach(&g->programs, PROG_ENTER);
	for (int i = PROG_COUNT - 1; i >= 0; i--)
		bpf_programs_detach(&g->programs, i);
	g->stopping = true;
	g->rings.drained = true;
	bpf_rings_look(&g->rings);
}

static void bpf_stats(struct engine *g, struct engine_stats *s)
{
	memset(s, 0, sizeof(*s));
	s->events = g->events;
	s->cost_ns = g->cost_ns;
	s->bytes = g->rings.bytes;
	s->polls = g->rings.polls;
	s->sleeps = g->rings.sleeps;
	for (uint32_t i = 0; i < g->n_cpus; i++) {
		s->lost += g->ctl[i].lost;
		s->waits += g->ctl[i].waits;
		s->wait_ns += g->ctl[i].wait_ns;
	}
}

/* ---- the summary ---- */

static struct engine_sum *sum_row(struct engine *g, const struct sum_key *k, struct u64map *index)
{
	uint64_t key = hash_bytes(&(struct sum_key){ .id = k->id, .call = k->call }, sizeof(*k), 0);
	size_t at = (size_t)u64map_get(index, key);
	if (!at) {
		vec_push(&g->sums);
		at = g->sums.n;
		u64map_set(index, key, (void *)at);
	}
	return &g->sums.at[at - 1];
}

static void sum_add(struct engine *g, struct engine_sum *to, const struct sum_key *k, const struct sum *s)
{
	to->id = k->id;
	to->abi = k->call >= CALLS ? ABI_32 : ABI_NATIVE;
	to->nr = k->call & (CALLS - 1);
	if (g->summary == SUMMARY_THREAD) {
		to->pid = s->pid;
		to->tid = s->tid;
		struct call_wait *t = u64map_get(&g->threads, s->tid);
		if (t)
			memcpy(to->comm, t->comm, 16);
	}
	to->min = !to->count || s->min < to->min ? s->min : to->min;
	to->max = s->max > to->max ? s->max : to->max;
	to->count += s->count;
	to->errors += s->errors;
	to->total += s->total;
	for (int i = 0; i < SUMMARY_BUCKETS; i++)
		to->hist[i] += s->hist[i];
}

static size_t bpf_summary(struct engine *g, const struct engine_sum **rows)
{
	struct u64map index = { 0 };
	struct sum_key key = { 0 }, *before = NULL;
	struct sum s;
	vec_clear(&g->sums);
	size_t len = pages(SUMS * sizeof(struct sum));
	const struct sum *row = map_it(g->programs.sum_rows, len, PROT_READ);
	for (int i = 0; row && i < SUMS; i++)
		if (row[i].count)
			sum_add(g, sum_row(g, &row[i].key, &index), &row[i].key, &row[i]);
	if (row)
		munmap((void *)row, len);
	while (!bpf_map_get_next_key(g->programs.sums, before, &key)) {
		if (!bpf_map_lookup_elem(g->programs.sums, &key, &s))
			sum_add(g, sum_row(g, &key, &index), &key, &s);
		before = &key;
	}
	u64map_release(&index);
	*rows = g->sums.at;
	return g->sums.n;
}

/* The cheap ones of the abilities it needs; they stand for the rest. */
static bool bpf_usable(const struct engine_options *o, struct str *why)
{
	static const enum feature needs[] = { FEATURE_BTF, FEATURE_BPF_MMAP, FEATURE_BPF_RAW_TRACEPOINT };
	uint32_t space;
	(void)o;
	if (!root_is_fake() && !pid_space_own(&space)) {
		str_add(why, "/proc does not show this process, so which pid namespace this is cannot be known\nmount -t proc proc /proc");
		return false;
	}
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		const struct feature_state *s = feature_state(needs[i]);
		if (s->answer == FEATURE_YES)
			continue;
		str_addf(why, "%s: %s\n%s", feature_title(needs[i]), s->detail, s->remedy);
		return false;
	}
	return true;
}

const struct engine_ops engine_bpf = {
	.name = "bpf",
	.what = "eBPF: some 150 ns a call; root, or CAP_BPF and CAP_PERFMON",
	.usable = bpf_usable,
	.open = bpf_open,
	.next = bpf_next,
	.busy = bpf_busy,
	.stop = bpf_stop,
	.close = bpf_close,
	.stats = bpf_stats,
	.summary = bpf_summary,
};

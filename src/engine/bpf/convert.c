// SPDX-License-Identifier: GPL-2.0-or-later
/* A call's ENTER record (memory copied at entry) waits with its thread until the CALL record comes; a
 * BLOCKED record tells of a call that left its CPU, and is given out as SYS_UNFINISHED, so that a view
 * can show what a thread is waiting in. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "base/error.h"
#include "engine/bpf/inner.h"
#include "kernel/task/process.h"

enum { REGS = 17 };

struct call_wait *bpf_thread_of(struct engine *g, int tid, int pid)
{
	if (g->last && g->last->tid == tid)
		return g->last;
	struct call_wait *t = u64map_get(&g->threads, tid);
	if (!t) {
		t = xcalloc(1, sizeof(*t));
		t->tid = tid;
		t->pid = pid;
		process_comm(tid, t->comm);
		u64map_set(&g->threads, tid, t);
	}
	g->last = t;
	return t;
}

void bpf_thread_free(struct call_wait *t)
{
	if (t) {
		free(t->enter);
		free(t->fatal);
	}
	free(t);
}

void bpf_thread_forget(struct engine *g, int tid)
{
	if (g->summary == SUMMARY_THREAD)
		return; /* the table will want its name */
	struct call_wait *t = u64map_del(&g->threads, tid);
	if (g->last == t)
		g->last = NULL;
	bpf_thread_free(g->gone);
	g->gone = t;
}

static void keep(struct call_wait *t, const struct rec *r)
{
	if (t->cap < r->size) {
		t->cap = r->size * 2;
		t->enter = xrealloc(t->enter, t->cap);
	}
	memcpy(t->enter, r, r->size);
	memcpy(t->old_comm, t->comm, 16);
	t->in_call = true;
	t->given = false;
}

static void stack_piece(struct engine *g, struct sysevent *e, const struct piece *p, const uint8_t *data)
{
	unsigned n = p->len / 8;
	if (p->addr == 3 && p->len == sizeof(struct file_id)) {
		const struct file_id *id = (const struct file_id *)data;
		*vec_push(&g->files) = (struct file_seen){ makedev(id->dev >> 20, id->dev & 0xfffff), id->ino, id->fd };
	} else if (p->addr == 4 && p->len == sizeof(struct local_id)) {
		const struct local_id *id = (const struct local_id *)data;
		e->local.fd = id->fd;
		e->local.len = id->len < sizeof(e->local.addr) ? id->len : 0;
		memcpy(e->local.addr, &id->family, e->local.len);
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

static bool is_exec(const struct sysevent *e)
{
	const struct syscall_row *row = syscall_find(e->abi, e->nr);
	return row && (!strcmp(syscall_name(row), "execve") || !strcmp(syscall_name(row), "execveat"));
}

/* What the EXEC record told of it belongs to the call as well. */
static void fill_exec(struct sysevent *e, struct call_wait *t, bool entered)
{
	if (!e->ret && is_exec(e)) {
		e->ppid = t->ppid;
		memcpy(e->parent, t->parent, 16);
		if (entered && memcmp(t->old_comm, t->comm, 16))
			memcpy(e->old_comm, t->old_comm, 16);
	}
	t->ppid = 0;
}

static bool same_call(const struct rec_call *a, const struct rec_call *b)
{
	return a->h.nr == b->h.nr && a->h.abi == b->h.abi && !memcmp(a->args, b->args, 8 * (b->h.nargs & 7));
}

/* A record that makes two events: this was the first one. */
static void come_again(struct engine *g, const struct rec *h, unsigned cpu)
{
	g->half_told = g->again = h;
	g->again_cpu = cpu;
}

/* An exec that succeeded and was not told, which the call's end shows: that comes first. */
static bool untold_exec(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_call *r = (const struct rec_call *)h;
	if (!(h->flags & REC_EXEC_UNTOLD) || r->ret || g->half_told == h) {
		g->half_told = NULL;
		return false;
	}
	event_init(g, e, SYS_EXEC, h, cpu);
	e->enter_time = r->enter;
	finish_event(g, e, bpf_thread_of(g, h->tid, h->pid));
	come_again(g, h, cpu);
	return true;
}

static int on_call(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_call *r = (const struct rec_call *)h, *in;
	struct call_wait *t = bpf_thread_of(g, h->tid, h->pid);
	uint8_t before = 0;
	if (untold_exec(g, e, h, cpu))
		return 1;
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
	if (t->ppid)
		fill_exec(e, t, in);
	return 1;
}

/* The call stands in the kernel: told at once when it cannot return, else kept. */
static int on_enter(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	struct call_wait *t = bpf_thread_of(g, h->tid, h->pid);
	keep(t, h);
	if (!(h->flags & REC_NORETURN) || !g->frames[cpu * LANES].lane.wanted)
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

static int on_end(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu, uint32_t code);

static int on_blocked(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_call *r = (const struct rec_call *)h;
	struct call_wait *t = bpf_thread_of(g, h->tid, h->pid);
	if (h->flags & REC_GONE && (!(h->flags & REC_DIED) || g->half_told == h)) {
		g->half_told = NULL;
		return on_end(g, e, h, cpu, r->ret) && g->frames[cpu * LANES].lane.wanted;
	}
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
		come_again(g, h, cpu);
	} else if (!g->announce) {
		return 0;
	}
	return 1;
}

/* A signal that ends a process is delivered as SIGKILL: what was sent is told then. False: nothing is. */
static bool true_signal(struct call_wait *t, const struct rec_other **r)
{
	if ((*r)->b == SIGNAL_FATAL) {
		if (!t->fatal)
			t->fatal = xmalloc(sizeof(**r));
		*t->fatal = **r;
		return false;
	}
	if ((*r)->a == SIGKILL)
		*r = t->fatal; /* NULL: how an exit ends the other threads */
	return *r;
}

static int on_signal_rec(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_other *r = (const struct rec_other *)h;
	struct call_wait *t = bpf_thread_of(g, h->tid, h->pid);
	siginfo_t info = { 0 };
	if (!true_signal(t, &r))
		return 0;
	memcpy(&info, r->info, sizeof(r->info));
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
		sysevent_child_times(e, &info);
	}
	finish_event(g, e, t);
	return 1;
}

/* A leader that the kernel ends because another thread of its process execs: that one takes its number and goes on. */
static bool superseded(struct engine *g, const struct rec *h)
{
	size_t cursor = 0;
	void *val;
	if (h->tid != h->pid || h->flags & REC_GROUP)
		return false;
	while (u64map_next(&g->threads, &cursor, NULL, &val)) {
		struct call_wait *t = val;
		if (!t->in_call || t->pid != (int)h->pid || t->tid == t->pid)
			continue;
		if (is_exec(&(struct sysevent){ .abi = t->enter->h.abi, .nr = t->enter->h.nr & ~0x40000000 }))
			return true;
	}
	return false;
}

static int on_fork(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_other *r = (const struct rec_other *)h;
	event_init(g, e, SYS_FORK, h, cpu);
	e->child_tid = r->a;
	e->child_pid = r->b;
	finish_event(g, e, bpf_thread_of(g, h->tid, h->pid));
	bpf_thread_forget(g, r->a); /* a number used before */
	struct call_wait *kid = u64map_get(&g->threads, r->a);
	if (!kid) {
		kid = xcalloc(1, sizeof(*kid));
		u64map_set(&g->threads, r->a, kid);
	}
	kid->tid = r->a;
	kid->pid = r->b;
	kid->in_call = false;
	memcpy(kid->comm, r->info, 15);
	return 1;
}

static int on_end(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu, uint32_t code)
{
	if (superseded(g, h)) {
		bpf_thread_forget(g, h->tid);
		return 0;
	}
	event_init(g, e, SYS_EXIT, h, cpu);
	e->sig = code & 0x7f;
	e->exit_code = code >> 8 & 0xff;
	e->core_dumped = code & 0x80;
	e->group_exit = h->flags & REC_GROUP;
	finish_event(g, e, bpf_thread_of(g, h->tid, h->pid));
	bpf_thread_forget(g, h->tid);
	return 1;
}

static int on_other(struct engine *g, struct sysevent *e, const struct rec *h, unsigned cpu)
{
	const struct rec_other *r = (const struct rec_other *)h;
	struct call_wait *t = bpf_thread_of(g, h->tid, h->pid), *kid;
	switch (h->type) {
	case REC_SIGNAL:
		return on_signal_rec(g, e, h, cpu);
	case REC_COMM:
		t->pid = h->pid;
		memcpy(t->comm, r->info, 15);
		return 0;
	case REC_FORK:
		return on_fork(g, e, h, cpu);
	case REC_EXEC:
		if (h->flags & REC_FOREIGN)
			warn("process %u runs a program now that is not yours to trace: it is not followed any more", h->pid);
		event_init(g, e, SYS_EXEC, h, cpu);
		e->old_tid = r->a != h->tid ? r->a : 0;
		e->enter_time = t->in_call ? t->enter->enter : 0;
		memcpy(t->comm, r->info, 15);
		if (e->old_tid && (kid = u64map_get(&g->threads, r->a))) {
			struct rec_call *enter = t->enter; /* the call goes on under the leader's number */
			t->enter = kid->enter;
			t->cap = kid->cap;
			t->in_call = kid->in_call;
			memcpy(t->old_comm, kid->old_comm, 16);
			t->given = false;
			kid->enter = enter;
			kid->cap = 0;
			bpf_thread_forget(g, r->a);
		}
		bpf_exec_mend(g, t, r);
		finish_event(g, e, t);
		e->ppid = t->ppid = r->b;
		memcpy(t->parent, r->info + 16, 15);
		memcpy(e->parent, t->parent, 16);
		return !(h->flags & REC_MISNAMED);
	case REC_EXIT:
		return on_end(g, e, h, cpu, r->a);
	}
	return 0;
}

int bpf_convert(struct engine *g, struct sysevent *e, const struct rec *r, unsigned cpu)
{
	switch (r->type) {
	case REC_CALL: return on_call(g, e, r, cpu);
	case REC_ENTER: return on_enter(g, e, r, cpu);
	case REC_BLOCKED: return on_blocked(g, e, r, cpu);
	default: return on_other(g, e, r, cpu) && g->frames[cpu * LANES].lane.wanted;
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

void bpf_midway_note(struct engine *g, struct call_wait *t, const struct copier_limits *limits)
{
	struct slot *slot = &g->slots[t->tid & (g->n_slots - 1)];
	struct midway m = { 0 };
	/* silent ones need no line */
	if (!slot->ts && !t->in_call && midway_read(&m, t->tid, limits) && (!g->calls || sysset_has(g->calls, m.abi, m.nr)))
		keep_midway(t, &m);
	midway_release(&m);
}

int bpf_midway_next(struct engine *g, struct sysevent *e)
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

/* A call that began while we watched and was told by no record yet: its entry had nothing to copy, or kept it. */
void bpf_unfinished_note(struct engine *g, const struct copier_limits *limits)
{
	for (uint32_t i = 0; i < g->n_slots; i++) {
		struct slot *s = &g->slots[i];
		if (!s->tid || !s->ts || !(s->flags & SLOT_TRACED) || s->flags & (SLOT_UNTIL_EXEC | SLOT_MISNAMED))
			continue;
		struct call_wait *t = bpf_thread_of(g, s->tid, s->pid);
		struct midway m = { 0 };
		uint64_t began = s->ts;
		if (!t->in_call && midway_read(&m, s->tid, limits) && m.nr == (s->call & (CALLS - 1))) {
			keep_midway(t, &m);
			t->enter->enter = t->enter->h.time = began;
		}
		midway_release(&m);
	}
}

/* What is still in the kernel at the end and was not told yet. */
int bpf_unfinished_next(struct engine *g, struct sysevent *e)
{
	uint64_t tid;
	void *val;
	while (u64map_next(&g->threads, &g->cursor, &tid, &val)) {
		struct call_wait *t = val;
		struct slot *s = &g->slots[tid & (g->n_slots - 1)];
		bool ended = s->tid == tid && !s->ts && t->enter && t->enter->enter; /* 0: not seen to begin, so not to end */
		if (!t->in_call || t->given || ended || (t->enter->h.type == REC_ENTER && t->enter->h.flags & REC_MISNAMED))
			continue;
		unfinished(g, e, t, 0);
		return 1;
	}
	return -ENODATA;
}

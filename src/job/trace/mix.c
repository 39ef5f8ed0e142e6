// SPDX-License-Identifier: GPL-2.0-or-later
/* The perf rings are emptied into a queue sorted by time. An engine's event is given out once the rings
 * were emptied at a moment after its time, with the queue's older ones before it. While the engine has
 * nothing, a queued event waits GRACE for a call that might still come before it. */
#include "job/trace/mix.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "job/trace/mix_rings.h"
#include "kernel/root.h"

enum { ONLY_RECORD = -2 }; /* queued.event: a map or name, which counts from its own time on; -1: a loss */
enum { GRACE = 30000000, MARGIN = 20000 };

struct queued {
	uint64_t time, number; /* number: in the order they came */
	int pid, tid, cpu, event;
	uint64_t lost, ip, addr;
	bool ip_kernel;
	unsigned n_k, n_u;
	uint32_t raw_size;
	uint64_t *data; /* kernel frames, user frames, raw bytes; with copied, MIX_REGS registers and the stack */
	bool copied;
	uint64_t stack_len;
	struct perf_event_header *record; /* the whole of it; NULL: not wanted */
};

/* Registers that unwinding needs, by perf's numbers: ax bx cx dx si di bp sp ip, then r8 to r15. */
#define MIX_REGS_MASK (0x1ff | 0xffull << 16)
enum { MIX_REGS = 17, MIX_STACK = 16384 };

struct trace_mix {
	struct trace_mix_options o;
	event_list events; /* the caller's and a dummy */
	struct mix_source source;
	struct u64map by_id; /* event id -> index + 1 */
	struct u64map names; /* tid -> char[16] */
	VEC(struct queued) queue;
	size_t head; /* of the queue */
	uint64_t n_queued; /* ever */
	uint64_t emptied; /* nothing older than this can still come from the rings */
	struct sysevent held;
	bool has_held, stopped, losses_told;
	uint64_t *given; /* data of the last one given out */
	void *given_record;
	uint64_t lost;
};

/* ---- opening ---- */

static void complete_attr(struct trace_mix *m, struct event *e)
{
	struct perf_event_attr *a = &e->attr;
	bool stacks = m->o.engine->user_graph || m->o.engine->kernel_graph;
	a->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW;
	if (e->kind != EVENT_TRACEPOINT)
		a->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	bool dwarf = m->o.engine->user_graph == GRAPH_DWARF && !m->o.whole;
	if (dwarf) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user = MIX_REGS_MASK;
		a->sample_stack_user = MIX_STACK;
	}
	if (stacks && (!dwarf || m->o.engine->kernel_graph)) {
		a->sample_type |= PERF_SAMPLE_CALLCHAIN;
		a->exclude_callchain_user = dwarf || !m->o.engine->user_graph;
		a->exclude_callchain_kernel = !m->o.engine->kernel_graph;
	}
	if (!a->sample_period)
		a->sample_period = e->kind == EVENT_TRACEPOINT ? 1 : 1000000;
	a->sample_id_all = 1;
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	a->watermark = 1;
	a->wakeup_watermark = 1 << 30;
}

/* The event that brings fork, exec, exit, comm and mmap records. */
static int add_dummy(struct trace_mix *m)
{
	int err = events_parse(&m->events, "dummy:u");
	if (err)
		return err;
	struct perf_event_attr *a = &vec_last(&m->events)->attr;
	a->task = a->comm = a->comm_exec = 1;
	a->mmap = a->mmap2 = m->o.symbols != NULL;
	a->mmap_data = m->o.data_maps;
	return 0;
}

static void note_ids(struct trace_mix *m)
{
	u64list ids = { 0 };
	for (size_t i = 0; i < m->events.n; i++) {
		vec_clear(&ids);
		m->source.ids(m->source.ctx, i, &ids);
		vec_each(&ids, id)
			u64map_set(&m->by_id, *id, (void *)(i + 1));
	}
	vec_release(&ids);
}

struct trace_mix *trace_mix_open(const struct trace_mix_options *o)
{
	struct trace_mix *m = xcalloc(1, sizeof(*m));
	m->o = *o;
	for (size_t i = 0; i < o->events->n; i++)
		*vec_push(&m->events) = o->events->at[i];
	if (add_dummy(m))
		goto fail;
	vec_each(&m->events, e)
		complete_attr(m, e);
	int err = 0;
	if (o->source)
		m->source = *o->source;
	else
		err = mix_rings_open(&m->source, o, &m->events);
	for (size_t i = 0; i < o->events->n; i++)
		o->events->at[i] = m->events.at[i]; /* one that sees user space alone has another name now */
	if (err)
		goto fail;
	note_ids(m);
	return m;
fail:
	trace_mix_close(m);
	return NULL;
}

void trace_mix_stop(struct trace_mix *m)
{
	m->source.stop(m->source.ctx);
	m->stopped = true;
}

void trace_mix_close(struct trace_mix *m)
{
	uint64_t tid;
	size_t cursor = 0;
	void *name;
	if (!m)
		return;
	if (m->source.close)
		m->source.close(m->source.ctx);
	while (m->events.n > m->o.events->n) { /* the dummy is ours, the rest the caller's */
		event_list own = { 0 };
		*vec_push(&own) = m->events.at[--m->events.n];
		events_release(&own);
	}
	vec_release(&m->events);
	for (size_t i = m->head; i < m->queue.n; i++) {
		free(m->queue.at[i].data);
		free(m->queue.at[i].record);
	}
	vec_release(&m->queue);
	while (u64map_next(&m->names, &cursor, &tid, &name))
		free(name);
	u64map_release(&m->names);
	u64map_release(&m->by_id);
	free(m->given);
	free(m->given_record);
	free(m);
}

size_t trace_mix_events(const struct trace_mix *m)
{
	return m->events.n;
}

void trace_mix_event(const struct trace_mix *m, size_t i, struct perfdata_new_event *e, u64list *ids)
{
	const struct event *of = &m->events.at[i];
	vec_clear(ids);
	m->source.ids(m->source.ctx, i, ids);
	*e = (struct perfdata_new_event){ .attr = &of->attr, .name = of->name, .system = of->system, .tracepoint = of->tracepoint,
					  .ids = ids->at, .n_ids = ids->n };
}

uint64_t trace_mix_lost(const struct trace_mix *m)
{
	return m->lost;
}

/* ---- names ---- */

static void set_name(struct trace_mix *m, int tid, const char *comm, size_t n)
{
	char *name = u64map_get(&m->names, tid);
	if (!name) {
		name = xcalloc(1, 16);
		u64map_set(&m->names, tid, name);
	}
	memset(name, 0, 16);
	memcpy(name, comm, strnlen(comm, n < 15 ? n : 15));
}

static const char *name_of(struct trace_mix *m, int tid)
{
	const char *name = u64map_get(&m->names, tid);
	struct str s = STR_INIT;
	if (name)
		return name;
	if (!tid)
		set_name(m, 0, "swapper", 7);
	else if (!file_read(root_path(ROOT_PROC, "%d/comm", tid), &s, 64) && s.len)
		set_name(m, tid, s.buf, s.len - 1);
	else
		set_name(m, tid, "?", 1);
	str_release(&s);
	return u64map_get(&m->names, tid);
}

/* ---- records ---- */

struct cursor { const uint64_t *p, *end; };

static bool words(struct cursor *c, const uint64_t **at, size_t n)
{
	if ((size_t)(c->end - c->p) < n)
		return false;
	*at = c->p;
	c->p += n;
	return true;
}

/* The kernel's part of a call chain, then the user's. */
static void split_chain(struct queued *q, const uint64_t *ip, uint64_t n)
{
	struct frames room;
	struct sysevent e;
	sysevent_chain(&e, &room, ip, n);
	q->n_k = e.n_kstack;
	q->n_u = e.n_ustack;
	memcpy(q->data, room.kernel, q->n_k * sizeof(uint64_t));
	memcpy(q->data + q->n_k, room.user, q->n_u * sizeof(uint64_t));
}

static struct perf_event_header *copy_record(const struct perf_event_header *h)
{
	struct perf_event_header *r = xmalloc(h->size);
	memcpy(r, h, h->size);
	return r;
}

static void push(struct trace_mix *m, struct queued *q)
{
	q->number = m->n_queued++;
	*vec_push(&m->queue) = *q;
}

/* What ends each record: thread, time, CPU and event, a word each. */
struct record_end { uint32_t pid, tid; uint64_t time; uint32_t cpu, res; uint64_t id; };

/* Maps, names and losses, in their place. */
static void take_other(struct trace_mix *m, const struct perf_event_header *h)
{
	struct queued q = { .event = ONLY_RECORD };
	struct record_end end;
	bool wanted = h->type == PERF_RECORD_MMAP2 || h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_COMM || h->type == PERF_RECORD_EXIT;
	bool lost = h->type == PERF_RECORD_LOST && h->size >= sizeof(*h) + 16;
	bool ended = h->size >= sizeof(*h) + (lost ? 16 : 0) + sizeof(end);
	if (!lost && (!wanted || !ended))
		return;
	if (ended)
		memcpy(&end, (const char *)h + h->size - sizeof(end), sizeof(end));
	q.time = ended ? end.time : m->emptied;
	if (lost) {
		q.event = -1;
		q.cpu = ended ? (int)end.cpu : -1;
		memcpy(&q.lost, (const char *)(h + 1) + 8, 8);
		m->lost += q.lost;
		q.data = xcalloc(1, 8);
	} else {
		q.record = copy_record(h);
	}
	push(m, &q);
}

/* Registers, in the order of sysevent.h, and the stack, behind the raw bytes. */
static void take_stack(struct queued *q, struct cursor *c, uint64_t *to)
{
	static const uint8_t from[MIX_REGS] = { 16, 15, 14, 13, 6, 1, 12, 11, 10, 9, 0, 2, 3, 4, 5, 8, 7 };
	const uint64_t *abi, *regs, *size, *stack, *used;
	if (!words(c, &abi, 1) || !*abi || !words(c, &regs, MIX_REGS) || !words(c, &size, 1) || *size > MIX_STACK ||
	    !words(c, &stack, *size / 8) || !*size || !words(c, &used, 1) || *used > *size)
		return;
	for (int i = 0; i < MIX_REGS; i++)
		to[i] = regs[from[i]];
	memcpy(to + MIX_REGS, stack, *used);
	q->stack_len = *used;
	q->copied = true;
}

static void take_sample(struct trace_mix *m, const struct perf_event_header *h)
{
	struct cursor c = { (const uint64_t *)(h + 1), (const uint64_t *)((const char *)h + h->size) };
	static const uint64_t none;
	const uint64_t *id, *ip = &none, *ids, *time, *addr = &none, *cpu, *n = NULL, *chain = NULL, *raw;
	uintptr_t event = words(&c, &id, 1) ? (uintptr_t)u64map_get(&m->by_id, *id) : 0;
	if (!event || event > m->events.n)
		return;
	uint64_t has = m->events.at[event - 1].attr.sample_type;
	if ((has & PERF_SAMPLE_IP && !words(&c, &ip, 1)) || !words(&c, &ids, 1) || !words(&c, &time, 1) ||
	    (has & PERF_SAMPLE_ADDR && !words(&c, &addr, 1)) || !words(&c, &cpu, 1) ||
	    (has & PERF_SAMPLE_CALLCHAIN && (!words(&c, &n, 1) || !words(&c, &chain, *n))))
		return;
	struct queued q = { .time = *time, .pid = (int)ids[0], .tid = (int)(ids[0] >> 32), .cpu = (int)cpu[0], .event = event - 1,
			    .ip = *ip, .addr = *addr, .ip_kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL };
	const void *bytes = c.p;
	if (words(&c, &raw, 1)) {
		q.raw_size = *(const uint32_t *)bytes;
		if (q.raw_size > (const char *)c.end - (const char *)bytes - 4)
			q.raw_size = 0;
	}
	bool stack = has & PERF_SAMPLE_STACK_USER;
	q.data = xmalloc(sizeof(struct frames) + q.raw_size + 8 + (stack ? MIX_REGS * 8 + MIX_STACK : 0));
	if (n)
		split_chain(&q, chain, *n);
	memcpy(q.data + q.n_k + q.n_u, (const char *)bytes + 4, q.raw_size);
	c.p = (const uint64_t *)((const char *)bytes + (4 + (size_t)q.raw_size + 7) / 8 * 8);
	if (stack && c.p < c.end)
		take_stack(&q, &c, q.data + q.n_k + q.n_u + (q.raw_size + 7) / 8);
	q.record = m->o.whole ? copy_record(h) : NULL;
	push(m, &q);
}

struct mmap2_record {
	struct perf_event_header h;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, generation;
	uint32_t prot, flags;
	char name[];
};
struct task_record { struct perf_event_header h; uint32_t pid, ppid, tid, ptid; };
struct comm_record { struct perf_event_header h; uint32_t pid, tid; char comm[]; };

/* Its time has come: who is what, and what is where. */
static void learn(struct trace_mix *m, const struct perf_event_header *h)
{
	const struct mmap2_record *map = (const void *)h;
	const struct task_record *task = (const void *)h;
	const struct comm_record *comm = (const void *)h;
	if (h->type == PERF_RECORD_MMAP2 && h->size > sizeof(*map) && m->o.symbols) {
		if (memchr(map->name, 0, h->size - sizeof(*map)))
			symbols_map(m->o.symbols, map->pid, map->addr, map->len, map->pgoff, map->prot, map->name, NULL);
	} else if (h->type == PERF_RECORD_FORK && h->size >= sizeof(*task)) {
		if (m->o.symbols && task->pid != task->ppid)
			symbols_fork(m->o.symbols, task->pid, task->ppid);
		set_name(m, task->tid, name_of(m, task->ptid), 15);
	} else if (h->type == PERF_RECORD_COMM && h->size > sizeof(*comm)) {
		set_name(m, comm->tid, comm->comm, h->size - sizeof(*comm));
		if (m->o.symbols && h->misc & PERF_RECORD_MISC_COMM_EXEC)
			symbols_exec(m->o.symbols, comm->pid);
	}
}

static void take(struct trace_mix *m, const struct perf_event_header *h)
{
	if (h->type == PERF_RECORD_SAMPLE)
		take_sample(m, h);
	else
		take_other(m, h);
}

static int by_time(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;
	uint64_t a_key = x->time != y->time ? x->time : x->number, b_key = x->time != y->time ? y->time : y->number;
	return a_key < b_key ? -1 : 1;
}

static void empty_rings(struct trace_mix *m)
{
	uint64_t t = m->source.now(m->source.ctx);
	if (m->head) {
		memmove(m->queue.at, m->queue.at + m->head, (m->queue.n - m->head) * sizeof(*m->queue.at));
		m->queue.n -= m->head;
		m->head = 0;
	}
	size_t before = m->queue.n;
	m->source.drain(m->source.ctx, take, m);
	if (m->queue.n > before)
		qsort(m->queue.at, m->queue.n, sizeof(*m->queue.at), by_time);
	m->emptied = t - MARGIN;
}

/* ---- merging ---- */

static void give_queued(struct trace_mix *m, struct sysevent *e)
{
	struct queued *q = &m->queue.at[m->head++];
	memset(e, 0, sizeof(*e));
	free(m->given);
	m->given = q->data;
	free(m->given_record);
	m->given_record = q->record;
	e->type = q->event == ONLY_RECORD ? SYS_RECORD : q->event < 0 ? SYS_LOST : SYS_TRACEPOINT;
	e->record = q->record;
	e->time = q->time;
	e->pid = q->pid;
	e->tid = q->tid;
	e->cpu = q->cpu;
	e->lost = q->lost;
	e->raw_event = q->event;
	e->ip = q->ip;
	e->addr = q->addr;
	e->ip_kernel = q->ip_kernel;
	e->kstack = q->data;
	e->n_kstack = q->n_k;
	e->ustack = q->data + q->n_k;
	e->n_ustack = q->n_u;
	e->raw = q->data + q->n_k + q->n_u;
	e->raw_size = q->raw_size;
	if (q->copied) {
		e->uregs = q->data + q->n_k + q->n_u + (q->raw_size + 7) / 8;
		e->ustack_data = (const uint8_t *)(e->uregs + MIX_REGS);
		e->ustack_len = q->stack_len;
	}
	e->nr = -1;
	if (q->event >= 0)
		memcpy(e->comm, name_of(m, q->tid), 16);
}

/* A loss is told with the next record that finds room. After the last one the events themselves know. */
static bool last_losses(struct trace_mix *m, struct sysevent *e)
{
	uint64_t all = m->losses_told || !m->source.lost ? 0 : m->source.lost(m->source.ctx);
	m->losses_told = true;
	if (all <= m->lost)
		return false;
	sysevent_lost(e, m->source.now(m->source.ctx), -1, all - m->lost);
	m->lost = all;
	return true;
}

int trace_mix_next(struct trace_mix *m, const struct engine_ops *ops, struct engine *g, struct sysevent *e, int timeout_ms)
{
	int r = 1;
	if (!m->has_held) {
		/* a queued event must not wait for the engine's next one */
		bool waiting = m->head < m->queue.n;
		r = ops->next(g, &m->held, waiting && timeout_ms > 10 ? 10 : timeout_ms);
		m->has_held = r == 1;
		if (r < 0 && r != -ENODATA)
			return r;
	}
	uint64_t bound = m->has_held ? m->held.time : m->stopped || r == -ENODATA ? UINT64_MAX : m->source.now(m->source.ctx) - GRACE;
	if (m->emptied <= bound) {
		empty_rings(m);
		while (m->has_held && m->emptied <= bound && !m->stopped) {
			m->source.pause(m->source.ctx); /* the event is younger than the look at the rings */
			empty_rings(m);
		}
	}
	while (m->head < m->queue.n && m->queue.at[m->head].time <= bound) {
		give_queued(m, e);
		if (e->type == SYS_RECORD)
			learn(m, e->record);
		if (e->type != SYS_RECORD || m->o.whole)
			return 1;
	}
	if (!m->has_held)
		return r == -ENODATA && last_losses(m, e) ? 1 : r;
	*e = m->held;
	m->has_held = false;
	return 1;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording for the timeline: the scheduler's events, other events as ticks with their fields, samples, and system calls,
 * which the engine for recordings puts together and decodes (engine/file.c reads the same file beside us). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/sched/perf.h"
#include "base/error.h"
#include "engine/engine.h"
#include "engine/syspack.h"
#include "picture/timeline/timeline.h"
#include "session/callchain.h"
#include "session/session.h"
#include "session/tpformat.h"
#include "syscall/fdstate.h"

enum { KIND_NONE = -1, KIND_UNKNOWN = -2, STACK_SHOWN = 6 };
struct pending_call { uint64_t began; struct sched_event who; int kind; struct str text; };
struct drawn_kind { int kind; struct tp_format *format; };
struct timeline_reader {
	struct timeline *t;
	const struct timeline_source *source;
	struct sched_perf *sched;
	struct session *session;
	VEC(struct drawn_kind) kind;
	struct str text;
	int lost; /* that kind */
	/* system calls; ops NULL: there are none */
	const struct engine_ops *ops;
	struct engine_options how;
	struct engine *engine;
	struct fd_state *fds;
	struct decoder *decoder;
	struct sysevent call;
	bool has_call;
	VEC(struct pending_call) pending; /* not over yet, as far as is known */
};

/* Events that system calls are made of, which are shown as such. */
static bool of_calls(const char *name)
{
	return !strcmp(name, "raw_syscalls:sys_enter") || !strcmp(name, "raw_syscalls:sys_exit") || !strcmp(name, SYSPACK_EVENT);
}

static bool wants_event(const struct timeline_reader *rd, int event)
{
	const struct sample_filter *only = rd->t->only;
	return !only || !only->wanted.n || intlist_has(&only->wanted, event);
}

static bool wants_calls(const struct timeline_reader *rd)
{
	for (size_t i = 0; i < perfdata_n_events(rd->source->p); i++)
		if (of_calls(perfdata_event_at(rd->source->p, i)->name) && wants_event(rd, (int)i))
			return true;
	return false;
}

static int open_calls(struct timeline_reader *rd)
{
	static const struct decode_style style = { .string_limit = 64, .path_limit = 256 };
	if (!wants_calls(rd) || !strcmp(rd->source->path, "-"))
		return 0;
	rd->how = (struct engine_options){ .input = rd->source->path, .force = rd->source->force, .string_limit = 64, .path_limit = 256, .out_fd = -1 };
	rd->ops = engine_pick(&rd->how);
	rd->engine = rd->ops ? rd->ops->open(&rd->how) : NULL;
	if (!rd->engine)
		return error_code();
	rd->fds = fd_state_new(FDS_RECORDED);
	rd->decoder = decoder_new(&style, rd->fds);
	return 0;
}

static void close_calls(struct timeline_reader *rd)
{
	if (rd->engine)
		rd->ops->close(rd->engine);
	decoder_free(rd->decoder);
	fd_state_free(rd->fds);
}

static bool in_span(const struct timeline_reader *rd, uint64_t time)
{
	return time >= rd->source->from && (!rd->source->to || time <= rd->source->to);
}

static struct sched_event who_calls(const struct sysevent *c)
{
	return (struct sched_event){ .kind = SCHED_OTHER, .time = c->time, .cpu = c->cpu, .pid = c->pid, .tid = c->tid, .task = c->tid, .next = -1,
				     .task_pid = -1, .name = c->comm };
}

static int kind_of_call(struct timeline_reader *rd, const struct sysevent *c)
{
	const struct syscall_row *row = syscall_find(c->abi, c->nr);
	return timeline_kind(rd->t, row ? syscall_name(row) : "system call", TIMELINE_CALL);
}

static void add_call(struct timeline_reader *rd, const struct sysevent *c)
{
	struct sched_event e = who_calls(c);
	str_clear(&rd->text);
	decode_call(rd->decoder, c, &rd->text);
	fd_state_feed(rd->fds, c);
	str_add(&rd->text, " = ");
	decode_result(rd->decoder, c, &rd->text);
	if (in_span(rd, c->time))
		timeline_add(rd->t, &e, kind_of_call(rd, c), &rd->text, c->enter_time && c->time > c->enter_time ? c->time - c->enter_time : 0);
}

/* ---- calls that are not over when the recording is ---- */

static void forget_pending(struct timeline_reader *rd, int tid)
{
	for (size_t i = 0; i < rd->pending.n; i++)
		if (rd->pending.at[i].who.tid == tid) {
			str_release(&rd->pending.at[i].text);
			rd->pending.at[i] = rd->pending.at[--rd->pending.n];
			return;
		}
}

static void keep_pending(struct timeline_reader *rd, const struct sysevent *c)
{
	forget_pending(rd, c->tid);
	struct pending_call *p = vec_push(&rd->pending);
	*p = (struct pending_call){ .began = c->enter_time ? c->enter_time : c->time, .who = who_calls(c), .kind = kind_of_call(rd, c), .text = STR_INIT };
	p->who.name = NULL;
	decode_call(rd->decoder, c, &p->text);
	str_add(&p->text, ") is not over");
}

static void add_pending(struct timeline_reader *rd)
{
	uint64_t end = rd->t->last;
	vec_each(&rd->pending, p)
		end = p->began > end && in_span(rd, p->began) ? p->began : end;
	vec_each(&rd->pending, p) {
		p->who.time = end;
		if (p->began <= end)
			timeline_add(rd->t, &p->who, p->kind, &p->text, end - p->began);
		str_release(&p->text);
	}
	vec_release(&rd->pending);
}

/* Calls that ended up to that time. */
static int calls_until(struct timeline_reader *rd, uint64_t time)
{
	while (rd->engine) {
		if (!rd->has_call) {
			int got = rd->ops->next(rd->engine, &rd->call, 0);
			if (got <= 0)
				return got == -ENODATA ? 0 : got;
			rd->has_call = true;
		}
		if (rd->call.time > time)
			return 0;
		rd->has_call = false;
		bool over = rd->call.type == SYS_CALL || rd->call.type == SYS_RESUMED;
		if (over || rd->call.type == SYS_EXIT)
			forget_pending(rd, rd->call.tid);
		if (!rd->call.silent && over)
			add_call(rd, &rd->call);
		else if (!rd->call.silent && rd->call.type == SYS_UNFINISHED)
			keep_pending(rd, &rd->call);
		else if (rd->call.type != SYS_LOST && rd->call.type != SYS_TRACEPOINT && rd->call.type != SYS_RECORD)
			fd_state_feed(rd->fds, &rd->call);
	}
	return 0;
}

static enum timeline_type type_of(enum sched_kind k)
{
	return k == SCHED_SWITCH ? TIMELINE_SWITCH : k == SCHED_MIGRATE ? TIMELINE_MIGRATE : TIMELINE_WAKEUP;
}

static struct drawn_kind *kind_of(struct timeline_reader *rd, const struct perfdata_record *r, const struct sched_event *e)
{
	struct perfdata *p = rd->source->p;
	while (rd->kind.n <= (size_t)r->event_index)
		*vec_push(&rd->kind) = (struct drawn_kind){ .kind = KIND_UNKNOWN };
	struct drawn_kind *k = &rd->kind.at[r->event_index];
	if (k->kind != KIND_UNKNOWN)
		return k;
	bool drawn = e->kind == SCHED_SWITCH || e->kind == SCHED_MIGRATE || e->kind == SCHED_WAKING || (e->kind == SCHED_WAKEUP && (e->born || !rd->t->runs.waking));
	if (of_calls(r->event->name) || (!drawn && !wants_event(rd, r->event_index)))
		k->kind = KIND_NONE;
	else if (drawn)
		k->kind = timeline_kind(rd->t, r->event->name, type_of(e->kind));
	else
		k->kind = timeline_kind(rd->t, r->event->name, r->event->tep ? TIMELINE_TICK : TIMELINE_SAMPLE);
	if (!drawn && r->event->tep && k->kind >= 0)
		k->format = tp_format_new(perfdata_tep(p), r->event->tep, rd->source->syms);
	return k;
}

/* The innermost functions of a sample. */
static void add_stack(struct timeline_reader *rd, const struct perfdata_record *r)
{
	struct chain_ip ips[CALLCHAIN_MAX];
	struct frame f;
	bool truncated;
	struct symbols *syms = rd->source->syms;
	int n = r->n_chain || r->stack_size ? callchain_ips(syms, r, (struct chain_limit){ STACK_SHOWN + 1, false }, ips, &truncated) : 0;
	if (!n && r->ip) {
		ips[0] = (struct chain_ip){ .ip = r->ip, .mode = (uint8_t)sample_mode(r->misc) };
		n = 1;
	}
	for (int i = 0; i < n && i < STACK_SHOWN; i++) {
		symbols_resolve(syms, r->pid, ips[i].ip, ips[i].mode, &f);
		str_add(&rd->text, i ? " <- " : "");
		str_add(&rd->text, f.sym ? f.sym : f.dso && f.dso->name ? f.dso->name : "[unknown]");
	}
	if (n > STACK_SHOWN)
		str_add(&rd->text, " <- ...");
}

/* A sample in one of the functions that were asked for. */
static bool is_in_symbols(struct timeline_reader *rd, const struct perfdata_record *r)
{
	const struct timeline_source *s = rd->source;
	struct frame f;
	if (!s->symbols || !s->symbols->n)
		return true;
	symbols_resolve(s->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	return wordlist_has(s->symbols, f.sym);
}

static void add_record(struct timeline_reader *rd, const struct perfdata_record *r)
{
	struct sched_event e;
	int kind = KIND_NONE;
	const struct str *text = NULL;
	sched_perf_event(rd->sched, r, &e);
	session_feed(rd->session, r);
	if (e.kind == SCHED_LOST && e.amount) {
		kind = rd->lost >= 0 ? rd->lost : (rd->lost = timeline_kind(rd->t, "lost", TIMELINE_LOST));
	} else if (r->header->type == PERF_RECORD_SAMPLE && r->event_index >= 0) {
		struct drawn_kind *k = kind_of(rd, r, &e);
		kind = k->kind;
		str_clear(&rd->text);
		bool sample = kind >= 0 && rd->t->kinds.at[kind].type == TIMELINE_SAMPLE;
		if (sample && !is_in_symbols(rd, r))
			kind = KIND_NONE;
		if (kind >= 0 && k->format && r->raw)
			tp_format_print(k->format, &rd->text, r->raw, r->raw_size, r->cpu);
		else if (sample && kind >= 0 && rd->source->syms)
			add_stack(rd, r);
		text = &rd->text;
	}
	if (!in_span(rd, e.time) || !r->time)
		kind = KIND_NONE;
	timeline_add(rd->t, &e, kind, text, r->period);
}

int timeline_read(struct timeline *t, const struct timeline_source *source)
{
	struct timeline_reader rd = { .t = t, .source = source, .text = STR_INIT, .lost = -1 };
	struct perfdata_record r;
	int err = open_calls(&rd);
	rd.sched = sched_perf_new(source->p);
	rd.session = session_new(source->syms);
	session_header(rd.session, source->p);
	t->runs.waking = sched_perf_has(source->p, "sched:sched_waking");
	timehist_begin(&t->runs, perfdata_info(source->p)->nr_cpus_online);
	while (!err && (err = perfdata_next(source->p, &r)) > 0) {
		err = calls_until(&rd, r.time);
		if (!err)
			add_record(&rd, &r);
	}
	if (!err)
		err = calls_until(&rd, UINT64_MAX);
	add_pending(&rd);
	close_calls(&rd);
	vec_each(&rd.kind, k)
		tp_format_free(k->format);
	vec_release(&rd.kind);
	sched_perf_free(rd.sched);
	session_free(rd.session);
	str_release(&rd.text);
	return err < 0 ? err : 0;
}

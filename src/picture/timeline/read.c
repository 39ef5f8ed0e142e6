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
};

/* Events that system calls are made of, which are shown as such. */
static bool of_calls(const char *name)
{
	return !strcmp(name, "raw_syscalls:sys_enter") || !strcmp(name, "raw_syscalls:sys_exit") || !strcmp(name, SYSPACK_EVENT);
}

static bool has_calls(const struct perfdata *p)
{
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (of_calls(perfdata_event_at(p, i)->name))
			return true;
	return false;
}

static int open_calls(struct timeline_reader *rd)
{
	static const struct decode_style style = { .string_limit = 64, .path_limit = 256 };
	if (!has_calls(rd->source->p) || !strcmp(rd->source->path, "-"))
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

static void add_call(struct timeline_reader *rd, const struct sysevent *c)
{
	struct sched_event e = { .kind = SCHED_OTHER, .time = c->time, .cpu = c->cpu, .pid = c->pid, .tid = c->tid, .task = c->tid, .next = -1,
				 .task_pid = -1, .name = c->comm };
	const struct syscall_row *row = syscall_find(c->abi, c->nr);
	int kind = timeline_kind(rd->t, row ? syscall_name(row) : "system call", TIMELINE_CALL);
	str_clear(&rd->text);
	decode_call(rd->decoder, c, &rd->text);
	fd_state_feed(rd->fds, c);
	str_add(&rd->text, " = ");
	decode_result(rd->decoder, c, &rd->text);
	if (in_span(rd, c->time))
		timeline_add(rd->t, &e, kind, &rd->text, c->enter_time && c->time > c->enter_time ? c->time - c->enter_time : 0);
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
		if (!rd->call.silent && (rd->call.type == SYS_CALL || rd->call.type == SYS_RESUMED))
			add_call(rd, &rd->call);
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
	if (of_calls(r->event->name))
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
		if (kind >= 0 && k->format && r->raw)
			tp_format_print(k->format, &rd->text, r->raw, r->raw_size, r->cpu);
		else if (kind >= 0 && rd->t->kinds.at[kind].type == TIMELINE_SAMPLE && rd->source->syms)
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
	close_calls(&rd);
	vec_each(&rd.kind, k)
		tp_format_free(k->format);
	vec_release(&rd.kind);
	sched_perf_free(rd.sched);
	session_free(rd.session);
	str_release(&rd.text);
	return err < 0 ? err : 0;
}

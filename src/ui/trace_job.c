// SPDX-License-Identifier: GPL-2.0-or-later
/* engine (and other events) -> filter -> summary, recording, or view. The loop never sleeps by itself: the
 * engine does, and comes back when a signal arrives. */
#include "ui/trace_job.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "analysis/callsum.h"
#include "base/error.h"
#include "event/midway.h"
#include "event/trace_mix.h"
#include "event/trace_record.h"
#include "kernel/caps.h"
#include "kernel/clock.h"
#include "ui/trace_delay.h"
#include "ui/trace_fds.h"
#include "ui/trace_fields.h"
#include "ui/trace_stack.h"
#include "ui/trace_stats.h"
#include "ui/trace_summary.h"

struct trace_work {
	const struct engine_ops *ops;
	struct engine *g;
	struct trace_mix *mix;
	struct symbols *symbols;
	struct trace_stacks *stacks;
	struct trace_field_events *fields;
	struct trace_view *view;
	struct trace_recorder *recorder;
	struct callsum sums; /* when the engine does not fold */
	bool fold;
	struct out out;
	uint64_t shown;
	int runtime_event; /* number of --sched's, -1: none */
	uint64_t stop_asked; /* when */
	bool told; /* the command was */
	bool late; /* the command was left alone at first (-D) */
	bool over; /* ... and ended, or we were told to end, before its trace began */
};

/* ---- is it over? ---- */

/* The command ends with us, and its last calls are still shown. Ctrl-C on a terminal reached it too; if it
 * goes on all the same, or if the stop came to us alone, it is told. */
static bool stopped(struct trace_job *j)
{
	struct trace_work *w = j->work;
	uint64_t now = clock_ns();
	if (!j->engine.workload || j->workload.traced || workload_poll(&j->workload))
		return true;
	if (!w->stop_asked)
		w->stop_asked = now;
	if (!w->told && (signals_which() != SIGINT || now - w->stop_asked > 200000000)) {
		workload_kill(&j->workload, SIGTERM);
		w->told = true;
	}
	return now - w->stop_asked > 1500000000;
}

/* With the last of the traced, as in strace: a command's children in the background may outlive it. */
static bool over(struct trace_job *j)
{
	signals_drain();
	if (signals_stop())
		return stopped(j);
	if (j->engine.workload && !workload_poll(&j->workload))
		return false;
	if (j->engine.workload && !engine_command(&j->engine) && !j->work->late)
		return true;
	return !j->engine.all && !j->work->ops->busy(j->work->g);
}

/* ---- one event ---- */

enum { GO_ON, DONE, IDLE };
enum { CHECK_EVENTS = 4096 };

static int next(struct trace_job *j, struct sysevent *e, int timeout_ms)
{
	struct trace_work *w = j->work;
	return w->mix ? trace_mix_next(w->mix, w->ops, w->g, e, timeout_ms) : w->ops->next(w->g, e, timeout_ms);
}

/* Taken for the descriptors' sake, not chosen? A recording has no view that would judge --where. */
static bool only_tells(const struct trace_job *j, const struct sysevent *e)
{
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED || e->type == SYS_UNFINISHED;
	if (!call || !j->engine.silent)
		return false;
	if (j->engine.calls && !sysset_has(j->engine.calls, e->abi, e->nr))
		return true;
	return j->record && j->where && !trace_where_holds(j->where, e, NULL);
}

/* Events that belong to a thread's table rather than among the lines. */
static void count_event(struct trace_job *j, const struct sysevent *e)
{
	struct trace_work *w = j->work;
	enum fault_kind fault = trace_fields_fault(w->fields, e);
	uint64_t ns;
	if (fault == FAULT_MAJOR)
		callsum_group_of(&w->sums, e)->major_faults++;
	else if (fault)
		callsum_group_of(&w->sums, e)->minor_faults++;
	if (e->raw_event == w->runtime_event && trace_fields_number(w->fields, e, "runtime", &ns))
		callsum_group_of(&w->sums, e)->runtime += ns;
}

/* Of the calls that do not count some tell what descriptors are: they go on, unseen. */
static bool counts(struct trace_job *j, struct sysevent *e)
{
	struct trace_work *w = j->work;
	e->silent |= only_tells(j, e);
	if (trace_gate_set(&j->gate) && e->type != SYS_RECORD && !trace_gate_passes(&j->gate, e)) {
		e->silent = true;
		return e->type != SYS_TRACEPOINT && !w->recorder;
	}
	if (e->type == SYS_TRACEPOINT && w->fields) {
		if (j->engine.summary)
			count_event(j, e);
		bool hidden = !j->engine.input && e->raw_event >= 0 && j->events.at[e->raw_event].tag == TRACE_HIDDEN;
		return !hidden || j->gate.show || w->recorder;
	}
	return true;
}

static int consume(struct trace_job *j, struct sysevent *e)
{
	struct trace_work *w = j->work;
	if (!counts(j, e))
		return 0;
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED;
	if (w->fold && !e->silent && (!call || trace_view_wants(w->view, e)))
		callsum_add(&w->sums, e);
	if (w->recorder) {
		w->shown += !e->silent && e->type != SYS_RECORD;
		if (w->stacks)
			trace_stacks_unwind(w->stacks, e);
		return trace_recorder_put(w->recorder, e);
	}
	if (!j->engine.summary_only)
		w->shown += trace_view_event(w->view, e);
	return 0;
}

static int step(struct trace_job *j, int timeout_ms)
{
	struct trace_work *w = j->work;
	struct sysevent e;
	int r = next(j, &e, timeout_ms);
	if (r == -ENODATA)
		return DONE;
	if (r <= 0)
		return r ? r : IDLE;
	r = consume(j, &e);
	if (r)
		return r;
	return w->out.err || (j->max_events && w->shown >= j->max_events) ? DONE : GO_ON;
}

static int pump(struct trace_job *j)
{
	struct trace_work *w = j->work;
	bool prompt = w->out.tty || w->out.pager_pid || !j->output;
	int r, quiet_rounds = 0;
	unsigned busy = 0;
	while ((r = step(j, 0)) >= 0 && r != DONE) {
		if (r == GO_ON) {
			quiet_rounds = 0;
			/* a machine that makes events faster than they are read is never quiet */
			if (++busy % CHECK_EVENTS == 0 && over(j))
				return GO_ON;
			continue;
		}
		if (over(j))
			return GO_ON;
		if (prompt || ++quiet_rounds > 1)
			out_flush(&w->out);
		trace_view_idle(w->view, clock_ns());
		r = step(j, 100);
		if (r < 0 || r == DONE)
			break;
	}
	return r;
}

/* What came before the end but was not read yet, and the calls under way. */
static int drain(struct trace_job *j)
{
	int r;
	while ((r = step(j, 0)) == GO_ON)
		;
	trace_view_end(j->work->view);
	return r < 0 ? r : 0;
}

/* ---- before ---- */

static bool where_passes(void *ctx, const struct sysevent *e, struct fd_state *fds)
{
	return trace_where_holds(ctx, e, fds);
}

static bool deep_enough(void *ctx, const struct sysevent *e, struct fd_state *fds)
{
	struct trace_job *j = ctx;
	if (j->where && !trace_where_holds(j->where, e, fds))
		return false;
	return trace_stacks_depth(j->work->stacks, e) >= j->min_stack;
}

static void name_events(struct trace_job *j)
{
	struct trace_event_name *names = xcalloc(j->events.n, sizeof(*names));
	for (size_t i = 0; i < j->events.n; i++)
		names[i] = (struct trace_event_name){ j->events.at[i].system, j->events.at[i].tracepoint, j->events.at[i].name,
						      fault_kind(&j->events.at[i].attr) };
	j->work->fields = trace_fields_new(names, j->events.n);
	free(names);
}

/* Some events are places in programs: page faults, samples. */
static bool has_places(const struct trace_job *j)
{
	bool places = false;
	vec_each(&j->events, e)
		places |= e->kind != EVENT_TRACEPOINT;
	return places;
}

static void make_names(struct trace_job *j)
{
	struct trace_work *w = j->work;
	bool stacks = j->engine.user_graph || j->engine.kernel_graph || j->engine.input;
	struct symbols_options so = { .offline = j->engine.input != NULL };
	if (stacks || has_places(j)) {
		w->symbols = symbols_new(&so);
		j->engine.symbols = w->symbols;
	}
	if (stacks) {
		w->stacks = trace_stacks_new(w->symbols, j->max_stack, !j->engine.input);
		j->view.stack = trace_stacks_show;
		j->view.stack_now = j->engine.user_graph && !j->engine.input ? trace_stacks_show_now : NULL;
		j->view.stack_ctx = w->stacks;
	}
	if (j->events.n)
		name_events(j);
}

/* Other events, and the maps that name places. */
static int open_mix(struct trace_job *j)
{
	struct trace_work *w = j->work;
	/* a target that stands still can be asked for its maps */
	if (j->engine.input || (!j->events.n && (!w->stacks || (w->ops == &engine_ptrace && !j->record))))
		return 0;
	struct trace_mix_options o = { .engine = &j->engine, .events = &j->events, .symbols = w->symbols, .data_maps = has_places(j),
				       .whole = j->record };
	w->mix = trace_mix_open(&o);
	return w->mix ? 0 : error_code();
}

static void make_view(struct trace_job *j)
{
	if (j->min_stack && j->work->stacks) {
		j->view.passes = deep_enough;
		j->view.passes_ctx = j;
	} else if (j->where) {
		j->view.passes = where_passes;
		j->view.passes_ctx = j->where;
	}
	j->work->view = trace_view_new(&j->view, &j->work->out);
}

static const struct engine_ops *choose(struct trace_job *j)
{
	if (j->engine.input)
		return &engine_file;
	return j->engine_name ? engine_named(j->engine_name, &j->engine) : engine_pick(&j->engine);
}

/* Everything is attached. Left to do: maps of the eBPF engine, descriptors, memory and binaries of the traced. */
static void give_up_rights(void)
{
	int err = caps_drop_all_but(CAP_BIT(CAP_BPF) | CAP_BIT(CAP_SYS_PTRACE) | CAP_BIT(CAP_DAC_READ_SEARCH) |
				    CAP_BIT(CAP_SYSLOG) | CAP_BIT(CAP_KILL));
	if (err)
		note(1, "cannot give up capabilities: %s", strerror(-err));
}

static void read_descriptors(struct trace_job *j, bool execs)
{
	struct trace_view *v = j->work->view;
	vec_each(&j->engine.pids, pid)
		trace_view_attach(v, *pid, false);
	vec_each(&j->engine.tids, tid)
		trace_view_attach(v, *tid, false);
	if (execs)
		trace_view_attach(v, j->workload.pid, true);
	vec_each(&j->engine.pids, pid)
		callsum_know(&j->work->sums, *pid);
	if (execs)
		callsum_know(&j->work->sums, j->workload.pid);
}

static bool runs_narrow(char **command)
{
	char *path = command ? workload_find(command[0]) : NULL;
	bool narrow = path && file_abi(path) == ABI_32;
	free(path);
	return narrow;
}

static int choose_engine(struct trace_job *j, char **command)
{
	j->work->ops = choose(j);
	if (!j->work->ops)
		return error_code();
	j->engine.narrow = runs_narrow(command);
	trace_fds_plan(j, j->work->ops);
	return trace_fds_check(j);
}

/* -D: the command runs for itself first; then it is traced with all that it has started, as -p would. */
static int start_late(struct trace_job *j, bool command)
{
	bool traced = command && engine_command(&j->engine);
	int err = traced ? workload_go(&j->workload) : 0;
	if (err)
		return err;
	trace_delay_wait(j->delay_ms, traced ? &j->workload : NULL);
	j->work->over = signals_stop() || (traced && j->workload.reaped);
	if (signals_stop() && command)
		workload_kill(&j->workload, SIGTERM);
	if (!traced || j->work->over)
		return 0;
	j->work->late = true;
	return 0;
}

static int open_engine(struct trace_job *j)
{
	struct trace_work *w = j->work;
	int err = open_mix(j);
	w->g = err ? NULL : w->ops->open(&j->engine);
	return w->g ? 0 : error_code();
}

/* Children come and go: one that was there a moment ago may not be there to be traced. */
static int open_late(struct trace_job *j)
{
	int err = -ESRCH;
	for (int tries = 0; err == -ESRCH && tries < 100; tries++) {
		error_clear();
		trace_mix_close(j->work->mix);
		j->work->mix = NULL;
		vec_clear(&j->engine.pids);
		trace_delay_family(&j->engine.pids, j->workload.pid);
		j->view.many = j->engine.pids.n > 1;
		err = open_engine(j);
		if (err == -ESRCH && workload_poll(&j->workload)) {
			error_clear();
			j->work->over = true;
			return 0;
		}
	}
	return err;
}

static int start_command(struct trace_job *j, char **command)
{
	const struct engine_ops *ops = j->work->ops;
	struct workload_options wo = { .user = j->command_user };
	int err = ops->prepare && !j->delay_ms ? ops->prepare(&j->engine, &wo) : 0;
	if (!err && command)
		err = workload_fork(&j->workload, command, &wo);
	return !err && j->delay_ms ? start_late(j, command) : err;
}

/* Where events come from. */
static int open_sources(struct trace_job *j)
{
	struct trace_work *w = j->work;
	make_names(j);
	int err = w->late ? open_late(j) : open_engine(j);
	if (err || w->over)
		return err;
	if (j->engine.input)
		w->fields = trace_fields_recorded(engine_file_data(w->g));
	if (w->fields)
		trace_fields_symbols(w->fields, w->symbols, !j->engine.input);
	w->runtime_event = j->sched ? trace_fields_find(w->fields, TRACE_RUNTIME) : -1;
	return trace_gate_open(&j->gate, trace_fields_find, w->fields);
}

/* CLOCK_REALTIME less CLOCK_MONOTONIC, here or where it was recorded. */
static uint64_t wall_offset(const struct trace_job *j)
{
	struct timespec now;
	if (j->engine.input) {
		const struct perfdata_info *i = perfdata_info(engine_file_data(j->work->g));
		return i->has_clock ? i->clock_wall_ns - i->clock_ns : 0;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec - clock_ns();
}

/* And where they go. */
static int open_sinks(struct trace_job *j)
{
	struct trace_work *w = j->work;
	w->fold = j->engine.summary && (!w->ops->summary || j->engine.fold_outside);
	w->sums.errnos = j->errno_summary;
	if (j->record)
		w->recorder = trace_recorder_open(j->record, j->argv, &j->engine, w->mix);
	if (j->record && !w->recorder)
		return error_code();
	if (w->fields) {
		j->view.fields = trace_fields_show;
		j->view.event_name = trace_fields_name;
		j->view.fields_ctx = w->fields;
	}
	j->view.wall = wall_offset(j);
	make_view(j);
	return 0;
}

static int start(struct trace_job *j, char **command)
{
	struct trace_work *w = j->work;
	int err = choose_engine(j, command);
	if (!err)
		err = start_command(j, command);
	if (err || w->over)
		return err;
	err = open_sources(j);
	if (!err && !w->over)
		err = open_sinks(j);
	if (err || w->over)
		return err;
	read_descriptors(j, command && !w->late);
	give_up_rights();
	return command && !w->late ? workload_go(&j->workload) : 0;
}

/* ---- after ---- */

static void print_summary(struct trace_job *j)
{
	struct trace_work *w = j->work;
	const struct engine_sum *rows = w->sums.rows.at;
	size_t n = w->sums.rows.n;
	if (!j->engine.summary)
		return;
	if (!w->fold)
		n = w->ops->summary(w->g, &rows);
	struct trace_summary_options o = { .mode = j->engine.summary, .json = j->view.form == TRACE_JSON, .histogram = verbosity > 0, .more = &w->sums };
	trace_summary_print(&o, rows, n, &w->out);
	if (n || o.json || !j->engine.summary_only)
		return;
	warn("no call that was asked for has ended");
	if (j->engine.pids.n || j->engine.tids.n)
		hint("without -s the calls that are under way are shown");
}

static void print_stats(struct trace_job *j)
{
	struct trace_work *w = j->work;
	struct trace_stats s = { .engine = w->ops->name, .json = j->view.form == TRACE_JSON };
	w->ops->stats(w->g, &s.of);
	s.of.lost += w->mix ? trace_mix_lost(w->mix) : 0;
	if (s.of.lost)
		warn("%llu events were lost; a larger ring may help: -m %uK", (unsigned long long)s.of.lost,
		     j->engine.ring_kb ? j->engine.ring_kb * 4 : 16384);
	if (j->stats)
		trace_stats_print(&s, &w->out);
}

static int finish_record(struct trace_job *j)
{
	uint64_t bytes = 0;
	if (!j->work->recorder)
		return 0;
	int err = trace_recorder_finish(j->work->recorder, &bytes);
	if (!err)
		fprintf(stderr, "[ sonde trace record: %llu events, %.3f MB in %s ]\n", (unsigned long long)j->work->shown,
			bytes / 1e6, j->record);
	return err;
}

static void release(struct trace_job *j)
{
	struct trace_work *w = j->work;
	trace_view_free(w->view);
	trace_recorder_free(w->recorder);
	trace_mix_close(w->mix);
	trace_fields_free(w->fields);
	trace_stacks_free(w->stacks);
	symbols_free(w->symbols);
	callsum_release(&w->sums);
}

static int work(struct trace_job *j, char **command)
{
	struct trace_work *w = j->work;
	int err = start(j, command), r;
	if (err || w->over)
		return err;
	r = pump(j);
	w->ops->stop(w->g);
	if (w->mix)
		trace_mix_stop(w->mix);
	if (r == DONE && (w->out.err || (j->max_events && w->shown >= j->max_events)))
		r = 0; /* enough: what is left in the rings is not wanted */
	else if (r >= 0)
		r = drain(j);
	if (r < 0)
		return r;
	print_summary(j);
	print_stats(j);
	return finish_record(j);
}

/* Lines go where the program's own output does not: to standard error, as in strace and perf trace. A
 * recording that is read has standard output to itself. */
static int open_output(const struct trace_job *j, struct out *o)
{
	if (j->output && !j->record)
		return out_open(o, j->output, j->append);
	if (j->engine.input)
		return out_open(o, NULL, false);
	out_fd(o, 2, "standard error");
	return 0;
}

int trace_job_run(struct trace_job *j, char **command)
{
	struct trace_work w = { 0 };
	j->work = &w;
	w.sums.mode = j->engine.summary;
	w.sums.live = !j->engine.input;
	if (open_output(j, &w.out))
		return error_print();
	j->engine.out_fd = w.out.fd;
	j->engine.measure = j->stats;
	j->engine.workload = command ? &j->workload : NULL;
	signals_arm();
	int err = work(j, command), code = 0;
	int out_err = out_close(&w.out);
	trace_fields_free(w.fields); /* those of a recording point into it */
	w.fields = NULL;
	if (w.g)
		w.ops->close(w.g);
	if (!err && command && workload_started(&j->workload) < 0)
		err = error_code();
	release(j);
	if (command && j->workload.reaped)
		code = workload_exit_code(j->workload.status);
	workload_release(&j->workload);
	return err || out_err ? error_print() : code;
}

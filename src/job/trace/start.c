// SPDX-License-Identifier: GPL-2.0-or-later
/* How a trace begins: the engine is chosen, the command forked (it waits), events and engine are opened, then the
 * recording or the view; descriptors are read, rights given up, and the command may go. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "engine/midway.h"
#include "engine/targets.h"
#include "kernel/rights/caps.h"
#include "kernel/clock.h"
#include "ui/trace_delay.h"
#include "job/trace/fds.h"
#include "job/trace/work.h"

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
	bool stacks = (j->engine.user_graph && !j->ip_only) || j->engine.kernel_graph || j->engine.input;
	struct symbols_options so = { .offline = j->engine.input != NULL };
	if (stacks || has_places(j)) {
		w->symbols = symbols_new(&so);
		j->engine.symbols = w->symbols;
	}
	if (stacks) {
		w->stacks = trace_stacks_new(w->symbols, j->max_stack, !j->engine.input, j->view.form == TRACE_STRACE);
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

/* What is injected goes into the calls that --where and -P choose. */
static bool injectable(void *ctx, const struct sysevent *e)
{
	struct trace_job *j = ctx;
	return trace_view_passes(j->work->view, e);
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
	if (j->where) {
		j->engine.injectable = injectable;
		j->engine.injectable_ctx = j;
	}
}

static const struct engine_ops *choose(struct trace_job *j)
{
	if (j->engine.input)
		return &engine_file;
	if (j->engine.string_limit > ENGINE_DATA && !j->engine_name) {
		struct str why = STR_INIT;
		bool whole = engine_ptrace.usable(&j->engine, &why);
		str_release(&why);
		if (whole) {
			note(0, "buffers of more than %d bytes are read with --engine=ptrace, which stops the program at its calls", ENGINE_DATA);
			return &engine_ptrace;
		}
		warn("no more than %d bytes of each buffer are seen", ENGINE_DATA);
		hint("all of it is, of a command or of -p PID, with --engine=ptrace");
	}
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
	if (!j->engine.input && trace_targets_check(&j->engine, j->events.n))
		return error_code();
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

/* The kernel refused the engine that was chosen for the user: the next one, with a word about it. The pending error
 * stays when there is none. */
static bool take_next_engine(struct trace_job *j)
{
	struct trace_work *w = j->work;
	const char *was = w->ops->name;
	char *why = xstrdup(error_message()), *hints = xstrdup(error_hints());
	int code = error_code();
	const struct engine_ops *next = engine_after(w->ops, &j->engine);
	error_clear();
	if (next) {
		w->ops = next;
		trace_fds_plan(j, next);
		warn("%s, so --engine=%s is used instead of %s", why, next->name, was);
	} else {
		error_set(code, "%s", why);
		if (*hints)
			error_hint("%s", hints);
	}
	free(why);
	free(hints);
	return next && !trace_fds_check(j);
}

static int open_engine(struct trace_job *j)
{
	struct trace_work *w = j->work;
	for (;;) {
		int err = open_mix(j);
		w->g = err ? NULL : w->ops->open(&j->engine);
		if (w->g)
			return 0;
		if (err || !w->ops->refused || !w->ops->refused())
			return error_code();
		if (j->engine_name)
			return error_hint("without --engine the next one that works here is taken");
		if (!take_next_engine(j))
			return error_code();
		trace_mix_close(w->mix); /* not every engine needs it */
		w->mix = NULL;
	}
}

/* perf events bring no memory. Who did not ask for them may not know that another engine would show it. */
static void tell_of_strings(const struct trace_job *j)
{
	const struct engine_options *o = &j->engine;
	struct str why = STR_INIT;
	bool shown = !o->no_calls && !o->summary_only && !j->view.quiet && !j->view.style.raw;
	if (j->work->ops == &engine_perf && !j->engine_name && shown && engine_ptrace.usable(o, &why))
		hint("with perf events pointers stay addresses; --engine=ptrace shows strings and structs, but stops the program at each call");
	str_release(&why);
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
	tell_of_strings(j);
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
	j->view.files = w->files;
	make_view(j);
	return 0;
}

int trace_start(struct trace_job *j, char **command)
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

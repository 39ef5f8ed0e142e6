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
#include "kernel/task/process.h"
#include "kernel/tracefs.h"
#include "job/trace/delay.h"
#include "job/trace/fds.h"
#include "job/trace/work.h"

static void name_events(struct trace_job *j)
{
	j->work->fields = trace_fields_new();
	vec_each(&j->events, e) {
		struct str format = STR_INIT;
		bool known = e->system && !tracefs_event_format(e->system, e->tracepoint, &format);
		trace_fields_add(j->work->fields, e->name, fault_kind(&e->attr), known ? e->system : NULL, e->tracepoint, &format);
		str_release(&format);
	}
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
	struct symbols_options so = { .offline = j->engine.input != NULL, .live = !j->engine.input };
	if (stacks || has_places(j)) {
		w->symbols = symbols_new(&so);
		j->engine.symbols = w->symbols;
	}
	if (stacks) {
		struct stack_look look = { .syms = w->symbols, .max = j->max_stack, .strace = j->view.form == TRACE_STRACE };
		w->stacks = trace_stacks_new(&look, !j->engine.input);
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
	if (j->record && !j->engine.input && j->events.n && j->engine.user_graph == GRAPH_DWARF)
		warn("the recorded stacks of --event are by frame pointers: --call-graph dwarf is for system calls only");
	if (j->engine.input || (!j->events.n && (!w->stacks || (w->ops->can & ENGINE_STOPS && !j->record))))
		return 0;
	struct trace_mix_options o = { .engine = &j->engine, .events = &j->events, .symbols = w->symbols, .data_maps = has_places(j),
				       .whole = j->record };
	w->mixed_at = clock_ns();
	w->mix = trace_mix_open(&o);
	return w->mix ? 0 : error_code();
}

/* What is injected goes into the calls that --where and -P choose. */
static bool injectable(void *ctx, const struct sysevent *e)
{
	return trace_choice_where(ctx, e);
}

static void take_effect(void *fds, const struct sysevent *e)
{
	fd_state_feed(fds, e);
}

static void make_view(struct trace_job *j)
{
	struct trace_work *w = j->work;
	w->fds = trace_fds_open(j);
	j->choice.fds = w->fds;
	j->choice.stacks = w->stacks;
	j->view.fds = w->fds;
	j->view.takes_effect = take_effect;
	j->view.effect_ctx = w->fds;
	w->view = trace_view_new(&j->view, &w->out);
	if (j->choice.where || j->choice.paths) {
		j->engine.injectable = injectable;
		j->engine.injectable_ctx = &j->choice;
	}
}

static const struct engine_ops *choose(struct trace_job *j)
{
	if (j->engine_name && !j->engine.input)
		return engine_named(j->engine_name, &j->engine);
	if (j->engine.string_limit > ENGINE_DATA && !j->engine.input) {
		const struct engine_ops *whole = engine_able(ENGINE_WHOLE_DATA, &j->engine);
		if (whole) {
			note(0, "buffers of more than %d bytes are read with --engine=%s, which stops the program at its calls", ENGINE_DATA,
			     whole->name);
			return whole;
		}
		warn("no more than %d bytes of each buffer are seen", ENGINE_DATA);
		hint("all of it is, of a command or of -p PID, with --engine=ptrace");
	}
	return engine_pick(&j->engine);
}

/* Where a process is when its recording begins, as if it had just gone there: who reads that can tell which files are meant.
 * It stands before the events of --event that have come meanwhile. */
static int record_directory(struct trace_job *j, int pid)
{
	const char *cwd = j->work->recorder ? fd_state_cwd(j->work->fds, pid) : NULL;
	struct sysevent e = { .type = SYS_CALL, .pid = pid, .tid = pid,
			      .cpu = -1, .time = j->work->mix ? j->work->mixed_at : clock_ns(), .args_known = true, .silent = true, .args = { 1 } };
	if (!cwd || !syscall_named(ABI_NATIVE, "chdir", &e.nr))
		return 0;
	struct copied path = { .addr = e.args[0], .len = strlen(cwd) + 1, .data = (const uint8_t *)cwd };
	e.enter_time = e.time;
	e.copied = &path;
	e.n_copied = 1;
	process_comm(pid, e.comm);
	return trace_recorder_put(j->work->recorder, &e);
}

static int record_directories(struct trace_job *j, bool execs)
{
	int err = execs ? record_directory(j, j->life.command.pid) : 0;
	vec_each(&j->engine.pids, pid)
		err = err ? err : record_directory(j, *pid);
	vec_each(&j->engine.tids, tid)
		err = err ? err : record_directory(j, *tid);
	return err;
}

static void read_descriptors(struct trace_job *j, bool execs)
{
	struct fd_state *fds = j->work->fds;
	vec_each(&j->engine.pids, pid)
		fd_state_attach(fds, *pid, false);
	vec_each(&j->engine.tids, tid)
		fd_state_attach(fds, *tid, false);
	if (execs)
		fd_state_attach(fds, j->life.command.pid, true);
	vec_each(&j->engine.pids, pid)
		callsum_know(&j->work->sums, *pid);
	if (execs)
		callsum_know(&j->work->sums, j->life.command.pid);
}

static bool runs_compat(char **command)
{
	char *path = command ? workload_find(command[0]) : NULL;
	bool compat = path && file_abi(path) == ABI_32;
	free(path);
	return compat;
}

static int choose_engine(struct trace_job *j, char **command)
{
	if (!j->engine.input && trace_targets_check(&j->engine, j->events.n))
		return error_code();
	j->work->ops = choose(j);
	if (!j->work->ops)
		return error_code();
	j->engine.compat = runs_compat(command);
	trace_fds_plan(j, j->work->ops);
	return trace_fds_check(j);
}

/* -D: the command runs for itself first; then it is traced with all that it has started, as -p would. */
static int start_late(struct trace_job *j, bool command)
{
	bool traced = command && engine_command(&j->engine);
	int err = traced ? life_go(&j->life) : 0;
	if (err)
		return err;
	life_delay(&j->life, j->delay_ms);
	j->work->over = signals_stop() || life_ended(&j->life);
	j->work->late = traced && !j->work->over;
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
	bool shown = !o->no_calls && !o->summary_only && !j->choice.quiet && !j->view.style.raw;
	if (j->work->ops->can & ENGINE_SEES_MEMORY || j->engine_name || !shown)
		return;
	const struct engine_ops *better = engine_able(ENGINE_SEES_MEMORY | ENGINE_STOPS, o);
	if (better)
		hint("with perf events pointers stay addresses; --engine=%s shows strings and structs, but stops the program at each call",
		     better->name);
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
		trace_delay_tree(&j->engine.pids, j->life.command.pid);
		j->view.many = j->engine.pids.n > 1;
		err = open_engine(j);
		if (err == -ESRCH && life_ended(&j->life)) {
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
	if (!err)
		err = life_fork(&j->life, command, &wo);
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
	if (w->ops->recording)
		w->fields = trace_fields_recorded(w->ops->recording(w->g));
	if (w->fields)
		trace_fields_symbols(w->fields, w->symbols, !j->engine.input);
	w->runtime_event = j->sched ? trace_fields_find(w->fields, TRACE_RUNTIME) : -1;
	return trace_gate_open(&j->gate, trace_fields_find, w->fields);
}

/* CLOCK_REALTIME less CLOCK_MONOTONIC, here or where it was recorded. */
static uint64_t wall_offset(const struct trace_job *j)
{
	struct timespec now;
	if (j->work->ops->recording) {
		const struct perfdata_info *i = perfdata_info(j->work->ops->recording(j->work->g));
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
		fd_state_calls(&w->fd_calls);
	if (j->record)
		w->recorder = trace_recorder_open(j->record, !j->no_disk_guard, j->argv, &j->engine, w->mix);
	if (j->record && !w->recorder)
		return error_code();
	if (w->fields) {
		j->view.fields = trace_fields_show;
		j->view.event_name = trace_fields_name;
		j->view.fields_ctx = w->fields;
	}
	j->view.wall = wall_offset(j);
	j->view.files = w->files;
	if (j->view.form == TRACE_PERF && !w->out.tty)
		j->view.many = true; /* who searches a file for a thread finds its first lines too */
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
	err = record_directories(j, command && !w->late);
	if (err)
		return err;
	/* left to do: maps of the eBPF engine, descriptors, memory and binaries of the traced */
	life_give_up_rights(&j->life, CAP_BIT(CAP_BPF) | CAP_BIT(CAP_SYS_PTRACE) | CAP_BIT(CAP_DAC_READ_SEARCH) | CAP_BIT(CAP_SYSLOG));
	return w->late ? 0 : life_go(&j->life);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* engine (and other events) -> filter -> summary, recording, or view. The loop never sleeps by itself: the
 * engine does, and comes back when a signal arrives. */
#include "job/trace/job.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "job/disk.h"
#include "kernel/cgroup.h"
#include "kernel/clock.h"
#include "kernel/settings.h"
#include "syscall/multiplex.h"
#include "ui/trace/stats.h"
#include "ui/trace/summary.h"
#include "job/trace/work.h"

/* ---- is it over? ---- */

/* With the last of the traced, as in strace: a command's children in the background may outlive it. */
static bool over(struct trace_job *j)
{
	signals_drain();
	if (life_over(&j->life))
		return true;
	if (j->engine.workload && !life_ended(&j->life))
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
	return j->record && j->choice.where && !trace_where_holds(j->choice.where, e, NULL);
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
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED || e->type == SYS_UNFINISHED;
	if (call && !multiplex_chosen(j->engine.calls, e))
		return false;
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

/* --max-events counts calls and events, as perf trace does; the lines between only if nothing else can come. */
static bool is_counted(const struct trace_job *j, const struct sysevent *e)
{
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED || e->type == SYS_TRACEPOINT;
	return call || (j->engine.no_calls && !j->events.n && e->type != SYS_LOST && e->type != SYS_RECORD);
}

/* e: with the call that a socketcall or ipc stands for. */
static void show(struct trace_job *j, const struct sysevent *e, bool taken)
{
	struct trace_work *w = j->work;
	if (taken) {
		w->counted += trace_view_event(w->view, e) && is_counted(j, e);
		return;
	}
	if (!e->silent)
		trace_view_leave_out(w->view, e);
	fd_state_feed(w->fds, e);
}

/* Of what is not to be shown a recording keeps what tells the threads and their descriptors; its reader shows none of it. */
static bool must_keep(const struct trace_work *w, const struct sysevent *e)
{
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED;
	return call ? sysset_has(&w->fd_calls, e->abi, e->nr) : e->type == SYS_FORK || e->type == SYS_EXEC || e->type == SYS_EXIT;
}

static int record(struct trace_job *j, struct sysevent *e, bool taken)
{
	struct trace_work *w = j->work;
	if (!taken && !e->silent && !must_keep(w, e))
		return 0;
	e->silent |= !taken;
	w->shown += !e->silent && e->type != SYS_RECORD;
	w->counted += !e->silent && is_counted(j, e);
	if (w->stacks)
		trace_stacks_unwind(w->stacks, e);
	return trace_recorder_put(w->recorder, e);
}

static int consume(struct trace_job *j, struct sysevent *e)
{
	struct trace_work *w = j->work;
	struct sysevent real;
	if (!counts(j, e))
		return 0;
	const struct sysevent *inner = e->abi == ABI_32 && multiplex_event(e, &real) ? &real : e;
	bool call = e->type == SYS_CALL || e->type == SYS_RESUMED;
	fd_state_expect(w->fds, inner);
	bool taken = !e->silent && trace_choice_takes(&j->choice, inner);
	if (w->fold && !e->silent && (!call || taken))
		callsum_add(&w->sums, e);
	if (w->recorder)
		return record(j, e, taken);
	if (!j->engine.summary_only)
		show(j, inner, taken);
	else if (w->fold)
		fd_state_feed(w->fds, inner);
	return 0;
}

/* Nothing more can be written? */
static bool broken(const struct trace_work *w)
{
	return w->out.err || trace_files_error(w->files);
}

/* Nobody would read what comes next. A quiet program has nothing to write by which that would be noticed. */
static bool is_unread(struct trace_job *j)
{
	if (j->record)
		return !strcmp(j->record, "-") && fd_unread(1);
	return !j->engine.summary_only && out_unread(&j->work->out);
}

static bool is_full(const struct trace_work *w)
{
	return w->out.full || trace_files_full(w->files) || trace_recorder_full(w->recorder);
}

static bool is_enough(const struct trace_job *j)
{
	return broken(j->work) || is_full(j->work) || (j->max_events && j->work->counted >= j->max_events);
}

static int step(struct trace_job *j, int timeout_ms)
{
	struct sysevent e;
	int r = next(j, &e, timeout_ms);
	if (r == -ENODATA)
		return DONE;
	if (r <= 0)
		return r ? r : IDLE;
	r = consume(j, &e);
	if (r)
		return r;
	return is_enough(j) ? DONE : GO_ON;
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
		if (is_unread(j))
			return -EPIPE;
		if (prompt || ++quiet_rounds > 1) {
			out_flush(&w->out);
			if (w->files)
				trace_files_flush(w->files);
		}
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

/* ---- after ---- */

static void print_summary(struct trace_job *j)
{
	struct trace_work *w = j->work;
	if (!j->engine.summary)
		return;
	callsum_end(&w->sums);
	const struct engine_sum *rows = w->sums.rows.at;
	size_t n = w->sums.rows.n;
	if (!w->fold)
		n = w->ops->summary(w->g, &rows);
	struct trace_summary_options o = { .mode = j->engine.summary, .json = j->view.form == TRACE_JSON, .histogram = verbosity > 0,
					   .more = &w->sums, .columns = j->columns, .order = j->order, .cgroup = cgroup_path,
					   .width = out_width(&w->out) };
	o.strace = o.mode == SUMMARY_TOTAL && (j->view.form == TRACE_STRACE || o.columns.n) && !o.json;
	trace_summary_print(&o, rows, n, &w->out);
	if (n || o.json || !j->engine.summary_only)
		return;
	warn("no call that was asked for has ended");
	if (j->engine.pids.n || j->engine.tids.n)
		hint("without -s the calls that are under way are shown");
}

static void tell_lost(const struct trace_job *j, const struct engine_stats *s)
{
	if (!s->lost)
		return;
	if (s->still_ns)
		warn("%llu events were lost: sonde stood still for %.1f s (it was stopped, or nobody read its output)",
		     (unsigned long long)s->lost, s->still_ns / 1e9);
	else
		warn("%llu events were lost; a larger ring may help: -m %uK", (unsigned long long)s->lost,
		     j->engine.ring_kb ? j->engine.ring_kb * 4 : 16384);
}

static void print_stats(struct trace_job *j)
{
	struct trace_work *w = j->work;
	struct trace_stats s = { .engine = w->ops->name, .json = j->view.form == TRACE_JSON };
	w->ops->stats(w->g, &s.of);
	s.of.lost += w->mix ? trace_mix_lost(w->mix) : 0;
	tell_lost(j, &s.of);
	if (s.of.left_out)
		warn("the kernel left out %llu runs of sonde's programs: calls, signals and new names of threads may be missing",
		     (unsigned long long)s.of.left_out);
	if (s.of.not_summed) {
		warn("%llu calls are missing from the table: it has no room for more threads", (unsigned long long)s.of.not_summed);
		hint("--summary-mode total needs few rows; -e and --where leave calls out");
	}
	if (j->stats)
		trace_stats_print(&s, &w->out);
}

static int finish_record(struct trace_job *j)
{
	uint64_t bytes = 0;
	if (!j->work->recorder)
		return 0;
	int err = trace_recorder_finish(j->work->recorder, &bytes);
	if (err)
		return life_failed(&j->life, err);
	fprintf(stderr, "[ sonde trace record: %llu events, %.3f MB in %s ]\n", (unsigned long long)j->work->shown,
		bytes / 1e6, j->record);
	return 0;
}

static void release(struct trace_job *j)
{
	struct trace_work *w = j->work;
	trace_view_free(w->view);
	fd_state_free(w->fds);
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
	int err = trace_start(j, command), r;
	if (err || w->over)
		return err ? life_failed(&j->life, err) : 0;
	r = pump(j);
	w->ops->stop(w->g);
	if (w->mix)
		trace_mix_stop(w->mix);
	bool enough = r == DONE && is_enough(j); /* what is left in the rings is not wanted */
	if (enough && !is_full(w)) /* else the command goes on */
		life_enough(&j->life);
	if (!enough && r >= 0)
		r = drain(j);
	if (r < 0)
		return life_failed(&j->life, r);
	print_summary(j);
	print_stats(j);
	return finish_record(j);
}

/* Lines go where the program's own output does not: to standard error, as in strace and perf trace. A
 * recording that is read has standard output to itself. */
static int open_output(const struct trace_job *j, struct out *o)
{
	if (j->separately && !j->record) {
		out_fd(o, -1, j->output);
		files_limit_raise();
		j->work->files = trace_files_new(j->output, j->append, !j->no_disk_guard);
		return 0;
	}
	if (j->output && !j->record && (*j->output == '|' || *j->output == '!'))
		return out_command(o, j->output + 1);
	if (j->output && !j->record) {
		int err = out_open(o, j->output, j->append);
		o->spare = !j->no_disk_guard;
		return err;
	}
	if (j->engine.input)
		return out_open(o, NULL, false);
	out_fd(o, 2, "standard error");
	return 0;
}

/* The last lines may be those that are too many: they are written before anybody is told. */
static void end_lines(struct trace_job *j)
{
	struct trace_work *w = j->work;
	out_flush(&w->out);
	if (w->files)
		trace_files_flush(w->files);
	if (is_full(w))
		disk_say_full(j->record ? j->record : j->output, "fewer calls (-e, --where), --max-events N");
}

static bool leaves(void *ctx)
{
	return life_over(ctx);
}

int trace_job_run(struct trace_job *j, char **command)
{
	struct trace_work *w = j->work = xcalloc(1, sizeof(*w));
	w->sums.mode = j->engine.summary;
	w->sums.live = !j->engine.input;
	if (open_output(j, &w->out)) {
		free(w);
		return error_print();
	}
	j->engine.out_fd = w->out.fd;
	j->engine.measure = j->stats;
	j->engine.workload = command ? &j->life.command : NULL;
	j->engine.leave = leaves;
	j->engine.leave_ctx = &j->life;
	int err = work(j, command);
	end_lines(j);
	int out_err = out_close(&w->out), files_err = trace_files_free(w->files);
	trace_fields_free(w->fields); /* those of a recording point into it */
	w->fields = NULL;
	if (w->g)
		w->ops->close(w->g);
	if (!err && command && workload_started(&j->life.command) < 0)
		err = error_code();
	release(j);
	life_finish(&j->life);
	int code = err || out_err || files_err ? error_print() : life_code(&j->life);
	life_release(&j->life);
	free(w);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* engine (and other events) -> filter -> summary, recording, or view. The loop never sleeps by itself: the
 * engine does, and comes back when a signal arrives. */
#include "job/trace/job.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "kernel/clock.h"
#include "ui/trace/stats.h"
#include "ui/trace/summary.h"
#include "job/trace/work.h"

/* ---- is it over? ---- */

/* The command ends with us, and its last calls are still shown. Ctrl-C on a terminal reached it too; if it
 * goes on all the same, or if the stop came to us alone, it is told. */
static bool stopped(struct trace_job *j)
{
	struct trace_work *w = j->work;
	uint64_t now = clock_ns();
	if (!j->engine.workload || workload_poll(&j->workload))
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

/* Nothing more can be written? */
static bool broken(const struct trace_work *w)
{
	return w->out.err || trace_files_error(w->files);
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
	return broken(w) || (j->max_events && w->shown >= j->max_events) ? DONE : GO_ON;
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
					   .more = &w->sums, .columns = j->columns, .order = j->order };
	o.strace = o.mode == SUMMARY_TOTAL && (j->view.form == TRACE_STRACE || o.columns.n) && !o.json;
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
	int err = trace_start(j, command), r;
	if (err || w->over)
		return err;
	r = pump(j);
	w->ops->stop(w->g);
	if (w->mix)
		trace_mix_stop(w->mix);
	if (r == DONE && (broken(w) || (j->max_events && w->shown >= j->max_events)))
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
	if (j->separately && !j->record) {
		out_fd(o, -1, j->output);
		j->work->files = trace_files_new(j->output, j->append);
		return 0;
	}
	if (j->output && !j->record && (*j->output == '|' || *j->output == '!'))
		return out_command(o, j->output + 1);
	if (j->output && !j->record)
		return out_open(o, j->output, j->append);
	if (j->engine.input)
		return out_open(o, NULL, false);
	out_fd(o, 2, "standard error");
	return 0;
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
	j->engine.workload = command ? &j->workload : NULL;
	signals_arm();
	int err = work(j, command), code = 0;
	int out_err = out_close(&w->out), files_err = trace_files_free(w->files);
	trace_fields_free(w->fields); /* those of a recording point into it */
	w->fields = NULL;
	if (w->g)
		w->ops->close(w->g);
	if (!err && command && workload_started(&j->workload) < 0)
		err = error_code();
	release(j);
	if (command && j->workload.reaped)
		code = workload_exit_code(j->workload.status);
	workload_release(&j->workload);
	free(w);
	return err || out_err || files_err ? error_print() : code;
}

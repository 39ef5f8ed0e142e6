// SPDX-License-Identifier: GPL-2.0-or-later
/* From options to a job. */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/user.h"
#include "cmd/trace/options.h"
#include "cmd/trace/strace.h"
#include "spec/target.h"
#include "job/trace/fds.h"
#include "syscall/multiplex.h"

static int parse_user(struct trace_options *t)
{
	uid_t uid;
	if (!t->user)
		return 0;
	if (user_id(t->user, &uid))
		return error_code();
	t->job.engine.has_uid = true;
	t->job.engine.uid = uid;
	return 0;
}

static int refuse_alone(const char *option)
{
	error_set(EINVAL, "--%s belongs to a summary", option);
	return error_hint("-s --%s, or -S --%s for lines and the table", option, option);
}

static int check_alone(const struct trace_options *t)
{
	if (t->job.errno_summary)
		return refuse_alone("errno-summary");
	return t->job.columns.n ? refuse_alone("summary-columns") : t->job.order ? refuse_alone("summary-sort-by") : 0;
}

static int plan_summary(struct trace_options *t)
{
	static const char *const modes[] = { [SUMMARY_THREAD] = "thread", [SUMMARY_TOTAL] = "total", [SUMMARY_CGROUP] = "cgroup",
					     [SUMMARY_COMM] = "comm" };
	struct engine_options *o = &t->job.engine;
	if (!t->summary_only && !t->with_summary && !t->summary_mode && !t->job.sched)
		return check_alone(t);
	o->summary = t->job.columns.n ? SUMMARY_TOTAL : o->all ? SUMMARY_COMM : SUMMARY_THREAD;
	if (t->summary_mode) {
		for (o->summary = SUMMARY_COMM; o->summary && strcmp(t->summary_mode, modes[o->summary]); o->summary--)
			;
		if (!o->summary)
			return error_set(EINVAL, "--summary-mode is thread, comm, total or cgroup, not '%s'", t->summary_mode);
	}
	if (t->job.columns.n && o->summary != SUMMARY_TOTAL) {
		error_set(EINVAL, "--summary-columns are those of strace's table, which is one for all");
		return error_hint("leave out --summary-mode %s", t->summary_mode);
	}
	o->summary_only = !t->with_summary && (t->summary_only || t->summary_mode);
	return 0;
}

/* Which calls: -e in order, narrowed by --where. */
static int plan_calls(struct trace_options *t)
{
	struct engine_options *o = &t->job.engine;
	struct sysset only;
	int err = 0;
	for (size_t i = 0; !err && i < t->expressions.n; i++)
		err = sysset_parse(&t->calls, t->expressions.at[i]);
	if (err)
		return err;
	o->calls = t->expressions.n ? &t->calls : NULL;
	o->where_strings = t->job.choice.paths;
	if ((t->events_only || t->minor_faults || t->major_faults) && !o->calls && !t->where.len && !t->job.choice.paths && !t->syscalls)
		o->no_calls = true;
	if (o->calls && !o->summary_only) /* a table is made where nobody looks into the words */
		multiplex_choose(&t->calls);
	if (!t->where.len)
		return 0;
	t->job.choice.where = trace_where_parse(t->where.buf);
	if (!t->job.choice.where)
		return error_code();
	o->where_strings |= trace_where_strings(t->job.choice.where);
	o->where = trace_where_tests(t->job.choice.where, &o->n_where);
	if (!o->calls && trace_where_calls(t->job.choice.where, &only)) {
		t->calls = only;
		o->calls = &t->calls;
	}
	return 0;
}

/* -e inject=, fault= */
static int plan_injects(struct trace_options *t)
{
	struct engine_options *o = &t->job.engine;
	if (!t->qualify.injects.n)
		return 0;
	o->injects = &t->qualify.injects;
	if (o->input) {
		error_set(EINVAL, "-e inject= changes what a program gets, and -i reads what one has done");
		return error_hint("sonde trace -e inject=... COMMAND");
	}
	if (t->job.choice.where && trace_where_results(t->job.choice.where)) {
		error_set(EINVAL, "-e inject= acts when a call begins, and --where asks for its result");
		return error_hint("leave out retval and errno, or choose the calls that are shown by --failure");
	}
	if (!inject_any(o->injects, o->no_calls ? &(struct sysset){ .asks_compat = false } : o->calls))
		warn("none of the calls of -e inject= is traced, so nothing will happen to them");
	return 0;
}

/* Whom to trace. */
static int plan_targets(struct trace_options *t, bool command)
{
	struct engine_options *o = &t->job.engine;
	int err = 0;
	if (t->tids && !trace_strace_clock(t, t->tids))
		err = intlist_parse(&o->tids, t->tids, 1 << 22, "thread") ? trace_hint_strace(t->tids) : 0;
	if (!err && t->cpus)
		err = intlist_parse(&o->cpus, t->cpus, 4096, "CPU");
	if (!err && o->cpus.n && !o->input)
		err = target_cpus_up(&o->cpus);
	if (command && !t->all) /* with -a it is the machine that is narrowed */
		t->job.command_user = t->user;
	else if (!err)
		err = parse_user(t);
	o->all = t->all || (!command && !o->pids.n && !o->tids.n && !o->input);
	return err;
}

/* A filter filters: who asks for some calls is not told of comings and goings besides, and of a whole machine not even when
 * calls are chosen by name: those of all others would hide them. strace's own filters leave them in, and so does its form. */
static bool only_some_calls(const struct trace_options *t)
{
	const struct engine_options *o = &t->job.engine;
	bool ours = t->where.len || t->duration > 0 || t->min_stack > 0;
	bool straces = t->job.choice.paths || t->failure || trace_qualify_calls(&t->qualify);
	return ours || (straces && (!t->strace || o->all)) || (o->all && o->calls);
}

/* -e raw=, abbrev=, verbose= and what stands for them. */
static void plan_style(struct trace_options *t)
{
	struct decode_style *s = &t->job.view.style;
	const struct trace_qualify *q = &t->qualify;
	unsigned limit = t->job.engine.string_limit;
	s->strace = t->strace;
	s->verbose = verbosity > 0 || t->no_abbrev;
	s->raw = t->raw;
	s->raw_calls = q->raw.has ? &q->raw.calls : NULL;
	s->abbrev_calls = q->abbrev.has ? &q->abbrev.calls : NULL;
	s->verbose_calls = q->verbose.has ? &q->verbose.calls : NULL;
	s->string_limit = limit;
	if (q->reads.has || q->writes.has)
		t->job.engine.string_limit = ENGINE_DATA_MAX;
	if (t->job.record && t->job.engine.string_limit > ENGINE_DATA)
		t->job.engine.string_limit = ENGINE_DATA; /* what a record has room for */
	s->path_limit = t->string_limit > 0 && !t->strace ? limit : 0;
	s->fd_info = q->fd_info | (t->decode_fds > 1 ? FD_ALL : t->decode_fds ? FD_PATH : 0);
	s->pid_names = q->pid_names;
	s->ask_proc = !t->job.engine.input;
}

static void plan_choice(struct trace_options *t)
{
	/* -q, -qq, -qqq */
	static const unsigned quiet_lines[] = { 0, QUIET_ATTACH | QUIET_MODE, QUIET_ATTACH | QUIET_MODE | QUIET_EXIT, QUIET_ALL };
	struct trace_choice *c = &t->job.choice;
	c->failure = t->failure;
	c->quiet = (t->quiet && !t->strace) || only_some_calls(t);
	c->signals = t->qualify.has_signals && !t->quiet;
	c->min_ns = t->duration > 0 ? (uint64_t)(t->duration * 1e6) : 0;
	c->min_stack = t->min_stack > 0 ? t->min_stack : 0;
	c->qualify = &t->qualify;
	if (t->strace)
		t->qualify.quiet |= quiet_lines[t->quiet > 3 ? 3 : t->quiet];
}

static void plan_view(struct trace_options *t)
{
	struct engine_options *o = &t->job.engine;
	struct trace_view_options *v = &t->job.view;
	o->string_limit = t->string_limit < 0 ? 32 : t->string_limit > ENGINE_DATA_MAX ? ENGINE_DATA_MAX : t->string_limit;
	o->path_limit = o->string_limit > ENGINE_DATA ? o->string_limit : ENGINE_DATA; /* descriptors are named by all of it, however little is shown */
	o->environ = verbosity > 0 || t->no_abbrev || t->qualify.abbrev.has;
	o->fold_outside = t->failure || t->duration > 0 || o->where_strings || trace_qualify_calls(&t->qualify) ||
			  t->job.errno_summary || trace_gate_set(&t->job.gate);
	o->quiet_switch = t->json || t->duration > 0 || t->failure || t->job.record || t->job.choice.where || t->job.choice.paths || t->summary_only;
	o->force = t->force;
	v->form = t->json ? TRACE_JSON : t->strace ? TRACE_STRACE : TRACE_PERF;
	v->many = o->all || o->pids.n > 1 || o->tids.n > 1 || (o->pids.n && (!t->strace || !trace_fds_lone(o->pids.at[0])));
	v->column = t->columns > 0 ? t->columns : 0;
	v->exec_lines = o->no_calls;
	v->no_modes = trace_qualify_quiet(&t->qualify, QUIET_MODE);
	v->dump.reads = t->qualify.reads.has ? &t->qualify.reads : NULL;
	v->dump.writes = t->qualify.writes.has ? &t->qualify.writes : NULL;
	plan_style(t);
	t->job.delay_ms = o->input ? 0 : t->delay;
	t->job.max_events = t->max_events > 0 ? t->max_events : 0;
	t->job.max_stack = t->max_stack > 0 ? t->max_stack : 0;
	if (v->ips && !o->user_graph && !t->job.choice.min_stack) {
		t->job.ip_only = true;
		o->user_graph = GRAPH_FP;
	}
	if (t->job.choice.min_stack && !o->user_graph && !o->kernel_graph)
		o->user_graph = GRAPH_FP;
}

static struct event *find_event(struct trace_options *t, const char *name)
{
	vec_each(&t->job.events, e)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

/* An event that the trace itself needs; not shown unless it was asked for. */
static int add_hidden(struct trace_options *t, const char *name, const char *option)
{
	size_t before = t->job.events.n;
	int err = find_event(t, name) ? 0 : events_parse(&t->job.events, name);
	if (!err && t->job.events.n > before + 1) {
		error_set(EINVAL, "--%s takes one event, and '%s' is %zu", option, name, t->job.events.n - before);
		return error_hint("sonde list '%s' shows them", name);
	}
	for (size_t i = before; !err && i < t->job.events.n; i++)
		t->job.events.at[i].tag = TRACE_HIDDEN;
	return err;
}

static int add_faults(struct trace_options *t, const char *name)
{
	int err = find_event(t, name) ? 0 : events_parse(&t->job.events, name);
	if (!err)
		find_event(t, name)->attr.sample_period = 1;
	return err;
}

/* What -F, --sched and the switches need besides -e. A recording has its events. */
static int plan_events(struct trace_options *t)
{
	const struct trace_gate *g = &t->job.gate;
	int err = 0;
	if (g->show && !g->on && !g->off)
		return error_set(EINVAL, "--show-on-off-events goes with --switch-on or --switch-off");
	if ((g->on || g->off) && t->job.record) {
		error_set(EINVAL, "a recording takes everything: --switch-on and --switch-off choose when it is read");
		return error_hint("sonde trace record --event %s ..., then sonde trace -i FILE --switch-%s %s", g->on ? g->on : g->off,
				  g->on ? "on" : "off", g->on ? g->on : g->off);
	}
	if (t->job.engine.input)
		return 0;
	if (t->major_faults)
		err = add_faults(t, "major-faults");
	if (!err && t->minor_faults)
		err = add_faults(t, "minor-faults");
	if (!err && t->job.sched)
		err = add_hidden(t, TRACE_RUNTIME, "sched");
	if (!err && g->on)
		err = add_hidden(t, g->on, "switch-on");
	if (!err && g->off)
		err = add_hidden(t, g->off, "switch-off");
	return err;
}

/* -ff, and strace's lines in a file: those of several processes begin with their number. */
static int plan_output(struct trace_options *t)
{
	struct trace_job *j = &t->job;
	bool piped = j->output && !j->record && (*j->output == '|' || *j->output == '!');
	t->separately |= t->force > 1;
	if (piped && !j->output[1 + strspn(j->output + 1, " \t")])
		return error_set(EINVAL, "-o: no command behind '%c'", *j->output);
	j->view.plain_pid = j->output && !j->record;
	if (t->strace && t->force && j->view.plain_pid)
		j->view.many = true;
	if (!t->separately || j->record)
		return 0;
	if (piped) {
		error_set(EINVAL, "-ff writes files, and -o '%s' is a command", j->output);
		return error_hint("-o NAME: the files are NAME.TID");
	}
	if (t->job.engine.summary) {
		error_set(EINVAL, "-ff writes the lines of each thread to a file of its own, and a summary is none");
		return error_hint("-s has a table for each thread");
	}
	j->separately = j->output; /* without a name -ff is -f, as in strace */
	return 0;
}

int trace_plan(struct trace_options *t, const char *command)
{
	int err = trace_check_command(t->summary_only, command);
	if (!err && t->max_events < 0)
		err = error_set(EINVAL, "--max-events takes a number above 0");
	if (!err && t->delay < 0)
		err = error_set(EINVAL, "--delay takes milliseconds, 0 or more");
	if (!err)
		err = plan_targets(t, command);
	if (!err)
		err = plan_calls(t);
	if (!err)
		err = plan_injects(t);
	if (!err)
		err = plan_summary(t);
	if (!err && t->job.engine.input && command)
		err = error_set(EINVAL, "-i reads a recording: it starts no command");
	if (!err && t->job.engine.input && t->job.events.n) {
		error_set(EINVAL, "-i shows the events that were recorded: --event chooses none");
		err = error_hint("choose them when recording: sonde trace record --event ...; calls are chosen by -e here too");
	}
	if (!err)
		err = plan_events(t);
	if (!err) {
		plan_choice(t);
		plan_view(t);
		err = plan_output(t);
	}
	return err;
}

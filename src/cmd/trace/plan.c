// SPDX-License-Identifier: GPL-2.0-or-later
/* From options to a job. */
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include "base/error.h"
#include "cmd/trace/options.h"
#include "cmd/trace/strace.h"
#include "spec/target.h"
#include "job/trace/fds.h"

static int parse_user(struct trace *t)
{
	uint64_t id;
	struct passwd *pw;
	if (!t->user)
		return 0;
	if (parse_u64(t->user, &id)) {
		pw = getpwnam(t->user);
		if (!pw) {
			error_set(ENOENT, "there is no user '%s'", t->user);
			return error_hint("-u takes a name or a number from /etc/passwd");
		}
		id = pw->pw_uid;
	}
	t->job.engine.has_uid = true;
	t->job.engine.uid = id;
	return 0;
}

static int refuse_alone(const char *option)
{
	error_set(EINVAL, "--%s belongs to a summary", option);
	return error_hint("-s --%s, or -S --%s for lines and the table", option, option);
}

static int check_alone(const struct trace *t)
{
	if (t->job.errno_summary)
		return refuse_alone("errno-summary");
	return t->job.columns.n ? refuse_alone("summary-columns") : t->job.order ? refuse_alone("summary-sort-by") : 0;
}

static int plan_summary(struct trace *t)
{
	static const char *const modes[] = { [SUMMARY_THREAD] = "thread", [SUMMARY_TOTAL] = "total", [SUMMARY_CGROUP] = "cgroup" };
	struct engine_options *o = &t->job.engine;
	if (!t->summary_only && !t->with_summary && !t->summary_mode && !t->job.sched)
		return check_alone(t);
	o->summary = t->job.columns.n && !t->summary_mode ? SUMMARY_TOTAL : SUMMARY_THREAD;
	if (t->summary_mode) {
		for (o->summary = SUMMARY_CGROUP; o->summary && strcmp(t->summary_mode, modes[o->summary]); o->summary--)
			;
		if (!o->summary)
			return error_set(EINVAL, "--summary-mode is thread, total or cgroup, not '%s'", t->summary_mode);
	}
	if (t->job.columns.n && o->summary != SUMMARY_TOTAL) {
		error_set(EINVAL, "--summary-columns are those of strace's table, which is one for all");
		return error_hint("leave out --summary-mode %s", t->summary_mode);
	}
	o->summary_only = !t->with_summary && (t->summary_only || t->summary_mode);
	return 0;
}

/* Which calls: -e in order, narrowed by --where. */
static int plan_calls(struct trace *t)
{
	struct engine_options *o = &t->job.engine;
	struct sysset only;
	int err = 0;
	for (size_t i = 0; !err && i < t->expressions.n; i++)
		err = sysset_parse(&t->calls, t->expressions.at[i]);
	if (err)
		return err;
	o->calls = t->expressions.n ? &t->calls : NULL;
	if ((t->events_only || t->minor_faults || t->major_faults) && !o->calls && !t->where.len && !t->syscalls)
		o->no_calls = true;
	if (!t->where.len)
		return 0;
	t->job.where = trace_where_parse(t->where.buf);
	if (!t->job.where)
		return error_code();
	o->where_strings = trace_where_strings(t->job.where);
	o->where = trace_where_tests(t->job.where, &o->n_where);
	if (!o->calls && trace_where_calls(t->job.where, &only)) {
		t->calls = only;
		o->calls = &t->calls;
	}
	return 0;
}

/* -e inject=, fault= */
static int plan_injects(struct trace *t)
{
	struct engine_options *o = &t->job.engine;
	if (!t->qualify.injects.n)
		return 0;
	o->injects = &t->qualify.injects;
	if (o->input) {
		error_set(EINVAL, "-e inject= changes what a program gets, and -i reads what one has done");
		return error_hint("sonde trace -e inject=... COMMAND");
	}
	if (t->job.where && trace_where_results(t->job.where)) {
		error_set(EINVAL, "-e inject= acts when a call begins, and --where asks for its result");
		return error_hint("leave out retval and errno, or choose the calls that are shown by --failure");
	}
	if (!inject_any(o->injects, o->no_calls ? &(struct sysset){ .narrow = false } : o->calls))
		warn("none of the calls of -e inject= is traced, so nothing will happen to them");
	return 0;
}

/* Whom to trace. */
static int plan_targets(struct trace *t, bool command)
{
	struct engine_options *o = &t->job.engine;
	int err = 0;
	if (t->tids && !trace_strace_clock(t->tids))
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

/* Of a whole machine, some calls: the comings and goings of all the others would hide them. */
static bool only_some_calls(const struct trace *t)
{
	const struct engine_options *o = &t->job.engine;
	bool some = o->calls || t->where.len || t->failure || t->duration > 0 || trace_qualify_calls(&t->qualify);
	return o->all && some && !t->qualify.has_signals;
}

/* -e raw=, abbrev=, verbose= and what stands for them. */
static void plan_style(struct trace *t)
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

static void plan_view(struct trace *t)
{
	/* -q, -qq, -qqq */
	static const unsigned quiet_lines[] = { 0, QUIET_ATTACH | QUIET_MODE, QUIET_ATTACH | QUIET_MODE | QUIET_EXIT, QUIET_ALL };
	struct engine_options *o = &t->job.engine;
	struct trace_view_options *v = &t->job.view;
	o->string_limit = t->string_limit < 0 ? 32 : t->string_limit > ENGINE_DATA_MAX ? ENGINE_DATA_MAX : t->string_limit;
	o->path_limit = o->string_limit > ENGINE_DATA ? o->string_limit : ENGINE_DATA; /* descriptors are named by all of it, however little is shown */
	o->environ = verbosity > 0 || t->no_abbrev || t->qualify.abbrev.has;
	o->fold_outside = t->failure || t->duration > 0 || o->where_strings || trace_qualify_calls(&t->qualify) ||
			  t->job.errno_summary || trace_gate_set(&t->job.gate);
	o->quiet_switch = t->json || t->duration > 0 || t->failure || t->job.record || t->job.where || t->summary_only;
	o->force = t->force;
	v->form = t->json ? TRACE_JSON : t->strace ? TRACE_STRACE : TRACE_PERF;
	v->many = o->all || o->pids.n > 1 || o->tids.n > 1 || (o->pids.n && (!t->strace || !trace_fds_lone(o->pids.at[0])));
	v->failure = t->failure;
	v->quiet = (t->quiet && !t->strace) || only_some_calls(t);
	if (t->strace)
		t->qualify.quiet |= quiet_lines[t->quiet > 3 ? 3 : t->quiet];
	v->column = t->columns > 0 ? t->columns : 0;
	v->qualify = &t->qualify;
	v->exec_lines = o->no_calls;
	v->min_ns = t->duration > 0 ? (uint64_t)(t->duration * 1e6) : 0;
	plan_style(t);
	t->job.delay_ms = o->input ? 0 : t->delay;
	t->job.max_events = t->max_events > 0 ? t->max_events : 0;
	t->job.max_stack = t->max_stack > 0 ? t->max_stack : 0;
	t->job.min_stack = t->min_stack > 0 ? t->min_stack : 0;
	if (v->ips && !o->user_graph && !t->job.min_stack) {
		t->job.ip_only = true;
		o->user_graph = GRAPH_FP;
	}
	if (t->job.min_stack && !o->user_graph && !o->kernel_graph)
		o->user_graph = GRAPH_FP;
}

static struct event *find_event(struct trace *t, const char *name)
{
	vec_each(&t->job.events, e)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

/* An event that the trace itself needs; not shown unless it was asked for. */
static int add_hidden(struct trace *t, const char *name, const char *option)
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

static int add_faults(struct trace *t, const char *name)
{
	int err = find_event(t, name) ? 0 : events_parse(&t->job.events, name);
	if (!err)
		find_event(t, name)->attr.sample_period = 1;
	return err;
}

/* What -F, --sched and the switches need besides -e. A recording has its events. */
static int plan_events(struct trace *t)
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
static int plan_output(struct trace *t)
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

int trace_plan(struct trace *t, const char *command)
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
		plan_view(t);
		err = plan_output(t);
	}
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From options to a job. */
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include "base/error.h"
#include "cmd/trace_options.h"
#include "cmd/trace_strace.h"
#include "event/target.h"

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

static int refuse_alone(void)
{
	error_set(EINVAL, "--errno-summary belongs to a summary");
	return error_hint("-s --errno-summary, or -S --errno-summary for lines and the table");
}

static int plan_summary(struct trace *t)
{
	static const char *const modes[] = { [SUMMARY_THREAD] = "thread", [SUMMARY_TOTAL] = "total", [SUMMARY_CGROUP] = "cgroup" };
	struct engine_options *o = &t->job.engine;
	if (!t->summary_only && !t->with_summary && !t->summary_mode && !t->job.sched)
		return t->job.errno_summary ? refuse_alone() : 0;
	o->summary = SUMMARY_THREAD;
	if (t->summary_mode) {
		for (o->summary = SUMMARY_CGROUP; o->summary && strcmp(t->summary_mode, modes[o->summary]); o->summary--)
			;
		if (!o->summary)
			return error_set(EINVAL, "--summary-mode is thread, total or cgroup, not '%s'", t->summary_mode);
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

/* Whom to trace. */
static int plan_targets(struct trace *t, bool command)
{
	struct engine_options *o = &t->job.engine;
	int err = 0;
	if (t->tids && !trace_strace_clock(t->tids, &t->job.view.clock))
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

static void plan_view(struct trace *t)
{
	struct engine_options *o = &t->job.engine;
	struct trace_view_options *v = &t->job.view;
	o->string_limit = t->string_limit < 0 ? 32 : t->string_limit > 4096 ? 4096 : t->string_limit;
	o->path_limit = 4096; /* descriptors are named by the whole of it, however little is shown */
	o->environ = verbosity > 0;
	o->fold_outside = t->failure || t->duration > 0 || o->where_strings || trace_qualify_calls(&t->qualify) ||
			  t->job.errno_summary || trace_gate_set(&t->job.gate);
	o->quiet_switch = t->json || t->duration > 0 || t->failure || t->job.record || t->job.where || t->summary_only;
	o->force = t->force;
	v->form = t->json ? TRACE_JSON : t->strace ? TRACE_STRACE : TRACE_PERF;
	v->many = o->all || o->pids.n || o->tids.n > 1;
	v->failure = t->failure;
	v->quiet = t->quiet || only_some_calls(t);
	v->qualify = &t->qualify;
	v->exec_lines = o->no_calls;
	v->min_ns = t->duration > 0 ? (uint64_t)(t->duration * 1e6) : 0;
	v->style = (struct decode_style){ .strace = t->strace, .verbose = verbosity > 0, .raw = t->raw,
					  .string_limit = o->string_limit, .path_limit = t->string_limit > 0 && !t->strace ? o->string_limit : 0,
					  .fd_paths = !t->strace || t->fd_paths, .hex = t->hex };
	t->job.delay_ms = o->input ? 0 : t->delay;
	t->job.max_events = t->max_events > 0 ? t->max_events : 0;
	t->job.max_stack = t->max_stack > 0 ? t->max_stack : 0;
	t->job.min_stack = t->min_stack > 0 ? t->min_stack : 0;
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

int trace_plan(struct trace *t, const char *command)
{
	int err = trace_check_command(t->summary_only, command);
	if (!err && t->max_events < 0)
		err = error_set(EINVAL, "--max-events takes a number above 0");
	if (!err && t->delay < 0)
		err = error_set(EINVAL, "--delay takes milliseconds, 0 or more");
	if (!err && t->force > 1)
		trace_warn_files(&t->job);
	if (!err)
		err = plan_targets(t, command);
	if (!err)
		err = plan_calls(t);
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
	if (!err)
		plan_view(t);
	return err;
}

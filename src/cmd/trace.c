// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde trace: system calls and what happens between them. */
#include "cmd/commands.h"
#include <errno.h>
#include <pwd.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/trace_strace.h"
#include "event/target.h"
#include "ui/trace_job.h"

static const char *const usage[] = {
	"sonde trace [OPTIONS] [COMMAND [ARGS]]",
	"sonde trace [OPTIONS] -p PID | -t TID | -a",
	"sonde trace record [OPTIONS] [-o FILE] [COMMAND [ARGS]]",
	"sonde trace -i FILE [OPTIONS]",
	NULL,
};

struct trace { /* what the options say, before it is a job */
	const char *pids, *tids, *cpus, *user, *where, *summary_mode;
	wordlist expressions; /* -e, in order: calls */
	bool events_only; /* an -e of events, none of calls: no calls then, as in perf trace */
	bool all, failure, quiet, strace, json, summary_only, with_summary, raw, fd_paths;
	int string_limit, max_events, ring_kb, max_stack, min_stack;
	double duration;
	struct sysset calls;
	struct trace_qualify qualify;
	struct trace_job job;
};

/* A word of -e that names an event, as perf trace takes it: sched:sched_switch, sched:*exec. */
static bool names_event(const char *word)
{
	return strchr(word, ':') && *word != '/' && *word != '!';
}

/* -e: calls, events, or both in one list. */
static int add_expression(const struct option_row *opt, const char *arg, bool unset)
{
	struct trace *t = opt->value;
	wordlist words = { 0 };
	struct str calls = STR_INIT;
	int err = trace_qualify_parse(&t->qualify, arg);
	(void)unset;
	if (err)
		return err < 0 ? err : 0;
	if (*arg != '/') /* commas belong to the regular expression */
		wordlist_split(&words, arg, ',');
	for (size_t i = 0; !err && i < words.n; i++) {
		if (names_event(words.at[i]))
			err = events_parse(&t->job.events, words.at[i]);
		else
			str_addf(&calls, "%s%s", calls.len ? "," : "", words.at[i]);
	}
	if (!words.n || calls.len)
		wordlist_add(&t->expressions, words.n ? calls.buf : arg);
	else
		t->events_only = true;
	str_release(&calls);
	wordlist_release(&words);
	return err;
}

static int add_events(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return events_parse(opt->value, arg);
}

static bool is_graph(const char *word)
{
	return !strcmp(word, "fp") || !strcmp(word, "dwarf") || str_starts(word, "dwarf,");
}

static int set_graph(const struct option_row *opt, const char *arg, bool unset)
{
	enum engine_graph *g = opt->value;
	*g = unset ? GRAPH_NONE : arg && str_starts(arg, "dwarf") ? GRAPH_DWARF : GRAPH_FP;
	if (arg && !is_graph(arg))
		return error_set(EINVAL, "--call-graph is fp or dwarf, not '%s'", arg);
	return 0;
}

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

static int plan_summary(struct trace *t)
{
	static const char *const modes[] = { [SUMMARY_THREAD] = "thread", [SUMMARY_TOTAL] = "total", [SUMMARY_CGROUP] = "cgroup" };
	struct engine_options *o = &t->job.engine;
	if (!t->summary_only && !t->with_summary && !t->summary_mode)
		return 0;
	o->summary = SUMMARY_THREAD;
	if (t->summary_mode) {
		for (o->summary = SUMMARY_CGROUP; o->summary && strcmp(t->summary_mode, modes[o->summary]); o->summary--)
			;
		if (!o->summary)
			return error_set(EINVAL, "--summary-mode is thread, total or cgroup, not '%s'", t->summary_mode);
	}
	o->summary_only = !t->with_summary;
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
	if (t->events_only && !o->calls && !t->where)
		o->no_calls = true;
	if (!t->where)
		return 0;
	t->job.where = trace_where_parse(t->where);
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
	if (t->pids)
		err = intlist_parse(&o->pids, t->pids, 1 << 22, "process");
	if (!err && t->tids)
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
	bool some = o->calls || t->where || t->failure || t->duration > 0 || trace_qualify_calls(&t->qualify);
	return o->all && some && !t->qualify.has_signals;
}

static void plan_view(struct trace *t)
{
	struct engine_options *o = &t->job.engine;
	struct trace_view_options *v = &t->job.view;
	o->string_limit = t->string_limit < 0 ? 32 : t->string_limit > 4096 ? 4096 : t->string_limit;
	o->path_limit = 4096; /* descriptors are named by the whole of it, however little is shown */
	o->environ = verbosity > 0;
	o->fold_outside = t->failure || t->duration > 0 || o->where_strings || trace_qualify_calls(&t->qualify);
	o->quiet_switch = t->json || t->duration > 0 || t->failure || t->job.record || t->job.where || t->summary_only;
	o->ring_kb = t->ring_kb > 0 ? t->ring_kb : 0;
	v->form = t->json ? TRACE_JSON : t->strace ? TRACE_STRACE : TRACE_PERF;
	v->many = o->all || o->pids.n || o->tids.n > 1;
	v->failure = t->failure;
	v->quiet = t->quiet || only_some_calls(t);
	v->qualify = &t->qualify;
	v->exec_lines = o->no_calls;
	v->min_ns = t->duration > 0 ? (uint64_t)(t->duration * 1e6) : 0;
	v->style = (struct decode_style){ .strace = t->strace, .verbose = verbosity > 0, .raw = t->raw,
					  .string_limit = o->string_limit, .path_limit = t->string_limit > 0 && !t->strace ? o->string_limit : 0,
					  .fd_paths = !t->strace || t->fd_paths };
	t->job.max_events = t->max_events > 0 ? t->max_events : 0;
	t->job.max_stack = t->max_stack > 0 ? t->max_stack : 0;
	t->job.min_stack = t->min_stack > 0 ? t->min_stack : 0;
	if (t->job.min_stack && !o->user_graph && !o->kernel_graph)
		o->user_graph = GRAPH_FP;
}

static int plan(struct trace *t, const char *command)
{
	int err = trace_check_command(t->summary_only, command);
	if (!err && t->max_events < 0)
		err = error_set(EINVAL, "--max-events takes a number above 0");
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
		plan_view(t);
	return err;
}

static void release(struct trace *t)
{
	struct trace_job *j = &t->job;
	wordlist_release(&t->expressions);
	trace_where_free(j->where);
	trace_qualify_release(&t->qualify);
	events_release(&j->events);
	vec_release(&j->engine.pids);
	vec_release(&j->engine.tids);
	vec_release(&j->engine.cpus);
}

static int run(struct trace *t, int argc, char **argv)
{
	int err = plan(t, argc > 0 ? argv[0] : NULL);
	if (err)
		return err == -EINVAL || err == -ERANGE ? options_exit(err, usage) : error_print();
	return trace_job_run(&t->job, argc ? argv : NULL);
}

int cmd_trace(int argc, char **argv)
{
	struct trace t = { .string_limit = -1, .job.workload = { .go = -1, .err = -1 } };
	struct trace_job *j = &t.job;
	struct engine_options *o = &j->engine;
	const struct option_row rows[] = {
		OPT_GROUP("Whom to trace (a command, or:)"),
		OPT_STRING('p', "pid", "PID[,PID]", &t.pids, "these processes, their threads and later children"),
		OPT_STRING('t', "tid", "TID[,TID]", &t.tids, "these threads"),
		OPT_FLAG('a', "all-cpus", &t.all, "the whole machine (also when nobody is named)"),
		OPT_STRING('C', "cpu", "CPUS", &t.cpus, "only on these CPUs"),
		OPT_STRING('u', "uid", "USER", &t.user, "only this user's processes; with a command and no -a: run it as that user"),
		OPT_STRING('G', "cgroup", "PATH", &o->cgroup, "only this cgroup and those below"),
		OPT_STRING(0, "comm", "NAME", &o->comm, "only threads of this name"),
		OPT_FLAG(0, "no-inherit", &o->no_follow, "not their children"),
		OPT_STRING('i', "input", "FILE", &o->input, "what `trace record` or perf trace record wrote"),
		OPT_GROUP("What to show"),
		OPT_CALL('e', "expr", "EXPR", &t, add_expression, "these calls: open,close  !futex  %file  /regex/, or events: sched:*exec; signal=SET status=SET fd=SET"),
		OPT_STRING(0, "where", "EXPR", &t.where, "only calls for which this holds: 'openat.filename ~ \"*.conf\" && retval < 0'"),
		OPT_CALL(0, "event", "EVENT", &j->events, add_events, "tracepoints and probes among the calls"),
		OPT_FLAG(0, "no-syscalls", &o->no_calls, "no system calls, only --event"),
		OPT_FLAG(0, "failure", &t.failure, "only calls that failed"),
		OPT_DOUBLE(0, "duration", "MS", &t.duration, "only calls that took longer"),
		OPT_INT(0, "max-events", "N", &t.max_events, "end after so many lines"),
		OPT_FLAG('q', "quiet", &t.quiet, "calls only: no signals, exits, forks"),
		OPT_FLAG('s', "summary", &t.summary_only, "a table of the calls instead of lines"),
		OPT_FLAG('S', "with-summary", &t.with_summary, "both"),
		OPT_STRING(0, "summary-mode", "MODE", &t.summary_mode, "thread (default), total or cgroup"),
		{ .kind = OPTION_CALL, .long_name = "call-graph", .arg = "[MODE]", .value = &o->user_graph, .call = set_graph,
		  .takes_next = is_graph, .help = "the user stack under each call: fp or dwarf" },
		OPT_FLAG(0, "kernel-syscall-graph", &o->kernel_graph, "the kernel stack at its exit"),
		OPT_INT(0, "max-stack", "N", &t.max_stack, "frames shown"),
		OPT_INT(0, "min-stack", "N", &t.min_stack, "only calls with so many frames"),
		OPT_GROUP("How"),
		OPT_FLAG(0, "strace", &t.strace, "lines as strace writes them"),
		OPT_FLAG('y', NULL, &t.fd_paths, "descriptors with what they are in strace's form too"),
		OPT_FLAG(0, "json", &t.json, "a JSON object per line"),
		OPT_FLAG('T', "time", &j->view.absolute, "absolute times (CLOCK_MONOTONIC)"),
		OPT_INT(0, "string-limit", "N", &t.string_limit, "bytes shown of buffers (32) and, when given, of paths"),
		OPT_FLAG(0, "raw", &t.raw, "arguments as numbers"),
		OPT_FLAG(0, "hide-comm", &j->view.no_comm, "thread numbers without names"),
		OPT_STRING('o', "output", "FILE", &j->output, "write there"),
		OPT_FLAG(0, "append", &j->append, "to its end"),
		OPT_COUNT('v', "verbose", &verbosity, "environment, whole structs, histograms"),
		OPT_FLAG(0, "stats", &j->stats, "at the end: events, losses, waits, own CPU time, cost of a call"),
		OPT_STRING(0, "engine", "NAME", &j->engine_name, "bpf, perf or ptrace"),
		OPT_INT('m', "ring-size", "KB", &t.ring_kb, "ring per CPU in kilobytes (4096)"),
		OPT_CALL('f', NULL, NULL, NULL, trace_needless, NULL),
		OPT_CALL('c', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('k', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('r', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('w', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('x', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('z', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('A', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('E', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('F', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('P', NULL, NULL, NULL, trace_refused, NULL),
		OPT_CALL('Z', NULL, NULL, NULL, trace_refused, NULL),
		OPT_END(),
	};
	bool record = argc > 1 && !strcmp(argv[1], "record");
	j->argv = argv;
	int n = options_parse(argc - record, argv + record, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n < 0) {
		release(&t);
		return options_exit(n, usage);
	}
	j->record = record ? j->output ? j->output : "perf.data" : NULL;
	int code = run(&t, n, argv + record);
	release(&t);
	return code;
}

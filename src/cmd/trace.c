// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde trace: system calls and what happens between them. */
#include "cmd/commands.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "spec/ring_size.h"
#include "cmd/trace/options.h"
#include "cmd/trace/strace.h"

static const char *const usage[] = {
	"sonde trace [OPTIONS] [COMMAND [ARGS]]",
	"sonde trace [OPTIONS] -p PID | -t TID | -a",
	"sonde trace record [OPTIONS] [-o FILE] [COMMAND [ARGS]]",
	"sonde trace -i FILE [OPTIONS]",
	NULL,
};

struct trace trace_options = { .where = STR_INIT, .paths = STR_INIT, .string_limit = -1, .job.workload = { .go = -1, .err = -1 } };

/* A word of -e that names an event, as perf trace takes it: sched:sched_switch, sched:*exec. */
static bool names_event(const char *word)
{
	return strchr(word, ':') && *word != '/' && *word != '!';
}

/* Calls, events, or both in one list. */
int trace_add_expression(const char *arg)
{
	struct trace *t = &trace_options;
	wordlist words = { 0 };
	struct str calls = STR_INIT;
	int err = trace_qualify_parse(&t->qualify, arg);
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

static int add_expression(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return trace_add_expression(arg);
}

/* --raw=SET: what -e raw=SET is. */
static int qualify(const char *name, const char *value)
{
	char *text = xasprintf("%s=%s", name, value);
	int err = trace_add_expression(text);
	free(text);
	return err;
}

static int add_events(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return events_parse(opt->value, arg);
}

static int set_filter(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	if (((event_list *)opt->value)->n)
		return events_filter(opt->value, arg);
	error_set(EINVAL, "--filter belongs to the tracepoint before it, and there is none");
	return error_hint("--event sched:sched_switch --filter 'prev_pid > 0'; calls are chosen by --where");
}

/* Processes or threads; several options add up. `pidof` puts spaces between them. */
int trace_add_ids(const struct option_row *opt, const char *arg, bool unset)
{
	char *list = xstrdup(arg);
	(void)unset;
	for (char *p = list; *p; p++)
		if (*p == ' ')
			*p = ',';
	int err = intlist_parse(opt->value, list, 1 << 22, "process");
	free(list);
	return err;
}

static int set_faults(const struct option_row *opt, const char *arg, bool unset)
{
	bool all = arg && !strcmp(arg, "all");
	(void)opt;
	trace_options.major_faults = !unset && (all || !arg || !strcmp(arg, "maj"));
	trace_options.minor_faults = !unset && arg && (all || !strcmp(arg, "min"));
	if (unset || trace_options.major_faults || trace_options.minor_faults)
		return 0;
	return error_set(EINVAL, "--pf is all, maj or min, not '%s'", arg);
}

static bool is_faults(const char *word)
{
	return !strcmp(word, "all") || !strcmp(word, "maj") || !strcmp(word, "min");
}

static int set_ring(const struct option_row *opt, const char *arg, bool unset)
{
	uint64_t bytes = 0;
	(void)unset;
	int err = ring_size_parse(arg, &bytes);
	if (!err && bytes > 1ull << 30)
		err = error_set(ERANGE, "-m: more than 1G for each CPU");
	*(unsigned *)opt->value = bytes / 1024;
	return err;
}

/* --where; several must all hold. */
static int add_where(const struct option_row *opt, const char *arg, bool unset)
{
	struct str *where = opt->value;
	(void)unset;
	if (!where->len) {
		str_add(where, arg);
		return 0;
	}
	char *before = str_detach(where);
	str_addf(where, "(%s) && (%s)", before, arg);
	free(before);
	return 0;
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

/* -q and --quiet; --quiet=SET as in strace. */
static int set_quiet(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	trace_options.quiet = unset ? 0 : trace_options.quiet + !arg;
	return arg ? qualify("quiet", arg) : 0;
}

static int set_raw(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	trace_options.raw = !unset && !arg;
	return arg ? qualify("raw", arg) : 0;
}

static int set_verbose(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	verbosity = unset ? 0 : verbosity + !arg;
	return arg ? qualify("verbose", arg) : 0;
}

static int set_decode_fds(const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	trace_options.decode_fds = unset ? 0 : trace_options.decode_fds + !arg;
	return arg ? qualify("decode-fds", arg) : 0;
}

/* A flag that also takes =VALUE; letters bundle. */
static bool takes_none(const char *word)
{
	(void)word;
	return false;
}
#define OPTIONAL(s, l, a, f, h) \
	{ .kind = OPTION_CALL, .short_name = (s), .long_name = (l), .arg = (a), .call = (f), .takes_next = takes_none, .help = (h) }

static const struct option_row rows[] = {
	OPT_GROUP("Whom to trace (a command, or:)"),
	OPT_CALL('p', "pid", "PID[,PID]", &trace_options.job.engine.pids, trace_add_ids, "these processes, their threads and later children"),
	OPT_STRING('t', "tid", "TID[,TID]", &trace_options.tids, "these threads"),
	OPT_FLAG('a', "all-cpus", &trace_options.all, "the whole machine (also when nobody is named)"),
	OPT_STRING('C', "cpu", "CPUS", &trace_options.cpus, "only on these CPUs"),
	OPT_STRING('u', "uid", "USER", &trace_options.user, "only this user's processes; with a command and no -a: run it as that user"),
	OPT_STRING('G', "cgroup", "PATH", &trace_options.job.engine.cgroup, "only this cgroup and those below"),
	OPT_STRING(0, "comm", "NAME", &trace_options.job.engine.comm, "only threads of this name"),
	OPT_CALL(0, "filter-pids", "PID[,PID]", &trace_options.job.gate.pids, trace_add_ids, "not these processes and threads"),
	OPT_FLAG(0, "no-inherit", &trace_options.job.engine.no_follow, "not their children"),
	OPT_INT('D', "delay", "MS", &trace_options.delay, "begin so long after the start"),
	OPT_STRING('i', "input", "FILE", &trace_options.job.engine.input, "what `trace record` or perf trace record wrote"),
	OPT_COUNT('f', "force", &trace_options.force, "with -i: another user's file too"),
	OPT_GROUP("What to show"),
	OPT_CALL('e', "expr", "EXPR", NULL, add_expression, "these calls: open,close  !futex  %file  /regex/, or events: sched:*exec; signal=SET status=SET fd=SET"),
	OPT_CALL(0, "where", "EXPR", &trace_options.where, add_where, "only calls for which this holds: 'openat.filename ~ \"*.conf\" && retval < 0'"),
	OPT_CALL(0, "event", "EVENT", &trace_options.job.events, add_events, "tracepoints and probes among the calls"),
	OPT_CALL(0, "filter", "FILTER", &trace_options.job.events, set_filter, "only those events of the last --event for which this holds, tested in the kernel"),
	{ .kind = OPTION_CALL, .short_name = 'F', .long_name = "pf", .arg = "[KIND]", .call = set_faults, .takes_next = is_faults,
	  .help = "page faults: maj (default), min or all; no calls then, unless -e or --syscalls" },
	OPT_FLAG(0, "syscalls", &trace_options.syscalls, "calls too, where only events were asked for"),
	OPT_FLAG(0, "no-syscalls", &trace_options.job.engine.no_calls, "no system calls, only events"),
	OPT_STRING(0, "switch-on", "EVENT", &trace_options.job.gate.on, "nothing before this event"),
	OPT_STRING(0, "switch-off", "EVENT", &trace_options.job.gate.off, "nothing after this one, until --switch-on's comes again"),
	OPT_FLAG(0, "show-on-off-events", &trace_options.job.gate.show, "those two themselves"),
	OPT_FLAG(0, "failure", &trace_options.failure, "only calls that failed"),
	OPT_DOUBLE(0, "duration", "MS", &trace_options.duration, "only calls that took longer"),
	OPT_INT(0, "max-events", "N", &trace_options.max_events, "end after so many lines"),
	OPTIONAL('q', "quiet", "[LINES]", set_quiet, "calls only: no signals, exits, forks; with --strace as strace has it"),
	OPT_FLAG('s', "summary", &trace_options.summary_only, "a table of the calls instead of lines"),
	OPT_FLAG('S', "with-summary", &trace_options.with_summary, "both"),
	OPT_STRING(0, "summary-mode", "MODE", &trace_options.summary_mode, "thread (default), total or cgroup"),
	OPT_FLAG(0, "errno-summary", &trace_options.job.errno_summary, "in the table, how often each error"),
	OPT_FLAG(0, "sched", &trace_options.job.sched, "in the table, how long each thread ran"),
	{ .kind = OPTION_CALL, .long_name = "call-graph", .arg = "[MODE]", .value = &trace_options.job.engine.user_graph, .call = set_graph,
	  .takes_next = is_graph, .help = "the user stack under each call: fp or dwarf" },
	OPT_FLAG(0, "kernel-syscall-graph", &trace_options.job.engine.kernel_graph, "the kernel stack at its exit"),
	OPT_INT(0, "max-stack", "N", &trace_options.max_stack, "frames shown"),
	OPT_INT(0, "min-stack", "N", &trace_options.min_stack, "only calls with so many frames"),
	OPT_GROUP("How"),
	OPT_FLAG(0, "strace", &trace_options.strace, "lines as strace writes them"),
	OPTIONAL('y', "decode-fds", "[SET]", set_decode_fds, "descriptors with what they are in strace's form too"),
	OPT_FLAG(0, "json", &trace_options.json, "a JSON object per line"),
	OPT_FLAG('T', "time", &trace_options.job.view.absolute, "absolute times (CLOCK_MONOTONIC); -tt: time of day, -ttt: since 1970"),
	OPTIONAL('r', "relative-timestamps", "[UNIT]", trace_strace_since, "times since the line before"),
	OPTIONAL(0, "syscall-times", "[UNIT]", trace_strace_durations, "durations in strace's form too"),
	OPT_INT(0, "string-limit", "N", &trace_options.string_limit, "bytes shown of buffers (32) and, when given, of paths"),
	OPTIONAL(0, "raw", "[SET]", set_raw, "arguments as numbers, of all calls or of these"),
	OPT_FLAG(0, "hide-comm|no-comm", &trace_options.job.view.no_comm, "thread numbers without names"),
	OPT_FLAG(0, "print-sample", &trace_options.job.view.samples, "time, thread and CPU on a line of their own before each event"),
	OPT_STRING('o', "output", "FILE", &trace_options.job.output, "write there"),
	OPT_FLAG('A', "append", &trace_options.job.append, "to its end"),
	OPTIONAL('v', "verbose", "[SET]", set_verbose, "environment, whole structs, histograms; SET: structs of these calls only"),
	OPT_FLAG(0, "stats|tool_stats", &trace_options.job.stats, "at the end: events, losses, waits, own CPU time, cost of a call"),
	OPT_STRING(0, "engine", "NAME", &trace_options.job.engine_name, "bpf, perf or ptrace"),
	OPT_CALL('m', "mmap-pages", "PAGES|SIZE", &trace_options.job.engine.ring_kb, set_ring, "ring per CPU: pages, or bytes with B, K, M or G (4M)"),
	OPT_NEEDLESS(0, "sort-events", NULL, "lines are always in order of time"),
	OPT_NEEDLESS(0, "libtraceevent_print", NULL, "events are always printed by the kernel's own format"),
	OPT_NEEDLESS(0, "bpf-summary", NULL, "the eBPF engine always counts in the kernel"),
	OPT_IGNORED(0, "proc-map-timeout", "MS", "maps are read from /proc only where a stack needs them, without a limit of time"),
	OPT_REFUSED(0, "map-dump", "MAP", "sonde shows no BPF maps", "bpftool map dump name MAP"),
	OPT_REFUSED(0, "force-btf", NULL, "structs with a decoder of their own are not printed from BTF",
		    "those without one always are; --raw shows numbers"),
	OPT_END(),
};

static const struct option_row tables[] = { OPT_TABLE(rows), OPT_TABLE(trace_strace_rows), OPT_END() };

static void release(struct trace *t)
{
	struct trace_job *j = &t->job;
	wordlist_release(&t->expressions);
	str_release(&t->where);
	str_release(&t->paths);
	trace_where_free(j->where);
	trace_qualify_release(&t->qualify);
	trace_gate_release(&j->gate);
	events_release(&j->events);
	vec_release(&j->engine.pids);
	vec_release(&j->engine.tids);
	vec_release(&j->engine.cpus);
}

static int run(struct trace *t, char **command)
{
	if (t->paths.len)
		add_where(&(struct option_row){ .value = &t->where }, t->paths.buf, false);
	int err = trace_plan(t, command[0]);
	if (err)
		return err == -EINVAL || err == -ERANGE ? options_exit(err, usage) : error_print();
	return trace_job_run(&t->job, command[0] ? command : NULL);
}

int cmd_trace(int argc, char **argv)
{
	bool record = argc > 1 && !strcmp(argv[1], "record");
	int n = options_parse(argc - record, argv + record, tables, usage, OPTIONS_STOP_AT_ARG);
	int code;
	trace_options.job.argv = argv;
	if (record)
		trace_options.job.record = trace_options.job.output ? trace_options.job.output : "perf.data";
	code = n < 0 ? options_exit(n, usage) : run(&trace_options, argv + record);
	release(&trace_options);
	return code;
}

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

/* A word of -e that names an event, as perf trace takes it: sched:sched_switch, sched:*exec. */
static bool names_event(const char *word)
{
	return strchr(word, ':') && *word != '/' && *word != '!';
}

#define OPTIONS struct trace_options

/* Calls, events, or both in one list. */
int trace_add_expression(struct trace_options *t, const char *arg)
{
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

static int on_expr(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return trace_add_expression(options, arg);
}

/* --raw=SET: what -e raw=SET is. */
static int qualify(struct trace_options *t, const char *name, const char *value)
{
	char *text = xasprintf("%s=%s", name, value);
	int err = trace_add_expression(t, text);
	free(text);
	return err;
}

static int on_event(void *events, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return events_parse(events, arg);
}

static int on_filter(void *events, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	if (((event_list *)events)->n)
		return events_filter(events, arg);
	error_set(EINVAL, "--filter belongs to the tracepoint before it, and there is none");
	return error_hint("--event sched:sched_switch --filter 'prev_pid > 0'; calls are chosen by --where");
}

/* Processes or threads; several options add up. `pidof` puts spaces between them. */
int trace_on_ids(void *ids, const struct option_row *opt, const char *arg, bool unset)
{
	char *list = xstrdup(arg);
	(void)opt;
	(void)unset;
	for (char *p = list; *p; p++)
		if (*p == ' ')
			*p = ',';
	int err = intlist_parse(ids, list, 1 << 22, "process");
	free(list);
	return err;
}

static int on_faults(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	bool all = arg && !strcmp(arg, "all");
	(void)opt;
	t->major_faults = !unset && (all || !arg || !strcmp(arg, "maj"));
	t->minor_faults = !unset && arg && (all || !strcmp(arg, "min"));
	if (unset || t->major_faults || t->minor_faults)
		return 0;
	return error_set(EINVAL, "--pf is all, maj or min, not '%s'", arg);
}

static bool is_faults(const char *word)
{
	return !strcmp(word, "all") || !strcmp(word, "maj") || !strcmp(word, "min");
}

static int on_ring(void *kb, const struct option_row *opt, const char *arg, bool unset)
{
	uint64_t bytes = 0;
	(void)opt;
	(void)unset;
	int err = ring_size_parse(arg, &bytes);
	if (!err && bytes > 1ull << 30)
		err = error_set(ERANGE, "-m: more than 1G for each CPU");
	*(unsigned *)kb = bytes / 1024;
	return err;
}

/* --where; several must all hold. */
static void add_where(struct str *where, const char *test)
{
	if (!where->len) {
		str_add(where, test);
		return;
	}
	char *before = str_detach(where);
	str_addf(where, "(%s) && (%s)", before, test);
	free(before);
}

static int on_where(void *where, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	add_where(where, arg);
	return 0;
}

static bool is_graph(const char *word)
{
	return !strcmp(word, "fp") || !strcmp(word, "dwarf") || str_starts(word, "dwarf,");
}

static int on_graph(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	enum engine_graph *g = &((struct trace_options *)options)->job.engine.user_graph;
	(void)opt;
	*g = unset ? GRAPH_NONE : arg && str_starts(arg, "dwarf") ? GRAPH_DWARF : GRAPH_FP;
	if (arg && !is_graph(arg))
		return error_set(EINVAL, "--call-graph is fp or dwarf, not '%s'", arg);
	return 0;
}

/* -q and --quiet; --quiet=SET as in strace. */
static int on_quiet(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	t->quiet = unset ? 0 : t->quiet + !arg;
	return arg ? qualify(t, "quiet", arg) : 0;
}

static int on_raw(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	t->raw = !unset && !arg;
	return arg ? qualify(t, "raw", arg) : 0;
}

static int on_verbose(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	verbosity = unset ? 0 : verbosity + !arg;
	return arg ? qualify(t, "verbose", arg) : 0;
}

static int on_decode_fds(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	t->decode_fds = unset ? 0 : t->decode_fds + !arg;
	return arg ? qualify(t, "decode-fds", arg) : 0;
}

/* A flag that also takes =VALUE; letters bundle. */
static bool takes_none(const char *word)
{
	(void)word;
	return false;
}
#define OPTIONAL(s, l, a, f, h) OPT_CALL_NEXT(s, l, a, f, takes_none, h)

static const struct option_row rows[] = {
	OPT_GROUP("Whom to trace (a command, or:)"),
	OPT_CALL_ON('p', "pid", "PID[,PID]", job.engine.pids, trace_on_ids, "these processes, their threads and later children"),
	OPT_STRING('t', "tid", "TID[,TID]", tids, "these threads"),
	OPT_FLAG('a', "all-cpus", all, "the whole machine (also when nobody is named)"),
	OPT_STRING('C', "cpu", "CPUS", cpus, "only on these CPUs"),
	OPT_STRING('u', "uid", "USER", user, "only this user's processes; with a command and no -a: run it as that user"),
	OPT_STRING('G', "cgroup", "PATH", job.engine.cgroup, "only this cgroup and those below"),
	OPT_STRING(0, "comm", "NAME", job.engine.comm, "only threads of this name"),
	OPT_CALL_ON(0, "filter-pids", "PID[,PID]", job.gate.pids, trace_on_ids, "not these processes and threads"),
	OPT_FLAG(0, "no-inherit", job.engine.no_follow, "not their children"),
	OPT_INT('D', "delay", "MS", delay, "begin so long after the start"),
	OPT_STRING('i', "input", "FILE", job.engine.input, "what `trace record` or perf trace record wrote"),
	OPT_COUNT('f', "force", force, "with -i: another user's file too"),
	OPT_GROUP("What to show"),
	OPT_CALL('e', "expr", "EXPR", on_expr, "these calls: open,close  !futex  %file  /regex/, or events: sched:*exec; signal=SET status=SET fd=SET"),
	OPT_CALL_ON(0, "where", "EXPR", where, on_where, "only calls for which this holds: 'openat.filename ~ \"*.conf\" && retval < 0'"),
	OPT_CALL_ON(0, "event", "EVENT", job.events, on_event, "tracepoints and probes among the calls"),
	OPT_CALL_ON(0, "filter", "FILTER", job.events, on_filter, "only those events of the last --event for which this holds, tested in the kernel"),
	OPT_CALL_NEXT('F', "pf", "[KIND]", on_faults, is_faults,
		      "page faults: maj (default), min or all; no calls then, unless -e or --syscalls"),
	OPT_FLAG(0, "syscalls", syscalls, "calls too, where only events were asked for"),
	OPT_FLAG(0, "no-syscalls", job.engine.no_calls, "no system calls, only events"),
	OPT_STRING(0, "switch-on", "EVENT", job.gate.on, "nothing before this event"),
	OPT_STRING(0, "switch-off", "EVENT", job.gate.off, "nothing after this one, until --switch-on's comes again"),
	OPT_FLAG(0, "show-on-off-events", job.gate.show, "those two themselves"),
	OPT_FLAG(0, "failure", failure, "only calls that failed"),
	OPT_DOUBLE(0, "duration", "MS", duration, "only calls that took longer"),
	OPT_INT(0, "max-events", "N", max_events, "end after so many calls and events"),
	OPTIONAL('q', "quiet", "[LINES]", on_quiet, "calls only: no signals, exits, forks; with --strace as strace has it"),
	OPT_FLAG('s', "summary", summary_only, "a table of the calls instead of lines"),
	OPT_FLAG('S', "with-summary", with_summary, "both"),
	OPT_STRING(0, "summary-mode", "MODE", summary_mode, "thread (default), comm (by name: default with -a), total or cgroup"),
	OPT_FLAG(0, "errno-summary", job.errno_summary, "in the table, how often each error"),
	OPT_FLAG(0, "sched", job.sched, "in the table, how long each thread ran"),
	OPT_CALL_NEXT(0, "call-graph", "[MODE]", on_graph, is_graph, "the user stack under each call: fp or dwarf"),
	OPT_FLAG(0, "kernel-syscall-graph", job.engine.kernel_graph, "the kernel stack at its exit"),
	OPT_INT(0, "max-stack", "N", max_stack, "frames shown"),
	OPT_INT(0, "min-stack", "N", min_stack, "only calls with so many frames"),
	OPT_GROUP("How"),
	OPT_FLAG(0, "strace", strace, "lines as strace writes them"),
	OPTIONAL('y', "decode-fds", "[SET]", on_decode_fds, "descriptors with what they are in strace's form too"),
	OPT_FLAG(0, "json", json, "a JSON object per line"),
	OPT_FLAG('T', "time", job.view.absolute, "absolute times (CLOCK_MONOTONIC); -tt: time of day, -ttt: since 1970"),
	OPTIONAL('r', "relative-timestamps", "[UNIT]", trace_on_since, "times since the line before"),
	OPTIONAL(0, "syscall-times", "[UNIT]", trace_on_durations, "durations in strace's form too"),
	OPT_INT(0, "string-limit", "N", string_limit, "bytes shown of buffers (32) and, when given, of paths"),
	OPTIONAL(0, "raw", "[SET]", on_raw, "arguments as numbers, of all calls or of these"),
	OPT_FLAG(0, "hide-comm|no-comm", job.view.no_comm, "thread numbers without names"),
	OPT_FLAG(0, "print-sample", job.view.samples, "time, thread and CPU on a line of their own before each event"),
	OPT_STRING('o', "output", "FILE", job.output, "write there"),
	OPT_FLAG('A', "append", job.append, "to its end"),
	OPT_FLAG(0, "no-disk-guard", job.no_disk_guard, "write until the disk is full"),
	OPTIONAL('v', "verbose", "[SET]", on_verbose, "environment, whole structs, histograms; SET: structs of these calls only"),
	OPT_FLAG(0, "stats|tool_stats", job.stats, "at the end: events, losses, waits, own CPU time, cost of a call"),
	OPT_STRING(0, "engine", "NAME", job.engine_name, "bpf, perf or ptrace"),
	OPT_CALL_ON('m', "mmap-pages", "PAGES|SIZE", job.engine.ring_kb, on_ring, "ring per CPU: pages, or bytes with B, K, M or G (4M)"),
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

static void release(struct trace_options *t)
{
	struct trace_job *j = &t->job;
	wordlist_release(&t->expressions);
	str_release(&t->where);
	trace_where_free(j->choice.where);
	trace_paths_free(j->choice.paths);
	trace_qualify_release(&t->qualify);
	trace_gate_release(&j->gate);
	events_release(&j->events);
	vec_release(&j->engine.pids);
	vec_release(&j->engine.tids);
	vec_release(&j->engine.cpus);
}

static int run(struct trace_options *t, char **command)
{
	int err = trace_plan(t, command[0]);
	if (err)
		return err == -EINVAL || err == -ERANGE ? options_exit(err, usage) : error_print();
	return trace_job_run(&t->job, command[0] ? command : NULL);
}

int cmd_trace(int argc, char **argv)
{
	bool record = argc > 1 && !strcmp(argv[1], "record");
	struct trace_options t = { .where = STR_INIT, .string_limit = -1 };
	int n = options_parse(&t, argc - record, argv + record, tables, usage, OPTIONS_STOP_AT_ARG);
	t.job.argv = argv;
	if (record)
		t.job.record = t.job.output ? t.job.output : "perf.data";
	int code = n < 0 ? options_exit(n, usage) : run(&t, argv + record);
	release(&t);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* strace's options. Those that perf trace has too, with another meaning, are perf's in `sonde trace`. */
#include "cmd/trace/strace.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "cmd/trace/options.h"
#include "kernel/workload.h"

#define OPTIONS struct trace_options

static int on_alias(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)arg;
	switch (opt->short_name) {
	case 'c':
		t->summary_only = !unset;
		t->summary_mode = unset ? NULL : "total";
		return 0;
	case 'k':
		t->job.engine.user_graph = unset ? GRAPH_NONE : GRAPH_DWARF;
		return 0;
	case 'z':
		return trace_qualify_parse(&t->qualify, unset ? "status=all" : "status=successful") < 0 ? error_code() : 0;
	default:
		t->failure = !unset;
		return 0;
	}
}

/* -P. Several: any of the files. */
static int on_path(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	(void)unset;
	trace_paths_add(&t->job.choice.paths, arg);
	return 0;
}

/* -Y */
static int on_pid_names(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	(void)arg;
	t->qualify.pid_names = !unset;
	return 0;
}

static int on_env(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	(void)options;
	const char *value = strchr(arg, '=');
	(void)opt;
	(void)unset;
	char *name = xstrndup(arg, value ? (size_t)(value - arg) : strlen(arg));
	int err = value ? setenv(name, value + 1, 1) : unsetenv(name);
	if (err)
		err = error_sys(errno, "-E %s", arg);
	free(name);
	return err;
}

/* --trace=SET is -e trace=SET, and so on. */
static int on_qualifier(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	char *text = xasprintf("%.*s=%s", (int)strcspn(opt->long_name, "|"), opt->long_name, arg);
	int err = trace_add_expression(options, text);
	free(text);
	return err;
}

/* ---- times ---- */

static int digits_of(const char *unit)
{
	static const char *const units[] = { "s", "ms", "us", "ns" };
	for (int i = 0; i < 4; i++)
		if (!strcmp(unit, units[i]))
			return 3 * i;
	return -1;
}

static int bad_unit(const char *option, const char *unit)
{
	error_set(EINVAL, "--%s: '%s' is no precision", option, unit);
	return error_hint("s, ms, us or ns");
}

int trace_on_since(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	int n = arg ? digits_of(arg) : 6;
	(void)opt;
	t->job.view.since_last = !unset;
	t->job.view.digits.since = n;
	return n < 0 ? bad_unit("relative-timestamps", arg) : 0;
}

int trace_on_durations(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	int n = arg ? digits_of(arg) : 6;
	(void)opt;
	t->job.view.durations = !unset;
	t->job.view.digits.durations = n;
	return n < 0 ? bad_unit("syscall-times", arg) : 0;
}

static int set_stamp_word(struct trace_options *t, const char *word)
{
	static const struct { const char *name; enum trace_clock clock; } formats[] = {
		{ "none", CLOCK_SINCE_START }, { "time", CLOCK_OF_DAY }, { "unix", CLOCK_SECONDS } };
	bool format = str_starts(word, "format:"), precision = str_starts(word, "precision:");
	const char *value = format || precision ? strchr(word, ':') + 1 : word;
	for (size_t i = 0; !precision && i < 3; i++)
		if (!strcmp(value, formats[i].name)) {
			t->job.view.clock = formats[i].clock;
			return 0;
		}
	int n = format ? -1 : digits_of(value);
	if (n >= 0) {
		t->job.view.digits.clock = n;
		return 0;
	}
	error_set(EINVAL, "--absolute-timestamps: '%s' is neither a format nor a precision", word);
	return error_hint("formats: time (of day), unix (seconds since 1970), none; precisions: s, ms, us, ns");
}

/* [format:]time|unix|none,[precision:]s|ms|us|ns */
static int on_stamps(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	wordlist w = { 0 };
	int err = 0;
	(void)opt;
	t->job.view.clock = unset ? CLOCK_SINCE_START : CLOCK_OF_DAY;
	t->job.view.digits.clock = 0;
	if (arg)
		wordlist_split(&w, arg, ',');
	for (size_t i = 0; !err && i < w.n; i++)
		err = set_stamp_word(t, w.at[i]);
	wordlist_release(&w);
	return err;
}

/* -t, -tt, -ttt */
static void set_clock(struct trace_options *t, unsigned count)
{
	t->job.view.clock = count > 2 ? CLOCK_SECONDS : CLOCK_OF_DAY;
	t->job.view.digits.clock = count > 1 ? 6 : 0;
}

bool trace_strace_clock(struct trace_options *t, const char *threads)
{
	if (strcmp(threads, "t") && strcmp(threads, "tt"))
		return false;
	set_clock(t, 1 + strlen(threads));
	return true;
}

int trace_hint_strace(const char *threads)
{
	if (isdigit((unsigned char)threads[0]))
		return error_code();
	return error_hint("-t TID names threads; -tt shows the time of day, -T absolute times, and each line has the call's duration");
}

/* ---- how things look ---- */

static int bad_word(const struct option_row *opt, const char *arg, const char *words)
{
	error_set(EINVAL, "--%.*s: '%s' is not one of its words", (int)strcspn(opt->long_name, "|"), opt->long_name, arg);
	return error_hint("%s", words);
}

static int on_hex(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	static const char *const words[] = { [HEX_NONE] = "none", [HEX_CHARS] = "non-ascii-chars", [HEX_NOT_TEXT] = "non-ascii", [HEX_ALL] = "all" };
	enum hex_strings *hex = &t->job.view.style.hex;
	*hex = unset ? HEX_NONE : HEX_ALL;
	if (!arg)
		return 0;
	for (*hex = HEX_NONE; *hex <= HEX_ALL && strcmp(arg, words[*hex]); ++*hex)
		;
	return *hex > HEX_ALL ? bad_word(opt, arg, "none, non-ascii-chars, non-ascii or all") : 0;
}

static int on_constants(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	static const char *const words[] = { [CONST_NAMES] = "abbrev", [CONST_NUMBERS] = "raw", [CONST_BOTH] = "verbose" };
	enum const_style *style = &t->job.view.style.constants;
	(void)unset;
	for (*style = CONST_NAMES; *style <= CONST_BOTH && strcmp(arg, words[*style]); ++*style)
		;
	return *style > CONST_BOTH ? bad_word(opt, arg, "raw (numbers), abbrev (names) or verbose (both)") : 0;
}

static int on_more_hex(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	enum hex_strings *hex = &t->job.view.style.hex;
	(void)opt;
	(void)arg;
	*hex = unset ? HEX_NONE : *hex < HEX_NOT_TEXT ? HEX_NOT_TEXT : HEX_ALL;
	return 0;
}

/* ---- the table ---- */

static int on_columns(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	(void)unset;
	return table_columns_parse(&t->job.columns, arg);
}

static int on_order(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	(void)unset;
	return table_order_parse(&t->job.order, arg);
}

/* -C, and --summary where perf trace's is not meant. */
static int on_table(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_options *t = options;
	(void)opt;
	(void)arg;
	t->with_summary = !unset;
	t->summary_mode = unset ? NULL : "total";
	return 0;
}

static bool takes_none(const char *word)
{
	(void)word;
	return false;
}

const struct option_row trace_strace_rows[] = {
	OPT_GROUP("As in strace"),
	OPT_CALL('c', "summary-only", NULL, on_alias, "-s --summary-mode total"),
	OPT_CALL('C', "summary", NULL, on_table, "-S --summary-mode total"),
	OPT_CALL('S', "summary-sort-by", "COLUMN", on_order, "order of the table: time, calls, errors, name, min-time, max-time, avg-time, nothing"),
	OPT_CALL('U', "summary-columns", "COLUMN[,COLUMN]", on_columns, "strace's table, with these columns"),
	OPT_CALL('k', "stack-traces", NULL, on_alias, "--call-graph dwarf"),
	OPT_CALL('z', "successful-only", NULL, on_alias, "-e status=successful"),
	OPT_CALL('Z', "failed-only", NULL, on_alias, "--failure"),
	OPT_CALL('P', "trace-path", "PATH", on_path, "only calls on this file"),
	OPT_CALL('E', "env", "NAME[=VALUE]", on_env, "set or remove a variable of the command's environment"),
	OPT_CALL_ON('p', "attach", "PID[,PID]", job.engine.pids, trace_on_ids, "-p"),
	OPT_STRING('u', "user", "USER", user, "-u: run the command as that user"),
	OPT_CALL(0, "trace", "SET", on_qualifier, "-e trace=SET; and so on:"),
	OPT_CALL(0, "signal", "SET", on_qualifier, "signals that are shown"),
	OPT_CALL(0, "status", "SET", on_qualifier, "calls by their end: successful, failed, unfinished, unavailable"),
	OPT_CALL(0, "abbrev", "SET", on_qualifier, "calls whose structs are abbreviated"),
	OPT_CALL(0, "read", "SET", on_qualifier, "descriptors whose data are dumped as they are read"),
	OPT_CALL(0, "write", "SET", on_qualifier, "the same, as they are written"),
	OPT_CALL(0, "inject", "SET:WHAT", on_qualifier, "make calls fail, give other results, wait or get signals: openat:error=EIO:when=3+"),
	OPT_CALL(0, "fault", "SET[:error=E]", on_qualifier, "make calls fail (ENOSYS)"),
	OPT_CALL(0, "silent|silence", "SET", on_qualifier, "lines that are left out: exit, personality, thread-execve, all"),
	OPT_CALL('Y', NULL, NULL, on_pid_names, "numbers of processes with their names, in strace's form: 1234<sh>"),
	OPT_CALL(0, "decode-pids|decode-pid", "SET", on_qualifier, "comm: the same"),
	OPT_REFUSED(0, "pidns-translation", NULL, "numbers of processes in arguments are those of the program's own namespace",
		    "the threads that lines begin with have the numbers that ps shows"),
	OPT_FLAG(0, "no-abbrev", no_abbrev, "environments and whole structs"),
	OPT_INT('a', "columns", "N", columns, "results begin in this column"),
	OPT_FLAG('n', "syscall-number", job.view.numbers, "the number of each call, in strace's form"),
	OPT_FLAG('i', "instruction-pointer", job.view.ips, "where the program was at each call, in strace's form"),
	OPT_CALL(0, "absolute-timestamps|timestamps", "[FORMAT,PRECISION]", on_stamps, "time (of day) or unix, to s, ms, us or ns"),
	OPT_CALL(0, "strings-in-hex", "[WHICH]", on_hex, "all strings, those that are not text (non-ascii), or in escapes only (non-ascii-chars)"),
	OPT_CALL('x', NULL, NULL, on_more_hex, "strings that hold other bytes than text in hex; -xx: all strings"),
	OPT_CALL('X', "const-print-style", "FORMAT", on_constants, "constants and flags as raw numbers, abbrev (names) or verbose (both)"),
	OPT_FLAG(0, "output-append-mode", job.append, "-A"),
	OPT_FLAG(0, "output-separately", separately, "-ff: a file for each thread, NAME.TID with -o NAME"),
	OPT_NEEDLESS('w', "summary-wall-clock", NULL, "-s has the time from a call's start to its end, waiting included"),
	OPT_COUNT('f', "follow-forks", force, "always so (--no-inherit: not); -ff with -o NAME: a file for each thread, NAME.TID"),
	OPT_NEEDLESS(0, "seccomp-bpf", NULL, "calls that are not chosen never stop the program"),
	OPT_IGNORED('O', "summary-syscall-overhead", "TIME", "sonde does not stop the program, so that there is nothing to take off"),
	OPT_REFUSED('d', "debug", NULL, "sonde has no such output of its own", "-v tells more, --stats how the trace went, sonde doctor what can be traced here"),
	{ .kind = OPTION_CALL, .long_name = "tips", .arg = "[FORMAT]", .call = option_ignored, .takes_next = takes_none,
	  .data = &(const struct option_foreign){ "man sonde-trace has them", NULL } },
	OPT_IGNORED('I', "interruptible", "WHEN", "Ctrl-C ends the trace, and the command with it"),
	OPT_REFUSED('b', "detach-on", "CALL", "sonde follows a program through its execs",
		    "--no-inherit leaves its children alone, --comm NAME shows the program of that name only"),
	{ .kind = OPTION_CALL, .long_name = "daemonize", .arg = "[HOW]", .call = option_refused, .takes_next = takes_none,
	  .data = &(const struct option_foreign){ "sonde is the parent of the command that it starts",
							    "sonde trace -p PID traces what somebody else has started" } },
	OPT_REFUSED('V', "version", NULL, "that is an option of sonde itself", "sonde --version"),
	OPT_REFUSED(0, "kvm", "vcpu", "sonde does not decode the exits of KVM", "the tracepoint tells them: --event kvm:kvm_exit"),
	OPT_END(),
};

/* ---- checks ---- */

int trace_check_command(bool summary, const char *command)
{
	uint64_t n;
	char *path;
	if (!summary || !command || parse_u64(command, &n))
		return 0;
	path = workload_find(command);
	free(path);
	if (path)
		return 0;
	error_set(EINVAL, "-s makes a summary and takes no number, and there is no program '%s'", command);
	return error_hint("--string-limit %s shows so much of each string", command);
}

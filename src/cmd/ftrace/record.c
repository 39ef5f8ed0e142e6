// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace record: trace-cmd record's options, into a trace.dat. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/record.h"
#include "kernel/tracefs.h"

struct record_cmd {
	struct ftrace_setup setup; /* first: of the buffer that is being described */
	const char *name; /* its -B */
	struct ftrace_recording r;
	const char *output, *temp, *packing;
	int version, max_kb;
	bool ignore_missing, profile, no_function_trace, no_tracer;
};
#define OPTIONS struct record_cmd

static void next_buffer(struct record_cmd *o, const char *name)
{
	*vec_push(&o->r.buffers) = (struct record_buffer){ o->name, o->setup };
	o->setup = (struct ftrace_setup){ 0 };
	o->name = name;
}

static int on_buffer(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_cmd *o = value;
	(void)opt; (void)unset;
	if (!*arg || strchr(arg, '/') || *arg == '.')
		return error_set(EINVAL, "-B: '%s' is no name of a buffer", arg);
	next_buffer(o, arg);
	return 0;
}

static int on_module(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_cmd *o = value;
	(void)opt; (void)unset;
	char *word = xasprintf("*:mod:%s", arg);
	wordlist_add(&o->setup.functions, word);
	free(word);
	return 0;
}

static const struct option_row rows[] = {
	OPT_TABLE(ftrace_setup_rows),
	OPT_CALL(0, "module", "MODULE", on_module, "only functions of that module"),
	OPT_FLAG('d', NULL, no_function_trace, "a latency tracer without functions (-O nofunction-trace)"),
	OPT_GROUP("where"),
	OPT_STRING('o', "output", "FILE", output, "the recording (trace.dat)"),
	OPT_CALL('B', NULL, "NAME", on_buffer, "what comes after it is traced into a buffer of its own, with that name"),
	OPT_INT('m', NULL, "KB", max_kb, "keep the latest so much of each CPU"),
	OPT_INT(0, "file-version", "N", version, "6 or 7 (7)"),
	OPT_STRING(0, "compression", "HOW", packing, "zstd (as it is), zlib, none, any"),
	OPT_STRING(0, "temp", "DIR", temp, "where pages are kept meanwhile (the folder of -o)"),
	OPT_FLAG(0, "no-disk-guard", r.no_disk_guard, "write until the disk is full"),
	OPT_GROUP("how"),
	OPT_FLAG('F', NULL, r.only_command, "only what the command does (-c: and its children)"),
	OPT_FLAG('a', NULL, r.all_formats, "the formats of all events into the file"),
	OPT_FLAG('i', NULL, ignore_missing, "events that are not there are left out"),
	OPT_STRING(0, "user", "USER", r.user, "run the command as that user"),
	OPT_INT('s', NULL, "US", r.collect.sleep_us, "look into the rings every so often (else: when they are a quarter full)"),
	OPT_INT('r', NULL, "PRIO", r.collect.priority, "read with that real-time priority (1)"),
	OPT_FLAG(0, "no-filter", r.see_readers, "trace sonde's own reading, too"),
	OPT_FLAG(0, "date", r.date, "times as the time of day"),
	OPT_STRING(0, "ts-offset", "N", r.ts_offset, "add that to the times when they are read"),
	OPT_FLAG(0, "profile", profile, "what report and sched need: switches and wake-ups, with stacks"),
	OPT_FLAG('S', NULL, no_tracer, "--profile without a tracer of its own"),
	OPT_FLAG('q', "quiet", r.quiet, "no word at the end"),
	OPT_VERBOSE("tell each step"),
	OPT_NEEDLESS(0, "stderr", NULL, "what sonde says goes there"),
	OPT_NEEDLESS(0, "poll", NULL, "reading never waits in the kernel"),
	OPT_REFUSED('D', NULL, NULL, "-D turns function tracing off for every user of the machine", "-d or -O nofunction-trace does it for this recording"),
	OPT_REFUSED('k', NULL, NULL, "-k would leave the kernel tracing", "sonde ftrace start traces until sonde ftrace stop"),
	OPT_REFUSED('N', NULL, "HOST:PORT", "records are not sent over the network", "record into a file and copy it"),
	OPT_REFUSED('V', NULL, "CID:PORT", "records are not sent to a host", "record into a file and copy it"),
	OPT_REFUSED('t', NULL, NULL, "-t belongs to -N: records are not sent over the network", "record into a file and copy it"),
	OPT_REFUSED('A', NULL, "GUEST", "guests are not traced from here", "run sonde ftrace record in the guest"),
	OPT_REFUSED('G', NULL, NULL, "-G belongs to trace-cmd's report --profile", "leave it out"),
	OPT_REFUSED('H', NULL, "HOOKS", "-H belongs to trace-cmd's report --profile", "leave it out"),
	OPT_REFUSED(0, "cmdlines-size", "N", "--cmdlines-size changes the whole machine", "echo N >/sys/kernel/tracing/saved_cmdlines_size"),
	OPT_REFUSED(0, "proc-map", NULL, "maps of processes are not recorded", "sonde record keeps them"),
	OPT_REFUSED(0, "tsc2nsec", NULL, "the clock is recorded as it is", "-C mono counts nanoseconds"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace record [-e EVENT] [-p TRACER] [OPTIONS] [--] [COMMAND [ARGS]]", NULL };

/* Where the output is. Owned. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return !slash ? xstrdup(".") : slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

static void drop_event(struct ftrace_setup *s, size_t i)
{
	struct ftrace_event e = s->events.at[i];
	free(e.pattern);
	free(e.filter);
	free(e.trigger);
	memmove(&s->events.at[i], &s->events.at[i + 1], (s->events.n - i - 1) * sizeof(e));
	s->events.n--;
}

static int check_events(const struct record_cmd *o, struct ftrace_setup *s)
{
	for (size_t i = 0; i < s->events.n;) {
		wordlist names = { 0 };
		int err = ftrace_events_named(s->events.at[i].pattern, &names);
		wordlist_release(&names);
		if (err && !o->ignore_missing)
			return err;
		if (err)
			error_clear();
		if (err)
			drop_event(s, i);
		else
			i++;
	}
	return 0;
}

static int profile(struct record_cmd *o, struct ftrace_setup *s)
{
	static const char *const events[] = { "sched:sched_switch", "sched:sched_wakeup", "sched:sched_wakeup_new", "irq", "exceptions" };
	struct ftrace_instance top = { 0 };
	wordlist names = { 0 };
	int err = 0;
	if (!o->profile)
		return 0;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events) && !err; i++) {
		err = ftrace_events_named(events[i], &names) ? 0 : ftrace_setup_event(s, events[i]);
		error_clear();
	}
	wordlist_release(&names);
	wordlist_add(&s->options, "stacktrace");
	if (!err && !s->tracer && !o->no_tracer && ftrace_lists(&top, "available_tracers", "function_graph")) {
		s->tracer = "function_graph";
		s->depth = 1;
	}
	return err;
}

static bool anything(const struct ftrace_setup *s)
{
	return s->events.n || s->tracer;
}

static int settle(struct record_cmd *o)
{
	int64_t v;
	next_buffer(o, NULL);
	o->r.buffers.at[0].name = "";
	bool any = false;
	if (o->version < 6 || o->version > 7)
		return error_set(EINVAL, "--file-version: there are 6 and 7, not %d", o->version);
	o->r.write = (struct tracedat_write_options){ .path = o->output, .version = o->version, .consume = true,
		.packing = o->packing ? o->packing : o->version == 6 ? "none" : "zstd" };
	if (o->max_kb < 0 || o->r.collect.sleep_us < 0 || o->r.collect.priority < 0 || o->r.collect.priority > 99)
		return error_set(EINVAL, "-m, -s and -r take numbers from 0 on, -r up to 99");
	if (o->r.ts_offset && parse_s64(o->r.ts_offset, &v))
		return error_set(EINVAL, "--ts-offset: '%s' is no number", o->r.ts_offset);
	o->r.collect.keep = (uint64_t)o->max_kb << 10;
	int err = profile(o, &o->r.buffers.at[0].setup);
	vec_each(&o->r.buffers, b) {
		if (!b->setup.clock) /* their times are merged */
			b->setup.clock = o->r.buffers.at[0].setup.clock;
		if (o->no_function_trace)
			wordlist_add(&b->setup.options, "nofunction-trace");
		any |= anything(&b->setup);
	}
	if (!err && !any) {
		error_set(EINVAL, "nothing to record");
		err = error_hint("-e EVENT records events, -p TRACER what a tracer tells: sonde ftrace record -e sched -- sleep 3");
	}
	return err ? err : tracedat_check(&o->r.write);
}

static void release(struct record_cmd *o)
{
	vec_each(&o->r.buffers, b)
		ftrace_setup_release(&b->setup);
	vec_release(&o->r.buffers);
	ftrace_setup_release(&o->setup);
}

int ftrace_cmd_record(int argc, char **argv)
{
	struct record_cmd o = { .output = "trace.dat", .version = 7 };
	char *own = NULL;
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code = 0, err = 0;
	if (n >= 0 && (err = settle(&o)))
		n = err;
	if (n >= 0 && o.r.only_command && !n)
		n = error_set(EINVAL, "-F means the command's own doing, and there is no command");
	if (n < 0) {
		code = options_exit(n, usage);
		release(&o);
		return code;
	}
	err = tracefs_ready();
	vec_each(&o.r.buffers, b)
		if (!err)
			err = check_events(&o, &b->setup);
	if (err) {
		code = error_print();
	} else {
		own = o.temp ? NULL : folder_of(o.output);
		o.r.collect.dir = o.temp ? o.temp : own;
		code = ftrace_record_run(&o.r, n ? argv : NULL);
	}
	free(own);
	release(&o);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "picture/timeline/timeline.h"
#include "job/flame.h"
#include "kernel/tracefs.h"
#include "spec/spec.h"

struct timeline_options {
	struct reading in;
	struct timeline t;
	wordlist event_names;
	int busiest;
	bool quiet, all;
	const char *of; /* of what the page is, for its title */
};
#define OPTIONS struct timeline_options

static const char *const usage[] = {
	"sonde timeline [-i FILE] [-o FILE.html]",
	"sonde timeline [-o FILE.html] [-e EVENT] COMMAND [ARGS]",
	"sonde timeline -a [-o FILE.html] [-e EVENT]",
	NULL,
};

static int on_tasks(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct timeline_options *o = value;
	(void)opt, (void)unset;
	return intlist_parse(&o->t.rows, arg, 1 << 22, "thread");
}

static int on_event(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct timeline_options *o = options;
	(void)opt, (void)unset;
	wordlist_add(&o->event_names, arg);
	return 0;
}

static const struct option_row rows[] = {
	OPT_GROUP("The page"),
	OPT_STRING('i', "input", "FILE", in.input, "the recording, or a trace.dat (perf.data)"),
	OPT_STRING('o', "output", "FILE", in.output, "write the page there (timeline.html); - is standard output"),
	OPT_FLAG('a', "all-cpus", all, "record until Ctrl-C, or while the command runs; the whole machine in either case"),
	OPT_STRING(0, "title", "TEXT", t.title, "on top of the page"),
	OPT_GROUP("Which events"),
	OPT_CALL('e', "event", "EVENT", on_event, "besides the scheduler's: what to record; of a recording: only these (all)"),
	OPT_CALL_ON('c', "comms", "LIST", in.filter, reading_on_comms, "only threads with these names"),
	OPT_CALL_ON(0, "pid", "LIST", in.filter, reading_on_pids, "only these processes"),
	OPT_CALL_ON(0, "tid", "LIST", in.filter, reading_on_tids, "only these threads"),
	OPT_CALL_ON('C', "cpu", "LIST", in.filter, reading_on_cpus, "only these CPUs"),
	OPT_CALL_ON('S', "symbols", "LIST", in.symbols, reading_on_words, "only samples in these functions"),
	OPT_STRING(0, "time", "START,STOP", in.time, "only that time: seconds, or N%/K or A%-B%"),
	OPT_U64(0, "max-events", "N", t.most, "at most N events, from the start (5000000)"),
	OPT_GROUP("Rows"),
	OPT_CALL(0, "tasks", "TIDS", on_tasks, "rows for these threads, too"),
	OPT_INT(0, "busiest", "N", busiest, "rows for the N tasks that ran longest (20)"),
	OPT_GROUP("Symbols and messages"),
	READING_SYMBOL_ROWS(in),
	OPT_FLAG('q', "quiet", quiet, "no warnings"),
	OPT_VERBOSE("say more"),
	OPT_END(),
};

static void say(const struct timeline_options *o, const char *path)
{
	const struct timeline *t = &o->t;
	if (o->quiet || !strcmp(path, "-"))
		return;
	if (t->left_out) {
		warn("the page has the first %" PRIu64 " events, up to %" PRIu64 ".%06" PRIu64 " s; %" PRIu64 " later ones are left out", t->events,
		     t->last / 1000000000, t->last / 1000 % 1000000, t->left_out);
		hint("--time START,STOP chooses others; --max-events N takes more");
	}
	if (t->runs.tasks.lost)
		warn("%" PRIu64 " events were lost while recording: hatched in the page", t->runs.tasks.lost);
	note(0, "%" PRIu64 " events in %s", t->events, path);
	file_say_private(path);
}

static int make(struct timeline_options *o, struct perfdata *p, const char *path)
{
	struct timeline_source s = { .p = p, .path = o->in.input, .syms = reading_symbols(&o->in), .symbols = &o->in.symbols, .force = o->in.force };
	struct out out;
	int err = reading_filters(&o->in, p);
	o->t.only = &o->in.filter;
	if (!err && o->in.filter.times.n > 1)
		err = error_set(EINVAL, "--time: one span of time: START,STOP");
	if (!err && o->in.filter.times.n) {
		s.from = o->in.filter.times.at[0].from;
		s.to = o->in.filter.times.at[0].to == UINT64_MAX ? 0 : o->in.filter.times.at[0].to;
	}
	if (!err)
		err = timeline_read(&o->t, &s);
	if (!err && !o->t.events) {
		error_set(ENODATA, "there are no events to draw");
		err = error_hint("sonde sched record makes a recording that has them; --time and the like may leave out all");
	}
	if (!err)
		err = out_open(&out, path, false);
	if (!err) {
		out.whole = true;
		timeline_write(&o->t, &out);
		err = out_close(&out);
	}
	symbols_free(s.syms);
	if (!err)
		say(o, path);
	return err;
}

static int open_and_make(struct perfdata *p, void *options)
{
	struct timeline_options *o = options;
	char *title = o->t.title ? NULL : xasprintf("Timeline of %s", o->of ?: o->in.input);
	o->t.title = o->t.title ?: title;
	int err = make(o, p, o->in.output ?: "timeline.html");
	free(title);
	return err && o->in.usage ? options_exit(err, usage) : err ? error_print() : 0;
}

/* ---- a recording of our own ---- */

static int draw_recorded(void *ctx, const char *path)
{
	struct timeline_options *o = ctx;
	o->in.input = path;
	return reading_run(&o->in, open_and_make, o);
}

static int add_events(event_list *l)
{
	static const char *const events[] = { "sched:sched_switch", "sched:sched_wakeup_new", "sched:sched_migrate_task" };
	int err = tracefs_ready();
	for (size_t i = 0; i < 3 && !err; i++)
		err = events_parse(l, events[i]);
	return err ? err : events_parse(l, tracefs_event_id("sched", "sched_waking") >= 0 ? "sched:sched_waking" : "sched:sched_wakeup");
}

static char *command_words(char **argv, int n)
{
	struct str s = STR_INIT;
	for (int i = 0; i < n; i++) {
		str_add(&s, i ? " " : "");
		str_add(&s, argv[i]);
	}
	return str_detach(&s);
}

static int live(struct timeline_options *o, char **argv, int n)
{
	char *words[] = { (char *)"sonde", (char *)"timeline", NULL };
	struct recorder_options r = { .argv = n ? argv : words, .command = n ? argv : NULL, .quiet = true,
				      .sampling = { .clockid = CLOCK_MONOTONIC, .raw = true } };
	struct target target = { .system_wide = true };
	char *of = n ? command_words(argv, n) : xstrdup("the whole machine");
	o->of = of;
	event_list events = { 0 };
	int err = add_events(&events);
	vec_each(&o->event_names, name)
		err = err ? err : events_parse(&events, *name);
	int code = err ? error_print() : flame_record(&r, &events, &target, draw_recorded, o);
	events_release(&events);
	target_release(&target);
	free(of);
	return code;
}

static int check(struct timeline_options *o, char **argv, int n)
{
	bool records = n || o->all;
	if (o->busiest < 0 || !o->t.most)
		return error_set(EINVAL, o->t.most ? "--busiest: a number of tasks" : "--max-events: at least one");
	if (records && o->in.input) {
		error_set(EINVAL, "'%s' is recorded, -i is read: one of them", n ? argv[0] : "-a");
		return error_hint("sonde timeline -i FILE, or sonde timeline COMMAND");
	}
	if (!records)
		vec_each(&o->event_names, name)
			wordlist_split(&o->in.event_names, *name, ',');
	return 0;
}

int cmd_timeline(int argc, char **argv)
{
	struct timeline_options o = { .busiest = 20 };
	reading_init(&o.in);
	timeline_init(&o.t);
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	int err = n < 0 ? n : check(&o, argv, n), code;
	o.t.busiest = (size_t)(o.busiest < 0 ? 0 : o.busiest);
	if (err)
		code = options_exit(err, usage);
	else
		code = n || o.all ? live(&o, argv, n) : reading_run(&o.in, open_and_make, &o);
	wordlist_release(&o.event_names);
	timeline_release(&o.t);
	return code;
}

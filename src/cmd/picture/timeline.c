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
	event_list events;
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

static int on_event(void *list, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return events_parse(list, arg);
}

static int on_tasks(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct timeline_options *o = value;
	(void)opt, (void)unset;
	return intlist_parse(&o->t.rows, arg, 1 << 22, "thread");
}

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", in.input, "the recording, or a trace.dat (perf.data)"),
	OPT_STRING('o', "output", "FILE", in.output, "write the page there (timeline.html); - is standard output"),
	OPT_FLAG('a', "all-cpus", all, "record until Ctrl-C, or while the command runs; the whole machine in either case"),
	OPT_CALL_ON('e', "event", "EVENT", events, on_event, "record these events, too"),
	OPT_STRING(0, "title", "TEXT", t.title, "on top of the page"),
	OPT_STRING(0, "time", "START,STOP", in.time, "only that time (seconds)"),
	OPT_CALL(0, "tasks", "TIDS", on_tasks, "rows for these threads, too"),
	OPT_INT(0, "busiest", "N", busiest, "rows for the N tasks that ran longest (20)"),
	OPT_U64(0, "max-events", "N", t.most, "at most N events, from the start (5000000)"),
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
	struct timeline_source s = { .p = p, .path = o->in.input, .syms = reading_symbols(&o->in), .force = o->in.force };
	struct out out;
	int err = reading_filters(&o->in, p);
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
		err = error_hint("sonde sched record makes a recording that has them; --time may leave out all");
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
	return err ? error_print() : 0;
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
	int code = add_events(&o->events) ? error_print() : flame_record(&r, &o->events, &target, draw_recorded, o);
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
	if (!records && o->events.n) {
		error_set(EINVAL, "-e is for what is recorded now");
		return error_hint("sonde timeline -e EVENT COMMAND");
	}
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
	events_release(&o.events);
	timeline_release(&o.t);
	return code;
}

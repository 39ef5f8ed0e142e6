// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "analysis/flame/stackfold.h"
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "job/flame.h"
#include "ui/sched/offcpu.h"

struct offcpu_cmd {
	struct reading in;
	struct target target;
	struct offcpu_view view;
	const char *command_user;
	bool all, no_inherit;
	double least;
	int most;
};
#define OPTIONS struct offcpu_cmd

static const char *const usage[] = {
	"sonde offcpu [OPTIONS] COMMAND [ARGS]",
	"sonde offcpu [OPTIONS] -p PID | -t TID | -a [-- COMMAND]",
	"sonde offcpu [OPTIONS] -i FILE",
	NULL,
};

static int on_target(void *target, const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return opt->short_name == 'p' ? target_pids(target, arg) : target_tids(target, arg);
}

static const struct option_row rows[] = {
	OPT_GROUP("Who"),
	OPT_CALL_ON('p', "pid", "PIDS", target, on_target, "processes that run already"),
	OPT_CALL_ON('t', "tid", "TIDS", target, on_target, "threads"),
	OPT_FLAG('a', "all-cpus", all, "every thread of the machine"),
	OPT_FLAG(0, "no-inherit", no_inherit, "not the children"),
	OPT_STRING('i', "input", "FILE", in.input, "a recording of record --off-cpu"),
	OPT_GROUP("What is shown"),
	OPT_FLAG('f', "folded", view.folded, "a line for each stack, outermost first, and its time in microseconds: for sonde flame"),
	OPT_STRING('o', "output", "FILE", in.output, "write there"),
	OPT_DOUBLE(0, "min", "MS", least, "only places where at least that long was waited"),
	OPT_INT('E', "entries", "N", most, "so many places (20; 0: all)"),
	READING_CHAIN_ROWS(in),
	OPT_STRING(0, "symfs", "DIR", in.symfs, "look for files below that folder"),
	OPT_FLAG(0, "demangle", in.demangle, "C++ and Rust names in readable form (on; --no-demangle turns it off)"),
	OPT_FLAG(0, "force", in.force, "read a recording that belongs to another user"),
	OPT_VERBOSE("say more"),
	OPT_END(),
};

static int show(struct offcpu_cmd *c, struct perfdata *p)
{
	struct stackfold_options how = { .max_stack = c->in.max_stack, .inlines = c->in.inlines, .filter = &c->in.filter, .quantum = QUANTUM_NONE };
	struct symbols *syms = reading_symbols(&c->in);
	struct stackfold *f = stackfold_of_recording(p, syms, &how);
	int err = f ? 0 : error_code();
	c->view.event = f ? stackfold_event(f, "offcpu-time") : -1;
	if (f && c->view.event < 0) {
		error_set(ENODATA, "the recording has no waits in it");
		err = error_hint("sonde record --off-cpu makes one that has them; sonde offcpu COMMAND shows them at once");
	}
	struct out out;
	if (!err)
		err = out_open(&out, c->in.output, false);
	if (!err) {
		offcpu_print(&c->view, &out, f);
		err = out_close(&out);
		if (f->lost)
			warn("%llu waits are missing: there were too many different ones", (unsigned long long)f->lost);
	}
	stackfold_free(f);
	symbols_free(syms);
	return err;
}

static int open_and_show(struct perfdata *p, void *options)
{
	return show(options, p) ? error_print() : 0;
}

static int draw_recorded(void *ctx, const char *path)
{
	struct offcpu_cmd *c = ctx;
	c->in.input = path;
	return reading_run(&c->in, open_and_show, c);
}

/* Waits alone are recorded; another event must be there, and a dummy has no samples. */
static int live(struct offcpu_cmd *c, char **argv, int n)
{
	char *words[] = { (char *)"sonde", (char *)"offcpu", NULL };
	struct recorder_options r = { .argv = n ? argv : words, .command = n ? argv : NULL, .quiet = true, .off_cpu = true, .no_inherit = c->no_inherit,
				      .sampling = { .clockid = CLOCK_MONOTONIC, .call_graph = CALL_GRAPH_FP } };
	event_list events = { 0 };
	c->target.system_wide = c->all || (!n && !target_given(&c->target));
	int code = events_parse(&events, "dummy") ? error_print() : flame_record(&r, &events, &c->target, draw_recorded, c);
	events_release(&events);
	return code;
}

int cmd_offcpu(int argc, char **argv)
{
	struct offcpu_cmd c = { .most = 20 };
	reading_init(&c.in);
	int n = options_parse(&c, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n >= 0 && (c.most < 0 || c.least < 0))
		n = error_set(EINVAL, "-E and --min are not negative");
	if (n >= 0 && c.in.input && (n || c.all || target_given(&c.target))) {
		error_set(EINVAL, "-i reads a recording; a command, -p, -t and -a measure now");
		n = error_hint("sonde offcpu -i FILE, or sonde offcpu -p PID");
	}
	c.view.least = (uint64_t)(c.least * 1e6);
	c.view.most = (size_t)(c.most < 0 ? 0 : c.most);
	code = n < 0 ? options_exit(n, usage) : c.in.input ? reading_run(&c.in, open_and_show, &c) : live(&c, argv, n);
	target_release(&c.target);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/live/oneline.h"
#include <errno.h>
#include "base/error.h"
#include "spec/target.h"

#define OPTIONS struct oneline
const struct option_row oneline_rows[] = {
	OPT_GROUP("whom, how long, what to show"),
	OPT_INT('p', "pid", "PID", pid, "this process only"),
	OPT_INT('L', "tid", "TID", tid, "this thread only"),
	OPT_DOUBLE('d', "duration", "SECONDS", duration, "end after so long; shown at the end, which disturbs least"),
	OPT_INT(0, "buffer-kb", "KB", setup.buffer_kb, "the size of each CPU's buffer"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_FLAG(0, "no-disk-guard", no_disk_guard, "write until the disk is full"),
	OPT_FLAG('H', "header", header, "the headings of the columns first"),
	OPT_FLAG(0, "json", json, "one JSON object a line"),
	OPTION_ROW(OPTION_COUNT, 0, "verbose", NULL, "tell each step", .value = &verbosity),
	OPT_END(),
};

int oneline_check(struct oneline *o)
{
	struct target t = { 0 };
	int err = 0;
	if (o->duration < 0 || o->duration > 1e6)
		return error_set(EINVAL, "-d: not a number of seconds");
	if (o->pid < 0 || o->tid < 0)
		return error_set(EINVAL, "-p and -L take the number of a process or thread");
	if (o->pid) {
		*vec_push(&t.pids) = o->pid;
		err = target_resolve(&t, 0);
		for (size_t i = 0; i < t.threads.n && !err; i++)
			*vec_push(&o->setup.pids) = t.threads.at[i].tid;
		o->setup.children = !o->setup.tracer; /* the threads to come; which the tracers of functions cannot tell from processes */
		target_release(&t);
	}
	if (o->tid)
		*vec_push(&o->setup.pids) = o->tid;
	return err;
}

static void add_heading(const struct oneline *o, const char *what, struct str *head)
{
	str_addf(head, "Tracing %s", what);
	if (o->functions && (o->pid || o->tid))
		str_addf(head, " for %s %d", o->pid ? "PID" : "TID", o->pid ? o->pid : o->tid);
	if (o->duration > 0)
		str_addf(head, " for %g seconds%s...", o->duration, o->functions ? "" : " (buffered)");
	else
		str_add(head, o->functions ? "... Ctrl-C to end." : ". Ctrl-C to end.");
}

int oneline_run(struct oneline *o, const char *heading, int (*prepare)(void *ctx, struct ftrace_setup *setup), void *ctx)
{
	struct str head = STR_INIT;
	add_heading(o, heading, &head);
	struct ftrace_live j = { .setup = &o->setup, .output = o->output, .json = o->json, .header = o->header,
		.buffered = o->duration > 0, .timeout_ms = (int)(o->duration * 1000), .heading = head.buf, .process = o->setup.children ? o->pid : 0,
		.ending = "\nEnding tracing...", .prepare = prepare, .ctx = ctx,
		.no_disk_guard = o->no_disk_guard };
	int code = ftrace_live_run(&j, NULL);
	str_release(&head);
	return code;
}

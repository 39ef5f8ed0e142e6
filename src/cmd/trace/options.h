/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options of `sonde trace` say, before it is a job. */
#ifndef CMD_TRACE_OPTIONS_H
#define CMD_TRACE_OPTIONS_H
#include "base/options.h"
#include "job/trace/job.h"

struct trace_options {
	const char *tids, *cpus, *user, *summary_mode;
	struct str where; /* --where: all must hold */
	wordlist expressions; /* -e, in order: calls */
	bool events_only; /* an -e of events, none of calls: no calls then, as in perf trace */
	bool syscalls; /* --syscalls: calls nevertheless */
	bool minor_faults, major_faults; /* -F */
	bool all, failure, strace, json, summary_only, with_summary, raw, no_abbrev;
	bool separately; /* -ff: a file for each thread */
	int quiet, decode_fds; /* -q and -y, how often */
	int columns; /* -a */
	int string_limit, max_events, max_stack, min_stack, delay, force;
	double duration;
	struct sysset calls;
	struct trace_qualify qualify;
	struct trace_job job;
};
int trace_add_expression(struct trace_options *t, const char *text); /* -e */
option_call trace_on_ids; /* processes or threads, to the intlist that is the row's field */
/* Makes the job of them. -errno and a pending error. command: the one to run, or NULL. */
int trace_plan(struct trace_options *t, const char *command);
#endif

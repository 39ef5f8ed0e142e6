/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace at work, for start.c, which sets it up, and job.c, which runs it. */
#ifndef JOB_TRACE_WORK_H
#define JOB_TRACE_WORK_H
#include "analysis/callsum.h"
#include "job/trace/mix.h"
#include "job/trace/record.h"
#include "ui/trace/fields.h"
#include "job/trace/job.h"

struct trace_work {
	const struct engine_ops *ops;
	struct engine *g;
	struct trace_mix *mix;
	uint64_t mixed_at; /* its events are younger */
	struct symbols *symbols;
	struct trace_stacks *stacks;
	struct trace_field_events *fields;
	struct fd_state *fds;
	struct trace_view *view;
	struct trace_recorder *recorder;
	struct callsum sums; /* when the engine does not fold */
	bool fold;
	struct out out;
	struct trace_files *files; /* -ff; NULL: out takes the lines */
	uint64_t shown, counted; /* of a recording: that were written; for --max-events */
	struct sysset fd_calls; /* that change descriptors, for a recording */
	int runtime_event; /* number of --sched's, -1: none */
	bool late; /* the command was left alone at first (-D) */
	bool over; /* ... and ended, or we were told to end, before its trace began */
};

/* Opens everything and lets the command run (NULL: none). -errno and a pending error; what was opened until then is
 * in j->work. */
int trace_start(struct trace_job *j, char **command);
#endif

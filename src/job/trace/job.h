/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole trace, from the start of the command to the last line: what cmd/trace.c makes of its options. */
#ifndef JOB_TRACE_JOB_H
#define JOB_TRACE_JOB_H
#include "engine/engine.h"
#include "job/life.h"
#include "spec/spec.h"
#include "job/trace/choice.h"
#include "job/trace/gate.h"
#include "ui/trace/table.h"
#include "ui/trace/view.h"

enum { TRACE_HIDDEN = 1 };
#define TRACE_RUNTIME "sched:sched_stat_runtime" /* the event of --sched */

struct trace_job {
	/* filled by the command */
	struct engine_options engine;
	struct trace_view_options view;
	struct trace_choice choice;
	const char *engine_name; /* --engine; NULL: the first that works */
	const char *command_user; /* -u with a command: run it as that user */
	const char *output; /* -o; NULL: standard output */
	const char *record; /* `trace record`: the file; NULL: none */
	char *const *argv; /* of the whole command, for the recording's header */
	bool append, stats;
	bool no_disk_guard; /* write until the disk is full */
	bool separately; /* -ff: output.TID for each thread */
	unsigned delay_ms; /* -D */
	bool sched, errno_summary;
	struct table_columns columns; /* -U */
	enum table_column order; /* --summary-sort-by */
	struct trace_gate gate;
	unsigned max_events, max_stack;
	bool ip_only; /* stacks are taken for their first frame */
	event_list events; /* --event; those whose tag is TRACE_HIDDEN are not shown */
	/* at work */
	struct sysset silent; /* calls taken only to know the descriptors */
	enum fd_trust fd_trust; /* what can be known of those */
	struct trace_work *work;
	struct life life;
};
/* Runs it; command is the one to trace (NULL: none). Returns the exit code; errors were printed. */
int trace_job_run(struct trace_job *j, char **command);
#endif

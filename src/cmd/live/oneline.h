/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf-tools' one-liners have in common: options, the lines around the events, the run. The options of such a command begin
 * with a struct oneline. */
#ifndef CMD_LIVE_ONELINE_H
#define CMD_LIVE_ONELINE_H
#include "base/options.h"
#include "job/ftrace/live.h"

struct oneline {
	struct ftrace_setup setup; /* first */
	int pid, tid;
	double duration;
	const char *output;
	bool json, header, no_disk_guard;
	bool functions; /* functrace and funcgraph, whose first line is another in perf-tools */
};
extern const struct option_row oneline_rows[]; /* whom, how long, what to show */

/* Whom: put into the setup. -errno with a pending error. */
int oneline_check(struct oneline *o);
/* "Tracing WHAT..." lines in perf-tools' words, then all of it. Returns the exit code. */
int oneline_run(struct oneline *o, const char *heading, int (*prepare)(void *ctx, struct ftrace_setup *setup), void *ctx);
#endif

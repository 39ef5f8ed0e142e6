/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perf ftrace that trace, latency and profile share. The options of such a verb begin with a struct ftrace_perf. */
#ifndef CMD_FTRACE_PERF_H
#define CMD_FTRACE_PERF_H
#include "base/options.h"
#include "ftrace/setup.h"

struct ftrace_perf {
	struct ftrace_setup setup; /* first */
	bool all; /* -a */
	const char *tracer; /* -t */
	intlist cpus, processes;
};
extern const struct option_row ftrace_perf_rows[]; /* whom, how */
extern const struct option_row ftrace_perf_trace_rows[]; /* which functions and events */
/* With n words of a command left: puts together tracer, threads and CPUs. n, or -EINVAL with a pending error. */
int ftrace_perf_check(struct ftrace_perf *p, int n, const char *tracer);
#endif

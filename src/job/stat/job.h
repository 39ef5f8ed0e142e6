/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting, from the start of the command to the page: what cmd/stat.c makes of its options. */
#ifndef JOB_STAT_JOB_H
#define JOB_STAT_JOB_H
#include <stdbool.h>
#include "analysis/stattable.h"
#include "spec/spec.h"
#include "spec/target.h"

struct stat_job {
	event_list events; /* may be empty: only the time */
	struct metric_set metrics; /* made of the events; empty: none */
	bool metric_only;
	struct target target; /* none given: the command */
	enum stat_aggr aggr;
	int cache_level; /* of STAT_CACHE; 0: the last one */
	const char *command_user; /* run it as; NULL: as now */
	const char *output; /* NULL: log_fd, or standard error */
	int log_fd; /* -1: none */
	const char *separator; /* CSV; NULL: not */
	const char *pre, *post; /* shell commands around each run; NULL: none */
	bool json, append, quiet, group_digits;
	bool summary, csv_summary; /* behind the intervals, and named in CSV */
	bool interval_clear, each_run;
	const char *data; /* the counts also go into this file (stat record); NULL: not */
	char *const *argv; /* for its header */
	const char *openmetrics; /* a file or a port for the counts of each interval; NULL: none */
	const char *control; /* "fd:3"; NULL: nobody tells when to count */
	bool no_inherit, no_bpf, scale, sync;
	int repeat;
	int interval, interval_count, timeout, delay; /* ms, but the count; 0: none; delay < 0: never on */
};
/* Runs it; command NULL: none. Returns the exit code; errors were printed. Events, metrics and target stay the caller's. */
int stat_job_run(struct stat_job *j, char **command);
/* The page of a file that `stat record` made, perf's or ours; path NULL: perf.data. Aggregation STAT_ALL: the file's own
 * unless aggr_given. */
struct stat_report { const char *path; bool force, aggr_given; };
int stat_report_run(struct stat_job *j, const struct stat_report *r);
#endif

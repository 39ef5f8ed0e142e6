/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table behind `sonde stat`: a row for each event, a column ("bucket") for each CPU, core, socket
 * or thread, or one for all. A cell keeps the mean and the spread over the runs of -r. */
#ifndef ANALYSIS_STATTABLE_H
#define ANALYSIS_STATTABLE_H
#include "attach/counting.h"

struct series { double n, mean, m2; }; /* Welford's running mean and sum of squares */
void series_add(struct series *s, double v);
double series_error(const struct series *s); /* standard error of the mean */
double series_error_percent(const struct series *s);

enum stat_aggr { STAT_ALL, STAT_CPU, STAT_CORE, STAT_DIE, STAT_SOCKET, STAT_NODE, STAT_THREAD };

struct stat_bucket {
	int socket, die, core, node, cpu, thread; /* those that the aggregation uses, else 0 */
	int n_cpus;
	char *label; /* "S0-D0-C1", "CPU3", "comm-123"; "" for all */
};

struct stat_cell {
	struct series value, enabled, running; /* value is scaled for multiplexing, not by the unit */
	int n; /* counters that made it up */
};

struct stat_table {
	const event_list *events;
	enum stat_aggr aggr;
	VEC(struct stat_bucket) buckets;
	struct stat_cell *cells; /* events x buckets */
	struct series elapsed; /* ns */
	bool scale;
};

void stat_table_init(struct stat_table *t, const event_list *l, const struct target *target, enum stat_aggr a, bool scale);
/* One run (or interval): the counts since the read before, or since the start. */
void stat_table_add(struct stat_table *t, const struct counting *c, bool delta, uint64_t elapsed_ns);
void stat_table_clear(struct stat_table *t); /* forgets the counts, keeps the shape */
void stat_table_release(struct stat_table *t);
const struct stat_cell *stat_cell(const struct stat_table *t, size_t event, size_t bucket);
bool stat_counted(const struct stat_cell *c); /* else <not counted> */
/* How long its counters ran in all (ns), and in percent of the time they were enabled. */
double stat_runtime(const struct stat_cell *c);
double stat_running_percent(const struct stat_cell *c);

/* Figures derived from several events. */
enum metric_grade { METRIC_PLAIN, METRIC_FAIR, METRIC_POOR, METRIC_BAD };
struct metric { double value; const char *format; char unit[40]; enum metric_grade grade; };
enum { METRICS_MAX = 2 };
int stat_metrics(const struct stat_table *t, size_t event, size_t bucket, struct metric out[METRICS_MAX]);
/* The number and unit to show: msec for clocks, the PMU's own unit and scale. */
double stat_display(const struct event *e, double value, const char **unit, bool *fraction);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table behind `sonde stat`: a row for each event, a column ("bucket") for each CPU, core, socket
 * or thread, or one for all. A cell keeps the mean and the spread over the runs of -r. */
#ifndef ANALYSIS_STATTABLE_H
#define ANALYSIS_STATTABLE_H
#include "attach/counting.h"
#include "kernel/topology.h"
#include "spec/metrics.h"

struct series { double n, mean, m2; }; /* Welford's running mean and sum of squares */
double series_error(const struct series *s); /* standard error of the mean */
double series_error_percent(const struct series *s);

enum stat_aggr { STAT_ALL, STAT_CPU, STAT_CORE, STAT_CLUSTER, STAT_CACHE, STAT_DIE, STAT_SOCKET, STAT_NODE, STAT_THREAD };
bool stat_by_place(enum stat_aggr a); /* cores and the like: several CPUs in one bucket */

struct stat_bucket {
	int socket, die, cluster, core, node, cpu, thread; /* those that the aggregation uses, else 0 */
	int level, cache; /* the cache's level, and its first CPU */
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
	VEC(double) runs; /* the same, each by itself */
	bool scale;
	const struct metric_set *metrics; /* -M; NULL: none */
	int cache_level; /* of STAT_CACHE; 0: the last one */
	const struct topology *topology; /* of the machine that counted; NULL: this one */
};

/* aggr, scale, cache_level and topology are set, the rest is 0. */
void stat_table_init(struct stat_table *t, const event_list *l, const struct target *target);
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
struct metric { double value; const char *format; char unit[96]; enum metric_grade grade; bool asked, lacks; /* by -M; an event that was not counted */ };
typedef VEC(struct metric) metric_list;
/* Those that are shown beside that event, in the place of what was in the list. What -M asks for is there always; its value is NAN
 * where an event of it was not counted, and where something is divided by 0. */
void stat_metrics(const struct stat_table *t, size_t event, size_t bucket, metric_list *out);
/* "  1.50"; <not counted> or nan, as perf has it, for NAN. The text without blanks and signs: at, n. */
struct metric_text { char text[64]; const char *at; int n; };
void stat_metric_text(const struct metric *m, struct metric_text *t);
/* The number and unit to show: msec for clocks, the PMU's own unit and scale. */
double stat_display(const struct event *e, double value, const char **unit, bool *fraction);
#endif

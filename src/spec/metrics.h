/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics: figures that a formula makes of several events. Those that every CPU has are built in. Those of one CPU are in
 * perf's tables, which come in as JSON: what `perf list -j` prints, or the files of the kernel's tools/perf/pmu-events. */
#ifndef SPEC_METRICS_H
#define SPEC_METRICS_H
#include "spec/metricexpr.h"
#include "spec/spec.h"

struct metric_def { char *name, *expr, *groups, *scale_unit, *help, *unit, *long_help; }; /* NULL but for the first two: not told */
struct metric_event { char *name, *encoding, *help, *long_help, *unit; bool deprecated; };
struct metric_tables {
	VEC(struct metric_def) metrics;
	VEC(struct metric_event) events;
};
/* The built-in ones; then a file, or all .json files of a folder. NULL: those that are installed, if there are:
 * $XDG_CONFIG_HOME/sonde/metrics.json (~/.config), /etc/sonde/metrics.json. -errno and a pending error. */
int metric_tables_load(struct metric_tables *t, const char *path);
void metric_tables_release(struct metric_tables *t);
/* The installed ones, read once; a file that is wrong is told once. They stay. */
const struct metric_tables *metric_tables_installed(void);
const struct metric_event *metric_event_find(const struct metric_tables *t, const char *name, size_t n); /* NULL: none */
/* Is the metric in that group ("TopdownL1;Default")? */
bool metric_in_group(const struct metric_def *d, const char *group);
/* Each group once. */
void metric_groups(const struct metric_tables *t, wordlist *groups);

/* Metrics that are counted. */
struct metric_use {
	size_t def; /* in the tables */
	struct metric_expr *expr;
	int leader; /* the first of its events: where it is shown */
	bool part; /* only another one needs it */
	int levels; /* of metrics in one another below it */
	double scale; /* of scale_unit */
	char *label; /* "%  retiring" */
};
struct metric_id { char *name; int event, use; }; /* one of the two is -1 */
struct metric_set {
	struct metric_tables tables;
	VEC(struct metric_use) uses;
	VEC(struct metric_id) ids;
	const char *failed; /* the metric whose events are not to be had; NULL: none */
};
/* Adds the metrics of -M ("a,group,b") to the set, and the events that they need to the list. */
int metric_set_add(struct metric_set *s, const char *names, event_list *l);
void metric_set_release(struct metric_set *s);
/* value(ctx, event): the count of an event of the list, in the unit of the page; NAN: not counted. The result is scaled. */
double metric_set_eval(const struct metric_set *s, size_t use, double (*value)(void *ctx, int event), void *ctx);
/* --topdown and -T: from the tables' group, or from what the kernel says of this CPU. -ENODEV when it has none. */
int metric_set_topdown(struct metric_set *s, event_list *l);
int metric_set_transaction(struct metric_set *s, event_list *l);
#endif

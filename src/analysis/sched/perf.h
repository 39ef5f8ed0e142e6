/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scheduler's events of a perf.data file. */
#ifndef ANALYSIS_SCHED_PERF_H
#define ANALYSIS_SCHED_PERF_H
#include "analysis/sched/event.h"
#include "perfdata/reader.h"

struct sched_perf;
struct sched_perf *sched_perf_new(struct perfdata *p); /* p is borrowed */
void sched_perf_free(struct sched_perf *s);
/* What the record says, in e; its kind is SCHED_OTHER when that is nothing. */
void sched_perf_event(struct sched_perf *s, const struct perfdata_record *r, struct sched_event *e);
/* Does the file have events of that name ("sched:sched_switch")? */
bool sched_perf_has(const struct perfdata *p, const char *name);
/* -ENODATA and a pending error: it has no sched_switch, without which there is nothing to show. */
int sched_perf_check(const struct perfdata *p);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inject -s: where threads slept is in sched:sched_switch (with its call chain), how long in sched:sched_stat_*. The
 * two become one: the switch, with the time and the period of what tells its length. */
#ifndef JOB_INJECT_SCHED_H
#define JOB_INJECT_SCHED_H
#include "perfdata/reader.h"
#include "perfdata/writer.h"

struct inject_sched;
struct inject_sched *inject_sched_new(struct perfdata *p); /* NULL: pending error, there are no such events */
/* 1: it was one of these events, and what it makes is written; 0: it was not; -errno. */
int inject_sched(struct inject_sched *s, struct perfdata_writer *w, const struct perfdata_record *r);
void inject_sched_free(struct inject_sched *s);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the scheduler's events are about, and where some of them are missing.
 *
 * A number is used again after its thread has ended: from a FORK on it is another task. A thread that ends is seen once more,
 * when it leaves its CPU for good; so it is kept. Names come from the file's own records where there are such (a perf.data
 * file), and else from the events. */
#ifndef ANALYSIS_SCHED_TASKS_H
#define ANALYSIS_SCHED_TASKS_H
#include "analysis/sched/event.h"
#include "base/map.h"
#include "base/vec.h"

struct sched_task {
	int tid, pid, ppid; /* -1: not known */
	const char *name; /* ":1234" when nobody told */
	bool named, ended;
	void *priv; /* of the fold that goes over them; freed with them */
};

struct sched_gap { uint64_t from, to, events; int cpu; };

struct sched_tasks {
	struct u64map now; /* number to the task that has it now */
	VEC(struct sched_task *) all; /* in the order in which they came up */
	struct strmap names;
	VEC(struct sched_gap) gaps; /* by their ends */
	VEC(uint64_t) seen; /* of each CPU: the time of its latest event */
	uint64_t lost; /* events, in all gaps */
};

void sched_tasks_release(struct sched_tasks *t);
/* To be called with every event, before what it means is looked at. */
void sched_tasks_feed(struct sched_tasks *t, const struct sched_event *e);
struct sched_task *sched_task(struct sched_tasks *t, int tid); /* made when new */
struct sched_task *sched_task_find(const struct sched_tasks *t, int tid); /* NULL */
const char *sched_tasks_name(struct sched_tasks *t, const char *name); /* the only copy of it: names compare by address */
/* Were events lost between these times, on any CPU? */
bool sched_tasks_gap(const struct sched_tasks *t, uint64_t from, uint64_t to);
/* Nobody asks for a CPU beyond. */
enum { SCHED_CPUS_MAX = 8192 };
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long tasks ran, and how long they had to wait for a CPU: perf sched latency. */
#ifndef ANALYSIS_SCHED_LATENCY_H
#define ANALYSIS_SCHED_LATENCY_H
#include "analysis/sched/tasks.h"

struct latency_row {
	int tid; /* of the task, or of one of those with that name */
	const char *name;
	unsigned tasks; /* how many are summed here */
	uint64_t runtime, count, delay; /* ns; delays of that many */
	uint64_t max, max_from, max_to;
};

struct latency {
	struct sched_tasks tasks;
	bool waking; /* the file has sched_waking, so that sched_wakeup is not needed */
	bool one_cpu; /* -C */
	bool by_task; /* a row for each task, not for each name */
	uint64_t events, timestamps, unordered, bugs; /* of which perf sched latency tells at the end */
	uint64_t doubtful; /* delays in which events were lost */
	VEC(int) running; /* of each CPU: who; -1 unknown */
	VEC(struct latency_row) rows; /* made by latency_finish, or latency_add */
	struct u64map named; /* a name to its row's number and 1 */
	char *sort[8]; /* keys, borrowed, by which rows are sorted; none: avg, max, switch, runtime */
	size_t n_sort;
};

/* Takes "max,runtime"; -EINVAL with a pending error. */
int latency_sort(struct latency *l, const char *keys);
void latency_feed(struct latency *l, const struct sched_event *e);
void latency_finish(struct latency *l); /* makes the rows */
/* Instead of events: what somebody else has summed for a task; then latency_sort_rows. The name is copied. */
void latency_add(struct latency *l, const struct latency_row *r, const char *name);
void latency_sort_rows(struct latency *l);
void latency_release(struct latency *l);
#endif

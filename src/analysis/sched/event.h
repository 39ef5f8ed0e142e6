/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event of the scheduler, wherever it comes from: a perf.data file (perf.h), a trace.dat file, or the kernel as it runs.
 * What folds such events (tasks.h, latency.h, timehist.h) knows no other form. */
#ifndef ANALYSIS_SCHED_EVENT_H
#define ANALYSIS_SCHED_EVENT_H
#include <stdbool.h>
#include <stdint.h>

enum sched_kind {
	SCHED_OTHER, /* of no meaning for the scheduler */
	SCHED_SWITCH, /* task leaves the CPU, next gets it */
	SCHED_WAKEUP, /* task may run from now on */
	SCHED_WAKING, /* the same as the one who wakes sees it: earlier */
	SCHED_MIGRATE, /* task goes from one CPU to another */
	SCHED_RUNTIME, /* task has run so long */
	SCHED_FORK, /* task is new; next is its parent */
	SCHED_EXIT,
	SCHED_NAME, /* task is called name from now on */
	SCHED_LOST, /* events of this CPU are missing, between the one before on it and this */
};

/* Where the running task stood: made only when somebody asks. */
struct perfdata_record;
struct sched_event {
	enum sched_kind kind;
	bool born; /* a wakeup of a new task */
	uint64_t time;
	int cpu; /* on which it was seen; -1: unknown */
	int pid, tid; /* who ran there, as the file tells it; -1: unknown */
	int task, next; /* thread ids */
	int task_pid; /* of FORK and NAME: its process; else -1 */
	int prio, next_prio;
	char state; /* in which task leaves: R, S, D, ... */
	const char *name, *next_name; /* NULL: not told. Valid until the next event */
	int from_cpu, to_cpu; /* -1: not told; of a wakeup to_cpu is where it is to run */
	uint64_t amount; /* ns of RUNTIME; how many are LOST */
	const struct perfdata_record *record; /* NULL: from elsewhere */
};
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every time that a task had a CPU, with the wait before it: perf sched timehist.
 *
 *	left      ready        came         leaves
 *	---|---------|------------|------------|---
 *	   |--------- wait -------|
 *	             |--- delay --|--- run ----|
 *
 * A task's line is written when it leaves. The wait is told apart by the state in which it left before: R, it was
 * preempted; D, it waited for a device; else it slept. */
#ifndef ANALYSIS_SCHED_TIMEHIST_H
#define ANALYSIS_SCHED_TIMEHIST_H
#include "analysis/sched/tasks.h"
#include "base/words.h"

enum { TIMEHIST_PRIOS = 140 };
struct timehist_span { uint64_t run, delay, sleep, iowait, preempt; };
struct timehist_runs { uint64_t n, min, max; double mean, m2; }; /* of the run times */
struct timehist_task {
	struct sched_task *task; /* NULL: a CPU's idle task */
	uint64_t left, ready;
	char state; /* in which it left */
	int prio; /* with which it came; -1 unknown */
	uint64_t migrations;
	struct timehist_span last, sum;
	struct timehist_runs runs;
	struct timehist_task *before; /* of an idle task with -I: who had the CPU before */
	void *chains; /* of an idle task with -I -g; the user's */
};

struct timehist {
	/* options */
	intlist cpus, pids, tids; /* empty: all */
	bool prios[TIMEHIST_PRIOS], by_prio, idle, waking;
	uint64_t from, to; /* 0: no such bound */
	/* results */
	struct sched_tasks tasks;
	VEC(struct timehist_task *) idles; /* of each CPU; NULL: not seen */
	VEC(uint64_t) switched; /* of each CPU: when */
	uint64_t first, last, skipped;
	uint64_t doubtful, backwards; /* lines with events lost in them; delays that could not be told, since events came out of order */
	int max_cpu;
};

enum timehist_what { TIMEHIST_NOTHING, TIMEHIST_RUN, TIMEHIST_WAKEUP, TIMEHIST_MIGRATION, TIMEHIST_LOST };
struct timehist_line {
	enum timehist_what what;
	uint64_t time;
	struct timehist_task *of; /* who leaves, wakes, moves the other; NULL in a LOST */
	struct timehist_task *other; /* who is woken or moved */
	bool doubtful; /* events were lost in this time */
};

/* Takes "0,100-120"; -EINVAL with a pending error. */
int timehist_prios(struct timehist *h, const char *text);
void timehist_begin(struct timehist *h, int n_cpus);
/* What there is to show of an event, if anything. */
void timehist_feed(struct timehist *h, const struct sched_event *e, struct timehist_line *line);
bool timehist_cpu(const struct timehist *h, int cpu); /* is it chosen? */
/* In percent of the mean, as perf has it. */
double timehist_spread(const struct timehist_runs *r);
void timehist_release(struct timehist *h);
#endif

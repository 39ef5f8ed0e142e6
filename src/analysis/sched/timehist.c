// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/sched/timehist.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"

int timehist_prios(struct timehist *h, const char *text)
{
	intlist l = { 0 };
	int err = intlist_parse(&l, text, TIMEHIST_PRIOS - 1, "priority");
	vec_each(&l, p)
		h->prios[*p] = true;
	h->by_prio = true;
	vec_release(&l);
	return err;
}

void timehist_begin(struct timehist *h, int n_cpus)
{
	h->max_cpu = n_cpus > 0 && n_cpus < SCHED_CPUS_MAX ? n_cpus : 4;
}

static struct timehist_task *state_new(struct sched_task *task)
{
	struct timehist_task *t = xcalloc(1, sizeof(*t));
	*t = (struct timehist_task){ .task = task, .prio = -1, .runs.min = UINT64_MAX };
	return t;
}

static struct timehist_task *of_task(struct timehist *h, int tid)
{
	struct sched_task *task = sched_task(&h->tasks, tid);
	if (!task->priv)
		task->priv = state_new(task);
	return task->priv;
}

static struct timehist_task *of_idle(struct timehist *h, int cpu)
{
	while (h->idles.n <= (size_t)cpu)
		*vec_push(&h->idles) = NULL;
	struct timehist_task **t = &h->idles.at[cpu];
	if (!*t)
		*t = state_new(NULL);
	return *t;
}

/* Mean and squares are kept up as Welford showed it. */
static void add_run(struct timehist_runs *r, uint64_t ns)
{
	double delta = (double)ns - r->mean;
	r->n++;
	r->mean += delta / (double)r->n;
	r->m2 += delta * ((double)ns - r->mean);
	r->max = ns > r->max ? ns : r->max;
	r->min = ns < r->min ? ns : r->min;
}

double timehist_spread(const struct timehist_runs *r)
{
	if (r->n < 2 || r->mean == 0)
		return 0;
	return 100 * sqrt(r->m2 / (double)(r->n - 1) / (double)r->n) / r->mean;
}

static void account(struct timehist *h, struct timehist_task *t, uint64_t time, uint64_t came)
{
	struct timehist_span s = { 0 };
	if (came) {
		s.run = time - came;
		if (t->ready && t->ready <= came)
			s.delay = came - t->ready;
		if (t->left && t->left <= came)
			*(t->state == 'R' ? &s.preempt : t->state == 'D' ? &s.iowait : &s.sleep) = came - t->left;
		h->backwards += t->ready > came || t->left > came;
	}
	add_run(&t->runs, s.run);
	t->sum.run += s.run;
	t->sum.delay += s.delay;
	t->sum.sleep += s.sleep;
	t->sum.iowait += s.iowait;
	t->sum.preempt += s.preempt;
	t->last = s;
}

bool timehist_cpu(const struct timehist *h, int cpu)
{
	return !h->cpus.n || intlist_has(&h->cpus, cpu);
}

static bool unwanted(const struct timehist *h, const struct timehist_task *t)
{
	return (h->pids.n && !intlist_has(&h->pids, t->task ? t->task->pid : 0)) ||
	       (h->tids.n && !intlist_has(&h->tids, t->task ? t->task->tid : 0));
}

/* Left out for whom it is about, for the priority, or (-I) since no CPU becomes idle or ceases to be. */
static bool skips(struct timehist *h, const struct timehist_task *t, const struct sched_event *e)
{
	bool skip = unwanted(h, t);
	h->skipped += skip;
	if (h->by_prio) {
		int prio = t->prio >= 0 ? t->prio : e->kind == SCHED_SWITCH ? e->prio : -1;
		bool other = prio >= 0 && (prio >= TIMEHIST_PRIOS || !h->prios[prio]);
		h->skipped += other;
		skip |= other;
	}
	if (h->idle)
		skip |= e->kind != SCHED_SWITCH || (e->task && e->next);
	return skip;
}

static uint64_t *switched_at(struct timehist *h, int cpu)
{
	while (h->switched.n <= (size_t)cpu)
		*vec_push(&h->switched) = 0;
	return &h->switched.at[cpu];
}

/* Cuts [came, time] to what is asked for. False: nothing of it is. */
static bool in_time(const struct timehist *h, uint64_t *came, uint64_t *time)
{
	if (h->from && h->from > *time)
		return false;
	if (*came && h->from > *came)
		*came = h->from;
	if (h->to) {
		if (!*came || *came > h->to)
			return false;
		if (*time > h->to)
			*time = h->to;
	}
	return true;
}

/* -I: the time in which the CPU was idle is also that of the task that left it so. */
static bool idle_ends(struct timehist *h, struct timehist_task *idle, uint64_t time, uint64_t came)
{
	if (!idle->before)
		return false;
	account(h, idle->before, time, came);
	idle->before->last = (struct timehist_span){ 0 };
	idle->before = NULL;
	return true;
}

static bool account_switch(struct timehist *h, struct timehist_task *t, const struct sched_event *e, uint64_t *time,
			   struct timehist_line *line)
{
	uint64_t came = *switched_at(h, e->cpu), left = t->left;
	if (!in_time(h, &came, time) || (h->idle && e->task))
		return false;
	if (timehist_cpu(h, e->cpu))
		account(h, t, *time, came);
	if (h->idle && !idle_ends(h, t, *time, came))
		return false;
	line->doubtful = h->tasks.gaps.n && came && sched_tasks_gap(&h->tasks, left && left < came ? left : came, *time);
	h->doubtful += line->doubtful;
	return timehist_cpu(h, e->cpu);
}

static void on_switch(struct timehist *h, const struct sched_event *e, struct timehist_line *line)
{
	uint64_t time = e->time;
	struct timehist_task *next = e->next ? of_task(h, e->next) : of_idle(h, e->cpu);
	struct timehist_task *t = e->task ? of_task(h, e->task) : of_idle(h, e->cpu);
	/* read by skips() and by who shows the line: with which priority it came, not that with which it is seen next */
	if (next != t)
		next->prio = e->next_prio;
	if (e->task && h->idle)
		of_idle(h, e->cpu)->before = t;
	bool skip = skips(h, t, e);
	if (!skip && account_switch(h, t, e, &time, line)) {
		line->what = TIMEHIST_RUN;
		line->of = t;
	}
	line->time = time;
	if (!h->first && time >= h->from)
		h->first = time;
	if (!h->to || time <= h->to)
		h->last = time;
	if (!skip) {
		t->left = e->time;
		t->state = e->state;
		t->ready = e->state == 'R' ? time : 0;
	}
	*switched_at(h, e->cpu) = e->time;
}

static bool timely(const struct timehist *h, uint64_t time)
{
	return (!h->from || time >= h->from) && (!h->to || time <= h->to);
}

static void on_other_task(struct timehist *h, const struct sched_event *e, struct timehist_line *line, enum timehist_what what)
{
	struct timehist_task *by = of_task(h, e->tid > 0 ? e->tid : 0), *t = of_task(h, e->task);
	if (what == TIMEHIST_MIGRATION)
		t->migrations++;
	else if (!t->ready)
		t->ready = e->time;
	/* both are asked, so that both are counted */
	if ((what == TIMEHIST_WAKEUP && !timely(h, e->time)) || (skips(h, by, e) && skips(h, t, e)))
		return;
	*line = (struct timehist_line){ .what = what, .time = e->time, .of = by, .other = t };
}

void timehist_feed(struct timehist *h, const struct sched_event *e, struct timehist_line *line)
{
	*line = (struct timehist_line){ .what = TIMEHIST_NOTHING, .time = e->time };
	sched_tasks_feed(&h->tasks, e);
	if (e->kind == SCHED_LOST)
		line->what = TIMEHIST_LOST;
	if (e->cpu < 0 || e->cpu >= SCHED_CPUS_MAX)
		return;
	if (e->cpu > h->max_cpu)
		h->max_cpu = e->cpu;
	if (e->kind == SCHED_SWITCH)
		on_switch(h, e, line);
	else if (e->kind == SCHED_WAKING || (e->kind == SCHED_WAKEUP && (e->born || !h->waking)))
		on_other_task(h, e, line, TIMEHIST_WAKEUP);
	else if (e->kind == SCHED_MIGRATE)
		on_other_task(h, e, line, TIMEHIST_MIGRATION);
}

void timehist_release(struct timehist *h)
{
	vec_each(&h->idles, t)
		free(*t);
	sched_tasks_release(&h->tasks);
	vec_release(&h->idles);
	vec_release(&h->switched);
	vec_release(&h->cpus);
	vec_release(&h->pids);
	vec_release(&h->tids);
}

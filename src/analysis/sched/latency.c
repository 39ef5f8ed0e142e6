// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/sched/latency.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"

/* What is known of the latest time that a task was off its CPU. */
enum phase { SLEEPS, WAITS, RUNS, UNCLEAR };
struct atoms {
	uint64_t out, wake; /* when it left its CPU; since when it may run */
	enum phase phase;
	struct latency_row sum;
};

static struct atoms *atoms_of(struct latency *l, int tid, bool *is_new)
{
	struct sched_task *t = sched_task(&l->tasks, tid);
	*is_new = !t->priv;
	if (*is_new)
		t->priv = xcalloc(1, sizeof(struct atoms));
	return t->priv;
}

static void leaves(struct atoms *a, char state, uint64_t time)
{
	a->out = time;
	a->phase = state == 'R' ? WAITS : SLEEPS;
	a->wake = state == 'R' ? time : 0;
}

static void comes(struct latency *l, struct atoms *a, int tid, uint64_t time)
{
	if (a->phase != WAITS)
		return;
	if (time < a->wake) {
		a->phase = UNCLEAR;
		return;
	}
	uint64_t delay = time - a->wake;
	a->phase = RUNS;
	a->sum.delay += delay;
	a->sum.count++;
	l->doubtful += tid && l->tasks.gaps.n && sched_tasks_gap(&l->tasks, a->wake, time);
	if (delay > a->sum.max) {
		a->sum.max = delay;
		a->sum.max_from = a->wake;
		a->sum.max_to = time;
	}
}

static void on_switch(struct latency *l, const struct sched_event *e)
{
	bool is_new;
	struct atoms *a = atoms_of(l, e->task, &is_new);
	if (e->cpu >= 0 && e->cpu < SCHED_CPUS_MAX) {
		while (l->running.n <= (size_t)e->cpu)
			*vec_push(&l->running) = -1;
		int *running = &l->running.at[e->cpu];
		l->bugs += *running >= 0 && *running != e->task;
		*running = e->next;
	}
	leaves(a, e->state, e->time);
	a = atoms_of(l, e->next, &is_new);
	if (is_new)
		leaves(a, 'R', e->time);
	comes(l, a, e->next, e->time);
}

static void on_wakeup(struct latency *l, const struct sched_event *e)
{
	bool is_new;
	struct atoms *a = atoms_of(l, e->task, &is_new);
	if (is_new)
		leaves(a, 'S', e->time);
	/* who is woken before he has left his CPU never waited; where one CPU was recorded, his leaving may not have been seen */
	if (!l->one_cpu && a->phase != SLEEPS)
		return;
	l->timestamps++;
	if (a->out > e->time) {
		l->unordered++;
		return;
	}
	a->phase = WAITS;
	a->wake = e->time;
}

static void on_migrate(struct latency *l, const struct sched_event *e)
{
	bool is_new;
	if (!l->one_cpu)
		return;
	struct atoms *a = atoms_of(l, e->task, &is_new);
	if (is_new)
		leaves(a, 'R', e->time);
	a->out = a->wake = e->time;
	l->timestamps++;
}

static void on_runtime(struct latency *l, const struct sched_event *e)
{
	bool is_new;
	struct atoms *a = atoms_of(l, e->task, &is_new);
	if (is_new)
		leaves(a, 'R', e->time);
	a->sum.runtime += e->amount;
}

void latency_feed(struct latency *l, const struct sched_event *e)
{
	l->events++;
	sched_tasks_feed(&l->tasks, e);
	if (e->kind == SCHED_SWITCH)
		on_switch(l, e);
	else if (e->kind == SCHED_WAKING || (e->kind == SCHED_WAKEUP && (e->born || !l->waking)))
		on_wakeup(l, e);
	else if (e->kind == SCHED_MIGRATE)
		on_migrate(l, e);
	else if (e->kind == SCHED_RUNTIME)
		on_runtime(l, e);
}

/* ---- rows ---- */

static int by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t average(const struct latency_row *r)
{
	return r->count ? r->delay / r->count : 0;
}

static int compare(const char *key, const struct latency_row *a, const struct latency_row *b)
{
	if (!strcmp(key, "runtime"))
		return by_number(a->runtime, b->runtime);
	if (!strcmp(key, "switch"))
		return by_number(a->count, b->count);
	if (!strcmp(key, "avg"))
		return by_number(average(a), average(b));
	if (!strcmp(key, "max"))
		return by_number(a->max, b->max);
	return by_number(a->tid, b->tid);
}

int latency_sort(struct latency *l, const char *keys)
{
	static const char *const known[] = { "runtime", "switch", "avg", "max", "pid" };
	wordlist words = { 0 };
	int err = 0;
	wordlist_split(&words, keys, ',');
	l->n_sort = 0;
	vec_each(&words, w) {
		const char *key = *w + strspn(*w, " ");
		size_t k = 0;
		while (k < 5 && strcmp(known[k], key))
			k++;
		if (k == 5 || l->n_sort == 8) {
			error_set(EINVAL, "-s: '%s' is not a key", key);
			err = error_hint("runtime, switch, avg, max, pid");
			break;
		}
		l->sort[l->n_sort++] = (char *)known[k];
	}
	wordlist_release(&words);
	return err;
}

/* Largest first. What the keys do not tell apart stands in the order of names, or of numbers, from the last one on. */
static int row_order(const void *x, const void *y, void *ctx)
{
	static const char *const standard[] = { "avg", "max", "switch", "runtime" };
	const struct latency_row *a = x, *b = y;
	const struct latency *l = ctx;
	size_t n = l->n_sort ? l->n_sort : 4;
	for (size_t i = 0; i < n; i++) {
		int c = compare(l->n_sort ? l->sort[i] : standard[i], a, b);
		if (c)
			return -c;
	}
	int c = l->by_task ? 0 : strcmp(b->name, a->name);
	return c ? c : by_number(b->tid, a->tid);
}

void latency_sort_rows(struct latency *l)
{
	if (l->rows.n)
		qsort_r(l->rows.at, l->rows.n, sizeof(l->rows.at[0]), row_order, l);
}

static void add_row(struct latency_row *to, const struct latency_row *r)
{
	to->tasks += r->tasks;
	to->runtime += r->runtime;
	to->count += r->count;
	to->delay += r->delay;
	if (r->max > to->max) {
		to->max = r->max;
		to->max_from = r->max_from;
		to->max_to = r->max_to;
	}
}

/* Into the row of that name, or a row of its own. */
static void put_row(struct latency *l, const struct latency_row *r)
{
	size_t at = l->by_task ? 0 : (uintptr_t)u64map_get(&l->named, (uintptr_t)r->name);
	if (at) {
		add_row(&l->rows.at[at - 1], r);
		return;
	}
	*vec_push(&l->rows) = *r;
	u64map_set(&l->named, (uintptr_t)r->name, (void *)(uintptr_t)l->rows.n);
}

void latency_add(struct latency *l, const struct latency_row *r, const char *name)
{
	struct latency_row row = *r;
	row.name = sched_tasks_name(&l->tasks, name);
	put_row(l, &row);
}

void latency_finish(struct latency *l)
{
	vec_each(&l->tasks.all, t) {
		struct atoms *a = (*t)->priv;
		if (!a || !(*t)->tid)
			continue;
		a->sum.tid = (*t)->tid;
		a->sum.name = (*t)->name;
		a->sum.tasks = 1;
		put_row(l, &a->sum);
	}
	latency_sort_rows(l);
}

void latency_release(struct latency *l)
{
	sched_tasks_release(&l->tasks);
	vec_release(&l->running);
	vec_release(&l->rows);
	u64map_release(&l->named);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/sched/tasks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

void sched_tasks_release(struct sched_tasks *t)
{
	size_t cursor = 0;
	void *name;
	vec_each(&t->all, task) {
		free((*task)->priv);
		free(*task);
	}
	while (strmap_next(&t->names, &cursor, NULL, &name))
		free(name);
	u64map_release(&t->now);
	strmap_release(&t->names);
	vec_release(&t->all);
	vec_release(&t->gaps);
	vec_release(&t->seen);
}

const char *sched_tasks_name(struct sched_tasks *t, const char *name)
{
	char *copy = strmap_get(&t->names, name);
	if (!copy) {
		copy = xstrdup(name);
		strmap_set(&t->names, name, copy);
	}
	return copy;
}

static struct sched_task *task_new(struct sched_tasks *t, int tid)
{
	struct sched_task *task = xcalloc(1, sizeof(*task));
	char number[16];
	snprintf(number, sizeof(number), ":%d", tid);
	*task = (struct sched_task){ .tid = tid, .pid = tid ? -1 : 0, .ppid = -1, .named = !tid };
	task->name = sched_tasks_name(t, tid ? number : "swapper");
	*vec_push(&t->all) = task;
	u64map_set(&t->now, (uint32_t)tid, task);
	return task;
}

struct sched_task *sched_task_find(const struct sched_tasks *t, int tid)
{
	return u64map_get(&t->now, (uint32_t)tid);
}

struct sched_task *sched_task(struct sched_tasks *t, int tid)
{
	struct sched_task *task = sched_task_find(t, tid);
	return task ? task : task_new(t, tid);
}

static void call_it(struct sched_tasks *t, struct sched_task *task, const char *name)
{
	task->name = sched_tasks_name(t, name);
	task->named = true;
}

/* What an event says by the way of somebody whose name was not told. */
static void hear(struct sched_tasks *t, int tid, const char *name)
{
	if (tid <= 0)
		return;
	struct sched_task *task = sched_task(t, tid);
	if (!task->named && name && *name)
		call_it(t, task, name);
}

static void feed_fork(struct sched_tasks *t, const struct sched_event *e)
{
	struct sched_task *task = sched_task_find(t, e->task);
	const struct sched_task *parent = sched_task_find(t, e->next);
	if (!e->task)
		return;
	/* the file's first records tell of those that are there already, once more of some */
	if (!task || task->ended || (e->time && task->pid >= 0 && task->pid != e->task_pid) || task->priv)
		task = task_new(t, e->task);
	task->pid = e->task_pid;
	task->ppid = e->next;
	if (parent && parent->named)
		call_it(t, task, parent->name);
}

static void feed_gap(struct sched_tasks *t, const struct sched_event *e)
{
	uint64_t from = e->cpu >= 0 && (size_t)e->cpu < t->seen.n ? t->seen.at[e->cpu] : 0;
	*vec_push(&t->gaps) = (struct sched_gap){ .from = from, .to = e->time, .events = e->amount, .cpu = e->cpu };
	t->lost += e->amount;
}

static void feed_seen(struct sched_tasks *t, const struct sched_event *e)
{
	if (e->cpu < 0 || e->cpu >= SCHED_CPUS_MAX)
		return;
	while (t->seen.n <= (size_t)e->cpu)
		*vec_push(&t->seen) = 0;
	if (e->time > t->seen.at[e->cpu])
		t->seen.at[e->cpu] = e->time;
}

void sched_tasks_feed(struct sched_tasks *t, const struct sched_event *e)
{
	struct sched_task *task;
	switch (e->kind) {
	case SCHED_FORK:
		feed_fork(t, e);
		break;
	case SCHED_EXIT:
		task = sched_task_find(t, e->task);
		if (task)
			task->ended = true;
		break;
	case SCHED_NAME:
		task = sched_task(t, e->task);
		task->pid = e->task_pid;
		if (e->name)
			call_it(t, task, e->name);
		break;
	case SCHED_LOST:
		feed_gap(t, e);
		break;
	case SCHED_OTHER:
		break;
	default:
		hear(t, e->task, e->name);
		hear(t, e->next, e->next_name);
	}
	task = e->tid > 0 && e->kind != SCHED_FORK ? sched_task_find(t, e->tid) : NULL;
	if (task && task->pid < 0)
		task->pid = e->pid;
	feed_seen(t, e);
}

bool sched_tasks_gap(const struct sched_tasks *t, uint64_t from, uint64_t to)
{
	for (size_t i = t->gaps.n; i-- && t->gaps.at[i].to >= from;)
		if (t->gaps.at[i].from <= to)
			return true;
	return false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>
#include "picture/pack.h"
#include "picture/timeline/timeline.h"

enum { TEXT_BLOCK = 1 << 20, TEXT_MAX = 4000 };

void timeline_init(struct timeline *t)
{
	for (int i = 0; i < COLUMN_N; i++)
		str_init(&t->column[i]);
	str_init(&t->texts);
	*vec_push(&t->tasks) = NULL;
	if (!t->most)
		t->most = TIMELINE_MOST;
}

int timeline_kind(struct timeline *t, const char *name, enum timeline_type type)
{
	for (size_t i = 0; i < t->kinds.n; i++)
		if (t->kinds.at[i].type == type && !strcmp(t->kinds.at[i].name, name))
			return (int)i;
	*vec_push(&t->kinds) = (struct timeline_kind){ xstrdup(name), type };
	return (int)t->kinds.n - 1;
}

static void put(struct timeline *t, enum timeline_column c, uint64_t v)
{
	enum { BITS = 7, MORE = 1 << BITS };
	struct str *s = &t->column[c];
	for (; v >= MORE; v >>= BITS)
		str_addc(s, (char)((v & (MORE - 1)) | MORE));
	str_addc(s, (char)v);
}

/* A number for each task that is met; 0 is a CPU's idle one. */
static uint32_t number(struct timeline *t, int tid)
{
	if (tid <= 0)
		return 0;
	const struct sched_task *task = sched_task(&t->runs.tasks, tid);
	size_t n = (uintptr_t)u64map_get(&t->numbers, (uintptr_t)task);
	if (n)
		return (uint32_t)n;
	*vec_push(&t->tasks) = task;
	u64map_set(&t->numbers, (uintptr_t)task, (void *)(uintptr_t)(t->tasks.n - 1));
	return (uint32_t)(t->tasks.n - 1);
}

bool timeline_takes(const struct timeline *t, const struct sched_task *task)
{
	struct thread who = { .pid = task ? task->pid : 0, .tid = task ? task->tid : 0, .comm = task ? task->name : "swapper" };
	return !t->only || filter_thread(t->only, &who);
}

static bool takes_tid(struct timeline *t, int tid)
{
	return tid >= 0 && timeline_takes(t, tid ? sched_task(&t->runs.tasks, tid) : NULL);
}

/* One that somebody has to do with who is drawn; what was lost concerns all. */
static bool is_drawn(struct timeline *t, const struct sched_event *e, enum timeline_type type)
{
	if (!t->only || type == TIMELINE_LOST)
		return true;
	if (!filter_cpu(t->only, e->cpu))
		return false;
	bool two = type == TIMELINE_SWITCH || type == TIMELINE_WAKEUP || type == TIMELINE_MIGRATE;
	return takes_tid(t, two ? e->task : e->tid) || (two && takes_tid(t, type == TIMELINE_SWITCH ? e->next : e->tid));
}

/* -1 is a number, too: of a deadline task, or it is not told. */
static void put_small(struct timeline *t, enum timeline_column c, int v)
{
	put(t, c, v < -1 ? 0 : (uint64_t)v + 1);
}

static void put_switch(struct timeline *t, const struct sched_event *e, const struct timehist_line *l)
{
	struct timehist_span none = { 0 };
	const struct timehist_span *d = l->what == TIMEHIST_RUN ? &l->of->last : &none;
	put(t, COLUMN_NEXT, number(t, e->next));
	put_small(t, COLUMN_PRIO, e->prio);
	put_small(t, COLUMN_PRIO, e->next_prio);
	put(t, COLUMN_STATE, (uint64_t)e->state);
	put(t, COLUMN_RUN, d->run);
	put(t, COLUMN_DELAY, d->delay);
	put(t, COLUMN_WAIT, d->sleep + d->iowait + d->preempt);
	put(t, COLUMN_DOUBT, l->doubtful);
}

static void put_text(struct timeline *t, const struct str *text)
{
	struct str safe = STR_INIT;
	if (text)
		str_add_safe(&safe, text->buf, text->len < TEXT_MAX ? text->len : TEXT_MAX);
	if (t->texts.len + safe.len > TEXT_BLOCK) {
		struct str *b = vec_push(&t->blocks);
		str_init(b);
		pack_bytes(b, &t->texts);
		str_clear(&t->texts);
	}
	str_addn(&t->texts, safe.buf, safe.len);
	put(t, COLUMN_TEXT, safe.len);
	str_release(&safe);
}

static void put_rest(struct timeline *t, const struct sched_event *e, enum timeline_type type, const struct str *text, uint64_t amount)
{
	if (type == TIMELINE_WAKEUP || type == TIMELINE_MIGRATE) {
		put(t, COLUMN_OTHER, number(t, e->task));
		put_small(t, COLUMN_PRIO, e->prio);
		put_small(t, COLUMN_TO, e->to_cpu);
	}
	if (type == TIMELINE_MIGRATE)
		put_small(t, COLUMN_FROM, e->from_cpu);
	if (type == TIMELINE_LOST) {
		const struct sched_gap *g = vec_last(&t->runs.tasks.gaps);
		put(t, COLUMN_AMOUNT, e->amount);
		put(t, COLUMN_AMOUNT, g->from && g->to > g->from ? g->to - g->from : 0);
	}
	if (type == TIMELINE_CALL || type == TIMELINE_SAMPLE)
		put(t, COLUMN_AMOUNT, amount);
	if (type >= TIMELINE_TICK)
		put_text(t, text);
}

void timeline_add(struct timeline *t, const struct sched_event *e, int kind, const struct str *text, uint64_t amount)
{
	struct timehist_line line;
	timehist_feed(&t->runs, e, &line);
	if (kind < 0 || !is_drawn(t, e, t->kinds.at[kind].type))
		return;
	if (t->events >= t->most) {
		t->left_out++;
		return;
	}
	enum timeline_type type = t->kinds.at[kind].type;
	uint64_t time = e->time > t->before ? e->time : t->before;
	if (!t->events++)
		t->first = t->before = time;
	put(t, COLUMN_TIME, time - t->before);
	t->before = t->last = time;
	put(t, COLUMN_KIND, (uint64_t)kind);
	put(t, COLUMN_CPU, (uint64_t)(e->cpu + 1));
	put(t, COLUMN_TASK, number(t, type == TIMELINE_SWITCH ? e->task : e->tid));
	if (e->cpu >= t->n_cpus && e->cpu < SCHED_CPUS_MAX)
		t->n_cpus = e->cpu + 1;
	if (type == TIMELINE_SWITCH)
		put_switch(t, e, &line);
	else
		put_rest(t, e, type, text, amount);
}

void timeline_release(struct timeline *t)
{
	for (int i = 0; i < COLUMN_N; i++)
		str_release(&t->column[i]);
	vec_each(&t->kinds, k)
		free(k->name);
	vec_each(&t->blocks, b)
		str_release(b);
	str_release(&t->texts);
	vec_release(&t->kinds);
	vec_release(&t->blocks);
	vec_release(&t->tasks);
	vec_release(&t->rows);
	u64map_release(&t->numbers);
	timehist_release(&t->runs);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The scheduler's events, folded: delays and waits of known sequences; numbers that are used again; events that are lost, late or
 * nonsense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/sched/latency.h"
#include "analysis/sched/timehist.h"
#include "base/error.h"

static struct sched_event on_cpu(enum sched_kind kind, uint64_t time, int cpu)
{
	return (struct sched_event){ .kind = kind, .time = time, .cpu = cpu, .pid = -1, .tid = -1, .task = -1, .next = -1, .task_pid = -1,
				     .prio = 120, .next_prio = 120, .state = 'R' };
}

static struct sched_event switching(uint64_t time, int cpu, int from, char state, int to)
{
	struct sched_event e = on_cpu(SCHED_SWITCH, time, cpu);
	e.task = from;
	e.state = state;
	e.next = to;
	return e;
}

static struct sched_event waking(uint64_t time, int cpu, int task)
{
	struct sched_event e = on_cpu(SCHED_WAKING, time, cpu);
	e.task = task;
	return e;
}

static struct sched_event forking(uint64_t time, int task, int parent)
{
	struct sched_event e = on_cpu(SCHED_FORK, time, 0);
	e.task = e.task_pid = task;
	e.next = parent;
	return e;
}

static struct sched_event losing(uint64_t time, int cpu, uint64_t n)
{
	struct sched_event e = on_cpu(SCHED_LOST, time, cpu);
	e.amount = n;
	return e;
}

/* 7 sleeps from 100 to 160, may run from 150 on; is preempted from 200 to 230. */
static const struct latency_row *row_of(const struct latency *l, int tid)
{
	for (size_t i = 0; i < l->rows.n; i++)
		if (l->rows.at[i].tid == tid)
			return &l->rows.at[i];
	return NULL;
}

static void test_latency(void **state)
{
	struct latency l = { .waking = true, .by_task = true };
	const struct sched_event e[] = { switching(100, 0, 7, 'S', 0), waking(150, 1, 7), switching(160, 0, 0, 'R', 7),
					 switching(200, 0, 7, 'R', 8), switching(230, 0, 8, 'S', 7) };
	(void)state;
	for (size_t i = 0; i < 5; i++)
		latency_feed(&l, &e[i]);
	latency_finish(&l);
	const struct latency_row *r = row_of(&l, 7);
	assert_non_null(r);
	assert_int_equal(r->count, 2);
	assert_int_equal(r->delay, 10 + 30);
	assert_int_equal(r->max, 30);
	assert_int_equal(r->max_from, 200);
	assert_int_equal(r->max_to, 230);
	assert_int_equal(l.bugs + l.unordered + l.doubtful, 0);
	assert_int_equal(latency_sort(&l, "max,runtime"), 0);
	assert_int_equal(latency_sort(&l, "max,nosuch"), -22);
	error_clear();
	latency_release(&l);
}

static void test_late(void **state)
{
	struct latency l = { .waking = true, .by_task = true };
	/* woken before it left, by a clock that is behind; then another than the one that runs leaves */
	const struct sched_event e[] = { switching(100, 0, 7, 'S', 0), waking(90, 1, 7), switching(160, 0, 0, 'R', 7),
					 switching(200, 0, 9, 'S', 8) };
	(void)state;
	for (size_t i = 0; i < 4; i++)
		latency_feed(&l, &e[i]);
	latency_finish(&l);
	assert_int_equal(l.unordered, 1);
	assert_int_equal(l.bugs, 1);
	assert_int_equal(row_of(&l, 7)->count, 0); /* no delay is made up */
	latency_release(&l);
}

static void test_lost(void **state)
{
	struct latency l = { .waking = true, .by_task = true };
	struct timehist h = { .waking = true };
	struct timehist_line line;
	const struct sched_event e[] = { switching(100, 0, 0, 'R', 7), waking(110, 1, 9), losing(150, 0, 12), switching(200, 0, 7, 'S', 9),
					 switching(210, 0, 9, 'S', 7), switching(300, 0, 7, 'S', 0) };
	bool doubt[6] = { false };
	(void)state;
	timehist_begin(&h, 2);
	for (size_t i = 0; i < 6; i++) {
		latency_feed(&l, &e[i]);
		timehist_feed(&h, &e[i], &line);
		doubt[i] = line.doubtful;
		assert_int_equal(line.what == TIMEHIST_LOST, i == 2);
	}
	assert_int_equal(l.tasks.lost, 12);
	assert_int_equal(l.tasks.gaps.at[0].from, 100); /* the event before it on that CPU */
	assert_int_equal(l.doubtful, 1); /* the delay of 9, from 110 to 200 */
	assert_true(doubt[3]); /* 7 ran from 100 to 200, as far as was seen */
	assert_false(doubt[5]);
	assert_int_equal(h.doubtful, 1);
	latency_release(&l);
	timehist_release(&h);
}

static void test_waits(void **state)
{
	static const struct { char left; size_t at; } kinds[] = {
		{ 'R', offsetof(struct timehist_span, preempt) }, { 'D', offsetof(struct timehist_span, iowait) }, { 'S', offsetof(struct timehist_span, sleep) },
	};
	(void)state;
	for (size_t k = 0; k < 3; k++) {
		struct timehist h = { .waking = true };
		struct timehist_line line;
		const struct sched_event e[] = { switching(100, 0, 7, kinds[k].left, 0), waking(130, 1, 7), switching(140, 0, 0, 'R', 7),
						 switching(190, 0, 7, 'S', 0) };
		timehist_begin(&h, 2);
		for (size_t i = 0; i < 4; i++)
			timehist_feed(&h, &e[i], &line);
		const struct timehist_span *s = &line.of->last;
		uint64_t wait;
		memcpy(&wait, (const char *)s + kinds[k].at, sizeof(wait));
		assert_int_equal(line.what, TIMEHIST_RUN);
		assert_int_equal(line.of->task->tid, 7);
		assert_int_equal(s->run, 50);
		assert_int_equal(wait, 40);
		assert_int_equal(s->sleep + s->iowait + s->preempt, 40);
		assert_int_equal(s->delay, kinds[k].left == 'R' ? 40 : 10); /* preempted: it could run all the time */
		assert_int_equal(h.idles.at[0]->sum.run, 40);
		timehist_release(&h);
	}
}

/* A number that is used again is another task; its name comes from its parent, or from what events say. */
static void test_again(void **state)
{
	struct sched_tasks t = { 0 };
	struct sched_event e = switching(100, 0, 5, 'Z', 0), end = on_cpu(SCHED_EXIT, 90, 0), fork = forking(200, 5, 3), name = on_cpu(SCHED_NAME, 50, 0);
	(void)state;
	name.task = name.task_pid = 3;
	name.name = "parent";
	sched_tasks_feed(&t, &name);
	e.name = "first";
	end.task = 5;
	sched_tasks_feed(&t, &end); /* of nobody yet */
	sched_tasks_feed(&t, &e);
	struct sched_task *first = sched_task_find(&t, 5);
	assert_string_equal(first->name, "first");
	sched_tasks_feed(&t, &end);
	assert_true(first->ended);
	sched_tasks_feed(&t, &fork);
	assert_ptr_not_equal(sched_task_find(&t, 5), first);
	assert_string_equal(sched_task_find(&t, 5)->name, "parent");
	assert_int_equal(sched_task_find(&t, 5)->ppid, 3);
	assert_string_equal(sched_task(&t, 77)->name, ":77");
	sched_tasks_release(&t);
}

/* Anything at all: no CPU, no task and no time is taken for granted. */
static void test_nonsense(void **state)
{
	static const int numbers[] = { 0, 1, 2, 7, -1, -2147483647, 2147483647, 8191, 8192, 100000 };
	static const uint64_t times[] = { 0, 1, 100, 99, 5000000000, UINT64_MAX, UINT64_MAX / 2 };
	struct latency l = { 0 };
	struct timehist h = { 0 };
	struct timehist_line line;
	uint64_t seed = 9;
	(void)state;
	timehist_begin(&h, -5);
	for (int i = 0; i < 50000; i++) {
		uint64_t r[8];
		for (int k = 0; k < 8; k++)
			r[k] = (seed = seed * 6364136223846793005ull + 1442695040888963407ull) >> 33;
		struct sched_event e = on_cpu((enum sched_kind)(r[0] % (SCHED_LOST + 1)), times[r[1] % 7] + r[1] % 50, numbers[r[2] % 10]);
		e.task = numbers[r[3] % 10];
		e.next = numbers[r[4] % 10];
		e.tid = numbers[r[5] % 10];
		e.prio = numbers[r[6] % 10];
		e.state = "RSDZ"[r[7] % 4];
		e.amount = times[r[6] % 7];
		e.name = r[7] % 3 ? "x" : NULL;
		latency_feed(&l, &e);
		timehist_feed(&h, &e, &line);
		assert_true(line.what == TIMEHIST_NOTHING || line.what == TIMEHIST_LOST || line.of);
	}
	latency_finish(&l);
	assert_true(h.switched.n <= SCHED_CPUS_MAX && h.idles.n <= SCHED_CPUS_MAX && l.running.n <= SCHED_CPUS_MAX);
	latency_release(&l);
	timehist_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_latency), cmocka_unit_test(test_late), cmocka_unit_test(test_lost),
		cmocka_unit_test(test_waits), cmocka_unit_test(test_again), cmocka_unit_test(test_nonsense) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}

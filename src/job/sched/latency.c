// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/sched/latency.h"
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include "attach/schedsum.h"
#include "base/error.h"
#include "job/life.h"
#include "kernel/rights/caps.h"

/* Rows are summed by name, as those of a file are. */
static void take(void *ctx, int tid, const struct schedsum_task *t)
{
	struct latency *l = ctx;
	if (!t->count && !t->runtime)
		return;
	const struct latency_row row = { .tid = tid, .tasks = 1, .runtime = t->runtime, .count = t->count, .delay = t->delay,
					 .max = t->max, .max_from = t->max_from, .max_to = t->max_to };
	char name[sizeof(t->name) + 1] = { 0 };
	memcpy(name, t->name, sizeof(t->name));
	latency_add(l, &row, name);
}

static void say_loss(const struct schedsum_loss *lost)
{
	if (lost->tasks)
		warn("there were more than %d tasks: others are not in the table", SCHEDSUM_TASKS);
	if (lost->wakeups)
		warn("%llu wakeups were not seen, so that many delays may be missing", (unsigned long long)lost->wakeups);
}

static int measure(struct latency *l, struct life *life, struct schedsum *s)
{
	life_give_up_rights(life, CAP_BIT(CAP_BPF) | CAP_BIT(CAP_PERFMON));
	schedsum_start(s);
	int err = life_start(life);
	if (!err)
		life_wait(life, 0);
	int end = schedsum_finish(s, take, l);
	struct schedsum_loss lost = schedsum_lost(s);
	life_finish(life);
	say_loss(&lost);
	return err ? err : end;
}

int sched_latency_live(struct latency *l, char **command)
{
	struct life life = { 0 };
	struct workload_options how = { 0 };
	int err = life_fork(&life, command, &how);
	struct schedsum *s = err ? NULL : schedsum_open();
	if (!err)
		err = s ? measure(l, &life, s) : error_code();
	int code = err ? EXIT_SONDE : life_code(&life);
	schedsum_close(s);
	life_release(&life);
	if (!err)
		latency_sort_rows(l);
	return code;
}

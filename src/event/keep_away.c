// SPDX-License-Identifier: GPL-2.0-or-later
#include "event/keep_away.h"
#include <string.h>
#include <time.h>
#include "kernel/clock.h"

enum { PERIOD_NS = 20000000, WORTH = 65536 /* bytes below which it does not matter */ };

static uint64_t own_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

void keep_away_init(struct keep_away *k)
{
	memset(k, 0, sizeof(*k));
	k->on = !sched_getaffinity(0, sizeof(k->allowed), &k->allowed) && CPU_COUNT(&k->allowed) > 1;
	k->chosen = k->allowed;
}

static void move(struct keep_away *k, const cpu_set_t *to)
{
	if (!CPU_EQUAL(to, &k->chosen) && !sched_setaffinity(0, sizeof(*to), to))
		k->chosen = *to;
}

/* Has that CPU time for us? Where we are, nobody is in need as long as it is idle now and then, or we are alone; where
 * we are not there must be much more, lest we go back and forth. */
static bool has_time(uint64_t idle_ns, uint64_t own_ns, uint64_t ns, bool there)
{
	uint64_t ours = idle_ns + own_ns, others = ours < ns ? ns - ours : 0;
	return there ? idle_ns >= ns / 20 || others <= ns / 20 : idle_ns >= ns / 4 * 3;
}

bool keep_away_choose(cpu_set_t *to, const cpu_set_t *allowed, const struct cpu_use *use, unsigned n_cpus,
		      uint64_t ns, uint64_t own_ns, unsigned here)
{
	uint64_t all = 0, most = 0;
	unsigned busiest = 0;
	for (unsigned i = 0; i < n_cpus; i++) {
		all += use[i].written;
		if (use[i].written > most) {
			most = use[i].written;
			busiest = i;
		}
	}
	if (all < WORTH)
		return false;
	cpu_set_t before = *to;
	*to = *allowed;
	if (most <= all / 4 * 3)
		return true;
	CPU_CLR(busiest, to);
	for (unsigned i = 0; i < n_cpus; i++)
		if (CPU_ISSET(i, to) && !has_time(use[i].idle_ns, i == here ? own_ns : 0, ns, CPU_ISSET(i, &before)))
			CPU_CLR(i, to);
	if (!CPU_COUNT(to)) {
		if (CPU_ISSET(busiest, allowed))
			CPU_SET(busiest, to);
		else
			*to = *allowed;
	}
	return true;
}

void keep_away_look(struct keep_away *k, unsigned n_cpus, struct cpu_use (*use)(void *ctx, unsigned cpu), void *ctx)
{
	struct cpu_use did[CPU_SETSIZE];
	uint64_t now, own;
	int here = sched_getcpu();
	if (!k->on || (now = clock_ns()) - k->time < PERIOD_NS)
		return;
	if (n_cpus > CPU_SETSIZE)
		n_cpus = CPU_SETSIZE;
	own = own_time();
	for (unsigned i = 0; i < n_cpus; i++) {
		struct cpu_use u = use(ctx, i);
		did[i] = (struct cpu_use){ u.written - k->seen[i].written, u.idle_ns - k->seen[i].idle_ns };
		k->seen[i] = u;
	}
	cpu_set_t to = k->chosen;
	bool first = !k->time;
	if (!first && keep_away_choose(&to, &k->allowed, did, n_cpus, now - k->time, own - k->own_ns, here))
		move(k, &to);
	k->time = now;
	k->own_ns = own;
}

void keep_away_end(struct keep_away *k)
{
	if (k->on)
		move(k, &k->allowed);
}

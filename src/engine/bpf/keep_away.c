// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/bpf/keep_away.h"
#include <string.h>
#include <time.h>
#include "kernel/clock.h"

enum { QUICK_NS = 5000000, SLOW_NS = 20000000, WORTH = 65536 /* bytes below which it does not matter */ };

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

/* Has that CPU time for us? Where we are, nobody is in need as long as it is idle now and then, or nobody else took
 * more than `spared` of it; where we are not there must be much more, lest we go back and forth. */
static bool has_time(uint64_t idle_ns, uint64_t own_ns, uint64_t ns, uint64_t spared, bool there)
{
	uint64_t ours = idle_ns + own_ns, others = ours < ns ? ns - ours : 0;
	return there ? idle_ns >= ns / 20 || others <= spared : idle_ns >= ns / 4 * 3;
}

bool keep_away_choose(cpu_set_t *to, const cpu_set_t *allowed, const struct cpu_use *use, unsigned n_cpus,
		      uint64_t ns, uint64_t own_ns, unsigned here, bool quick)
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
	for (unsigned i = 0; i < n_cpus; i++) {
		bool there = CPU_ISSET(i, &before), has = !quick || there;
		if (CPU_ISSET(i, to) && !(has && has_time(use[i].idle_ns, i == here ? own_ns : 0, ns, quick ? ns / 4 : ns / 20, there)))
			CPU_CLR(i, to);
	}
	if (!CPU_COUNT(to)) {
		if (CPU_ISSET(busiest, allowed))
			CPU_SET(busiest, to);
		else
			*to = *allowed;
	}
	return true;
}

/* What the CPUs did since the window began, which then begins anew. */
static void turn(struct cpu_window *w, const struct cpu_use *now, struct cpu_use *did, unsigned n_cpus)
{
	for (unsigned i = 0; i < n_cpus; i++) {
		did[i] = (struct cpu_use){ now[i].written - w->seen[i].written, now[i].idle_ns - w->seen[i].idle_ns };
		w->seen[i] = now[i];
	}
}

void keep_away_look(struct keep_away *k, unsigned n_cpus, struct cpu_use (*use)(void *ctx, unsigned cpu), void *ctx)
{
	struct cpu_use all[CPU_SETSIZE], did[CPU_SETSIZE];
	uint64_t now, own;
	int here = sched_getcpu();
	if (!k->on || (now = clock_ns()) - k->quick.time < QUICK_NS)
		return;
	if (n_cpus > CPU_SETSIZE)
		n_cpus = CPU_SETSIZE;
	own = own_time();
	for (unsigned i = 0; i < n_cpus; i++)
		all[i] = use(ctx, i);
	bool quick = now - k->slow.time < SLOW_NS;
	struct cpu_window *w = quick ? &k->quick : &k->slow;
	cpu_set_t to = k->chosen;
	turn(w, all, did, n_cpus);
	if (w->time && keep_away_choose(&to, &k->allowed, did, n_cpus, now - w->time, own - w->own_ns, here, quick))
		move(k, &to);
	w->own_ns = own;
	w->time = now;
	if (!quick) {
		turn(&k->quick, all, did, n_cpus);
		k->quick.own_ns = own;
		k->quick.time = now;
	}
}

void keep_away_end(struct keep_away *k)
{
	if (k->on)
		move(k, &k->allowed);
}

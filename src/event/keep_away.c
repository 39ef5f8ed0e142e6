// SPDX-License-Identifier: GPL-2.0-or-later
#include "event/keep_away.h"
#include <string.h>

enum { EVERY = 32, WORTH = 65536 }; /* looks; bytes below which it does not matter */

void keep_away_init(struct keep_away *k)
{
	memset(k, 0, sizeof(*k));
	k->avoided = -1;
	k->on = !sched_getaffinity(0, sizeof(k->allowed), &k->allowed) && CPU_COUNT(&k->allowed) > 1;
}

static void avoid(struct keep_away *k, int cpu)
{
	cpu_set_t set = k->allowed;
	if (cpu == k->avoided)
		return;
	if (cpu >= 0)
		CPU_CLR(cpu, &set);
	if (CPU_COUNT(&set) && !sched_setaffinity(0, sizeof(set), &set))
		k->avoided = cpu;
}

void keep_away_look(struct keep_away *k, unsigned n_cpus, uint64_t (*head)(void *ctx, unsigned cpu), void *ctx)
{
	uint64_t all = 0, most = 0;
	int busiest = -1;
	if (!k->on || k->calls++ % EVERY)
		return;
	for (unsigned i = 0; i < n_cpus && i < CPU_SETSIZE; i++) {
		uint64_t h = head(ctx, i), wrote = h - k->seen[i];
		k->seen[i] = h;
		all += wrote;
		if (wrote > most) {
			most = wrote;
			busiest = i;
		}
	}
	if (all < WORTH)
		return;
	avoid(k, most > all / 4 * 3 ? busiest : -1);
}

void keep_away_end(struct keep_away *k)
{
	if (k->on)
		avoid(k, -1);
}

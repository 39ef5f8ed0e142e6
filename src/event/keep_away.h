/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the reader of per-CPU rings off the CPU that nearly everything comes from: it would take its time from the
 * traced program. */
#ifndef EVENT_KEEP_AWAY_H
#define EVENT_KEEP_AWAY_H
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
struct keep_away {
	cpu_set_t allowed; /* what the user gave us */
	int avoided; /* -1: none */
	unsigned calls;
	uint64_t seen[CPU_SETSIZE]; /* heads at the last look */
	bool on;
};
void keep_away_init(struct keep_away *k);
/* Now and then: heads(ctx, cpu) tells how many bytes that CPU has written in all. */
void keep_away_look(struct keep_away *k, unsigned n_cpus, uint64_t (*head)(void *ctx, unsigned cpu), void *ctx);
void keep_away_end(struct keep_away *k);
#endif

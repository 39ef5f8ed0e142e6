/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the reader of per-CPU rings runs: off the CPU that nearly everything comes from, because it would take its
 * time from the traced program, as long as another CPU has time to spare. Where all have work it goes to the traced
 * program: that one pays for its tracing, not somebody who is not traced. */
#ifndef ENGINE_BPF_KEEP_AWAY_H
#define ENGINE_BPF_KEEP_AWAY_H
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
struct cpu_use { uint64_t written, idle_ns; }; /* since ever */
struct keep_away {
	cpu_set_t allowed; /* what the user gave us */
	cpu_set_t chosen; /* of those */
	/* Somebody who needs the CPU that we are on has it soon; where we go back to was idle for longer. */
	struct cpu_window { uint64_t time, own_ns; struct cpu_use seen[CPU_SETSIZE]; /* when it began */ } quick, slow;
	bool on;
};
void keep_away_init(struct keep_away *k);
/* Now and then: use(ctx, cpu) tells what that CPU has written and how long it was idle. */
void keep_away_look(struct keep_away *k, unsigned n_cpus, struct cpu_use (*use)(void *ctx, unsigned cpu), void *ctx);
void keep_away_end(struct keep_away *k);

/* The choice itself, for a period of ns in which the reader ran own_ns on CPU here: in `use` what each CPU did during
 * it, in `to` where the reader was allowed before and is from now on; quick: the period was short, so only the need of
 * others counts, and no CPU is newly taken but the traced program's. False: no reason to change anything. */
bool keep_away_choose(cpu_set_t *to, const cpu_set_t *allowed, const struct cpu_use *use, unsigned n_cpus,
		      uint64_t ns, uint64_t own_ns, unsigned here, bool quick);
#endif

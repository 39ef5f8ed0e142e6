/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the script's programs cost the machine, measured while they run: a tenth of a second in each, by the kernel's own
 * account (kernel/bpf/runstats.h). Much of it is told once; too much ends the script. */
#ifndef SCRIPT_GUARD_H
#define SCRIPT_GUARD_H
#include "kernel/bpf/runstats.h"
#include "script/script.h"

enum { GUARD_WARN = 30, GUARD_MOST = 100 }; /* per cent of one CPU */

struct guard {
	const struct run_script *s;
	struct runstats stats;
	unsigned most; /* per cent; 0: it is only measured */
	bool always; /* measure all the time, for guard_tell() */
	bool on, warned;
	unsigned over; /* measurements in a row that were above `most` */
	uint64_t since, next; /* ns: begin of the measurement under way, of the next one */
	struct runcost before;
};

/* Before rights are given up, when all is attached. Where the kernel does not tell there is no guard, which -v says. */
void guard_open(struct guard *g, const struct run_script *s, unsigned most, bool always);
/* In each round. -errno and a pending error: they cost too much. */
int guard_tick(struct guard *g);
int guard_sleep(const struct guard *g, int ms); /* at most ms (-1: for ever), and not beyond what guard_tick() has to do next */
void guard_tell(const struct guard *g); /* with -v, at the end: each probe's hits, misses and cost */
void guard_close(struct guard *g);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts in a trace: nothing before the event of --switch-on and after that of --switch-off (each opens or closes
 * again whenever it comes), and never what the processes of --filter-pids do. */
#ifndef JOB_TRACE_GATE_H
#define JOB_TRACE_GATE_H
#include <stdbool.h>
#include "base/words.h"
#include "syscall/sysevent.h"

struct trace_gate {
	const char *on, *off; /* names of events; NULL: none */
	bool show; /* --show-on-off-events */
	intlist pids; /* --filter-pids: processes and threads */
	/* at work */
	int on_event, off_event; /* their numbers, -1: none */
	bool closed;
};
/* find tells the number of an event by its name, -1: there is none. -errno and a pending error. */
int trace_gate_open(struct trace_gate *g, int (*find)(void *ctx, const char *name), void *ctx);
/* Must be asked of every event, in order. */
bool trace_gate_passes(struct trace_gate *g, const struct sysevent *e);
static inline bool trace_gate_set(const struct trace_gate *g) { return g->on || g->off || g->pids.n; }
void trace_gate_release(struct trace_gate *g);
#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/gate.h"
#include <errno.h>
#include "base/error.h"

static int number_of(const char *name, const char *option, int (*find)(void *ctx, const char *name), void *ctx, int *number)
{
	*number = name ? find(ctx, name) : -1;
	if (!name || *number >= 0)
		return 0;
	error_set(ENOENT, "--%s: there is no event '%s' in the recording", option, name);
	return error_hint("sonde script -i FILE -F event shows which there are");
}

int trace_gate_open(struct trace_gate *g, int (*find)(void *ctx, const char *name), void *ctx)
{
	int err = number_of(g->on, "switch-on", find, ctx, &g->on_event);
	if (!err)
		err = number_of(g->off, "switch-off", find, ctx, &g->off_event);
	g->closed = g->on;
	return err;
}

bool trace_gate_passes(struct trace_gate *g, const struct sysevent *e)
{
	if (g->pids.n && (intlist_has(&g->pids, e->pid) || intlist_has(&g->pids, e->tid)))
		return false;
	if (e->type == SYS_TRACEPOINT && e->raw_event >= 0) {
		bool opens = e->raw_event == g->on_event && g->closed;
		bool closes = e->raw_event == g->off_event && !g->closed;
		if (opens || closes) {
			g->closed = closes;
			return g->show;
		}
	}
	return !g->closed;
}

void trace_gate_release(struct trace_gate *g)
{
	vec_release(&g->pids);
}

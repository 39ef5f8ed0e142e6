/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --stats: what the trace itself did and cost. */
#ifndef UI_TRACE_STATS_H
#define UI_TRACE_STATS_H
#include "base/out.h"
#include "engine/engine.h"

struct trace_stats {
	const char *engine;
	struct engine_stats of;
	bool json; /* a line on out; otherwise text on standard error */
};
void trace_stats_print(const struct trace_stats *s, struct out *out);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other events among the calls of a trace: tracepoints and probes through perf rings, merged by time with
 * what the engine gives; and, for stacks, the maps of the traced programs as they come. */
#ifndef EVENT_TRACE_MIX_H
#define EVENT_TRACE_MIX_H
#include "engine/engine.h"
#include "spec/spec.h"
#include "perfdata/writer.h"
#include "symbol/symbols.h"

struct trace_mix;
typedef VEC(uint64_t) u64list;
struct trace_mix_options {
	const struct engine_options *engine; /* whom to trace, whether stacks are wanted */
	event_list *events; /* --event; may be empty. attr is completed */
	struct symbols *symbols; /* told of maps, forks and execs; NULL: not wanted */
	bool data_maps; /* of data too, not of code alone */
	bool whole; /* give the records themselves too: they are to be recorded */
};
struct trace_mix *trace_mix_open(const struct trace_mix_options *o); /* NULL: pending error */
void trace_mix_close(struct trace_mix *m);
void trace_mix_stop(struct trace_mix *m);
/* As engine_ops.next, of both: raw_event tells the event of a SYS_TRACEPOINT. */
int trace_mix_next(struct trace_mix *m, const struct engine_ops *ops, struct engine *g, struct sysevent *e, int timeout_ms);
/* What a recording must know of its events: n of them; ids is the caller's room for all. */
size_t trace_mix_events(const struct trace_mix *m);
void trace_mix_event(const struct trace_mix *m, size_t i, struct perfdata_new_event *e, u64list *ids);
uint64_t trace_mix_lost(const struct trace_mix *m);
#endif

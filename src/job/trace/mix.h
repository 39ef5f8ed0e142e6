/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other events among the calls of a trace: tracepoints and probes through perf rings, merged by time with
 * what the engine gives; and, for stacks, the maps of the traced programs as they come. */
#ifndef JOB_TRACE_MIX_H
#define JOB_TRACE_MIX_H
#include "engine/engine.h"
#include "spec/spec.h"
#include "perfdata/writer.h"
#include "symbol/symbols.h"

struct trace_mix;
typedef VEC(uint64_t) u64list;

/* Where the other records come from: perf rings (mix_rings.h), or what a test makes up. ctx goes to all of them. */
struct perf_event_header;
typedef void mix_take(struct trace_mix *m, const struct perf_event_header *h);
struct mix_source {
	void (*drain)(void *ctx, mix_take *take, struct trace_mix *m); /* gives all that is there, each CPU's in order */
	uint64_t (*now)(void *ctx); /* the clock of their times */
	void (*pause)(void *ctx); /* until more may have come */
	void (*ids)(void *ctx, size_t event, u64list *ids); /* adds the numbers by which its records are told */
	uint64_t (*lost)(void *ctx); /* how many could not be written, all in all; NULL: only the records of losses tell */
	void (*stop)(void *ctx); /* nothing new is made */
	void (*close)(void *ctx);
	void *ctx;
};
struct trace_mix_options {
	const struct engine_options *engine; /* whom to trace, whether stacks are wanted */
	event_list *events; /* --event; may be empty. attr is completed */
	struct symbols *symbols; /* told of maps, forks and execs; NULL: not wanted */
	bool data_maps; /* of data too, not of code alone */
	bool whole; /* give the records themselves too: they are to be recorded */
	const struct mix_source *source; /* NULL: the kernel's */
};
/* The events are open and make records from then on. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the events that come are shown or counted: --failure, --duration, --where, -P, --min-stack, -q and strace's
 * qualifiers. What the engine chose already is not asked again. */
#ifndef JOB_TRACE_CHOICE_H
#define JOB_TRACE_CHOICE_H
#include "job/trace/qualify.h"
#include "job/trace/paths.h"
#include "job/trace/where.h"
#include "job/trace/stacks.h"

struct trace_choice {
	bool failure; /* only calls that failed */
	bool quiet; /* only calls: no signals, exits, forks */
	bool signals; /* but signals, which were asked for by name */
	uint64_t min_ns; /* only calls that took so long */
	unsigned min_stack; /* only calls with so many frames */
	struct trace_where *where; /* NULL: all */
	struct trace_paths *paths; /* -P; NULL: all */
	const struct trace_qualify *qualify; /* NULL: all */
	/* Who knows, at work; NULL: nobody. */
	struct fd_state *fds;
	struct trace_stacks *stacks;
};
/* A call under way is taken only if nothing that its end decides was asked for. Losses always are. */
bool trace_choice_takes(const struct trace_choice *c, const struct sysevent *e);
/* --where and -P alone, which may be asked at a call's entry: is that what is to be injected into? */
bool trace_choice_where(const struct trace_choice *c, const struct sysevent *e);
#endif

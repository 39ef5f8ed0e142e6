/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be traced in an instance: tracer, events, functions, options, whom. Filled from the options of a command, then
 * put into the instance in one go. */
#ifndef FTRACE_SETUP_H
#define FTRACE_SETUP_H
#include "base/words.h"
#include "ftrace/instance.h"

struct ftrace_event {
	char *pattern; /* as set_event takes it: "sched", "sched_wakeup", "irq:*", "*:*", "all" */
	char *filter, *trigger; /* NULL: none */
	bool off; /* '!irq:*', or after -v: not these */
	bool exact; /* SYSTEM:NAME of one event, perhaps newer than the list of all */
};

struct ftrace_setup {
	const char *tracer; /* NULL: none */
	VEC(struct ftrace_event) events;
	wordlist functions, notrace, graph, nograph; /* the kernel's globs */
	wordlist options; /* of trace_options: "stacktrace", "nofunc_stack_trace" */
	intlist pids; /* these threads only; empty: all */
	bool children; /* and what they fork */
	const char *clock, *cpumask;
	int buffer_kb; /* of each CPU; 0: as it is */
	int depth; /* of graphs; 0: all */
	int thresh; /* in us: only functions that took longer; 0: all */
	bool not; /* while options are read: the -e to come are of events that are not wanted */
};

/* From options; -errno with a pending error. */
int ftrace_setup_event(struct ftrace_setup *s, const char *text); /* one, or several with commas */
int ftrace_setup_filter(struct ftrace_setup *s, const char *text); /* of the last event */
int ftrace_setup_trigger(struct ftrace_setup *s, const char *text);
/* The events that a pattern means, "system:name"; -ENOENT with a pending error when there are none. */
int ftrace_events_named(const char *pattern, wordlist *out);

/* An own instance, or the top one borrowed when this kernel has the tracer only there. */
int ftrace_setup_place(const struct ftrace_setup *s, struct ftrace_instance *i);
/* Everything but tracing_on. */
int ftrace_setup_apply(const struct ftrace_setup *s, const struct ftrace_instance *i);
/* These threads, too, from now on. */
int ftrace_setup_pid(const struct ftrace_setup *s, const struct ftrace_instance *i, int pid);
/* That thread is a reader of ours: what it does is not traced, which it would read again. Where the kernel can. */
void ftrace_setup_quiet(const struct ftrace_setup *s, const struct ftrace_instance *i, int tid);
void ftrace_setup_release(struct ftrace_setup *s);
#endif

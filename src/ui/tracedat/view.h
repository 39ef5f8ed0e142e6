/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of `ftrace report` and `ftrace stream`: a record as trace-cmd report prints it, with the texts that its plugins have
 * for functions, graphs, stacks, sched, timers and memory. */
#ifndef UI_TRACEDAT_VIEW_H
#define UI_TRACEDAT_VIEW_H
#include "base/str.h"
#include "base/words.h"
#include "tracedat/reader.h"

struct tracedat_view_options {
	bool full; /* -t: nanoseconds */
	bool latency; /* -l */
	bool raw; /* -R */
	bool diff; /* --ts-diff */
	bool plain; /* -N: the print formats alone */
	bool wakeup; /* -w */
	bool parent, no_indent, offset, tail, depth; /* -O */
	int name_width; /* of the names of buffers or files in front; 0: none */
};

struct tracedat_view;
/* t is borrowed. raw_events, plain_events: regular expressions (-r, -n), may be NULL. -EINVAL: one is none; pending error. */
int tracedat_view_new(struct tracedat_view **v, struct tracedat *t, const struct tracedat_view_options *o, const wordlist *raw_events,
		      const wordlist *plain_events);
void tracedat_view_free(struct tracedat_view *v);
/* Appends the record's line, or lines. name: what stands in front. The entry of a function without calls takes the record of
 * its exit with it. -errno: the file is damaged there. */
int tracedat_view_record(struct tracedat_view *v, struct str *out, const struct tracedat_record *r, const char *name);
/* What -w sums up. */
void tracedat_view_end(const struct tracedat_view *v, struct str *out);
/* "[002]" of a thread's head is left to others; the time alone, as in a line. */
void tracedat_view_time(const struct tracedat_view *v, struct str *out, uint64_t time);
#endif

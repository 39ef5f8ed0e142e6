/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of trace_pipe, on its way to the screen. */
#ifndef JOB_FTRACE_LINE_H
#define JOB_FTRACE_LINE_H
#include <stdbool.h>
#include <stdint.h>
#include "base/out.h"

struct ftrace_lines {
	bool json;
	uint64_t lost; /* events, as the kernel told */
	struct str text;
};
/* The line without its newline. */
void ftrace_line_put(struct ftrace_lines *l, const char *line, size_t n, struct out *o);
uint64_t ftrace_line_lost(const char *line); /* how many events it tells to be lost; 0: it is another line */
/* A line of a graph (with funcgraph-tail) that ends a call: whose, and how long it took. false: another line. */
bool ftrace_line_ends(const char *line, char *name, size_t size, double *us);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --where 'openat.filename ~ "*.conf" && retval < 0': which calls are of interest.
 *
 * Terms [CALL.]ARG OP VALUE, joined by && || ! and parentheses. OP: == != < <= > >= & on numbers, == != ~ !~ on
 * strings (~ takes a shell glob); as a string a descriptor is the name of what it is. ARG is an argument's name,
 * retval or errno; numbers may be named constants: openat.flags & O_CREAT|O_EXCL. A term whose argument the call does
 * not have is false. What stands at the top joined by && and is a number is also given to the engine, so
 * that the kernel drops the rest. */
#ifndef JOB_TRACE_WHERE_H
#define JOB_TRACE_WHERE_H
#include "engine/engine.h"
#include "syscall/fdstate.h"

struct trace_where;
struct trace_where *trace_where_parse(const char *text); /* NULL: pending error with a caret */
void trace_where_free(struct trace_where *w);
/* fds: who knows what descriptors are; NULL: nobody, so tests on their names do not hold. */
bool trace_where_holds(const struct trace_where *w, const struct sysevent *e, struct fd_state *fds);
bool trace_where_files(const struct trace_where *w); /* does a test look at a descriptor's name? */
/* The tests an engine can do; they live as long as w. */
const struct engine_where *trace_where_tests(const struct trace_where *w, unsigned *n);
bool trace_where_strings(const struct trace_where *w); /* does a test look at a string? */
bool trace_where_results(const struct trace_where *w); /* does a test look at the result? */
/* Narrows the set to the one call that can pass, if there is one. Returns true if it did. */
bool trace_where_calls(const struct trace_where *w, struct sysset *set);
#endif

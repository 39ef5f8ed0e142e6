/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -P: only calls on these files. What counts is the file that a call means: a path from the current directory or from that of a
 * descriptor is the same file as its whole path. Of links the file itself is asked for by both names, that of the link and
 * that of what it leads to, as strace -P does; a link that a call names and nobody asked for is not followed. */
#ifndef JOB_TRACE_PATHS_H
#define JOB_TRACE_PATHS_H
#include "syscall/fdstate.h"
struct trace_paths;
void trace_paths_add(struct trace_paths **p, const char *path); /* *p NULL: the first */
void trace_paths_free(struct trace_paths *p);
/* Is one of the files among the call's arguments? */
bool trace_paths_hold(const struct trace_paths *p, const struct sysevent *e, struct fd_state *fds);
#endif

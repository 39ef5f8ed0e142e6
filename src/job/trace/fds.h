/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a trace can know what descriptors are. */
#ifndef JOB_TRACE_FDS_H
#define JOB_TRACE_FDS_H
#include "job/trace/job.h"

/* Names of descriptors are right only if every call that changes them is seen: with -e or --where those are taken
 * along, unless that would cost too much (one rare call, a table in the kernel) or help little. */
void trace_fds_plan(struct trace_job *j, const struct engine_ops *ops);
/* Who follows them, as far as was planned. */
struct fd_state *trace_fds_open(const struct trace_job *j);
/* --where 'fd ~ "*.log"' needs to know what each descriptor is. -errno and a pending error when it cannot be told. */
int trace_fds_check(const struct trace_job *j);
bool trace_fds_lone(int tid); /* is it the only thread of its process? */
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `sonde trace record`: what an engine gives, into a perf.data file as bpf-output samples (syspack.h tells how),
 * with COMM records so that perf can name the threads. */
#ifndef EVENT_TRACE_RECORD_H
#define EVENT_TRACE_RECORD_H
#include "event/sysevent.h"

struct trace_recorder;
struct trace_recorder *trace_recorder_open(const char *path, char *const *argv); /* NULL: pending error */
int trace_recorder_put(struct trace_recorder *r, const struct sysevent *e); /* -errno: pending error */
/* Finishes the file and tells how large it is. */
int trace_recorder_finish(struct trace_recorder *r, uint64_t *bytes);
void trace_recorder_free(struct trace_recorder *r);
#endif

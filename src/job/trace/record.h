/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `sonde trace record`: what an engine gives, into a perf.data file as bpf-output samples (syspack.h tells how),
 * with COMM records so that perf can name the threads; other events and maps as perf's own records. */
#ifndef JOB_TRACE_RECORD_H
#define JOB_TRACE_RECORD_H
#include "engine/engine.h"
#include "job/trace/mix.h"

struct trace_recorder;
/* mix: other events, and maps; NULL: none. o: whose maps there were before, if stacks are taken. NULL: pending error. */
/* guard: ends before the disk is full. */
struct trace_recorder *trace_recorder_open(const char *path, bool guard, char *const *argv, const struct engine_options *o, const struct trace_mix *mix);
int trace_recorder_put(struct trace_recorder *r, const struct sysevent *e); /* -errno: pending error */
bool trace_recorder_full(const struct trace_recorder *r); /* no more, for the disk's sake (job/disk.h); r may be NULL */
/* Finishes the file and tells how large it is. */
int trace_recorder_finish(struct trace_recorder *r, uint64_t *bytes);
void trace_recorder_free(struct trace_recorder *r);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ftrace record: several buffers of sonde's own traced into a trace.dat, while a command runs or until the end is asked for. */
#ifndef JOB_FTRACE_RECORD_H
#define JOB_FTRACE_RECORD_H
#include "ftrace/setup.h"
#include "job/ftrace/collect.h"
#include "tracedat/writer.h"

struct record_buffer { const char *name; /* -B; "": the first */ struct ftrace_setup setup; };
struct ftrace_recording {
	VEC(struct record_buffer) buffers; /* at least one */
	struct tracedat_write_options write;
	struct collect_options collect;
	const char *user, *ts_offset;
	bool only_command; /* -F */
	bool all_formats; /* -a */
	bool date, quiet, see_readers /* --no-filter */, no_disk_guard;
};
/* The exit code; errors were printed. */
int ftrace_record_run(struct ftrace_recording *r, char **command);

/* What record and extract share: the pages of a buffer, and what tells of them, into the new file. */
int ftrace_take_buffer(struct tracedat_new *n, struct spools *c, const struct ftrace_instance *i, const char *name);
/* The instance's `trace` as text, of a latency tracer. */
int ftrace_take_text(struct tracedat_new *n, const struct ftrace_instance *i, const char *name);
bool ftrace_is_latency(const char *tracer);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instance from its setting up to its last line: what sonde ftrace trace, functrace, funcgraph, kprobe, uprobe and tpoint
 * do. The lines are the kernel's own, merged over CPUs by it, with losses in their place. */
#ifndef JOB_FTRACE_LIVE_H
#define JOB_FTRACE_LIVE_H
#include "base/out.h"
#include "ftrace/setup.h"

struct ftrace_live {
	struct ftrace_setup *setup;
	const char *output; /* NULL: standard output */
	bool json, header;
	bool all_tasks; /* -a: not the command alone */
	bool buffered; /* nothing is read until the end */
	bool no_disk_guard; /* see job/disk.h */
	int timeout_ms, delay_ms; /* 0: none */
	int process; /* events of its threads only, of those that its threads fork as well; 0: all that the setup lets through */
	const char *heading; /* a line before the first, on standard output; NULL: none */
	const char *ending; /* one behind the last; NULL: none */
	/* Before the instance is set up: probes of our own, noted with undo.h; its events go to the setup. NULL: none. */
	int (*prepare)(void *ctx, struct ftrace_setup *setup);
	void *ctx;
	/* Instead of printing lines: each of them, and what is to be printed at the end. NULL: none. */
	void (*take)(void *ctx, const char *line);
	void (*finish)(void *ctx, struct out *out);
};
/* command NULL: none. Returns the exit code; errors were printed. */
int ftrace_live_run(struct ftrace_live *j, char **command);
#endif

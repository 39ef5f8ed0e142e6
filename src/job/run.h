/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script from its text to the last map that is printed: what cmd/run.c makes of its options. */
#ifndef JOB_RUN_H
#define JOB_RUN_H
#include <stdbool.h>
#include <stdint.h>
#include "script/saved/saved.h"

struct run_job {
	struct script_given script;
	const char *output; /* NULL: standard output */
	const char *save; /* compiled and written there, not run; NULL: run */
	int pid; /* -p; 0: none */
	bool json, quiet, dry, unsafe, refresh, no_warnings, unbuffered;
	unsigned dump; /* -d: enum dump_stage */
	bool no_disk_guard; /* write until the disk is full */
	unsigned ring_bytes; /* a power of two */
	unsigned sample; /* one hit of so many; 0: all */
	unsigned max_overhead; /* per cent of a CPU; 0: none */
	/* What it prints goes to nobody but this, when there is some: for commands that are a script underneath. */
	void (*sink)(void *ctx, struct str *text);
	void *sink_ctx;
	bool (*sink_gone)(void *ctx); /* nobody looks any more */
};
/* Lists probes instead: pattern NULL: all; details: with their arguments. The exit code; errors were printed. */
int run_job_list(const struct run_job *j, const char *pattern, bool details);
/* Runs it; command NULL: none. Returns the exit code; errors were printed. */
int run_job_run(struct run_job *j, char **command);
/* Scripts are not for lent rights (kernel/rights/lent.h): -EPERM, pending error. */
int run_allowed(void);
/* A pidfd of the process that a script is about (option: how it was said), -1 of none (0). -errno, pending error. */
int run_target_open(int pid, const char *option, int *fd);
#define RUN_LESS "count in the script, or print less" /* where a disk is full */
#endif

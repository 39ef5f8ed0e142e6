/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script from its text to the last map that is printed: what cmd/run.c makes of its options. */
#ifndef JOB_RUN_H
#define JOB_RUN_H
#include <stdbool.h>
#include <stdint.h>

struct saved;
struct run_job {
	const char *name, *text; /* the script: what messages call it */
	uint64_t length;
	char **params; unsigned n_params; /* $1 and so on */
	const char *output; /* NULL: standard output */
	const char *save; /* compiled and written there, not run; NULL: run */
	const struct saved *saved; /* it comes from there; NULL: it does not */
	int pid; /* -p; 0: none */
	bool json, quiet, dry, unsafe, refresh, no_warnings, unbuffered;
	unsigned dump; /* -d: enum dump_stage */
	bool no_disk_guard; /* write until the disk is full */
	unsigned ring_bytes; /* a power of two */
	unsigned sample; /* one hit of so many; 0: all */
	unsigned max_overhead; /* per cent of a CPU; 0: none */
};
/* Lists probes instead: pattern NULL: all; details: with their arguments. The exit code; errors were printed. */
int run_job_list(const struct run_job *j, const char *pattern, bool details);
/* Runs it; command NULL: none. Returns the exit code; errors were printed. */
int run_job_run(struct run_job *j, char **command);
/* Scripts are not for lent rights (kernel/rights/lent.h): -EPERM, pending error. */
int run_allowed(void);
#define RUN_LESS "count in the script, or print less" /* where a disk is full */
#endif

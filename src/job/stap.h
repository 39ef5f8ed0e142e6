/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SystemTap script from its text to its end: what cmd/stap.c makes of its options. */
#ifndef JOB_STAP_H
#define JOB_STAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "script/saved/saved.h"

struct stap_job {
	struct script_given script;
	const char *output; /* NULL: standard output */
	const char *save; /* compiled and written there, not run; NULL: run */
	int pid; /* -x: target(); 0: none */
	bool dry; /* -p4: compiled and loaded, not run */
	bool parse_only; /* -p1 to -p3: compiled */
	bool guru;
	unsigned max_overhead; /* per cent of a CPU; 0: no limit */
	bool no_disk_guard; /* write until the disk is full */
	unsigned ring_bytes;
	size_t max_entries; /* of an array; 0: as always */
	unsigned timeout_ms; /* -T; 0: none */
	char **globals; size_t n_globals; /* -G: NAME=VALUE */
};
/* Runs it; command NULL: none. Returns the exit code; errors were printed. */
int stap_job_run(struct stap_job *j, char **command);
int stap_job_list(const char *pattern, bool details, const char *output); /* -l, -L: the exit code */
#endif

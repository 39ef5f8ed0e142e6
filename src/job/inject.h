/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording written anew, with more in it than the recorder had: build-ids, waits as samples. */
#ifndef JOB_INJECT_H
#define JOB_INJECT_H
#include <stdbool.h>
#include "symbol/symbols.h"

struct inject_options {
	const char *input, *output; /* "-": a pipe */
	bool force;
	bool hits; /* -b: build-ids of binaries in which samples or their callers lie */
	bool all; /* --buildid-all: of everything that is mapped */
	bool used_maps; /* -B: only maps that something lies in, with build-ids */
	bool all_maps; /* --mmap2-buildid-all: all maps, with build-ids */
	const char *known; /* "ID path,ID path" or file://NAME: these, whatever the files have; NULL: none */
	bool jit; /* --jit: files of what JITs made */
	bool sched_stat; /* -s: context switches with how long the thread was away */
	struct symbols_options symbols;
};
/* -errno and a pending error. */
int inject_run(const struct inject_options *o);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The raw pages of an instance's rings, moved into a file for each CPU while it traces: one thread a CPU, spliced, so that no
 * byte is copied by us. The files have no names: they are gone with sonde, however it ends. */
#ifndef JOB_FTRACE_COLLECT_H
#define JOB_FTRACE_COLLECT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "ftrace/instance.h"

struct spools;
struct collect_options {
	const char *dir; /* where the files are */
	uint64_t keep; /* bytes of each CPU that are kept, the latest; 0: all */
	int sleep_us; /* between two looks; 0: when a quarter of the buffer is full */
	int priority; /* real-time; 0: the lowest, if we may */
	bool snapshot; /* what a snapshot put aside, not what is written now */
};
/* Opens all that will be read; not reading yet. -errno with a pending error. */
int collect_open(struct spools **c, const struct ftrace_instance *i, const struct collect_options *o);
/* Threads of this process start reading. quiet: what they do is not traced. */
int collect_start(struct spools *c, bool quiet);
int collect_file(const struct spools *c); /* one of the files, for file_room(); -1: there is none */
/* To be called with tracing off: takes the rest, ends the threads. -errno with a pending error: something could not be kept. */
int collect_end(struct spools *c);
/* Without threads: what is there now, all of it (extract). */
int collect_rest(struct spools *c);

struct collected { int cpu, fd; uint64_t from, size; char *stats; /* per_cpu/cpuN/stats at the end */ };
size_t collect_cpus(const struct spools *c, const struct collected **out);
/* Events that the ring had no room for, told by stats. */
uint64_t collect_lost(const struct spools *c);
void collect_free(struct spools *c);
#endif

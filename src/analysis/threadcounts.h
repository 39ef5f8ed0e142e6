/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counts that `record -s` keeps of each thread: a table of threads and events, both in the order in which
 * they were first met. */
#ifndef ANALYSIS_THREADCOUNTS_H
#define ANALYSIS_THREADCOUNTS_H
#include "base/map.h"
#include "base/vec.h"
#include "perfdata/reader.h"

struct thread_row { int pid, tid; VEC(uint64_t) count; /* by column; may be shorter than the columns */ };
struct thread_counts {
	VEC(int) event; /* columns: indices of events */
	VEC(struct thread_row) row;
	struct u64map index; /* pid and tid to the row's number from 1 */
};
/* A PERF_RECORD_READ; others are ignored. */
void thread_counts_feed(struct thread_counts *t, const struct perfdata_record *r);
void thread_counts_release(struct thread_counts *t);
#endif

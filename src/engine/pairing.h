/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries and exits, seen as separate records in time order, become whole calls: one state per thread.
 * Used where the kernel gives raw_syscalls records (perf rings, perf.data files). Each function that
 * returns true has filled *e; what it points to lives until the next call. */
#ifndef ENGINE_PAIRING_H
#define ENGINE_PAIRING_H
#include "engine/engine.h"

struct pairing;
/* live: /proc may be asked about threads that were never named. The command that sonde starts (o->workload)
 * is shown from its exec on. */
struct pairing *pairing_new(const struct engine_options *o, bool live);
void pairing_free(struct pairing *p);

struct pairing_at { /* of a record */
	int pid, tid, cpu;
	uint64_t time;
	int bits; /* PERF_SAMPLE_REGS_ABI_32 or 64: the caller's mode; 0 unknown */
};
bool pairing_enter(struct pairing *p, const struct pairing_at *at, int64_t nr, const uint64_t args[6], struct sysevent *e);
bool pairing_exit(struct pairing *p, const struct pairing_at *at, int64_t nr, int64_t ret, struct sysevent *e);
bool pairing_signal(struct pairing *p, const struct pairing_at *at, int sig, int code, bool default_action, struct sysevent *e);
/* A path that the kernel looked up inside the thread's call (probe:vfs_getname); user: where the program has it, 0
 * unknown. */
void pairing_path(struct pairing *p, const struct pairing_at *at, const char *path, size_t n, uint64_t user);
/* at is the parent. */
bool pairing_fork(struct pairing *p, const struct pairing_at *at, int child_pid, int child_tid, struct sysevent *e);
bool pairing_end(struct pairing *p, const struct pairing_at *at, struct sysevent *e);
bool pairing_comm(struct pairing *p, const struct pairing_at *at, const char *comm, size_t n, bool exec, struct sysevent *e);
/* At the end, the calls still in progress that were not told yet, one at a time. */
bool pairing_unfinished(struct pairing *p, struct sysevent *e);
/* A call that has been under way since before `then` and was not told yet, as SYS_UNFINISHED. */
bool pairing_waiting(struct pairing *p, uint64_t then, struct sysevent *e);
/* Makes a thread known before its events come: its name, and the call it is in. Once before the events are enabled,
 * and once after: a call that is not the same then has been seen to end. */
void pairing_know(struct pairing *p, int pid, int tid);
/* The command, before it runs: whose it is, which it may have changed when its first event is read. */
void pairing_know_command(struct pairing *p, int pid);
/* From now on records of threads that are not known, nor born to one that is, are dropped: they come from everywhere. */
void pairing_ignore_strangers(struct pairing *p);
/* Is one of the threads still alive? */
bool pairing_busy(const struct pairing *p);

/* The same for whole perf records: tracepoint samples by their source, and task records. */
enum pairing_source { PAIR_ENTER, PAIR_EXIT, PAIR_SIGNAL, PAIR_GENERATED, PAIR_PATH, PAIR_NONE };
/* Where a probe:vfs_getname's record has the pathname's __data_loc, and the user's pointer (named filename or uptr), if
 * it has one; 0: not there. */
struct pairing_fields { unsigned path, user; };
bool pairing_sample(struct pairing *p, enum pairing_source from, const struct pairing_at *at, const void *raw, size_t size,
		    const struct pairing_fields *where, struct sysevent *e);
/* PERF_RECORD_FORK, EXIT, COMM; others: false. h is whole, native order. */
struct perf_event_header;
bool pairing_task(struct pairing *p, const struct perf_event_header *h, uint64_t time, struct sysevent *e);
#endif

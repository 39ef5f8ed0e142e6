/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engine 1 from the inside: what its files share, and nobody else includes.
 *   engine.c   opens, reads the rings, stops, closes
 *   follow.c   whom it follows: targets, their threads, what they were in when it came
 *   convert.c  joins the kernel's records into events
 *   compat.c   32-bit calls where one call's own tracepoints are used
 *   exec.c     strings of an exec that could not be read at its entry
 *   sums.c     adds up what the kernel has folded
 * Below them settings.c (options to constants), load.c (programs), table.c (what to copy), ring.c (merging
 * by time) and cost.c know nothing of struct engine. */
#ifndef ENGINE_BPF_INNER_H
#define ENGINE_BPF_INNER_H
#include <pthread.h>
#include "base/map.h"
#include "base/vec.h"
#include "engine/bpf/load.h"
#include "engine/bpf/ring.h"
#include "engine/engine.h"
#include "engine/bpf/keep_away.h"
#include "engine/midway.h"

struct call_wait { /* a thread, and the call it is in */
	int tid, pid;
	char comm[16];
	struct rec_call *enter; /* copy of the ENTER or BLOCKED record */
	size_t cap;
	bool in_call, given; /* given: as SYS_UNFINISHED */
	int ppid; /* it is in an exec that has succeeded, and this is its parent; 0: it is not */
	char parent[16], old_comm[16]; /* the parent's name, and what the thread was called when it entered */
	struct rec_other *fatal; /* a signal that ends it, until it is delivered (as SIGKILL); NULL: none */
};

enum { COMPAT_THREADS = 2 };
struct bpf_compat {
	struct bpf_programs *programs; /* NULL: all calls come the same way */
	const char *call;
	pthread_t thread[COMPAT_THREADS];
	int n_threads, child, end, err; /* child: the command; end: an eventfd that ends the threads */
	bool taken, told;
};

struct engine {
	struct bpf_programs programs;
	struct bpf_compat compat;
	struct bpf_rings rings;
	struct bpf_bell bell;
	struct lane_frame *frames; /* LANES for each CPU */
	uint64_t *told_losses; /* for each: see other_losses */
	uint8_t *blocks;
	struct slot *slots;
	uint32_t n_slots, n_cpus;
	uint32_t found_alive; /* the slot of one of the traced, at the last look */
	size_t frames_len, blocks_len, slots_len;
	struct u64map threads;
	struct call_wait *last; /* most events come from the thread of the one before */
	struct call_wait *gone; /* ended; freed on the next call */
	VEC(struct copied) copied;
	VEC(struct file_seen) files;
	uint64_t kstack[STACK_MAX], ustack[STACK_MAX];
	struct str stack; /* bytes of the user stack, for DWARF */
	const struct rec *again; /* a record that something was told of first: a loss, or its own first half */
	unsigned again_cpu;
	const struct rec *half_told; /* one that makes two events, and the first was given */
	bool stopping, announce, told_midway, told_unfinished, no_calls, environ;
	size_t cursor; /* of the unfinished calls at the end */
	uint64_t events, cost_ns, opened;
	const struct sysset *calls;
	struct copier_limits limits;
	bool real_time;
	struct keep_away away;
	VEC(struct engine_sum) sums;
	enum engine_summary summary;
};

/* ---- convert.c ---- */
struct call_wait *bpf_thread_of(struct engine *g, int tid, int pid); /* made when it is new */
void bpf_thread_forget(struct engine *g, int tid);
void bpf_thread_free(struct call_wait *t);
int bpf_convert(struct engine *g, struct sysevent *e, const struct rec *r, unsigned cpu); /* 1: e is filled */
/* What the thread is in just now, read from /proc; told by bpf_midway_next. */
void bpf_midway_note(struct engine *g, struct call_wait *t, const struct copier_limits *limits);
int bpf_midway_next(struct engine *g, struct sysevent *e); /* 0: that were all */
void bpf_unfinished_note(struct engine *g, const struct copier_limits *limits); /* at the end, before: what /proc knows of them */
int bpf_unfinished_next(struct engine *g, struct sysevent *e); /* at the end; -ENODATA: that were all */

/* ---- exec.c ---- */
/* Puts what the new program got (r, of type EXEC) where the copy at entry had faulted. */
void bpf_exec_mend(struct engine *g, struct call_wait *t, const struct rec_other *r);

/* ---- follow.c ---- */
void bpf_follow_thread(struct engine *g, int tid, int pid, uint8_t flags); /* SLOT_* */
int bpf_follow_targets(struct engine *g, const struct engine_options *o); /* -errno, pending error */
void bpf_follow_spare_readers(struct engine *g, const struct engine_options *o);
void bpf_follow_late(struct engine *g, const struct engine_options *o); /* once forks are watched: those started before */
int bpf_follow_judge(struct engine *g); /* once attached, with lent rights: are they all the caller's to see? -errno, pending error */
void bpf_follow_midway(struct engine *g, const struct engine_options *o);
bool bpf_follow_has_compat(struct engine *g, const struct engine_options *o);
bool bpf_follow_busy(struct engine *g);

/* ---- compat.c ---- */
/* Everything is attached for that call. -errno, pending error. */
int bpf_compat_watch(struct engine *g, const struct engine_options *o, const char *call);
void bpf_compat_tell(struct bpf_compat *n); /* warns if calls may be missing */
void bpf_compat_end(struct bpf_compat *n);

/* ---- sums.c ---- */
void bpf_summary_clear(struct engine *g);
size_t bpf_summary(struct engine *g, const struct engine_sum **rows);
#endif

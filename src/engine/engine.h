/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the events of `sonde trace` come from. Three engines and the file reader stand behind this one
 * interface; the decoder and the views know nothing of them.
 *
 * The order of calls: engine_pick() (or engine_named()), prepare() before the command is forked,
 * workload_fork(), open() with everything attached when it returns, workload_start(), next() until
 * the end, stop() once (no new calls are taken, those in progress come out of next() as
 * SYS_UNFINISHED), next() until it returns -ENODATA, stats(), close(). */
#ifndef EVENT_ENGINE_H
#define EVENT_ENGINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"
#include "base/words.h"
#include "engine/inject.h"
#include "syscall/sysevent.h"
#include "kernel/workload.h"
#include "syscall/decode.h"

enum engine_summary { SUMMARY_NONE, SUMMARY_THREAD, SUMMARY_TOTAL, SUMMARY_CGROUP };
enum engine_graph { GRAPH_NONE, GRAPH_FP, GRAPH_DWARF };

enum { ENGINE_DATA = 4096, ENGINE_DATA_MAX = 1 << 24 };
struct engine_options {
	const char *input; /* trace -i: engine_file reads this recording; NULL: live */
	struct workload *workload; /* forked and waiting, or NULL (no command) */
	intlist pids; /* -p: processes, all their threads; children follow */
	intlist tids; /* -t: these threads only (and what they start) */
	bool all; /* the whole machine; pids and tids are empty */
	bool no_follow; /* leave children alone */
	bool has_uid; uint32_t uid; /* -u */
	const char *cgroup; /* -G: path below /sys/fs/cgroup, or NULL */
	const char *comm; /* --comm: exact name, or NULL */
	intlist cpus; /* -C; empty: all */
	const struct sysset *calls; /* NULL: every call; empty set: none, only the lines between */
	/* Calls that are not to be shown but tell what descriptors are: taken too, no test applies to them. NULL: none. */
	const struct sysset *silent;
	bool see_files; /* each call tells what its descriptors are, where others' calls are not seen (bpf) */
	bool no_calls; /* --no-syscalls */
	bool narrow; /* the command is a 32-bit program: its calls must come by a way that shows them */
	unsigned string_limit; /* payload bytes (COPY_DATA); the eBPF engine has no more than ENGINE_DATA of each */
	unsigned path_limit; /* strings and structs; at most 4096 */
	bool environ; /* COPY_ENVIRON rows too */
	bool quiet_switch; /* calls that block need not be announced (summary, --json, record) */
	enum engine_summary summary; /* fold in the kernel where the engine can */
	bool summary_only; /* and give no SYS_CALL events */
	bool fold_outside; /* not all calls count, and only the caller can say which: give all, fold none */
	enum engine_graph user_graph;
	bool kernel_graph;
	unsigned ring_kb; /* per CPU; 0: the engine's choice */
	const struct engine_where *where; unsigned n_where; /* tests that must all hold: see below */
	bool where_strings; /* --where tests strings too: the engine must see them */
	const inject_list *injects; /* what is to happen to calls (only engine_ptrace can do that); NULL: nothing */
	/* Is a call, as far as it is known at its entry, one that rules apply to? NULL: all are. */
	bool (*injectable)(void *ctx, const struct sysevent *e);
	void *injectable_ctx;
	bool measure; /* find out what a call costs more (engine_stats.cost_ns); takes a few ms */
	bool force; /* a recording of another user, too */
	struct symbols *symbols; /* of a recording: told of its maps; may be NULL */
	int out_fd; /* where the lines go (-1 unknown): its readers are never made to wait */
};
/* The command to trace. NULL: none, or it only says for how long the others are traced (-a, -p, -t). */
static inline struct workload *engine_command(const struct engine_options *o)
{
	return o->all || o->pids.n || o->tids.n ? NULL : o->workload;
}

/* A test on a number of the call, done by the engine (in the kernel where it can). */
enum where_op { WHERE_EQ, WHERE_NE, WHERE_LT, WHERE_LE, WHERE_GT, WHERE_GE, WHERE_MASK /* a & b */ };
struct engine_where {
	int nr; enum sys_abi abi; /* nr -1: every call */
	uint8_t arg; /* 0..5, 6: the result */
	uint8_t op;
	bool is_signed;
	int64_t value;
};

static inline bool engine_takes(const struct engine_options *o, enum sys_abi abi, int nr)
{
	return !o->calls || sysset_has(o->calls, abi, nr) || (o->silent && sysset_has(o->silent, abi, nr));
}

struct engine_stats {
	uint64_t events, lost; /* given out; lost for good (each loss was a SYS_LOST too) */
	uint64_t waits, wait_ns; /* how often and how long traced programs were held back */
	uint64_t cost_ns; /* measured added time per call, 0 unknown */
	uint64_t bytes; /* that went through the rings */
	uint64_t polls, sleeps;
};

/* One row of a summary, folded by the engine. Histogram: bucket i counts durations in
 * [bucket_floor(i), bucket_floor(i + 1)) ns, two buckets per power of two from 2^5 ns on. */
enum { SUMMARY_BUCKETS = 64, ERRNOS = 544 };
struct engine_sum {
	uint64_t id; /* tid, cgroup id, or 0 */
	int pid, tid; char comm[16];
	enum sys_abi abi; int nr;
	uint64_t count, errors, total, min, max;
	uint32_t hist[SUMMARY_BUCKETS];
	const uint32_t *errnos; /* how often each error, ERRNOS of them; NULL: not counted */
};
uint64_t summary_bucket_floor(unsigned i);
unsigned summary_bucket(uint64_t ns);

struct engine; /* each engine's own; begins with nothing in common */
struct engine_ops {
	const char *name; /* "bpf", "perf", "ptrace" */
	const char *what; /* one line for doctor and --engine's help */
	/* Can it be used here, for such targets (o may be NULL: in general)? If not, why gets one
	 * sentence and, after a newline, hints (a line each). Must be quick. */
	bool (*usable)(const struct engine_options *o, struct str *why);
	/* Before workload_fork(): what the child must do for this engine (ptrace, seccomp). May be NULL. */
	int (*prepare)(const struct engine_options *o, struct workload_options *w);
	struct engine *(*open)(const struct engine_options *o); /* NULL: pending error */
	/* 1: *e is filled; what it points to lives until the next call. 0: nothing within timeout_ms
	 * (or a signal came). -ENODATA: the end. Other -errno: pending error. */
	int (*next)(struct engine *g, struct sysevent *e, int timeout_ms);
	/* Is one of the targets, or a child of theirs that is followed, still alive? Not asked with o->all. */
	bool (*busy)(struct engine *g);
	void (*stop)(struct engine *g);
	void (*close)(struct engine *g);
	void (*stats)(struct engine *g, struct engine_stats *s);
	/* The folded rows (malloc'ed by the engine, freed by close); 0 rows: the caller must fold. */
	size_t (*summary)(struct engine *g, const struct engine_sum **rows); /* may be NULL */
	/* Did open() fail for what the kernel is, not for what was asked? Then the next engine may do. */
	bool (*refused)(void); /* may be NULL */
};

extern const struct engine_ops engine_bpf, engine_perf, engine_ptrace;
/* A recording (o->input); never picked, always asked for. */
extern const struct engine_ops engine_file;
struct perfdata;
struct perfdata *engine_file_data(struct engine *g); /* what it reads: a SYS_TRACEPOINT's raw_event is an index into its events */
/* In order of preference, NULL-terminated: each engine adds its row in engine.c. */
extern const struct engine_ops *const engines[];
/* NULL: pending error with the names, or why it cannot be used for o (NULL: do not ask). */
const struct engine_ops *engine_named(const char *name, const struct engine_options *o);
/* The first usable one; NULL: pending error that tells for each why not. */
const struct engine_ops *engine_pick(const struct engine_options *o);
/* The first usable one after that; NULL: none, and the pending error tells why. */
const struct engine_ops *engine_after(const struct engine_ops *g, const struct engine_options *o);
#endif

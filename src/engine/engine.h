/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the events of `sonde trace` come from. Three engines and the file reader stand behind this one
 * interface; the decoder and the views know nothing of them. Who plans a trace asks what an engine can (engine_ops.can),
 * never which one it is.
 *
 * The order of calls: engine_pick() (or engine_named()), prepare() before the command is forked,
 * life_fork(), open() with everything attached when it returns, life_go(), next() until
 * the end, stop() once (no new calls are taken, those in progress come out of next() as
 * SYS_UNFINISHED), next() until it returns -ENODATA, stats(), close(). */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"
#include "base/words.h"
#include "engine/inject.h"
#include "syscall/sysevent.h"
#include "kernel/workload.h"
#include "syscall/decode.h"

enum engine_summary { SUMMARY_NONE, SUMMARY_THREAD, SUMMARY_TOTAL, SUMMARY_CGROUP, SUMMARY_COMM };
enum engine_graph { GRAPH_NONE, GRAPH_FP, GRAPH_DWARF };

enum { ENGINE_DATA = 4096, ENGINE_DATA_MAX = 1 << 24 };
struct engine_options {
	const char *input; /* trace -i: this recording is read; NULL: live */
	struct workload *workload; /* forked and waiting, or NULL (no command) */
	/* While close() goes on to serve a command that cannot do without its tracer: is it to be left now? */
	bool (*leave)(void *ctx);
	void *leave_ctx;
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
	bool see_files; /* each call tells what its descriptors are, where others' calls are not seen (ENGINE_SEES_FILES) */
	bool no_calls; /* --no-syscalls */
	bool compat; /* the command is a 32-bit program: its calls must come by a way that shows them */
	unsigned string_limit; /* payload bytes (COPY_DATA); without ENGINE_WHOLE_DATA no more than ENGINE_DATA of each come */
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
	const inject_list *injects; /* what is to happen to calls (ENGINE_INJECTS); NULL: nothing */
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
	uint64_t still_ns; /* how long the reader stood still (it was stopped, or its output was), so that nobody waited for it */
	uint64_t cost_ns; /* measured added time per call, 0 unknown */
	uint64_t bytes; /* that went through the rings */
	uint64_t polls, sleeps;
	uint64_t left_out; /* calls, signals and new names that may be missing: the kernel did not run the program for them */
	uint64_t not_summed; /* calls that are missing from the engine's summary, which had no room for more rows */
};

/* One row of a summary, folded by the engine. Histogram: bucket i counts durations in
 * [bucket_floor(i), bucket_floor(i + 1)) ns. SUMMARY_STEPS buckets make an octave; only the octaves that occur have memory. */
enum { SUMMARY_STEPS = 32, SUMMARY_OCTAVES = 60, SUMMARY_BUCKETS = SUMMARY_STEPS * SUMMARY_OCTAVES, ERRNOS = 544 };
struct engine_sum {
	uint64_t id; /* tid, cgroup id, of a name what it hashes to, or 0 */
	int pid, tid; char comm[16];
	enum sys_abi abi; int nr;
	uint64_t count, errors, total, min, max;
	uint64_t *octave[SUMMARY_OCTAVES]; /* SUMMARY_STEPS counts each; NULL: none */
	const uint32_t *errnos; /* how often each error, ERRNOS of them; NULL: not counted */
};
uint64_t summary_bucket_floor(unsigned i);
unsigned summary_bucket(uint64_t ns);
uint64_t summary_count(const struct engine_sum *r, unsigned bucket);
void summary_add(struct engine_sum *r, unsigned bucket, uint64_t n);
void summary_release(struct engine_sum *r); /* the histogram */

/* What an engine can do. */
enum engine_ability {
	ENGINE_SEES_MEMORY = 1, /* strings and structs that calls point to: so what a descriptor is can be followed by paths */
	ENGINE_WHOLE_DATA = 2, /* buffers of any size, as far as string_limit goes */
	ENGINE_SEES_FILES = 4, /* see_files: each call with what its descriptors are */
	ENGINE_STOPS = 8, /* the program stands still at its calls: its maps can be read there; its calls are slow */
	ENGINE_INJECTS = 16, /* changes what calls do */
};

struct engine; /* each engine's own; begins with nothing in common */
struct perfdata;
struct engine_ops {
	const char *name; /* "bpf", "perf", "ptrace" */
	const char *what; /* one line for doctor and --engine's help */
	unsigned can; /* enum engine_ability */
	/* Can it be used here, for such targets (o may be NULL: in general)? If not, why gets one
	 * sentence and, after a newline, hints (a line each). Must be quick. */
	bool (*usable)(const struct engine_options *o, struct str *why);
	/* Does it take what is chosen as one single rare call, at no cost for all others? Then silent ones would be dear. */
	bool (*rare)(const struct engine_options *o); /* may be NULL: never */
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
	/* What it reads: a SYS_TRACEPOINT's raw_event is an index into its events. NULL: it reads no recording. */
	struct perfdata *(*recording)(struct engine *g);
};

/* In order of preference, NULL-terminated: each engine adds its row in engine.c. */
extern const struct engine_ops *const engines[];
/* NULL: pending error with the names, or why it cannot be used for o (NULL: do not ask). */
const struct engine_ops *engine_named(const char *name, const struct engine_options *o);
/* The first usable one (of o->input: what reads it); NULL: pending error that tells for each why not. */
const struct engine_ops *engine_pick(const struct engine_options *o);
/* The first usable one that can all this; NULL: none, and no error is pending. */
const struct engine_ops *engine_able(unsigned abilities, const struct engine_options *o);
/* The first usable one after that; NULL: none, and the pending error tells why. */
const struct engine_ops *engine_after(const struct engine_ops *g, const struct engine_options *o);
#endif

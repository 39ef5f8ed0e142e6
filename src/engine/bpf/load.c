// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/bpf/load.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "base/str.h"
#include "bpf/trace.skel.h"
#include "bpf/trace_old.skel.h"
#include "bpf/trace_rare.skel.h"
#include "bpf/trace_tp.skel.h"
#include "kernel/bpf_programs.h"
#include "kernel/rights/lent.h"
#include "kernel/perf.h"
#include "kernel/settings.h"
#include "kernel/tracefs.h"

/* What a light skeleton's own bpf_load_and_run does, but the program that loads the others stays: it is a sleepable
 * one, and its end would be a grace period of RCU Tasks Trace. That leaves a mark in every thread there is, and a
 * thread with the mark takes a longer way out of the system call tracepoints ever after: 13 ns each of the two. */
#include <bpf/skel_internal.h>
static int kept_loader = -1;

static int load_and_keep(struct bpf_load_and_run_opts *o)
{
	union bpf_attr load = { .prog_type = BPF_PROG_TYPE_SYSCALL, .insns = (uintptr_t)o->insns,
				.insn_cnt = o->insns_sz / sizeof(struct bpf_insn), .license = (uintptr_t)"Dual BSD/GPL",
				.prog_name = "__loader.prog", .prog_flags = BPF_F_SLEEPABLE };
	int key = 0, err, map = skel_map_create(BPF_MAP_TYPE_ARRAY, "__loader.map", 4, o->data_sz, 1);
	if (map < 0)
		return -errno;
	load.fd_array = (uintptr_t)&map;
	err = skel_map_update_elem(map, &key, o->data, 0) < 0 ? -errno : 0;
	int prog = err ? err : skel_sys_bpf(BPF_PROG_LOAD, &load, offsetofend(union bpf_attr, fd_array));
	if (!err && prog < 0)
		err = -errno;
	close(map); /* the program has it */
	union bpf_attr run = { .test = { .prog_fd = prog, .ctx_in = (uintptr_t)o->ctx, .ctx_size_in = o->ctx->sz } };
	if (!err && skel_sys_bpf(BPF_PROG_RUN, &run, offsetofend(union bpf_attr, test)) < 0)
		err = -errno;
	if (!err && (int)run.test.retval < 0)
		err = (int)run.test.retval;
	if (!err)
		kept_loader = prog;
	else if (prog >= 0)
		close(prog);
	return err;
}
#define bpf_load_and_run load_and_keep
#include "bpf/trace.lskel.h"
#include "bpf/trace_plain.lskel.h"
#include "bpf/trace_rare.lskel.h"
#include "bpf/trace_tp.lskel.h"

/* The skeletons have constants of the same names in structs of different names. */
#define SET_CONSTANTS(c, s)                                                                               \
	do {                                                                                              \
		(c)->self_tgid = (s)->self_tgid;                                                          \
		(c)->whole = (s)->whole;                                                                  \
		(c)->follow = (s)->follow;                                                                \
		(c)->slot_mask = (s)->slot_mask;                                                          \
		(c)->use_more = (s)->use_more;                                                            \
		(c)->preemptible = (s)->preemptible;                                                      \
		(c)->limit_string = (s)->limit_string;                                                    \
		(c)->limit_data = (s)->limit_data;                                                        \
		(c)->lines = (s)->lines;                                                                  \
		(c)->blocked_lines = (s)->announce;                                                       \
	} while (0)
/* Those that trace_plain does not have. */
#define SET_OPTION(type, name) set_to->name = set_from->name;
#define SET_OPTIONS(constants, settings)                                                                  \
	do {                                                                                              \
		__typeof__(constants) set_to = (constants);                                               \
		const struct bpf_settings *set_from = (settings);                                         \
		TRACE_OPTIONS(SET_OPTION)                                                                 \
	} while (0)

static bool is_plain(const struct bpf_settings *s)
{
	uint64_t any = s->rare != NULL;
#define OR_OPTION(type, name) any |= s->name;
	TRACE_OPTIONS(OR_OPTION)
	return !any;
}

static char libbpf_said[512];

static int keep_message(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN && !libbpf_said[0])
		vsnprintf(libbpf_said, sizeof(libbpf_said), fmt, ap);
	else if (level == LIBBPF_WARN && verbosity > 1)
		vfprintf(stderr, fmt, ap);
	return 0;
}

#define LIGHT_MAP(k, name) ((k)->maps.name.map_fd)
#define LIGHT_PROG(k, name) ((k)->progs.name.prog_fd)
#define FULL_MAP(k, name) bpf_map__fd((k)->maps.name)
#define FULL_PROG(k, name) bpf_program__fd((k)->progs.name)

/* Descriptors, the same for all skeletons. */
#define TAKE_DESCRIPTORS(p, k, MAP, PROG)                                                                 \
	do {                                                                                              \
		const int progs[PROG_COUNT] = {                                                           \
			[PROG_FORK] = PROG(k, on_fork), [PROG_EXEC] = PROG(k, on_exec),                   \
			[PROG_RENAME] = PROG(k, on_rename), [PROG_END] = PROG(k, on_end),                 \
			[PROG_SIGNAL] = PROG(k, on_signal), [PROG_IGNORED] = PROG(k, on_ignored),         \
			[PROG_SWITCH] = PROG(k, on_switch),                                               \
			[PROG_EXIT] = PROG(k, on_exit), [PROG_ENTER] = PROG(k, on_enter),                 \
		};                                                                                        \
		memcpy((p)->prog, progs, sizeof(progs));                                                  \
		(p)->blocks = MAP(k, blocks);                                                             \
		(p)->frames = MAP(k, frames);                                                             \
		(p)->wake = MAP(k, wake);                                                                 \
		(p)->slots = MAP(k, slots);                                                               \
		(p)->defs = MAP(k, defs);                                                                 \
		(p)->more = MAP(k, more);                                                                 \
		(p)->owners = MAP(k, owners);                                                             \
		(p)->have_more = &(k)->bss->have_more;                                                    \
		(p)->compat = &(k)->bss->compat;                                                          \
		(p)->reader = &(k)->bss->reader;                                                          \
	} while (0)

#define TAKE_SUMS(p, k, MAP) ((p)->sums = MAP(k, sums), (p)->sum_rows = MAP(k, sum_rows))
#define COMPAT_trace(p, k, MAP, PROG) ((p)->bell = (p)->compat_prog[0] = (p)->compat_prog[1] = -1)
#define COMPAT_trace_old(p, k, MAP, PROG) COMPAT_trace(p, k, MAP, PROG)
#define COMPAT_trace_tp(p, k, MAP, PROG) COMPAT_trace(p, k, MAP, PROG)
#define COMPAT_trace_rare(p, k, MAP, PROG)                                                                \
	((p)->bell = MAP(k, bell), (p)->compat_prog[0] = PROG(k, on_compat_exit), (p)->compat_prog[1] = PROG(k, on_compat_enter))

#define SET_RARE(k, s) ((k)->rodata->call_flags = (s)->call_flags, (k)->rodata->call_kinds = (s)->call_kinds)
#define FULL_trace(k, s)
#define FULL_trace_old(k, s)
#define FULL_trace_tp(k, s)
#define FULL_trace_rare(k, s) SET_RARE(k, s)

#define LIGHT_SUMS(p, k, s)                                                                               \
	do {                                                                                              \
		SET_OPTIONS((k)->rodata, s);                                                              \
		(k)->maps.sum_rows.max_entries = (s)->summary ? SUMS : 1;                                 \
		if (!(s)->summary)                                                                        \
			(k)->maps.sums.max_entries = 1; /* a table of its size costs milliseconds */      \
	} while (0)
#define OPTIONS_trace(p, k, s) LIGHT_SUMS(p, k, s)
#define OPTIONS_trace_tp(p, k, s) LIGHT_SUMS(p, k, s)
#define OPTIONS_trace_rare(p, k, s)                                                                       \
	do {                                                                                              \
		LIGHT_SUMS(p, k, s);                                                                      \
		SET_RARE(k, s);                                                                           \
	} while (0)
#define OPTIONS_trace_plain(p, k, s)
#define REST_trace_tp(p, k) REST_trace(p, k)
#define REST_trace(p, k) (TAKE_SUMS(p, k, LIGHT_MAP), COMPAT_trace(p, k, LIGHT_MAP, LIGHT_PROG))
#define REST_trace_rare(p, k) (TAKE_SUMS(p, k, LIGHT_MAP), COMPAT_trace_rare(p, k, LIGHT_MAP, LIGHT_PROG))
#define REST_trace_plain(p, k) ((p)->sums = (p)->sum_rows = -1, COMPAT_trace(p, k, LIGHT_MAP, LIGHT_PROG))

#define LIGHT_LOADER(name)                                                                                \
	static int load_light_##name(struct bpf_programs *p, const struct bpf_settings *s)                \
	{                                                                                                 \
		struct name##_lbpf *k = name##_lbpf__open();                                              \
		if (!k)                                                                                   \
			return -ENOMEM;                                                                   \
		SET_CONSTANTS(k->rodata, s);                                                              \
		OPTIONS_##name(p, k, s);                                                                  \
		k->maps.blocks.max_entries = lane_blocks(s->n_cpus, s->n_blocks);                    \
		k->maps.frames.max_entries = s->n_cpus * LANES;                                           \
		k->maps.slots.max_entries = s->slot_mask + 1;                                             \
		if (!s->use_more)                                                                         \
			k->maps.more.max_entries = 1;                                                     \
		int err = name##_lbpf__load(k);                                                           \
		if (err) {                                                                                \
			name##_lbpf__destroy(k);                                                          \
			return err < 0 ? err : -EINVAL;                                                   \
		}                                                                                         \
		TAKE_DESCRIPTORS(p, k, LIGHT_MAP, LIGHT_PROG);                                            \
		REST_##name(p, k);                                                                        \
		p->skel = k;                                                                              \
		return 0;                                                                                 \
	}                                                                                                 \
	static void free_light_##name(void *k)                                                            \
	{                                                                                                 \
		name##_lbpf__destroy(k);                                                                  \
	}

#define FULL_LOADER(name)                                                                                 \
	static int load_full_##name(struct bpf_programs *p, const struct bpf_settings *s)                 \
	{                                                                                                 \
		struct name##_bpf *k = name##_bpf__open();                                                \
		if (!k)                                                                                   \
			return -errno;                                                                    \
		SET_CONSTANTS(k->rodata, s);                                                              \
		SET_OPTIONS(k->rodata, s);                                                                \
		FULL_##name(k, s);                                                                        \
		bpf_map__set_max_entries(k->maps.blocks, lane_blocks(s->n_cpus, s->n_blocks));       \
		bpf_map__set_max_entries(k->maps.frames, s->n_cpus * LANES);                              \
		bpf_map__set_max_entries(k->maps.slots, s->slot_mask + 1);                                \
		bpf_map__set_max_entries(k->maps.sum_rows, s->summary ? SUMS : 1);                        \
		if (!s->summary)                                                                          \
			bpf_map__set_max_entries(k->maps.sums, 1);                                        \
		if (!s->use_more)                                                                         \
			bpf_map__set_max_entries(k->maps.more, 1);                                        \
		if (!s->watch_idle)                                                                       \
			bpf_program__set_autoload(k->progs.on_switch, false);                             \
		int err = name##_bpf__load(k);                                                            \
		if (err) {                                                                                \
			name##_bpf__destroy(k);                                                           \
			return err;                                                                       \
		}                                                                                         \
		TAKE_DESCRIPTORS(p, k, FULL_MAP, FULL_PROG);                                              \
		TAKE_SUMS(p, k, FULL_MAP);                                                                \
		COMPAT_##name(p, k, FULL_MAP, FULL_PROG);                                                 \
		p->skel = k;                                                                              \
		return 0;                                                                                 \
	}                                                                                                 \
	static void free_full_##name(void *k)                                                             \
	{                                                                                                 \
		name##_bpf__destroy(k);                                                                   \
	}

LIGHT_LOADER(trace_plain)
LIGHT_LOADER(trace)
LIGHT_LOADER(trace_rare)
LIGHT_LOADER(trace_tp)
FULL_LOADER(trace)
FULL_LOADER(trace_old)
FULL_LOADER(trace_rare)
FULL_LOADER(trace_tp)

enum { LIGHT = 1, RARE = 2, PLAIN = 4, EVENTS = 8 /* by perf's events */ };
static const struct loader {
	int is;
	int (*load)(struct bpf_programs *p, const struct bpf_settings *s);
	void (*free)(void *skel);
} loaders[] = { /* in the order in which they are tried */
	{ LIGHT | RARE, load_light_trace_rare, free_light_trace_rare },
	{ RARE, load_full_trace_rare, free_full_trace_rare },
	{ LIGHT | EVENTS, load_light_trace_tp, free_light_trace_tp },
	{ EVENTS, load_full_trace_tp, free_full_trace_tp },
	{ LIGHT | PLAIN, load_light_trace_plain, free_light_trace_plain },
	{ LIGHT, load_light_trace, free_light_trace },
	{ 0, load_full_trace, free_full_trace },
	{ 0, load_full_trace_old, free_full_trace_old },
};

static bool refused;

bool bpf_programs_refused(void)
{
	return refused;
}

/* Tests force a way: "light" or "full" programs; "none" and "detached" are kernels that refuse to load or attach any. */
static bool forced(const char *way)
{
	const char *only = getenv("SONDE_BPF_LOADER");
	return only && !strcmp(only, way);
}

/* Is that one for what was asked? */
static bool fits(const struct loader *l, const struct bpf_settings *s)
{
	if (forced("none") || forced(l->is & LIGHT ? "full" : "light") || (l->is & RARE && !s->rare) || (l->is & PLAIN && !is_plain(s)))
		return false;
	return l->is & RARE || !(l->is & EVENTS) == !s->preemptible;
}

/* So many descriptors are always enough for the maps, programs and links. */
enum { FILES = 128 };

int bpf_programs_load(struct bpf_programs *p, struct bpf_settings *s)
{
	int err = -ENOTSUP;
	refused = false;
	libbpf_print_fn_t old = libbpf_set_print(keep_message);
	memset(p, 0, sizeof(*p));
	for (int i = 0; i < PROG_COUNT; i++)
		p->link[i] = p->perf[i] = -1;
	p->compat_link[0] = p->compat_link[1] = -1;
	bool few = settings()->nofile >= 0 && settings()->nofile < FILES && !files_limit_raise();
	for (size_t i = 0; err && i < sizeof(loaders) / sizeof(loaders[0]); i++) {
		const struct loader *l = &loaders[i];
		if (!(l->is & RARE))
			s->rare = NULL; /* the kernel is too old for that, but sees the call among all others */
		if (!fits(l, s))
			continue;
		libbpf_said[0] = 0; /* the last one's word counts */
		uint64_t rights = lent_raise();
		err = l->load(p, s);
		lent_lower(rights);
		p->free = l->free;
	}
	libbpf_set_print(old);
	if (!err)
		return 0;
	p->skel = NULL;
	error_sys(err, "the kernel refuses the tracing program");
	if (err == -EMFILE || few) /* the light loader calls that EINVAL */
		return files_limit_hint();
	refused = true;
	if (libbpf_said[0])
		error_hint("libbpf says: %s", libbpf_said);
	if (err == -EPERM || err == -EACCES)
		error_hint("it takes root, or CAP_BPF and CAP_PERFMON, and a kernel that is not locked down");
	return err;
}

static int attach_raw(int prog, int *link)
{
	uint64_t rights = lent_raise();
	*link = bpf_raw_tracepoint_open(NULL, prog);
	lent_lower(rights);
	return *link < 0 ? *link : 0;
}

/* By way of perf: to the event of one call, or to that of all (NULL). */
static int attach_tracepoint(struct bpf_programs *p, int i, const char *call)
{
	char *name = xasprintf("sys_%s%s%s", i == PROG_ENTER ? "enter" : "exit", call ? "_" : "", call ? call : "");
	int64_t id = tracefs_event_id(call ? "syscalls" : "raw_syscalls", name);
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id, .sample_period = 1, .wakeup_events = 1 };
	free(name);
	if (id < 0)
		return id;
	p->perf[i] = perf_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (p->perf[i] < 0)
		return p->perf[i];
	if (ioctl(p->perf[i], PERF_EVENT_IOC_SET_BPF, p->prog[i]) || ioctl(p->perf[i], PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return 0;
}

int bpf_programs_attach(struct bpf_programs *p, const struct bpf_settings *s, const bool want[PROG_COUNT])
{
	for (int i = 0; i < PROG_COUNT; i++) {
		int err = 0;
		if (!want[i])
			continue;
		if ((s->rare || s->preemptible) && (i == PROG_ENTER || i == PROG_EXIT)) {
			err = attach_tracepoint(p, i, s->rare);
		} else {
			err = attach_raw(p->prog[i], &p->link[i]);
		}
		if (forced("detached"))
			err = -ENOTSUP;
		if (err) {
			error_sys(err, "cannot attach to the kernel's tracepoints");
			refused = err != -EMFILE;
			return refused ? err : files_limit_hint();
		}
	}
	return 0;
}

int bpf_programs_compat(struct bpf_programs *p)
{
	for (int i = 0; i < 2; i++) {
		int err = attach_raw(p->compat_prog[i], &p->compat_link[i]);
		if (err)
			return err;
	}
	return 0;
}

void bpf_programs_compat_end(struct bpf_programs *p)
{
	for (int i = 1; i >= 0; i--) {
		if (p->compat_link[i] >= 0)
			close(p->compat_link[i]);
		p->compat_link[i] = -1;
	}
}

/* What bpf/trace_tp.bpf.c does not make up for. */
uint64_t bpf_programs_left_out(const struct bpf_programs *p)
{
	static const enum bpf_prog_id missed[] = { PROG_ENTER, PROG_EXIT, PROG_RENAME, PROG_SIGNAL, PROG_IGNORED };
	uint64_t n = 0;
	for (size_t i = 0; i < sizeof(missed) / sizeof(missed[0]); i++)
		n += bpf_program_left_out(p->prog[missed[i]]);
	return n;
}

void bpf_programs_detach(struct bpf_programs *p, enum bpf_prog_id id)
{
	if (p->link[id] >= 0)
		close(p->link[id]);
	if (p->perf[id] >= 0)
		close(p->perf[id]);
	p->link[id] = p->perf[id] = -1;
}

void bpf_programs_release(struct bpf_programs *p)
{
	if (!p->skel)
		return;
	for (int i = PROG_COUNT - 1; i >= 0; i--)
		bpf_programs_detach(p, i);
	bpf_programs_compat_end(p);
	p->free(p->skel);
	p->skel = NULL;
	if (kept_loader >= 0)
		close(kept_loader);
	kept_loader = -1;
}

void *bpf_memory(int map, size_t len, int prot)
{
	void *p = mmap(NULL, len, prot, MAP_SHARED, map, 0);
	if (p == MAP_FAILED) {
		error_sys(errno, "cannot map the tracing program's memory");
		return NULL;
	}
	return p;
}

int bpf_bell_map(struct bpf_bell *b, int map)
{
	size_t page = sysconf(_SC_PAGESIZE);
	b->consumed = bpf_memory(map, page, PROT_READ | PROT_WRITE);
	if (!b->consumed)
		return error_code();
	void *p = mmap(NULL, page, PROT_READ, MAP_SHARED, map, page);
	if (p == MAP_FAILED)
		return error_sys(errno, "cannot map the tracing program's memory");
	b->produced = p;
	return 0;
}

void bpf_bell_clear(struct bpf_bell *b)
{
	__atomic_store_n(b->consumed, __atomic_load_n(b->produced, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
}

void bpf_bell_release(struct bpf_bell *b)
{
	size_t page = sysconf(_SC_PAGESIZE);
	if (b->consumed)
		munmap(b->consumed, page);
	if (b->produced)
		munmap((void *)b->produced, page);
	*b = (struct bpf_bell){ 0 };
}

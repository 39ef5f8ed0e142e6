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

/* The skeletons have constants of the same names in structs of different names. */
#define SET_CONSTANTS(c, s)                                                                               \
	do {                                                                                              \
		(c)->self_tgid = (s)->self_tgid;                                                          \
		(c)->whole = (s)->whole;                                                                  \
		(c)->follow = (s)->follow;                                                                \
		(c)->slot_mask = (s)->slot_mask;                                                          \
		(c)->use_more = (s)->use_more;                                                            \
		(c)->n_blocks = (s)->n_blocks;                                                            \
		(c)->limit_string = (s)->limit_string;                                                    \
		(c)->limit_data = (s)->limit_data;                                                        \
		(c)->lines = (s)->lines;                                                                  \
		(c)->blocked_lines = (s)->announce;                                                       \
	} while (0)
/* Those that trace_plain does not have. */
#define SET_OPTIONS(c, s)                                                                                 \
	do {                                                                                              \
		(c)->pid_space = (s)->pid_space;                                                          \
		(c)->pid_level = (s)->pid_layout.level;                                                   \
		(c)->pid_numbers = (s)->pid_layout.numbers;                                               \
		(c)->pid_space_inode = (s)->pid_layout.inode;                                             \
		(c)->use_uid = (s)->use_uid;                                                              \
		(c)->want_uid = (s)->want_uid;                                                            \
		(c)->use_cgroup = (s)->use_cgroup;                                                        \
		(c)->cgroup_level = (s)->cgroup_level;                                                    \
		(c)->cgroup_id = (s)->cgroup_id;                                                          \
		(c)->use_comm = (s)->use_comm;                                                            \
		memcpy((void *)&(c)->want_comm, (s)->want_comm, 8);                                       \
		memcpy((void *)&(c)->want_comm_rest, (s)->want_comm + 8, 8);                              \
		(c)->use_cpus = (s)->use_cpus;                                                            \
		(c)->summary = (s)->summary;                                                              \
		(c)->summary_only = (s)->summary_only;                                                    \
		(c)->graph_user = (s)->graph_user;                                                        \
		(c)->graph_kernel = (s)->graph_kernel;                                                    \
		(c)->use_tests = (s)->use_tests;                                                          \
		(c)->see_files = (s)->see_files;                                                          \
	} while (0)

static bool is_plain(const struct bpf_settings *s)
{
	return !s->rare && !s->pid_space && !s->use_uid && !s->use_cgroup && !s->use_comm && !s->use_cpus && !s->summary &&
	       !s->graph_user && !s->graph_kernel && !s->use_tests && !s->see_files;
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
		(p)->ctl = MAP(k, ctl);                                                                   \
		(p)->slots = MAP(k, slots);                                                               \
		(p)->defs = MAP(k, defs);                                                                 \
		(p)->more = MAP(k, more);                                                                 \
		(p)->owners = MAP(k, owners);                                                             \
		(p)->have_more = &(k)->bss->have_more;                                                    \
		(p)->narrow = &(k)->bss->narrow;                                                          \
	} while (0)

#define TAKE_SUMS(p, k, MAP) ((p)->sums = MAP(k, sums), (p)->sum_rows = MAP(k, sum_rows))
#define NARROW_trace(p, k, MAP, PROG) ((p)->bell = (p)->narrow_prog[0] = (p)->narrow_prog[1] = -1)
#define NARROW_trace_old(p, k, MAP, PROG) NARROW_trace(p, k, MAP, PROG)
#define NARROW_trace_rare(p, k, MAP, PROG)                                                                \
	((p)->bell = MAP(k, bell), (p)->narrow_prog[0] = PROG(k, on_narrow_exit), (p)->narrow_prog[1] = PROG(k, on_narrow_enter))

#define SET_RARE(k, s) ((k)->rodata->call_flags = (s)->call_flags, (k)->rodata->call_kinds = (s)->call_kinds)
#define FULL_trace(k, s)
#define FULL_trace_old(k, s)
#define FULL_trace_rare(k, s) SET_RARE(k, s)

#define LIGHT_SUMS(p, k, s)                                                                               \
	do {                                                                                              \
		SET_OPTIONS((k)->rodata, s);                                                              \
		(k)->maps.sum_rows.max_entries = (s)->summary ? SUMS : 1;                                 \
		if (!(s)->summary)                                                                        \
			(k)->maps.sums.max_entries = 1; /* a table of its size costs milliseconds */      \
	} while (0)
#define OPTIONS_trace(p, k, s) LIGHT_SUMS(p, k, s)
#define OPTIONS_trace_rare(p, k, s)                                                                       \
	do {                                                                                              \
		LIGHT_SUMS(p, k, s);                                                                      \
		SET_RARE(k, s);                                                                           \
	} while (0)
#define OPTIONS_trace_plain(p, k, s)
#define REST_trace(p, k) (TAKE_SUMS(p, k, LIGHT_MAP), NARROW_trace(p, k, LIGHT_MAP, LIGHT_PROG))
#define REST_trace_rare(p, k) (TAKE_SUMS(p, k, LIGHT_MAP), NARROW_trace_rare(p, k, LIGHT_MAP, LIGHT_PROG))
#define REST_trace_plain(p, k) ((p)->sums = (p)->sum_rows = -1, NARROW_trace(p, k, LIGHT_MAP, LIGHT_PROG))

#define LIGHT_LOADER(name)                                                                                \
	static int load_light_##name(struct bpf_programs *p, const struct bpf_settings *s)                \
	{                                                                                                 \
		struct name##_lbpf *k = name##_lbpf__open();                                              \
		if (!k)                                                                                   \
			return -ENOMEM;                                                                   \
		SET_CONSTANTS(k->rodata, s);                                                              \
		OPTIONS_##name(p, k, s);                                                                  \
		k->maps.blocks.max_entries = s->n_cpus * s->n_blocks;                                     \
		k->maps.ctl.max_entries = s->n_cpus;                                                      \
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
		bpf_map__set_max_entries(k->maps.blocks, s->n_cpus * s->n_blocks);                        \
		bpf_map__set_max_entries(k->maps.ctl, s->n_cpus);                                         \
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
		NARROW_##name(p, k, FULL_MAP, FULL_PROG);                                                 \
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
FULL_LOADER(trace)
FULL_LOADER(trace_old)
FULL_LOADER(trace_rare)

static const struct loader {
	bool light, rare, plain;
	int (*load)(struct bpf_programs *p, const struct bpf_settings *s);
	void (*free)(void *skel);
} loaders[] = { /* in the order in which they are tried */
	{ true, true, false, load_light_trace_rare, free_light_trace_rare },
	{ false, true, false, load_full_trace_rare, free_full_trace_rare },
	{ true, false, true, load_light_trace_plain, free_light_trace_plain },
	{ true, false, false, load_light_trace, free_light_trace },
	{ false, false, false, load_full_trace, free_full_trace },
	{ false, false, false, load_full_trace_old, free_full_trace_old },
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
	p->narrow_link[0] = p->narrow_link[1] = -1;
	bool few = settings()->nofile >= 0 && settings()->nofile < FILES && !files_limit_raise();
	for (size_t i = 0; err && i < sizeof(loaders) / sizeof(loaders[0]); i++) {
		const struct loader *l = &loaders[i];
		if (!l->rare)
			s->rare = NULL; /* the kernel is too old for that, but sees the call among all others */
		if ((l->rare && !s->rare) || (l->plain && !is_plain(s)) || forced(l->light ? "full" : "light") || forced("none"))
			continue;
		libbpf_said[0] = 0; /* the last one's word counts */
		err = l->load(p, s);
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

/* A tracepoint of tracefs, by way of a perf event. */
static int attach_tracepoint(struct bpf_programs *p, int i, const char *call)
{
	char *name = xasprintf("sys_%s_%s", i == PROG_ENTER ? "enter" : "exit", call);
	int64_t id = tracefs_event_id("syscalls", name);
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
		if (s->rare && (i == PROG_ENTER || i == PROG_EXIT)) {
			err = attach_tracepoint(p, i, s->rare);
		} else {
			p->link[i] = bpf_raw_tracepoint_open(NULL, p->prog[i]);
			err = p->link[i] < 0 ? p->link[i] : 0;
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

int bpf_programs_narrow(struct bpf_programs *p)
{
	for (int i = 0; i < 2; i++) {
		p->narrow_link[i] = bpf_raw_tracepoint_open(NULL, p->narrow_prog[i]);
		if (p->narrow_link[i] < 0)
			return p->narrow_link[i];
	}
	return 0;
}

void bpf_programs_narrow_end(struct bpf_programs *p)
{
	for (int i = 1; i >= 0; i--) {
		if (p->narrow_link[i] >= 0)
			close(p->narrow_link[i]);
		p->narrow_link[i] = -1;
	}
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
	bpf_programs_narrow_end(p);
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

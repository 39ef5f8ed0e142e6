// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/offcpu.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "attach/chosen.h"
#include "attach/forbidden.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "bpf/chosen.h"
#include "bpf/offcpu.h"
#include "bpf/offcpu.skel.h"
#include "kernel/bpf_programs.h"
#include "kernel/clock.h"
#include "kernel/root.h"

enum { SLEEPERS_MAX = 262144, CHAIN_MAX = OFFCPU_KERNEL + OFFCPU_FRAMES + 2 };

struct offcpu {
	struct offcpu_bpf *bpf;
	struct chosen chosen;
	uint64_t schedule[2]; /* __schedule, from and to; 0: not known */
	struct u64map told; /* ns, by the number of a place that is in the map */
};

static int load(struct offcpu *o, const struct offcpu_options *how, int n_cpus)
{
	struct offcpu_bpf *b = o->bpf = offcpu_bpf__open();
	bool by_task = target_by_task(how->target);
	int64_t pid_max = 32768;
	if (!b)
		return -errno;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/pid_max"), &pid_max);
	b->rodata->by_task = by_task;
	b->rodata->inherit = how->inherit;
	b->rodata->tid_max = chosen_size(&o->chosen, b->maps.tasks, by_task);
	b->rodata->n_cgroups = how->target->cgroups.n;
	b->rodata->by_cpu = !by_task;
	b->rodata->n_cpus = n_cpus;
	b->rodata->with_cgroup = how->cgroups;
	b->rodata->with_kernel = how->kernel;
	b->bss->on = 1; /* of all; offcpu_state says whether now */
	bpf_map__set_max_entries(b->maps.cpus, n_cpus);
	bpf_map__set_max_entries(b->maps.sleeps, pid_max < SLEEPERS_MAX ? pid_max : SLEEPERS_MAX);
	bpf_program__set_autoload(b->progs.born, by_task);
	bpf_program__set_autoload(b->progs.execed, by_task);
	bpf_program__set_autoload(b->progs.ended, false); /* who ends may wait on his way, and whoever gets his number is born first */
	return offcpu_bpf__load(b);
}

static int choose(struct offcpu *o, const struct offcpu_options *how)
{
	const struct target *t = how->target;
	uint32_t one = 1, i = 0;
	int err = chosen_map(&o->chosen, o->bpf->maps.tasks);
	if (err)
		return err;
	chosen_mark(&o->chosen, t, how->at_exec ? TASK_AT_EXEC : TASK_ON);
	vec_each(&t->cpus, cpu)
		if (bpf_map_update_elem(bpf_map__fd(o->bpf->maps.cpus), cpu, &one, BPF_ANY))
			return -errno;
	vec_each(&t->cgroups, g) {
		if (g->fd >= 0 && bpf_map_update_elem(bpf_map__fd(o->bpf->maps.cgroups), &i, &g->fd, BPF_ANY)) {
			error_sys(-errno, "--off-cpu cannot tell who is in the cgroup %s", g->name);
			return error_hint("it can in the unified hierarchy (cgroup v2); without -G: all of them");
		}
		i++;
	}
	return 0;
}

static int refuse(int err)
{
	if (error_code())
		return error_code();
	if (bpf_forbidden(err, "--off-cpu", "sonde record --off-cpu ...", "sonde record -e sched:sched_switch -g"))
		return error_code();
	error_sys(err, "--off-cpu: the kernel does not take its BPF program");
	return error_hint("it needs BTF and tracepoints with it (Linux 5.5): sonde doctor; without: sonde record -e sched:sched_switch -g");
}

static int open_all(struct offcpu *o, const struct offcpu_options *how)
{
	int n_cpus = libbpf_num_possible_cpus();
	if (how->target->cgroups.n > OFFCPU_CGROUPS)
		return error_set(E2BIG, "--off-cpu takes at most %d cgroups", OFFCPU_CGROUPS);
	if (!chosen_possible()) {
		error_set(EPERM, "--off-cpu cannot tell the threads of a PID namespace, and lent rights do not reach so far");
		return error_hint("run it as root outside of the container");
	}
	libbpf_hushed(true);
	int err = n_cpus > 0 ? load(o, how, n_cpus) : -EINVAL;
	if (!err)
		err = choose(o, how);
	if (!err)
		err = offcpu_bpf__attach(o->bpf);
	libbpf_hushed(false);
	return err ? refuse(err) : 0;
}

/* From that function on a stack is that of who waits: what it calls are we. */
static void find_schedule(uint64_t span[2])
{
	char line[1024], name[512];
	unsigned long long at;
	FILE *f = fopen(root_path(ROOT_PROC, "kallsyms"), "re");
	while (f && !span[1] && fgets(line, sizeof(line), f)) /* in order of addresses */
		if (sscanf(line, "%llx %*c %511s", &at, name) == 2) {
			if (span[0] && at > span[0])
				span[1] = at;
			else if (!strcmp(name, "__schedule"))
				span[0] = at;
		}
	if (f)
		fclose(f);
}

struct offcpu *offcpu_open(const struct offcpu_options *how)
{
	struct offcpu *o = xcalloc(1, sizeof(*o));
	if (how->kernel)
		find_schedule(o->schedule);
	if (!open_all(o, how))
		return o;
	offcpu_close(o);
	return NULL;
}

/* Who waits across a time in which nothing is measured has waited that much less: the clock stood. */
void offcpu_turn(struct offcpu *o, bool on)
{
	struct offcpu_state *s = &o->bpf->bss->state;
	uint64_t clock = s->clock, now = clock_ns();
	if (on == (clock & 1))
		return;
	if (!on)
		__atomic_store_n(&s->off_at, now, __ATOMIC_RELEASE);
	__atomic_store_n(&s->clock, (now - (clock >> 1)) << 1 | on, __ATOMIC_RELEASE);
}

static size_t add_frames(uint64_t *chain, size_t n, uint64_t context, const __u64 *ip, size_t most)
{
	if (!most || !ip[0])
		return n;
	chain[n++] = context;
	for (size_t i = 0; i < most && ip[i]; i++)
		chain[n++] = ip[i];
	return n;
}

static size_t first_of_kernel(const struct offcpu *o, const __u64 *ip)
{
	for (size_t i = 0; i < OFFCPU_KERNEL && ip[i]; i++)
		if (ip[i] >= o->schedule[0] && ip[i] < o->schedule[1])
			return i;
	return 0;
}

static size_t chain_of(struct offcpu *o, const struct offcpu_place *p, uint64_t chain[CHAIN_MAX])
{
	struct offcpu_stack key = { .hash = p->stack, .pid = p->pid };
	struct offcpu_frames f;
	if (!p->stack || bpf_map_lookup_elem(bpf_map__fd(o->bpf->maps.stacks), &key, &f))
		return 0;
	size_t first = first_of_kernel(o, f.kernel);
	size_t n = add_frames(chain, 0, PERF_CONTEXT_KERNEL, f.kernel + first, OFFCPU_KERNEL - first);
	return add_frames(chain, n, PERF_CONTEXT_USER, f.user, OFFCPU_FRAMES);
}

struct taker { struct offcpu *o; offcpu_take *take; void *ctx; };

static int take_one(const struct taker *t, const struct offcpu_place *p, uint64_t ns, uint64_t time)
{
	uint64_t chain[CHAIN_MAX];
	struct offcpu_wait w = { .pid = p->pid, .tid = p->tid, .cgroup = p->cgroup, .ns = ns, .time = time, .chain = chain };
	w.n_chain = chain_of(t->o, p, chain);
	return t->take(t->ctx, &w);
}

/* What there is to tell of a place, which is told with that. */
static int take_rest(const struct taker *t, const struct offcpu_place *p, const struct offcpu_sum *s, bool *more)
{
	uint64_t told = (uintptr_t)u64map_set(&t->o->told, s->number, (void *)(uintptr_t)s->ns);
	*more = s->ns > told;
	return *more ? take_one(t, p, s->ns - told, s->last) : 0;
}

/* Makes room: a thread that is no more waits no more. Before its end it may have. */
static int forget_dead(const struct taker *t, const struct offcpu_place *p)
{
	int map = bpf_map__fd(t->o->bpf->maps.waits), err = 0;
	struct offcpu_sum last;
	bool more;
	if (!syscall(__NR_tgkill, p->pid, p->tid, 0) || errno != ESRCH || bpf_map_lookup_elem(map, p, &last))
		return 0;
	err = take_rest(t, p, &last, &more);
	if (!bpf_map_delete_elem(map, p))
		u64map_del(&t->o->told, last.number);
	return err;
}

static int take_waits(const struct taker *t, const struct offcpu_place *p, const struct offcpu_sum *s, size_t n, bool crowded)
{
	int err = 0;
	for (size_t i = 0; i < n && !err; i++) {
		bool more;
		err = take_rest(t, &p[i], &s[i], &more);
		if (!err && !more && crowded)
			err = forget_dead(t, &p[i]);
	}
	return err;
}

int offcpu_drain(struct offcpu *o, offcpu_take *take, void *ctx)
{
	struct taker t = { o, take, ctx };
	struct offcpu_place *places = xcalloc(OFFCPU_WAITS, sizeof(*places));
	struct offcpu_sum *sums = xcalloc(OFFCPU_WAITS, sizeof(*sums));
	uint32_t at, n = OFFCPU_WAITS;
	/* all at once, which is most of what there can be: where a bucket does not fit any more, those behind it come next time */
	int err = bpf_map_lookup_batch(bpf_map__fd(o->bpf->maps.waits), NULL, &at, places, sums, &n, NULL);
	if (!err || errno == ENOENT)
		err = take_waits(&t, places, sums, n, n > OFFCPU_WAITS / 2);
	else
		err = error_sys(errno, "cannot read what --off-cpu has measured");
	free(places);
	free(sums);
	return err;
}

static int take_sleepers(const struct taker *t)
{
	int map = bpf_map__fd(t->o->bpf->maps.sleeps), err = 0;
	uint64_t off_at = t->o->bpf->bss->state.off_at, end_clock = t->o->bpf->bss->state.clock >> 1; /* it stands */
	uint32_t tid, next;
	for (int end = bpf_map_get_next_key(map, NULL, &next); !end && !err;) {
		struct offcpu_sleep s;
		tid = next;
		end = bpf_map_get_next_key(map, &tid, &next);
		if (bpf_map_lookup_elem(map, &tid, &s) || s.since >= end_clock)
			continue;
		struct offcpu_place p = { .pid = s.pid, .tid = tid, .stack = s.stack, .cgroup = s.cgroup };
		err = take_one(t, &p, end_clock - s.since, off_at);
	}
	return err;
}

int offcpu_finish(struct offcpu *o, offcpu_take *take, void *ctx)
{
	struct taker t = { o, take, ctx };
	offcpu_turn(o, false);
	offcpu_bpf__detach(o->bpf);
	(void)syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0); /* until those that run now on other CPUs have ended */
	int err = offcpu_drain(o, take, ctx);
	return err ? err : take_sleepers(&t);
}

struct offcpu_loss offcpu_lost(const struct offcpu *o)
{
	const struct offcpu_state *s = &o->bpf->bss->state;
	return (struct offcpu_loss){ .waits = s->lost + s->lost_sleeps, .ns = s->lost_ns, .stacks = s->lost_stacks,
		.left_out = bpf_program_left_out(bpf_program__fd(o->bpf->progs.switched)) };
}

void offcpu_close(struct offcpu *o)
{
	if (!o)
		return;
	chosen_release(&o->chosen);
	u64map_release(&o->told);
	offcpu_bpf__destroy(o->bpf);
	free(o);
}

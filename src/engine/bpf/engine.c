// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine 1: a BPF program makes the records (bpf/trace.bpf.c tells how), this side joins them.
 * inner.h says which file does what. */
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include "base/error.h"
#include "base/file.h"
#include "base/signals.h"
#include "engine/bpf/cost.h"
#include "engine/bpf/inner.h"
#include "engine/bpf/settings.h"
#include "engine/bpf/table.h"
#include "engine/engines.h"
#include "engine/targets.h"
#include "attach/pid_space.h"
#include "kernel/clock.h"
#include "kernel/features/features.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

static int lost_event(struct engine *g, struct sysevent *e, const struct rec *r, unsigned cpu)
{
	sysevent_lost(e, r->time, cpu, r->lost);
	g->again = r;
	g->again_cpu = cpu;
	return 1;
}

/* What no record tells of: programs that found no lane free; at the end, what was lost behind the last record. */
static bool other_losses(struct engine *g, struct sysevent *e)
{
	for (unsigned i = 0; i < g->n_cpus * LANES; i++) {
		const struct lane *l = &g->frames[i].lane;
		uint64_t *told = &g->told_losses[i], n = __atomic_load_n(&l->missed, __ATOMIC_ACQUIRE) + (g->stopping ? l->pending : 0);
		if (n <= *told)
			continue;
		sysevent_lost(e, clock_ns(), i / LANES, n - *told);
		*told = n;
		return true;
	}
	return false;
}

static struct cpu_use use_of(void *ctx, unsigned cpu)
{
	struct engine *g = ctx;
	const struct lane_frame *f = &g->frames[cpu * LANES];
	uint64_t since = __atomic_load_n(&f->idle_since, __ATOMIC_ACQUIRE), now = clock_ns(), idle = f->idle_ns;
	return (struct cpu_use){ g->rings.ring[cpu * LANES].head, idle + (since && now > since ? now - since : 0) };
}

/* Sleeps until the time is over, a program wakes us, or a signal comes: true. */
static bool snooze(struct engine *g, uint64_t ns)
{
	struct pollfd fds[2] = { { .fd = signals_fd(), .events = POLLIN }, { .fd = g->programs.wake, .events = POLLIN } };
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };
	int n = ppoll(fds, 2, &ts, NULL);
	if (n > 0 && fds[1].revents)
		bpf_bell_clear(&g->bell);
	return n > 0 && fds[0].revents;
}

static int bpf_next(struct engine *g, struct sysevent *e, int timeout_ms)
{
	uint64_t left = timeout_ms * 1000000ull;
	if (!g->told_midway && bpf_midway_next(g, e))
		return 1;
	for (;;) {
		unsigned cpu;
		const struct rec *r;
		if (g->again) {
			r = g->again;
			cpu = g->again_cpu;
			g->again = NULL;
		} else {
			r = bpf_rings_next(&g->rings, &cpu);
			if (r && r->lost)
				return lost_event(g, e, r, cpu);
		}
		if (r) {
			if (bpf_convert(g, e, r, cpu))
				return 1;
			continue;
		}
		if (other_losses(g, e))
			return 1;
		if (g->stopping) {
			if (!g->told_unfinished && !g->no_calls)
				bpf_unfinished_note(g, &g->limits);
			g->told_unfinished = true;
			return bpf_unfinished_next(g, e);
		}
		if (!left)
			return 0;
		uint64_t pause = bpf_rings_pause(&g->rings, left);
		keep_away_look(&g->away, g->n_cpus, use_of, g);
		if (pause && snooze(g, pause))
			left = 0; /* look once more, then tell the caller */
		else
			left -= pause;
		bpf_rings_awake(&g->rings);
		if (!pause)
			continue;
		bpf_rings_look(&g->rings);
		bpf_compat_tell(&g->compat);
	}
}

/* ---- opening ---- */

static int map_all(struct engine *g, const struct bpf_settings *s, const struct engine_options *o)
{
	g->n_cpus = s->n_cpus;
	g->n_slots = s->slot_mask + 1;
	g->frames_len = bpf_pages(s->n_cpus * LANES * sizeof(struct lane_frame));
	g->blocks_len = (size_t)lane_blocks(s->n_cpus, s->n_blocks) * BLOCK;
	g->slots_len = bpf_pages(g->n_slots * sizeof(struct slot));
	g->frames = bpf_memory(g->programs.frames, g->frames_len, PROT_READ | PROT_WRITE);
	g->blocks = g->frames ? bpf_memory(g->programs.blocks, g->blocks_len, PROT_READ) : NULL;
	g->slots = g->blocks ? bpf_memory(g->programs.slots, g->slots_len, PROT_READ | PROT_WRITE) : NULL;
	if (!g->slots || bpf_bell_map(&g->bell, g->programs.wake))
		return error_code();
	g->told_losses = xcalloc(s->n_cpus * LANES, sizeof(*g->told_losses));
	for (uint32_t i = 0; i < s->n_cpus; i++) {
		g->frames[i * LANES].lane.wanted = !o->cpus.n || intlist_has(&o->cpus, i);
		g->frames[i * LANES].idle_since = clock_ns(); /* until the first switch tells */
	}
	bpf_rings_init(&g->rings, g->frames, g->blocks, g->programs.reader, s->n_cpus, s->n_blocks);
	size_t len = bpf_pages(2 * CALLS * sizeof(struct call_plan));
	struct call_plan *defs = bpf_memory(g->programs.defs, len, PROT_READ | PROT_WRITE);
	if (!defs)
		return error_code();
	bpf_table_fill(defs, o);
	munmap(defs, len);
	return 0;
}

static void bpf_close(struct engine *g)
{
	if (!g)
		return;
	uint64_t tid;
	void *t;
	size_t cursor = 0;
	bpf_compat_end(&g->compat);
	bpf_programs_release(&g->programs);
	if (g->frames)
		munmap(g->frames, g->frames_len);
	if (g->blocks)
		munmap(g->blocks, g->blocks_len);
	if (g->slots)
		munmap(g->slots, g->slots_len);
	bpf_bell_release(&g->bell);
	bpf_rings_release(&g->rings);
	free(g->told_losses);
	while (u64map_next(&g->threads, &cursor, &tid, &t))
		bpf_thread_free(t);
	bpf_thread_free(g->gone);
	u64map_release(&g->threads);
	vec_release(&g->copied);
	vec_release(&g->files);
	bpf_summary_clear(g);
	vec_release(&g->sums);
	str_release(&g->stack);
	keep_away_end(&g->away);
	if (g->real_time)
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	free(g);
}

/* The reader must come in time even when the traced programs want every CPU. Real-time, because a task with a very
 * low nice value weighs so much that the scheduler moves all others to the other CPUs: to the traced program's. */
static void be_prompt(struct engine *g)
{
	struct sched_param first = { .sched_priority = 1 };
	g->real_time = sched_getscheduler(0) == SCHED_OTHER && !sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first);
	prctl(PR_SET_TIMERSLACK, 1000ul);
	keep_away_init(&g->away);
}

/* The child's events are thrown away; nobody else of the traced has started yet, or is only missed for that long. */
static void measure(struct engine *g, struct bpf_cost *c)
{
	g->cost_ns = bpf_cost_end(c);
	bpf_rings_skip(&g->rings);
	bpf_thread_forget(g, c->pid);
}

static struct engine *bpf_open(const struct engine_options *o)
{
	struct bpf_settings s;
	struct engine *g;
	if (bpf_settings_make(&s, o))
		return NULL;
	g = xcalloc(1, sizeof(*g));
	str_init(&g->stack);
	g->announce = s.announce;
	g->no_calls = o->no_calls || o->summary_only;
	g->summary = o->summary;
	g->environ = o->environ;
	const bool want[PROG_COUNT] = {
		[PROG_FORK] = true, [PROG_EXEC] = true, [PROG_RENAME] = true, [PROG_END] = true,
		[PROG_SIGNAL] = s.lines, [PROG_IGNORED] = s.lines, [PROG_SWITCH] = s.watch_idle,
		[PROG_EXIT] = !o->no_calls, [PROG_ENTER] = !o->no_calls,
	};
	struct bpf_cost cost = { 0 };
	if (o->measure && !o->summary)
		bpf_cost_begin(&cost);
	int err = bpf_programs_load(&g->programs, &s) || map_all(g, &s, o) || bpf_follow_targets(g, o);
	if (!err)
		bpf_follow_spare_readers(g, o);
	if (!err && cost.pid > 0)
		bpf_follow_thread(g, cost.pid, cost.pid, SLOT_TRACED | SLOT_NEWBORN);
	if (err || bpf_programs_attach(&g->programs, &s, want) ||
	    (s.rare && bpf_compat_watch(g, o, s.rare))) {
		bpf_cost_end(&cost);
		bpf_close(g);
		return NULL;
	}
	if (cost.pid > 0)
		measure(g, &cost);
	bpf_follow_late(g, o);
	if (bpf_follow_judge(g)) {
		bpf_close(g);
		return NULL;
	}
	bpf_follow_midway(g, o);
	be_prompt(g);
	return g;
}

static void bpf_stop(struct engine *g)
{
	bpf_compat_end(&g->compat);
	bpf_compat_tell(&g->compat);
	bpf_programs_compat_end(&g->programs);
	bpf_programs_detach(&g->programs, PROG_ENTER);
	for (int i = PROG_COUNT - 1; i >= 0; i--)
		bpf_programs_detach(&g->programs, i);
	g->stopping = true;
	g->rings.drained = true;
	bpf_rings_look(&g->rings);
}

static void bpf_stats(struct engine *g, struct engine_stats *s)
{
	memset(s, 0, sizeof(*s));
	s->events = g->events;
	s->cost_ns = g->cost_ns;
	s->bytes = g->rings.bytes;
	s->polls = g->rings.polls;
	s->sleeps = g->rings.sleeps;
	s->still_ns = g->rings.still_ns;
	s->left_out = bpf_programs_left_out(&g->programs);
	for (uint32_t i = 0; i < g->n_cpus * LANES; i++) {
		const struct lane *l = &g->frames[i].lane;
		s->lost += l->lost + l->missed;
		s->not_summed += g->frames[i].not_summed;
		s->waits += l->waits;
		s->wait_ns += l->wait_ns;
	}
}

/* The cheap ones of the abilities it needs; they stand for the rest. */
static bool bpf_usable(const struct engine_options *o, struct str *why)
{
	static const enum feature needs[] = { FEATURE_BTF, FEATURE_BPF_MMAP, FEATURE_BPF_RAW_TRACEPOINT };
	uint32_t space;
	(void)o;
	if (!root_is_fake() && !pid_space_own(&space)) {
		str_add(why, "/proc does not show this process, so which pid namespace this is cannot be known\nmount -t proc proc /proc");
		return false;
	}
	int64_t marks = 0;
	if (lent() && !file_read_s64(root_path(ROOT_PROC, "sys/fs/suid_dumpable"), &marks) && marks == 1) {
		str_add(why, "fs.suid_dumpable is 1: programs with more rights than their user's cannot be told from others\n"
			"sudo sysctl fs.suid_dumpable=0");
		return false;
	}
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		const struct feature_state *s = feature_state(needs[i]);
		if (s->answer == FEATURE_YES)
			continue;
		str_addf(why, "%s: %s\n%s", feature_title(needs[i]), s->detail, s->remedy);
		return false;
	}
	return true;
}

static bool bpf_rare(const struct engine_options *o)
{
	return o->calls && bpf_table_rare(o);
}

const struct engine_ops engine_bpf = {
	.name = "bpf",
	.what = "eBPF: some 150 ns a call; root, or CAP_BPF and CAP_PERFMON",
	.can = ENGINE_SEES_MEMORY | ENGINE_SEES_FILES,
	.usable = bpf_usable,
	.rare = bpf_rare,
	.open = bpf_open,
	.next = bpf_next,
	.busy = bpf_follow_busy,
	.stop = bpf_stop,
	.close = bpf_close,
	.stats = bpf_stats,
	.summary = bpf_summary,
	.refused = bpf_programs_refused,
};

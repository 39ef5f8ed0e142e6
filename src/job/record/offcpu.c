// SPDX-License-Identifier: GPL-2.0-or-later
/* --off-cpu: the kernel sums up how long threads waited and where (attach/offcpu.h). With each round of the file the sums
 * since the last one become samples of the event offcpu-time, as perf has it: the time is their period, in ns. perf
 * writes them behind everything else, when the threads that have ended are forgotten and their addresses without names;
 * ours have the time when the last of these waits ended. */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include "base/error.h"
#include "job/record/inner.h"
#include "kernel/clock.h"

enum { ROUND_NS = 250000000 };

struct putting { struct recorder *r; uint64_t shift, no_room; };

/* Without -g the samples are perf's: with the user's stack alone. */
static bool wants_kernel(const struct sampling *s)
{
	return s->call_graph != CALL_GRAPH_NONE && !s->user_chains && !s->all_user;
}

int recorder_offcpu_open(struct recorder *r)
{
	struct offcpu_options how = { .target = r->t, .inherit = !r->o->no_inherit, .at_exec = r->t->workload,
				      .cgroups = r->o->sampling.cgroups, .kernel = wants_kernel(&r->o->sampling) };
	if (r->off_event < 0)
		return 0;
	r->offcpu = offcpu_open(&how);
	return r->offcpu ? 0 : error_code();
}

void recorder_offcpu_turn(struct recorder *r, bool on)
{
	if (r->offcpu)
		offcpu_turn(r->offcpu, on);
}

static int put_wait(void *ctx, const struct offcpu_wait *w)
{
	struct putting *p = ctx;
	bool in_kernel = w->n_chain && w->chain[0] == PERF_CONTEXT_KERNEL;
	struct perfdata_sample s = { .ip = w->n_chain > 1 ? w->chain[1] : 0, .time = w->time + p->shift, .period = w->ns,
				     .pid = w->pid, .tid = w->tid, .cgroup = w->cgroup, .misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
				     .chain = w->chain, .n_chain = w->n_chain };
	if (recorder_room(p->r) < 128 + w->n_chain * 8) {
		p->no_room++;
		return 0;
	}
	p->r->samples++;
	return perfdata_put_sample(p->r->w, p->r->off_event, &s);
}

/* The program's times are of CLOCK_MONOTONIC. */
static uint64_t shift_of(int clockid)
{
	struct timespec now;
	if (clockid == CLOCK_MONOTONIC || clock_gettime(clockid, &now))
		return 0;
	return now.tv_sec * 1000000000ull + now.tv_nsec - clock_ns();
}

int recorder_offcpu_round(struct recorder *r)
{
	struct putting p = { .r = r, .shift = shift_of(r->o->sampling.clockid) };
	uint64_t now = clock_ns();
	if (!r->offcpu)
		return 1;
	if (now < r->off_next)
		return 0;
	r->off_next = now + ROUND_NS;
	int err = offcpu_drain(r->offcpu, put_wait, &p);
	r->off_no_room += p.no_room;
	return err ? err : 1;
}

static void say_loss(const struct recorder *r, const struct offcpu_loss *l)
{
	if (l->left_out) /* sonde offcpu, whose recording is quiet, tells the rest by itself */
		warn("the kernel left out %llu runs of --off-cpu's program: waits may be missing", (unsigned long long)l->left_out);
	if (r->o->quiet)
		return;
	if (l->waits) {
		warn("%llu waits, at least %.3f s of them, are not in the file: there were too many different ones",
		     (unsigned long long)l->waits, l->ns / 1e9);
		hint("fewer threads: -p PID, -t TID; a shorter recording");
	}
	if (l->stacks)
		warn("%llu waits have no stack: there were too many different ones", (unsigned long long)l->stacks);
	if (r->off_no_room)
		warn("%llu samples of --off-cpu are not in the file: there was no room for them", (unsigned long long)r->off_no_room);
}

int recorder_offcpu_finish(struct recorder *r)
{
	struct putting p = { .r = r, .shift = shift_of(r->o->sampling.clockid) };
	if (!r->offcpu || !r->w)
		return 0;
	int err = offcpu_finish(r->offcpu, put_wait, &p);
	r->off_no_room += p.no_room;
	struct offcpu_loss l = offcpu_lost(r->offcpu);
	struct { struct perf_event_header h; uint64_t lost; } rec = { { PERF_RECORD_LOST_SAMPLES, 0, sizeof(rec) }, l.waits + r->off_no_room };
	if (!err && rec.lost)
		err = perfdata_put_of(r->w, &rec.h, r->off_id);
	say_loss(r, &l);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/mix_rings.h"
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "attach/open.h"
#include "attach/rings.h"
#include "attach/sampling.h"
#include "base/error.h"
#include "kernel/clock.h"

enum { RING = 1 << 20, RING_MIN = 64 << 10 };

struct mix_rings {
	struct target target;
	struct opened opened;
	struct rings rings;
};

static void rings_close(void *ctx)
{
	struct mix_rings *r = ctx;
	rings_release(&r->rings);
	opened_close(&r->opened);
	target_release(&r->target);
	free(r);
}

static void stop(void *ctx)
{
	struct mix_rings *r = ctx;
	opened_disable(&r->opened);
}

static void ids(void *ctx, size_t event, u64list *list)
{
	struct mix_rings *r = ctx;
	vec_each(&r->opened.fds, f) {
		uint64_t id;
		if (f->event == (int)event && !ioctl(f->fd, PERF_EVENT_IOC_ID, &id))
			*vec_push(list) = id;
	}
}

static uint64_t lost(void *ctx)
{
	struct mix_rings *r = ctx;
	uint64_t n = 0, v[3]; /* value, id, lost */
	if (sampling_has_lost())
		vec_each(&r->opened.fds, f)
			n += read(f->fd, v, sizeof(v)) == sizeof(v) ? v[2] : 0;
	return n;
}

static void drain(void *ctx, mix_take *take, struct trace_mix *m)
{
	struct mix_rings *r = ctx;
	vec_each(&r->rings.at, ring) {
		const struct perf_event_header *h;
		perf_ring_begin(ring);
		while ((h = perf_ring_next(ring)))
			take(m, h);
		perf_ring_end(ring);
	}
}

static uint64_t now(void *ctx)
{
	(void)ctx;
	return clock_ns();
}

static void pause_shortly(void *ctx)
{
	(void)ctx;
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static int fill_target(struct target *t, const struct engine_options *o)
{
	for (size_t i = 0; i < o->pids.n; i++)
		*vec_push(&t->pids) = o->pids.at[i];
	for (size_t i = 0; i < o->tids.n; i++)
		*vec_push(&t->tids) = o->tids.at[i];
	for (size_t i = 0; i < o->cpus.n && o->all; i++)
		*vec_push(&t->cpus) = o->cpus.at[i];
	t->system_wide = o->all;
	return target_resolve(t, engine_command(o) ? engine_command(o)->pid : 0);
}

/* -m is for both rings; a power of two. */
static size_t ring_bytes(const struct engine_options *o)
{
	size_t bytes = RING_MIN;
	while (o->ring_kb && bytes < o->ring_kb * 1024ull)
		bytes *= 2;
	return o->ring_kb ? bytes : RING;
}

int mix_rings_open(struct mix_source *s, const struct trace_mix_options *o, event_list *events)
{
	struct mix_rings *r = xcalloc(1, sizeof(*r));
	bool command = engine_command(o->engine);
	struct open_options how = { .inherit = !o->engine->no_follow, .per_cpu = true, .enable_on_exec = command, .user_only = true };
	int err = fill_target(&r->target, o->engine);
	vec_each(events, e)
		e->attr.read_format = PERF_FORMAT_ID | (sampling_has_lost() ? PERF_FORMAT_LOST : 0);
	if (!err)
		err = events_open(&r->opened, events, &r->target, &how);
	if (!err)
		err = rings_map(&r->rings, &r->opened, ring_bytes(o->engine), false, true);
	if (err) {
		rings_close(r);
		return err;
	}
	if (!command)
		opened_enable(&r->opened);
	*s = (struct mix_source){ .close = rings_close, .stop = stop, .lost = lost, .ids = ids, .drain = drain, .now = now, .pause = pause_shortly, .ctx = r };
	return 0;
}

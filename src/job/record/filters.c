// SPDX-License-Identifier: GPL-2.0-or-later
/* --filter on events that are no tracepoints: programs on their descriptors, and what these left out. */
#include <sys/ioctl.h>
#include <time.h>
#include "base/error.h"
#include "job/record/inner.h"
#include "perfdata/format.h"

static int open_one(struct recorder *r, int event)
{
	const struct event *e = &r->l->at[event];
	samplefilter f = { 0 };
	int err = samplefilter_parse(&f, e->sample_filter);
	if (!err)
		err = samplefilter_check(&f, e->attr.sample_type, e->name);
	if (!err) {
		struct filtered_event *one = vec_push(&r->filtered);
		one->event = event;
		one->gate = sample_gate_open(&f, &r->opened, event, e->name, r->o->sampling.clockid == CLOCK_MONOTONIC);
		err = one->gate ? 0 : error_code();
	}
	vec_release(&f);
	return err;
}

int filters_open(struct recorder *r)
{
	int err = 0;
	for (size_t i = 0; i < r->l->n && !err; i++)
		if (r->l->at[i].sample_filter)
			err = open_one(r, (int)i);
	return err;
}

static uint64_t id_of(const struct recorder *r, int event)
{
	uint64_t id = 0;
	vec_each(&r->opened.fds, f)
		if (f->event == event && !ioctl(f->fd, PERF_EVENT_IOC_ID, &id))
			return id;
	return 0;
}

static void say(const struct recorder *r, const char *name, const struct samplefilter_state *c)
{
	if (r->o->quiet)
		return;
	if (c->dropped)
		warn("%s: --filter left out %llu samples", name, (unsigned long long)c->dropped);
	if (c->unknown) {
		warn("%s: %llu samples lack a field that --filter asks for: it counts as 0", name, (unsigned long long)c->unknown);
		hint("the event's PMU has no such value, or the kernel (before Linux 6.3) works it out only later");
	}
}

bool filters_left_out(const struct recorder *r)
{
	vec_each(&r->filtered, f)
		if (sample_gate_counts(f->gate).dropped)
			return true;
	return false;
}

int filters_put(struct recorder *r)
{
	int err = 0;
	vec_each(&r->filtered, f) {
		struct samplefilter_state c = sample_gate_counts(f->gate);
		struct { struct perf_event_header h; uint64_t lost; } rec = { { PERF_RECORD_LOST_SAMPLES, MISC_LOST_BY_FILTER, sizeof(rec) },
									      c.dropped };
		if (c.dropped && r->w && !err)
			err = perfdata_put_of(r->w, &rec.h, id_of(r, f->event));
		say(r, r->l->at[f->event].name, &c);
	}
	return err;
}

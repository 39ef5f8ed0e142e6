// SPDX-License-Identifier: GPL-2.0-or-later
/* --switch-output-event: events that are not recorded; when one of them happens, the file is ended and a new one begun. */
#include <errno.h>
#include "base/error.h"
#include "job/record/inner.h"

enum { TRIGGER_RING = 64 << 10 };

static bool counts_each(const struct event *e)
{
	return e->kind == EVENT_TRACEPOINT || e->kind == EVENT_BREAKPOINT ||
	       (e->kind == EVENT_SOFTWARE && e->attr.config != PERF_COUNT_SW_CPU_CLOCK && e->attr.config != PERF_COUNT_SW_TASK_CLOCK);
}

static int apply(struct event *e)
{
	struct perf_event_attr *a = &e->attr;
	if (!a->sample_period && !counts_each(e)) {
		error_set(EINVAL, "--switch-output-event: %s happens all the time", e->name);
		return error_hint("a tracepoint or a probe; or say after how many: %s/period=1000000000/", e->name);
	}
	a->size = sizeof(*a);
	a->sample_period = a->sample_period ? a->sample_period : 1;
	a->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	a->wakeup_events = 1;
	return 0;
}

int trigger_open(struct recorder *r, const struct open_options *how)
{
	event_list *l = r->o->switch_events;
	if (!l || !l->n)
		return 0;
	vec_each(l, e)
		if (apply(e))
			return error_code();
	int err = events_open(&r->trigger, l, r->t, how);
	return err ? err : rings_map(&r->trigger_rings, &r->trigger, TRIGGER_RING, false, true);
}

bool trigger_hit(struct recorder *r)
{
	bool hit = false;
	vec_each(&r->trigger_rings.at, ring) {
		perf_ring_begin(ring);
		for (struct perf_event_header *h; (h = perf_ring_next(ring));)
			hit |= h->type == PERF_RECORD_SAMPLE || h->type == PERF_RECORD_LOST;
		perf_ring_end(ring);
	}
	return hit;
}

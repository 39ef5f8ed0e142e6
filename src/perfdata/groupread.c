// SPDX-License-Identifier: GPL-2.0-or-later
/* A sample with PERF_SAMPLE_READ ({a,b}:S) says what each event of its group has counted so far. It stands
 * for one sample of every event that has counted since: the difference is its period. */
#include "perfdata/internal.h"

void perfdata_keep_groups(struct perfdata *p)
{
	p->split.off = true;
}

bool split_begin(struct perfdata *p, const struct perfdata_record *r)
{
	struct split *s = &p->split;
	if (s->off || r->header->type != PERF_RECORD_SAMPLE || !r->read_values || !r->event)
		return false;
	const uint64_t format = r->event->attr.read_format, *w = r->read_values;
	size_t n = r->read_size / 8, times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	if (!(format & PERF_FORMAT_ID) || n < times + 2)
		return false;
	if (format & PERF_FORMAT_GROUP) {
		s->step = 2 + !!(format & PERF_FORMAT_LOST);
		s->at = w + 1 + times;
		s->left = w[0];
		if (s->left > (n - 1 - times) / s->step)
			s->left = (n - 1 - times) / s->step;
	} else {
		s->one[0] = w[0];
		s->one[1] = w[1 + times];
		s->at = s->one;
		s->left = 1;
	}
	s->record = *r;
	return true;
}

bool split_next(struct perfdata *p, struct perfdata_record *r)
{
	struct split *s = &p->split;
	while (s->left) {
		uint64_t value = s->at[0], id = s->at[1];
		int i = perfdata_event_of(p, id);
		if (--s->left)
			s->at += s->step;
		if (i < 0)
			continue;
		uint64_t since = value - (uintptr_t)u64map_get(&s->counted, id);
		if (!since)
			continue;
		u64map_set(&s->counted, id, (void *)(uintptr_t)value);
		*r = s->record;
		r->event = p->events[i];
		r->event_index = i;
		r->id = id;
		r->period = since;
		return true;
	}
	return false;
}

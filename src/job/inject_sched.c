// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/inject_sched.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

enum { SLEEPERS_MAX = 1 << 20 };

/* A switch that waits for its length. */
struct kept_switch { uint16_t size; int time_at, period_at; /* bytes; -1: not in its samples */ uint8_t record[]; };

struct inject_sched { struct u64map away; /* by tid */ size_t n; };

static bool is(const struct perfdata_event *e, const char *name)
{
	return e && e->tep && !strcmp(e->tep->system, "sched") && !strcmp(e->tep->name, name);
}

static bool is_stat(const struct perfdata_event *e)
{
	return e && e->tep && !strcmp(e->tep->system, "sched") && str_starts(e->tep->name, "sched_stat_");
}

struct inject_sched *inject_sched_new(struct perfdata *p)
{
	bool switches = false, stats = false;
	for (size_t i = 0; i < perfdata_n_events(p); i++) {
		switches |= is(perfdata_event_at(p, i), "sched_switch");
		stats |= is_stat(perfdata_event_at(p, i));
	}
	if (switches && stats)
		return xcalloc(1, sizeof(struct inject_sched));
	error_set(ENOENT, "-s joins sched:sched_switch and sched:sched_stat_*, and the recording lacks %s", switches ? "the second" : "the first");
	error_hint("sonde record -e sched:sched_stat_sleep -e sched:sched_switch -e sched:sched_process_exit -g; kernel.sched_schedstats=1");
	return NULL;
}

/* Where in a sample's record these words are, in bytes from its start. */
static int word_at(const struct perf_event_attr *a, uint64_t bit)
{
	static const uint64_t order[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR,
					  PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD };
	int at = sizeof(struct perf_event_header);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (order[i] == bit)
			return a->sample_type & bit ? at : -1;
		at += a->sample_type & order[i] ? 8 : 0;
	}
	return -1;
}

static void forget(struct inject_sched *s, int tid)
{
	struct kept_switch *k = u64map_get(&s->away, (uint32_t)tid);
	if (!k)
		return;
	free(k);
	u64map_set(&s->away, (uint32_t)tid, NULL);
	s->n--;
}

static int keep(struct inject_sched *s, const struct perfdata_record *r)
{
	const struct perf_event_attr *a = &r->event->attr;
	forget(s, r->tid);
	if (s->n >= SLEEPERS_MAX)
		return error_set(E2BIG, "more than %d threads are away at once", SLEEPERS_MAX);
	struct kept_switch *k = xmalloc(sizeof(*k) + r->header->size);
	k->size = r->header->size;
	k->time_at = word_at(a, PERF_SAMPLE_TIME);
	k->period_at = word_at(a, PERF_SAMPLE_PERIOD);
	memcpy(k->record, r->header, k->size);
	u64map_set(&s->away, (uint32_t)r->tid, k);
	s->n++;
	return 0;
}

static void set_word(struct kept_switch *k, int at, uint64_t v)
{
	if (at > 0 && at + 8 <= k->size)
		memcpy(k->record + at, &v, 8);
}

/* The recording says where the field is: that may be beyond the sample. */
static bool pid_of(const struct perfdata_record *r, unsigned long long *pid)
{
	struct tep_format_field *f = tep_find_field(r->event->tep, "pid");
	if (!r->raw || !f || f->offset < 0 || f->size <= 0 || (uint64_t)f->offset + (uint64_t)f->size > r->raw_size)
		return false;
	return !tep_read_number_field(f, r->raw, pid);
}

/* How long: the field that all of these events have. */
static int join(struct inject_sched *s, struct perfdata_writer *w, const struct perfdata_record *r)
{
	unsigned long long pid = 0;
	if (!pid_of(r, &pid))
		return 0;
	struct kept_switch *k = u64map_get(&s->away, (uint32_t)pid);
	if (!k)
		return 0;
	set_word(k, k->time_at, r->time);
	set_word(k, k->period_at, r->period);
	return perfdata_put_record(w, (const struct perf_event_header *)k->record);
}

int inject_sched(struct inject_sched *s, struct perfdata_writer *w, const struct perfdata_record *r)
{
	int err = 0;
	if (is(r->event, "sched_switch"))
		err = keep(s, r);
	else if (is(r->event, "sched_process_exit"))
		forget(s, r->tid);
	else if (is_stat(r->event))
		err = join(s, w, r);
	else
		return 0;
	return err ? err : 1;
}

void inject_sched_free(struct inject_sched *s)
{
	size_t cursor = 0;
	uint64_t tid;
	void *k;
	if (!s)
		return;
	while (u64map_next(&s->away, &cursor, &tid, &k))
		free(k);
	u64map_release(&s->away);
	free(s);
}

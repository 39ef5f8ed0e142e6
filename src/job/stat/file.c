// SPDX-License-Identifier: GPL-2.0-or-later
/* Records in perf's order: for each event its unit and scale, the threads, the CPUs, how it was counted; then for each
 * round every counter's value and times since the start, and the round itself. */
#include "job/stat/file.h"
#include <stdlib.h>
#include <sys/ioctl.h>
#include "base/error.h"
#include "perfdata/format.h"
#include "perfdata/writer.h"
#include "spec/names.h"

const enum stat_aggr stat_file_aggr[10] = { STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_DIE, STAT_CLUSTER, STAT_CACHE, STAT_CORE,
					    STAT_THREAD, STAT_ALL, STAT_NODE };

enum { MADE_UP_ID = 1 << 30, MAP_MAX = 16000, THREADS_MAX = 2700 }; /* CPUs, threads in one record */

struct stat_file {
	struct perfdata_writer *w;
	uint64_t *ids; /* of each reading */
};

/* A counter that is no perf event (duration_time) has an id of its own making. */
static void find_ids(struct stat_file *f, const struct counting *c)
{
	f->ids = xcalloc(c->readings.n + 1, sizeof(*f->ids));
	for (size_t i = 0; i < c->readings.n; i++)
		if (i >= c->opened.fds.n || ioctl(c->opened.fds.at[i].fd, PERF_EVENT_IOC_ID, &f->ids[i]))
			f->ids[i] = MADE_UP_ID + i;
}

static void add_event(struct stat_file *f, const struct stat_job *j, const struct counting *c, size_t event)
{
	const struct event *e = &j->events.at[event];
	uint64_t *ids = xcalloc(c->readings.n + 1, sizeof(*ids));
	struct perf_event_attr a = e->attr;
	size_t n = 0;
	for (size_t i = 0; i < c->readings.n; i++)
		if (c->readings.at[i].event == (int)event)
			ids[n++] = f->ids[i];
	if (e->kind == EVENT_TOOL) { /* perf knows no such type */
		a.type = PERF_TYPE_SOFTWARE;
		a.config = PERF_COUNT_SW_DUMMY;
	}
	a.sample_type = PERF_SAMPLE_IDENTIFIER;
	struct perfdata_new_event new = { .attr = &a, .name = e->name, .system = e->system, .tracepoint = e->tracepoint,
		.unit = e->unit, .ids = ids, .n_ids = n, .group_leader = e->group };
	if (e->group == (int)event)
		vec_each(&j->events, other)
			new.group_members += other->group == (int)event;
	perfdata_add_event(f->w, &new);
	free(ids);
}

static int put(struct stat_file *f, uint32_t type, const struct str *body)
{
	struct str s = STR_INIT;
	struct perf_event_header h = { type, 0, (uint16_t)(sizeof(h) + (body->len + 7) / 8 * 8) };
	str_addn(&s, &h, sizeof(h));
	str_addn(&s, body->buf, body->len);
	while (s.len < h.size)
		str_addc(&s, 0);
	int err = perfdata_put(f->w, (const struct perf_event_header *)s.buf);
	str_release(&s);
	return err;
}

static void word(struct str *s, uint64_t v)
{
	str_addn(s, &v, 8);
}

static void half(struct str *s, int v)
{
	uint16_t h = (uint16_t)v;
	str_addn(s, &h, 2);
}

/* Unit and scale, where the page does not show the plain number. */
static int put_units(struct stat_file *f, const struct stat_job *j, const struct counting *c)
{
	int err = 0;
	for (size_t i = 0; i < c->readings.n && !err; i++) {
		const struct event *e = &j->events.at[c->readings.at[i].event];
		const char *unit;
		bool fraction, again = i && c->readings.at[i].event == c->readings.at[i - 1].event;
		double scale = stat_display(e, 1, &unit, &fraction);
		if (again)
			continue;
		struct str s = STR_INIT;
		if (*unit) {
			word(&s, UPDATE_UNIT);
			word(&s, f->ids[i]);
			str_addn(&s, unit, strlen(unit) + 1);
			err = put(f, RECORD_EVENT_UPDATE, &s);
		}
		str_clear(&s);
		if (!err && (scale < 1 || scale > 1)) {
			word(&s, UPDATE_SCALE);
			word(&s, f->ids[i]);
			str_addn(&s, &scale, sizeof(scale));
			err = put(f, RECORD_EVENT_UPDATE, &s);
		}
		str_release(&s);
	}
	return err;
}

static int put_some_threads(struct stat_file *f, const struct target_thread *t, size_t n)
{
	struct str s = STR_INIT;
	word(&s, n);
	for (size_t i = 0; i < n; i++) {
		char comm[16] = "";
		memcpy(comm, t[i].comm, strnlen(t[i].comm, sizeof(comm) - 1));
		word(&s, (uint64_t)t[i].tid);
		str_addn(&s, comm, sizeof(comm));
	}
	int err = put(f, RECORD_THREAD_MAP, &s);
	str_release(&s);
	return err;
}

/* As many records as it takes: a reader of sonde puts them together, perf takes the first. */
static int put_threads(struct stat_file *f, const struct target *t)
{
	static const struct target_thread none = { .tid = -1 };
	size_t all = t->threads.n;
	int err = all ? 0 : put_some_threads(f, &none, 1);
	for (size_t i = 0; i < all && !err; i += THREADS_MAX)
		err = put_some_threads(f, t->threads.at + i, all - i < THREADS_MAX ? all - i : THREADS_MAX);
	return err;
}

static int put_cpus(struct stat_file *f, const struct target *t)
{
	struct str s = STR_INIT;
	size_t n = target_by_task(t) ? 0 : t->cpus.n < MAP_MAX ? t->cpus.n : MAP_MAX;
	half(&s, 0); /* a list of numbers follows */
	half(&s, n ? (int)n : 1);
	if (!n)
		half(&s, -1);
	for (size_t i = 0; i < n; i++)
		half(&s, t->cpus.at[i]);
	int err = put(f, RECORD_CPU_MAP, &s);
	str_release(&s);
	return err;
}

static int put_config(struct stat_file *f, const struct stat_job *j)
{
	struct str s = STR_INIT;
	uint64_t aggr = 0;
	while (aggr < 9 && stat_file_aggr[aggr] != j->aggr)
		aggr++;
	const uint64_t pairs[][2] = { { STAT_CONFIG_AGGR, aggr }, { STAT_CONFIG_INTERVAL, (uint64_t)j->interval },
		{ STAT_CONFIG_SCALE, j->scale }, { STAT_CONFIG_LEVEL, j->cache_level ? (uint64_t)j->cache_level : 5 } };
	int n = j->aggr == STAT_CACHE ? 4 : 3; /* perf 6.1 does not know the last */
	word(&s, n);
	for (int i = 0; i < n; i++) {
		word(&s, pairs[i][0]);
		word(&s, pairs[i][1]);
	}
	int err = put(f, RECORD_STAT_CONFIG, &s);
	str_release(&s);
	return err;
}

struct stat_file *stat_file_create(const struct stat_job *j, const struct counting *c)
{
	struct perfdata_writer_options o = { .path = j->data, .argv = j->argv, .counts = true };
	struct stat_file *f = xcalloc(1, sizeof(*f));
	f->w = perfdata_create(&o);
	if (!f->w)
		goto fail;
	find_ids(f, c);
	for (size_t i = 0; i < j->events.n; i++)
		add_event(f, j, c, i);
	if (perfdata_begin(f->w) || put_units(f, j, c) || put_threads(f, &j->target) || put_cpus(f, &j->target) || put_config(f, j))
		goto fail;
	return f;
fail:
	stat_file_free(f);
	return NULL;
}

int stat_file_round(struct stat_file *f, const struct counting *c, uint64_t elapsed, bool final)
{
	struct str s = STR_INIT;
	int err = 0;
	for (size_t i = 0; i < c->readings.n && !err; i++) {
		const struct count_reading *r = &c->readings.at[i];
		uint32_t place[] = { (uint32_t)r->cpu, r->thread < 0 ? 0 : (uint32_t)r->thread };
		str_clear(&s);
		word(&s, f->ids[i]);
		str_addn(&s, place, sizeof(place));
		word(&s, r->now.value);
		word(&s, r->now.enabled);
		word(&s, r->now.running);
		err = put(f, RECORD_STAT, &s);
	}
	str_clear(&s);
	word(&s, final ? STAT_ROUND_FINAL : STAT_ROUND_INTERVAL);
	word(&s, elapsed);
	if (!err)
		err = put(f, RECORD_STAT_ROUND, &s);
	str_release(&s);
	return err;
}

int stat_file_finish(struct stat_file *f)
{
	return perfdata_finish(f->w);
}

void stat_file_free(struct stat_file *f)
{
	if (!f)
		return;
	perfdata_writer_free(f->w);
	free(f->ids);
	free(f);
}

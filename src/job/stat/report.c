// SPDX-License-Identifier: GPL-2.0-or-later
/* `stat report`: the records of a file become what counting would have read, round by round. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "job/stat/file.h"
#include "job/stat/page.h"
#include "kernel/topology.h"
#include "perfdata/body.h"
#include "perfdata/format.h"
#include "perfdata/reader.h"

enum { CELLS_MAX = 1 << 22 };

struct stat_reading {
	struct stat_job *j;
	const struct stat_report *how;
	struct perfdata *file;
	bool swap;
	struct out out;
	struct stat_print print;
	struct stat_table table;
	struct topology topology;
	struct counting counting; /* only its readings are used */
	struct u64map by_id; /* id -> event + 1 */
	struct u64map by_place; /* reading + 1, by event, CPU and thread */
	uint64_t last; /* the time of the round before */
	int rounds;
	bool ready, interval;
};

static uint64_t word(const struct stat_reading *s, const struct body *b, size_t at)
{
	uint64_t v = u64_at(b, at);
	return s->swap ? __builtin_bswap64(v) : v;
}

static uint32_t half(const struct stat_reading *s, const struct body *b, size_t at)
{
	uint32_t v = u32_at(b, at);
	return s->swap ? __builtin_bswap32(v) : v;
}

/* ---- what was counted ---- */

static void take_events(struct stat_reading *s)
{
	for (size_t i = 0; i < perfdata_n_events(s->file); i++) {
		const struct perfdata_event *e = perfdata_event_at(s->file, i);
		struct event *n = vec_push(&s->j->events);
		n->attr = e->attr;
		n->name = xstrdup(e->name);
		n->text = xstrdup(e->name);
		n->group = (int)i;
		n->scale = 1;
		n->missing = true; /* until a count comes */
		for (size_t k = 0; k < e->n_ids; k++)
			u64map_set(&s->by_id, e->ids[k], (void *)(i + 1));
	}
}

/* Units come as records, too, and names may: they are complete when the first round is. */
static void take_units(struct stat_reading *s)
{
	for (size_t i = 0; i < s->j->events.n && i < perfdata_n_events(s->file); i++) {
		const struct perfdata_event *e = perfdata_event_at(s->file, i);
		struct event *n = &s->j->events.at[i];
		free(n->name);
		n->name = xstrdup(e->name);
		bool clock = event_is(n, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) ||
			     event_is(n, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
		if (clock || n->unit)
			continue;
		if (e->unit) { /* of this machine's sysfs it would be trusted */
			struct str safe = STR_INIT;
			str_add_safez(&safe, e->unit);
			n->unit = str_detach(&safe);
		}
		n->scale = e->scale > 0 ? e->scale : 1;
	}
}

static void take_threads(struct stat_reading *s, const struct body *b)
{
	uint64_t n = word(s, b, 0);
	for (uint64_t i = 0; i < n && 8 + (i + 1) * 24 <= b->n; i++) {
		struct target_thread *t = vec_push(&s->j->target.threads);
		t->tid = t->pid = (int)word(s, b, 8 + i * 24);
		memcpy(t->comm, b->at + 16 + i * 24, sizeof(t->comm) - 1);
	}
}

/* "6.1.190", "sonde 0.2": as a number, 601; 0: not perf's. */
static int perf_version(const struct perfdata *p)
{
	int major = 0, minor = 0;
	const char *v = perfdata_info(p)->version;
	return v && sscanf(v, "%d.%d", &major, &minor) == 2 && major < 1000 && minor < 100 ? major * 100 + minor : 0;
}

/* perf 6.5 put caches, and 6.9 clusters, between dies and cores. */
static enum stat_aggr aggr_of(const struct stat_reading *s, uint64_t n)
{
	int version = perf_version(s->file);
	if (version && n >= 4)
		n += version < 605 ? 2 : version < 609 ? 1 : 0;
	return n < 10 ? stat_file_aggr[n] : STAT_ALL;
}

static void take_config(struct stat_reading *s, const struct body *b)
{
	uint64_t n = word(s, b, 0);
	for (uint64_t i = 0; i < n && 8 + (i + 1) * 16 <= b->n; i++) {
		uint64_t value = word(s, b, 16 + i * 16);
		switch (word(s, b, 8 + i * 16)) {
		case STAT_CONFIG_AGGR:
			if (!s->how->aggr_given)
				s->j->aggr = aggr_of(s, value);
			break;
		case STAT_CONFIG_INTERVAL: s->interval = value > 0; break;
		case STAT_CONFIG_SCALE: s->j->scale = value; break;
		case STAT_CONFIG_LEVEL:
			if (!s->how->aggr_given && value <= 4)
				s->j->cache_level = (int)value;
			break;
		default: break;
		}
	}
}

static struct count_reading *reading_at(struct stat_reading *s, int event, int cpu, int thread)
{
	uint64_t key = (uint64_t)event << 44 | (uint64_t)(uint32_t)(cpu + 1) % (1 << 20) << 24 | (uint32_t)thread % (1 << 24);
	size_t i = (size_t)u64map_get(&s->by_place, key);
	if (i)
		return &s->counting.readings.at[i - 1];
	struct count_reading *r = vec_push(&s->counting.readings);
	*r = (struct count_reading){ .event = event, .cpu = cpu, .thread = thread };
	u64map_set(&s->by_place, key, (void *)s->counting.readings.n);
	return r;
}

static int take_count(struct stat_reading *s, const struct body *b)
{
	size_t event = (size_t)u64map_get(&s->by_id, word(s, b, 0));
	int cpu = (int)half(s, b, 8), thread = (int)half(s, b, 12);
	if (b->n < 40 || !event || cpu < -1 || cpu >= 1 << 16 || thread < 0 || thread >= 1 << 22)
		return error_set(EINVAL, "a count of no event, or of no CPU: the file is damaged");
	struct count_reading *r = reading_at(s, (int)event - 1, cpu, thread);
	r->before = r->now;
	r->now = (struct count){ word(s, b, 16), word(s, b, 24), word(s, b, 32) };
	s->j->events.at[event - 1].missing = false;
	return 0;
}

/* ---- the page ---- */

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The CPUs that some counter was on. */
static void find_cpus(struct stat_reading *s)
{
	intlist *l = &s->j->target.cpus;
	vec_each(&s->counting.readings, r)
		if (r->cpu >= 0)
			*vec_push(l) = r->cpu;
	if (!l->n)
		return;
	qsort(l->at, l->n, sizeof(*l->at), by_number);
	size_t n = 1;
	for (size_t i = 1; i < l->n; i++)
		if (l->at[i] != l->at[n - 1])
			l->at[n++] = l->at[i];
	l->n = n;
}

static int cannot_place(const char *what)
{
	error_set(EINVAL, "the file does not say %s", what);
	return error_hint("sonde stat report -A shows each CPU by itself");
}

static int check_aggregation(const struct stat_reading *s)
{
	const struct stat_job *j = s->j;
	if (j->aggr == STAT_THREAD && !j->target.threads.n)
		return error_set(EINVAL, "the file names no threads");
	if (j->aggr != STAT_ALL && j->aggr != STAT_THREAD && !j->target.cpus.n) {
		error_set(EINVAL, "the counts in the file are those of tasks, not of CPUs");
		return error_hint("sonde stat record -a counts CPU by CPU");
	}
	size_t places = j->target.cpus.n + j->target.threads.n + 1;
	if (j->events.n > CELLS_MAX / places)
		return error_set(E2BIG, "%zu events in %zu places are no counts of a machine", j->events.n, places);
	if (j->aggr == STAT_CLUSTER)
		return cannot_place("which cores form a cluster");
	if (j->aggr == STAT_NODE ? !perfdata_says(s->file, PERFDATA_NODES) :
	    j->aggr == STAT_CACHE ? !perfdata_says(s->file, PERFDATA_CACHES) :
	    stat_by_place(j->aggr) && !perfdata_says(s->file, PERFDATA_PLACES))
		return cannot_place("where the machine's CPUs are");
	return 0;
}

static struct cpu_place place(const void *file, int cpu)
{
	return perfdata_place(file, cpu);
}

static int cache(const void *file, int cpu, int *level)
{
	return perfdata_cache(file, cpu, level);
}

static int get_ready(struct stat_reading *s)
{
	take_units(s);
	find_cpus(s);
	int err = check_aggregation(s);
	if (err)
		return err;
	s->topology = (struct topology){ s->file, place, cache };
	s->table = (struct stat_table){ .aggr = s->j->aggr, .scale = s->j->scale, .cache_level = s->j->cache_level,
					.topology = &s->topology };
	stat_table_init(&s->table, &s->j->events, &s->j->target);
	s->ready = true;
	return 0;
}

static int take_round(struct stat_reading *s, const struct body *b)
{
	uint64_t type = word(s, b, 0), time = word(s, b, 8);
	int err = s->ready ? 0 : get_ready(s);
	if (err)
		return err;
	stat_table_clear(&s->table);
	stat_table_add(&s->table, &s->counting, type == STAT_ROUND_INTERVAL, time - (type == STAT_ROUND_INTERVAL ? s->last : 0));
	s->last = time;
	if (type != STAT_ROUND_INTERVAL)
		return 0;
	s->print.interval = (double)time / 1e9;
	if (s->rounds++ % 25 == 0)
		stat_print_interval_header(&s->print);
	stat_print_table(&s->print);
	return 0;
}

static int take_record(struct stat_reading *s, const struct perfdata_record *r)
{
	struct body b = body_of(r);
	switch (r->header->type) {
	case RECORD_THREAD_MAP: take_threads(s, &b); return 0;
	case RECORD_STAT_CONFIG: take_config(s, &b); return 0;
	case RECORD_STAT: return take_count(s, &b);
	case RECORD_STAT_ROUND: return take_round(s, &b);
	default: return 0;
	}
}

static void finish_page(struct stat_reading *s)
{
	struct stat_times none = { 0 };
	struct str subject = STR_INIT;
	if (s->interval && s->rounds)
		return;
	str_addc(&subject, '\'');
	vec_each(perfdata_info(s->file)->cmdline, w)
		str_addf(&subject, "%s%s", subject.len > 1 ? " " : "", *w);
	str_addc(&subject, '\'');
	stat_print_header(&s->print, subject.buf);
	stat_print_table(&s->print);
	stat_print_footer(&s->print, &none);
	str_release(&subject);
}

static int read_all(struct stat_reading *s)
{
	struct perfdata_record r;
	int err = 0, n;
	s->swap = perfdata_info(s->file)->other_endian;
	take_events(s);
	while (!err && (n = perfdata_next(s->file, &r)) != 0)
		err = n < 0 ? n : take_record(s, &r);
	if (!err && !s->ready) {
		error_set(EINVAL, "there are no counts in the file");
		error_hint("sonde stat record makes such files; sonde report reads those of sonde record");
		err = error_code();
	}
	return err;
}

/* A count of such a thread is in no row. */
static void say_nameless(const struct stat_reading *s)
{
	size_t n = 0;
	vec_each(&s->counting.readings, r)
		n += s->j->aggr == STAT_THREAD && (size_t)r->thread >= s->j->target.threads.n;
	if (n)
		warn("%zu counts are of threads that the file does not name: they are not shown", n);
}

int stat_report_run(struct stat_job *j, const struct stat_report *how)
{
	struct stat_reading s = { .j = j, .how = how };
	s.file = perfdata_open(how->path, how->force);
	if (!s.file)
		return error_print();
	int err = stat_page_open(&s.print, &s.out, &s.table, j);
	if (!err)
		err = read_all(&s);
	if (!err) {
		finish_page(&s);
		say_nameless(&s);
	}
	int code = err ? error_print() : 0;
	if (err)
		str_clear(&s.out.buf);
	if (out_close(&s.out) < 0)
		code = error_print();
	if (s.ready)
		stat_table_release(&s.table);
	vec_release(&s.counting.readings);
	u64map_release(&s.by_id);
	u64map_release(&s.by_place);
	perfdata_close(s.file);
	return code;
}

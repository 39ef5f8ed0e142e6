// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/stattable.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/str.h"

static void series_add(struct series *s, double v)
{
	s->n++;
	double d = v - s->mean;
	s->mean += d / s->n;
	s->m2 += d * (v - s->mean);
}

double series_error(const struct series *s)
{
	return s->n < 2 ? 0 : sqrt(s->m2 / (s->n - 1) / s->n);
}

double series_error_percent(const struct series *s)
{
	return s->mean != 0 ? 100 * series_error(s) / s->mean : 0;
}

bool stat_by_place(enum stat_aggr a)
{
	return a != STAT_ALL && a != STAT_CPU && a != STAT_THREAD;
}

static struct stat_bucket bucket_of(const struct stat_table *t, int cpu)
{
	const enum stat_aggr a = t->aggr;
	struct stat_bucket b = { 0 };
	if (a == STAT_CPU)
		b.cpu = cpu;
	if (!stat_by_place(a))
		return b;
	struct cpu_place p = t->topology ? t->topology->place(t->topology->ctx, cpu) : topology_of(cpu);
	if (a == STAT_NODE) {
		b.node = p.node;
		return b;
	}
	b.socket = p.socket;
	if (a != STAT_SOCKET)
		b.die = p.die;
	if (a == STAT_CORE)
		b.core = p.core;
	if (a == STAT_CLUSTER)
		b.cluster = p.cluster;
	if (a == STAT_CACHE) {
		b.level = t->cache_level;
		b.cache = t->topology ? t->topology->cache(t->topology->ctx, cpu, &b.level) : topology_cache(cpu, &b.level);
	}
	return b;
}

static bool same_bucket(const struct stat_bucket *a, const struct stat_bucket *b)
{
	return a->socket == b->socket && a->die == b->die && a->core == b->core && a->cluster == b->cluster &&
	       a->level == b->level && a->cache == b->cache && a->node == b->node && a->cpu == b->cpu;
}

static char *label_of(enum stat_aggr a, const struct stat_bucket *b)
{
	switch (a) {
	case STAT_CPU: return xasprintf("CPU%d", b->cpu);
	case STAT_CORE: return xasprintf("S%d-D%d-C%d", b->socket, b->die, b->core);
	case STAT_CLUSTER: return xasprintf("S%d-D%d-CLS%d", b->socket, b->die, b->cluster);
	case STAT_CACHE: return xasprintf("S%d-D%d-L%d-ID%d", b->socket, b->die, b->level, b->cache);
	case STAT_DIE: return xasprintf("S%d-D%d", b->socket, b->die);
	case STAT_SOCKET: return xasprintf("S%d", b->socket);
	case STAT_NODE: return xasprintf("N%d", b->node);
	default: return xstrdup("");
	}
}

static void add_cpu(struct stat_table *t, int cpu)
{
	struct stat_bucket b = bucket_of(t, cpu);
	vec_each(&t->buckets, old)
		if (same_bucket(old, &b)) {
			old->n_cpus++;
			return;
		}
	b.label = label_of(t->aggr, &b);
	b.n_cpus = 1;
	*vec_push(&t->buckets) = b;
}

static int by_place(const void *a, const void *b)
{
	const struct stat_bucket *x = a, *y = b;
	const int pairs[][2] = { { x->node, y->node }, { x->socket, y->socket }, { x->die, y->die }, { x->core, y->core },
				 { x->cluster, y->cluster }, { x->cache, y->cache }, { x->cpu, y->cpu } };
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) /* a recording's numbers: their difference may be no int */
		if (pairs[i][0] != pairs[i][1])
			return pairs[i][0] < pairs[i][1] ? -1 : 1;
	return 0;
}

void stat_table_init(struct stat_table *t, const event_list *l, const struct target *target)
{
	const enum stat_aggr a = t->aggr;
	t->events = l;
	if (a == STAT_ALL) {
		vec_push(&t->buckets)->label = xstrdup("");
	} else if (a == STAT_THREAD) {
		for (size_t i = 0; i < target->threads.n; i++) {
			struct stat_bucket *b = vec_push(&t->buckets);
			b->thread = (int)i;
			b->label = xasprintf("%s-%d", target->threads.at[i].comm, target->threads.at[i].tid);
		}
	} else {
		vec_each(&target->cpus, c)
			add_cpu(t, *c);
		qsort(t->buckets.at, t->buckets.n, sizeof(t->buckets.at[0]), by_place);
	}
	t->cells = xcalloc(l->n * t->buckets.n + 1, sizeof(*t->cells));
}

/* Buckets of CPUs are few; the last hit is the likeliest. */
static int find_bucket(const struct stat_table *t, const struct count_reading *r)
{
	if (t->aggr == STAT_ALL)
		return 0;
	if (t->aggr == STAT_THREAD)
		return r->thread;
	struct stat_bucket b = bucket_of(t, r->cpu);
	for (size_t i = 0; i < t->buckets.n; i++)
		if (same_bucket(&t->buckets.at[i], &b))
			return (int)i;
	return -1;
}

struct stat_sum { double value, enabled, running; int n; };

static void sum_up(const struct stat_table *t, const struct count_reading *r, bool delta, struct stat_sum *s)
{
	uint64_t ena = r->now.enabled, run = r->now.running, val = r->now.value;
	if (delta) {
		ena -= r->before.enabled;
		run -= r->before.running;
		val -= r->before.value;
	}
	/* A counter that shared its hardware ran only part of the time: scaled up to the whole. One with a value and no
	 * times at all did run: the kernel's clock of a cgroup stands still until a task of another one comes on. */
	double v = !run && ena ? 0 : t->scale && run < ena ? (double)val * (double)ena / (double)run : (double)val;
	s->value += v;
	s->enabled += (double)ena;
	s->running += (double)run;
	s->n++;
}

void stat_table_add(struct stat_table *t, const struct counting *c, bool delta, uint64_t elapsed_ns)
{
	size_t n = t->events->n * t->buckets.n;
	struct stat_sum *sums = xcalloc(n + 1, sizeof(*sums));
	int cpu = -2, bucket = -1; /* readings come CPU by CPU: the place is looked up once each */
	vec_each(&c->readings, r) {
		if (r->cpu != cpu || t->aggr == STAT_THREAD || t->aggr == STAT_ALL) {
			bucket = find_bucket(t, r);
			cpu = r->cpu;
		}
		if (bucket >= 0 && (size_t)bucket < t->buckets.n)
			sum_up(t, r, delta, &sums[(size_t)r->event * t->buckets.n + bucket]);
	}
	for (size_t i = 0; i < n; i++) {
		series_add(&t->cells[i].value, sums[i].value);
		series_add(&t->cells[i].enabled, sums[i].enabled);
		series_add(&t->cells[i].running, sums[i].running);
		t->cells[i].n = sums[i].n;
	}
	series_add(&t->elapsed, (double)elapsed_ns);
	*vec_push(&t->runs) = (double)elapsed_ns;
	free(sums);
}

void stat_table_clear(struct stat_table *t)
{
	memset(t->cells, 0, t->events->n * t->buckets.n * sizeof(*t->cells));
	t->elapsed = (struct series){ 0 };
	vec_clear(&t->runs);
}

void stat_table_release(struct stat_table *t)
{
	vec_each(&t->buckets, b)
		free(b->label);
	vec_release(&t->buckets);
	vec_release(&t->runs);
	free(t->cells);
	t->cells = NULL;
}

const struct stat_cell *stat_cell(const struct stat_table *t, size_t event, size_t bucket)
{
	return &t->cells[event * t->buckets.n + bucket];
}

bool stat_counted(const struct stat_cell *c)
{
	return c->value.mean > 0 || (c->enabled.mean > 0 && c->running.mean > 0);
}

double stat_runtime(const struct stat_cell *c)
{
	return c->running.mean;
}

double stat_running_percent(const struct stat_cell *c)
{
	return c->enabled.mean > 0 ? 100 * c->running.mean / c->enabled.mean : 100;
}

double stat_display(const struct event *e, double value, const char **unit, bool *fraction)
{
	bool clock = event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) ||
		     event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	*unit = clock ? "msec" : e->unit ? e->unit : "";
	double scale = clock ? 1e-6 : e->scale;
	*fraction = scale != floor(scale);
	return value * scale;
}

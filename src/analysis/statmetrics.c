// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures that need two events: the rows say which event is divided by which and what that is called. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/stattable.h"

enum { CACHE_MISS = PERF_COUNT_HW_CACHE_RESULT_MISS << 16 };
#define HW(x) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##x
#define CACHE(x) PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##x
#define MISSES(x) PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##x | CACHE_MISS

struct ratio {
	uint32_t type; uint64_t config; /* this event */
	uint32_t of_type; uint64_t of_config; /* over that one */
	double factor;
	const char *format, *unit;
	double fair, poor, bad; /* above these it gets a colour; 0: never */
};
static const struct ratio ratios[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), 1, "%7.2f ", "insn per cycle", 0, 0, 0 },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), 100, "%7.2f%%", "of all branches", 5, 10, 20 },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), 100, "%8.3f %%", "of all cache refs", 5, 10, 20 },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), 100, "%7.2f%%", "frontend cycles idle", 10, 30, 50 },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), 100, "%7.2f%%", "backend cycles idle", 20, 50, 75 },
	{ MISSES(L1D), CACHE(L1D), 100, "%7.2f%%", "of all L1-dcache accesses", 5, 10, 20 },
	{ MISSES(L1I), CACHE(L1I), 100, "%7.2f%%", "of all L1-icache accesses", 5, 10, 20 },
	{ MISSES(LL), CACHE(LL), 100, "%7.2f%%", "of all LL-cache accesses", 5, 10, 20 },
	{ MISSES(DTLB), CACHE(DTLB), 100, "%7.2f%%", "of all dTLB cache accesses", 5, 10, 20 },
	{ MISSES(ITLB), CACHE(ITLB), 100, "%7.2f%%", "of all iTLB cache accesses", 5, 10, 20 },
};

/* The mean of another event in the same bucket, seen in the same modes; 0 when there is none. */
static double other(const struct stat_table *t, const struct event *like, size_t bucket, uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < t->events->n; i++) {
		const struct event *e = &t->events->at[i];
		if (!event_is(e, type, config) || e->cgroup != like->cgroup)
			continue;
		if (type != PERF_TYPE_SOFTWARE && (e->attr.exclude_user != like->attr.exclude_user ||
						   e->attr.exclude_kernel != like->attr.exclude_kernel))
			continue;
		const struct stat_cell *c = stat_cell(t, i, bucket);
		if (!e->missing && stat_counted(c))
			return c->value.mean;
	}
	return 0;
}

static double clock_ns(const struct stat_table *t, const struct event *e, size_t bucket)
{
	double ns = other(t, e, bucket, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	return ns > 0 ? ns : other(t, e, bucket, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
}

static void set(struct metric *m, double value, const char *format, const char *unit)
{
	*m = (struct metric){ .value = value, .format = format };
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
}

static enum metric_grade grade(const struct ratio *r, double v)
{
	return !r->bad || v <= r->fair ? METRIC_PLAIN : v <= r->poor ? METRIC_FAIR : v <= r->bad ? METRIC_POOR : METRIC_BAD;
}

/* The slower of the two stalls, per instruction. */
static int stalled_per_insn(const struct stat_table *t, const struct event *e, size_t bucket, double value, struct metric *m)
{
	double front = other(t, e, bucket, HW(STALLED_CYCLES_FRONTEND)), back = other(t, e, bucket, HW(STALLED_CYCLES_BACKEND));
	double most = front > back ? front : back;
	if (most <= 0 || value <= 0)
		return 0;
	set(m, most / value, "%7.2f ", "stalled cycles per insn");
	return 1;
}

/* Per second of the clock that was counted beside it. */
static int rate(double value, double ns, struct metric *m)
{
	static const struct { double from; const char *unit; } units[] = { { 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" } };
	double v = value / ns * 1e9;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (v >= units[i].from) {
			set(m, v / units[i].from, "%8.3f", units[i].unit);
			return 1;
		}
	set(m, v, "%8.3f", "/sec");
	return 1;
}

/* What follows from the generic events by itself. */
static int usual(const struct stat_table *t, size_t event, size_t bucket, struct metric *out)
{
	const struct event *e = &t->events->at[event];
	double value = stat_cell(t, event, bucket)->value.mean, ns;
	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		const struct ratio *r = &ratios[i];
		if (!event_is(e, r->type, r->config))
			continue;
		double of = other(t, e, bucket, r->of_type, r->of_config);
		if (of <= 0)
			return 0;
		set(&out[0], value / of * r->factor, r->format, r->unit);
		out[0].grade = grade(r, out[0].value);
		return 1 + (i == 0 ? stalled_per_insn(t, e, bucket, value, &out[1]) : 0);
	}
	if (event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) || event_is(e, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK)) {
		if (t->elapsed.mean <= 0)
			return 0;
		set(&out[0], value / t->elapsed.mean, "%8.3f", "CPUs utilized");
		return 1;
	}
	ns = clock_ns(t, e, bucket);
	if (ns <= 0 || e->unit)
		return 0;
	if (event_is(e, HW(CPU_CYCLES))) {
		set(&out[0], value / ns, "%8.3f", "GHz");
		return 1;
	}
	return rate(value, ns, &out[0]);
}

struct cell_place { const struct stat_table *t; size_t bucket; bool lacks; /* an event that was not counted */ };

/* As the formulas of -M want it: in the unit of the page, and tool events in seconds. */
static double count_of(void *ctx, int event)
{
	struct cell_place *p = ctx;
	const struct event *e = &p->t->events->at[event];
	const struct stat_cell *c = stat_cell(p->t, event, p->bucket);
	const char *unit;
	bool fraction;
	if (e->missing || !stat_counted(c)) {
		p->lacks = true;
		return NAN;
	}
	return e->kind == EVENT_TOOL ? c->value.mean * 1e-9 : stat_display(e, c->value.mean, &unit, &fraction);
}

void stat_metrics(const struct stat_table *t, size_t event, size_t bucket, metric_list *out)
{
	struct metric own[2];
	bool counted = !t->events->at[event].missing && stat_counted(stat_cell(t, event, bucket));
	int n = counted ? usual(t, event, bucket, own) : 0;
	vec_clear(out);
	for (int i = 0; i < n; i++)
		*vec_push(out) = own[i];
	for (size_t i = 0; t->metrics && i < t->metrics->uses.n; i++) {
		const struct metric_use *u = &t->metrics->uses.at[i];
		if (u->part || (u->leader > 0 ? (size_t)u->leader : 0) != event) /* one without events stands beside the first */
			continue;
		struct cell_place place = { t, bucket, false };
		struct metric *m = vec_push(out);
		set(m, metric_set_eval(t->metrics, i, count_of, &place), strstr(u->label, "  ") ? "%8.1f" : "%8.2f", u->label);
		m->asked = true;
		m->lacks = place.lacks;
	}
}

void stat_metric_text(const struct metric *m, struct metric_text *t)
{
	char *end;
	snprintf(t->text, sizeof(t->text), !isnan(m->value) ? m->format : m->lacks ? "<not counted>" : "     nan", m->value);
	t->at = t->text + strspn(t->text, " ");
	(void)strtod(t->at, &end);
	t->n = isnan(m->value) ? (int)strlen(t->at) : (int)(end - t->at);
}

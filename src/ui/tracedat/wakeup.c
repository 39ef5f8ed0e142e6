// SPDX-License-Identifier: GPL-2.0-or-later
/* report -w: from the wake-up of a thread to its turn on a CPU. */
#include <string.h>
#include "ui/tracedat/inner.h"

enum { MAX_RT_PRIO = 100 };

static void took(struct view_latency *w, uint64_t ns, uint64_t at)
{
	if (!w->n || ns > w->max) {
		w->max = ns;
		w->max_at = at;
	}
	if (!w->n || ns < w->min) {
		w->min = ns;
		w->min_at = at;
	}
	w->sum += ns;
	w->n++;
}

void view_wakeup(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	const char *name = row->format ? tp_format_name(row->format) : "";
	bool turn = !strcmp(name, "sched_switch"), woken = !strcmp(name, "sched_wakeup") || !strcmp(name, "sched_wakeup_new");
	const struct tp_field *f = turn ? tp_format_field(row->format, "next_pid") : woken ? tp_format_field(row->format, "pid") : NULL;
	if (!f)
		return;
	uint64_t pid = tp_field_number(f, r->data, r->size);
	if (woken) {
		/* the last one counts: who is woken before it left its CPU goes on there */
		u64map_set(&v->wake.at, pid, (void *)(uintptr_t)(r->time + 1));
		return;
	}
	uint64_t since = (uint64_t)(uintptr_t)u64map_del(&v->wake.at, pid);
	if (!since || r->time < since - 1)
		return;
	uint64_t ns = r->time - (since - 1);
	str_addf(out, " Latency: %llu.%03llu usecs", (unsigned long long)ns / 1000, (unsigned long long)ns % 1000);
	took(&v->wake.all, ns, r->time);
	const struct tp_field *prio = tp_format_field(row->format, "next_prio");
	if (prio && tp_field_number(prio, r->data, r->size) < MAX_RT_PRIO)
		took(&v->wake.rt, ns, r->time);
}

static void add_extreme(struct str *out, const char *what, uint64_t ns, uint64_t at)
{
	str_addf(out, "%s Latency: %llu.%03llu usecs at timestamp: %llu.%06llu\n", what, (unsigned long long)ns / 1000,
		 (unsigned long long)ns % 1000, (unsigned long long)at / 1000000000, (unsigned long long)((at + 500) % 1000000000) / 1000);
}

static void add_latencies(struct str *out, const struct view_latency *w)
{
	uint64_t mean = w->sum / w->n;
	str_addf(out, "\nAverage wakeup latency: %llu.%03llu usecs\n", (unsigned long long)mean / 1000, (unsigned long long)mean % 1000);
	add_extreme(out, "Maximum", w->max, w->max_at);
	add_extreme(out, "Minimum", w->min, w->min_at);
	str_addc(out, '\n');
}

void tracedat_view_end(const struct tracedat_view *v, struct str *out)
{
	if (v->wake.all.n)
		add_latencies(out, &v->wake.all);
	if (!v->wake.rt.n)
		return;
	str_add(out, "RT task timings:\n");
	add_latencies(out, &v->wake.rt);
}

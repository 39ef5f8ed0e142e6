// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include "ui/sched/sched.h"

enum { NAME_COLUMNS = 24 };

static void rule(struct str *s, int n)
{
	str_addc(s, ' ');
	str_pad(s, s->len + (size_t)n, '-');
	str_addc(s, '\n');
}

static void add_row(struct str *s, const struct latency_row *r)
{
	size_t from = s->len;
	str_add(s, "  ");
	str_add_safez(s, r->name);
	str_addf(s, r->tasks > 1 ? ":(%d) " : ":%d ", r->tasks > 1 ? (int)r->tasks : r->tid);
	str_pad(s, from + NAME_COLUMNS, ' ');
	str_addf(s, "|%11.3f ms |%9" PRIu64 " | avg:%8.3f ms | max:%8.3f ms", (double)r->runtime / 1e6, r->count,
		 (double)(r->delay / r->count) / 1e6, (double)r->max / 1e6);
	str_addf(s, " | max start: %5" PRIu64 ".%06" PRIu64 " s | max end: %5" PRIu64 ".%06" PRIu64 " s\n",
		 r->max_from / 1000000000, r->max_from / 1000 % 1000000, r->max_to / 1000000000, r->max_to / 1000 % 1000000);
}

static void add_share(struct str *s, const char *what, uint64_t n, uint64_t of)
{
	str_addf(s, "  INFO: %.3f%% %s (%" PRIu64 " out of %" PRIu64, 100.0 * (double)n / (double)of, what, n, of);
}

static void add_faults(struct str *s, const struct latency *l)
{
	const struct sched_tasks *t = &l->tasks;
	if (l->unordered && l->timestamps) {
		add_share(s, "unordered timestamps", l->unordered, l->timestamps);
		str_add(s, ")\n");
	}
	if (t->lost && l->events) {
		add_share(s, "lost events", t->lost, l->events);
		str_addf(s, ", in %zu chunks)\n", t->gaps.n);
	}
	if (l->bugs && l->timestamps) {
		add_share(s, "context switch bugs", l->bugs, l->timestamps);
		str_addf(s, ")%s\n", t->lost ? " (due to lost events?)" : "");
	}
	if (l->doubtful)
		str_addf(s, "  INFO: events were lost during %" PRIu64 " of the delays: these may be too long\n", l->doubtful);
}

void sched_gaps_print(struct out *o, const struct sched_tasks *t)
{
	uint64_t longest = 0;
	if (!t->lost)
		return;
	vec_each(&t->gaps, g)
		if (g->to - g->from > longest && g->from)
			longest = g->to - g->from;
	out_printf(o, "%" PRIu64 " events were lost in %zu gaps, the longest of %.3f ms\n", t->lost, t->gaps.n, (double)longest / 1e6);
}

void sched_latency_print(struct out *o, const struct latency *l)
{
	struct str s = STR_INIT;
	uint64_t runtime = 0, count = 0;
	str_addc(&s, '\n');
	rule(&s, 139);
	str_add(&s, "  Task                  |   Runtime ms  |  Count   | Avg delay ms    | Max delay ms    | "
		    "Max delay start           | Max delay end          |\n");
	rule(&s, 139);
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct latency_row *r = &l->rows.at[i];
		if (!r->count)
			continue;
		runtime += r->runtime;
		count += r->count;
		add_row(&s, r);
		if (s.len > 1 << 16)
			out_str(o, &s);
	}
	rule(&s, 113);
	str_addf(&s, "  TOTAL:                |%11.3f ms |%9" PRIu64 " |\n", (double)runtime / 1e6, count);
	rule(&s, 51);
	add_faults(&s, l);
	str_addc(&s, '\n');
	out_str(o, &s);
	str_release(&s);
}

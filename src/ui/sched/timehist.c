// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "ui/sched/sched.h"

enum { NAME_COLUMNS = 30, WIDTH_MAX = 31 /* perf cuts names there, ours only stand out */, PRIO_COLUMNS = 8, SUMMARY_RULE = 117 };

/* ms.us and a blank */
static void add_ms(struct str *s, uint64_t ns, int width)
{
	str_addf(s, "%*" PRIu64 ".%03" PRIu64 " ", width, ns / 1000000, ns / 1000 % 1000);
}

static void add_name(struct timehist_view *v, const struct timehist_task *t, struct str *s)
{
	size_t from = s->len;
	const struct sched_task *task = t->task;
	if (task)
		str_add_safez(s, task->name);
	else
		str_add(s, "<idle>");
	if (task && task->tid && (task->pid == task->tid || task->pid < 0))
		str_addf(s, "[%d]", task->tid);
	else if (task && task->tid)
		str_addf(s, "[%d/%d]", task->tid, task->pid);
	if ((int)(s->len - from) > v->width)
		v->width = s->len - from < WIDTH_MAX ? (int)(s->len - from) : WIDTH_MAX;
}

static void add_padded(struct timehist_view *v, const struct timehist_task *t, struct str *s)
{
	size_t from = s->len;
	add_name(v, t, s);
	str_pad(s, from + (size_t)v->width, ' ');
}

static void add_columns(struct str *s, const char *word[4])
{
	str_addf(s, "  %9s  %9s  %9s", word[0], word[1], word[2]);
	if (word[3])
		str_addf(s, "  %5s", word[3]);
}

static void head_row(struct timehist_view *v, struct str *s, const char *name, const char *prio, const char *columns[4], char fill)
{
	size_t at = s->len;
	str_addf(s, "%-*s", v->width, name);
	str_pad(s, at + (size_t)v->width, fill);
	if (v->prio) {
		str_add(s, "  ");
		at = s->len;
		str_add(s, prio);
		str_pad(s, at + PRIO_COLUMNS, fill);
	}
	add_columns(s, columns);
	str_addc(s, '\n');
}

void timehist_print_head(struct timehist_view *v)
{
	struct str *s = &v->text;
	const char *titles[4] = { "wait time", "sch delay", "run time", v->state ? "state" : NULL };
	const char *units[4] = { "(msec)", "(msec)", "(msec)", v->state ? "" : NULL };
	const char *lines[4] = { "---------", "---------", "---------", v->state ? "-----" : NULL };
	int n = v->h->max_cpu + 1;
	v->width = NAME_COLUMNS;
	str_addf(s, "%15s %6s ", "time", "cpu");
	if (v->visual) {
		str_addc(s, ' ');
		for (int i = 0; i < n; i++)
			str_addf(s, "%x", i % 16);
		str_addc(s, ' ');
	}
	str_addc(s, ' ');
	head_row(v, s, "task name", "prio", titles, ' ');
	str_addf(s, "%15s %-6s ", "", "");
	if (v->visual)
		str_addf(s, " %*s ", n, "");
	str_addc(s, ' ');
	head_row(v, s, "[tid/pid]", "", units, ' ');
	str_add(s, "--------------- ------ ");
	if (v->visual) {
		str_addc(s, ' ');
		str_pad(s, s->len + (size_t)n, '-');
		str_addc(s, ' ');
	}
	str_addc(s, ' ');
	static const char dashes[] = "------------------------------";
	head_row(v, s, dashes, "--------", lines, '-');
	out_str(v->out, s);
}

static void add_visual(struct timehist_view *v, struct str *s, int cpu, char mark, const char *around)
{
	str_add(s, around);
	for (int i = 0; i < v->h->max_cpu + 1; i++)
		str_addc(s, i == cpu ? mark : ' ');
	str_add(s, around);
}

static void add_time(struct str *s, uint64_t time, int cpu)
{
	char buf[32];
	snprintf(buf, sizeof(buf), "%5" PRIu64 ".%06" PRIu64, time / 1000000000, time / 1000 % 1000000);
	str_addf(s, "%15s ", buf);
	if (cpu >= 0)
		str_addf(s, "[%04d] ", cpu);
}

static void add_prio(struct str *s, const struct timehist_task *t, int prio)
{
	char buf[32];
	if (t->prio != prio && t->prio >= 0)
		snprintf(buf, sizeof(buf), "%d->%d", t->prio, prio);
	else
		snprintf(buf, sizeof(buf), "%d", prio);
	str_addf(s, " %-*s ", PRIO_COLUMNS, buf);
}

static void add_next(struct timehist_view *v, struct str *s, const struct sched_event *e)
{
	struct str text = STR_INIT;
	str_add(&text, "next: ");
	str_add_safez(&text, e->next_name ? e->next_name : "?");
	str_addf(&text, "[%d]", e->next);
	str_addf(s, " %-*.29s", v->width, text.buf);
	str_release(&text);
}

static void add_run(struct timehist_view *v, const struct timehist_line *l, const struct sched_event *e, struct str *s)
{
	const struct timehist_task *t = l->of;
	const struct timehist_span *d = &t->last;
	add_time(s, l->time, e->cpu);
	if (v->visual)
		add_visual(v, s, e->cpu, t->task ? 's' : 'i', " ");
	str_addc(s, ' ');
	add_padded(v, t, s);
	str_addc(s, ' ');
	if (v->prio)
		add_prio(s, t, e->prio);
	add_ms(s, d->sleep + d->iowait + d->preempt, 6);
	add_ms(s, d->delay, 6);
	add_ms(s, d->run, 6);
	if (v->state)
		str_addf(s, " %5c ", t->task ? e->state : 'I');
	if (v->next)
		add_next(v, s, e);
	else if (v->wakeups)
		str_addf(s, "  %*s", v->width, "");
	if (t->task && v->chains) {
		str_add(s, "  ");
		timehist_print_chain(v, e);
	}
	if (l->doubtful)
		str_add(s, "  (events were lost meanwhile)");
}

static void add_other(struct timehist_view *v, const struct timehist_line *l, const struct sched_event *e, struct str *s)
{
	bool moved = l->what == TIMEHIST_MIGRATION;
	add_time(s, l->time, e->cpu);
	if (v->visual && moved)
		add_visual(v, s, e->cpu, 'm', "  ");
	else if (v->visual)
		str_addf(s, " %*s ", v->h->max_cpu + 1, "");
	str_addc(s, ' ');
	add_padded(v, l->of, s);
	str_addf(s, "   %9s  %9s  %9s ", "", "", "");
	str_add(s, moved ? "migrated: " : "awakened: ");
	add_name(v, l->other, s);
	if (moved)
		str_addf(s, " cpu %d => %d", e->from_cpu, e->to_cpu);
}

void timehist_print_line(struct timehist_view *v, const struct timehist_line *l, const struct sched_event *e)
{
	struct str *s = &v->text;
	if ((l->what == TIMEHIST_WAKEUP && !v->wakeups) || (l->what == TIMEHIST_MIGRATION && (!v->migrations || !v->lines)) ||
	    (l->what == TIMEHIST_RUN && !v->lines) || l->what == TIMEHIST_NOTHING)
		return;
	if (l->what == TIMEHIST_LOST) {
		add_time(s, l->time, -1);
		str_addf(s, "lost %" PRIu64 " events on cpu %d", e->amount, e->cpu);
	} else if (l->what == TIMEHIST_RUN) {
		add_run(v, l, e, s);
	} else {
		add_other(v, l, e, s);
	}
	str_addc(s, '\n');
	if (s->len > 1 << 15)
		out_str(v->out, s);
}

/* ---- the summary ---- */

static void summary_head(struct timehist_view *v, struct str *s)
{
	const char *kind = v->h->idle ? "Idle-time" : v->state ? "Wait-time" : "Runtime";
	str_addf(s, "\n%s summary\n%*s  parent  %s  ", kind, v->width, "comm", v->h->idle ? "sched-out" : " sched-in");
	str_add(s, v->h->idle ? "  idle-time   min-idle    avg-idle    max-idle  stddev  migrations\n" :
		v->state ? "   run-time      sleep      iowait     preempt       delay\n" :
			   "   run-time    min-run     avg-run     max-run  stddev  migrations\n");
	str_addf(s, "%*s            (count)  ", v->width, "");
	str_addf(s, "     (msec)     (msec)      (msec)      (msec)       %s\n", v->state ? "(msec)" : "%");
	str_pad(s, s->len + SUMMARY_RULE, '-');
	str_addc(s, '\n');
}

static void summary_row(struct timehist_view *v, const struct timehist_task *t, struct str *s)
{
	struct str name = STR_INIT;
	add_name(v, t, &name);
	str_addf(s, "%*s   %5d  %9" PRIu64 " ", v->width, name.buf, t->task->ppid, t->runs.n);
	str_release(&name);
	add_ms(s, t->sum.run, 8);
	if (v->state) {
		add_ms(s, t->sum.sleep, 6);
		str_addc(s, ' ');
		add_ms(s, t->sum.iowait, 6);
		str_addc(s, ' ');
		add_ms(s, t->sum.preempt, 6);
		str_addc(s, ' ');
		add_ms(s, t->sum.delay, 6);
		str_addc(s, '\n');
		return;
	}
	add_ms(s, t->runs.min, 6);
	str_addc(s, ' ');
	add_ms(s, (uint64_t)t->runs.mean, 6);
	str_addc(s, ' ');
	add_ms(s, t->runs.max, 6);
	str_addf(s, "  %5.2f   %5" PRIu64 "\n", timehist_spread(&t->runs), t->migrations);
}

static int by_tid(const void *a, const void *b)
{
	const struct sched_task *x = *(struct sched_task *const *)a, *y = *(struct sched_task *const *)b;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static bool wanted(const struct timehist *h, const struct sched_task *t)
{
	return (!h->pids.n || intlist_has(&h->pids, t->pid)) && (!h->tids.n || intlist_has(&h->tids, t->tid));
}

static uint64_t idle_rows(struct timehist_view *v, uint64_t span, struct str *s)
{
	uint64_t switches = 0;
	str_add(s, "\nIdle stats:\n");
	for (size_t i = 0; i < v->h->idles.n || (int)i < v->h->max_cpu; i++) {
		const struct timehist_task *t = i < v->h->idles.n ? v->h->idles.at[i] : NULL;
		if (!timehist_cpu(v->h, (int)i) || (!t && (int)i >= v->h->max_cpu))
			continue;
		if (!t || !t->runs.n) {
			/* perf: "idle entire time window", of a CPU that was never idle as well as of one that never ran */
			bool ran = i < v->h->switched.n && v->h->switched.at[i];
			str_addf(s, ran ? "    CPU %2zu was never idle\n" : "    CPU %2zu idle entire time window\n", i);
			continue;
		}
		switches += t->runs.n;
		str_addf(s, "    CPU %2zu idle for ", i);
		add_ms(s, t->sum.run, 6);
		str_addf(s, " msec  (%6.2f%%)\n", span ? 100.0 * (double)t->sum.run / (double)span : 0);
	}
	return switches;
}

void timehist_print_summary(struct timehist_view *v)
{
	struct str *s = &v->text;
	struct timehist *h = v->h;
	uint64_t tasks = 0, switches = 0, run = 0, span = h->last - h->first;
	v->width = v->width ? v->width : NAME_COLUMNS;
	summary_head(v, s);
	if (h->tasks.all.n)
		qsort(h->tasks.all.at, h->tasks.all.n, sizeof(h->tasks.all.at[0]), by_tid);
	vec_each(&h->tasks.all, t) {
		const struct timehist_task *state = (*t)->priv;
		if (!state || !state->runs.n || !wanted(h, *t))
			continue;
		tasks++;
		switches += state->runs.n;
		run += state->sum.run;
		summary_row(v, state, s);
	}
	if (!tasks)
		str_add(s, "<no still running tasks>\n");
	if (!h->skipped || h->idle) { /* else the idle times are not whole */
		switches += idle_rows(v, span, s);
		if (h->idle && v->chains)
			timehist_print_idle_chains(v);
		str_addf(s, "\n    Total number of unique tasks: %" PRIu64 "\nTotal number of context switches: %" PRIu64 "\n", tasks, switches);
		str_add(s, "           Total run time (msec): ");
		add_ms(s, run, 2);
		str_add(s, "\n    Total scheduling time (msec): ");
		add_ms(s, span, 2);
		str_addf(s, " (x %d)\n", h->max_cpu);
	}
	if (h->backwards)
		str_addf(s, "%" PRIu64 " times a delay or a wait could not be told: events came out of order\n", h->backwards);
	out_str(v->out, s);
	sched_gaps_print(v->out, &h->tasks);
	if (h->doubtful)
		out_printf(v->out, "%" PRIu64 " runs have such a gap in them, or in the wait before\n", h->doubtful);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Each row of the page is built in one str: prefix (time, place), number, unit, name, then what may
 * follow the name. Columns are those of perf, so that scripts and eyes trained on it keep working. */
#include "ui/statprint_inner.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"
#include "base/str.h"

enum { METRIC_COLUMN = 35 };

void stat_print_init(struct stat_print *p)
{
	locale_t loc = p->group_digits ? newlocale(LC_NUMERIC_MASK, "", (locale_t)0) : (locale_t)0;
	if (!loc)
		return;
	locale_t before = uselocale(loc); /* nl_langinfo_l is always empty in a static program */
	snprintf(p->thousands, sizeof(p->thousands), "%s", localeconv()->thousands_sep);
	uselocale(before);
	freelocale(loc);
}

static void add_number(const struct stat_print *p, struct str *s, double v, int decimals)
{
	struct str plain = STR_INIT, g = STR_INIT; /* a recording's scale can make the number 300 digits long */
	str_addf(&plain, "%.*f", decimals, v);
	int whole = (int)strcspn(plain.buf, ".");
	for (int i = 0; i < (int)plain.len; i++) {
		if (i && i < whole && (whole - i) % 3 == 0 && plain.buf[i - 1] != '-')
			str_add(&g, p->thousands);
		str_addc(&g, plain.buf[i]);
	}
	/* the separator may be two bytes wide and one column */
	int wide = 18;
	if (p->thousands[0] && p->thousands[1])
		wide += (int)strlen(p->thousands) * ((whole - 1) / 3) - (whole - 1) / 3;
	str_addf(s, "%*s", wide, g.buf);
	str_release(&plain);
	str_release(&g);
}

/* Where the numbers come from, in front of them. */
static void add_place(const struct stat_print *p, struct str *s, size_t bucket, int n)
{
	const struct stat_bucket *b = &p->table->buckets.at[bucket];
	static const int width[] = { [STAT_CPU] = 10, [STAT_CORE] = 15, [STAT_CLUSTER] = 20, [STAT_CACHE] = 22,
				     [STAT_DIE] = 12, [STAT_SOCKET] = 6,
				     [STAT_NODE] = 6, [STAT_THREAD] = 26 };
	struct str label = STR_INIT;
	if (p->table->aggr == STAT_ALL)
		return;
	str_add_safez(&label, b->label);
	const char *dash = strrchr(label.buf, '-');
	if (p->table->aggr == STAT_THREAD && dash) /* the dashes in one column */
		str_addf(s, "%16.*s%-9s ", (int)(dash - label.buf), label.buf, dash);
	else
		str_addf(s, "%-*s ", width[p->table->aggr], label.buf);
	if (p->table->aggr != STAT_CPU && p->table->aggr != STAT_THREAD)
		str_addf(s, "%4d ", n);
	str_release(&label);
}

static const char *cgroup_of(const struct stat_print *p, const struct event *e)
{
	if (!p->target->cgroups.n)
		return NULL;
	const char *name = e->cgroup > 0 ? p->target->cgroups.at[e->cgroup - 1].name : NULL;
	return name ? name : "";
}

static void add_metric(const struct stat_print *p, struct str *s, const struct metric *m)
{
	static const enum out_colour colours[] = { OUT_PLAIN, OUT_YELLOW, OUT_RED, OUT_RED };
	struct metric_text t;
	stat_metric_text(m, &t);
	str_add(s, " # ");
	if (m->grade)
		str_add(s, out_colour(p->o, colours[m->grade]));
	str_add(s, t.text);
	if (m->grade)
		str_add(s, out_colour(p->o, OUT_PLAIN));
	str_addf(s, " %-*s", METRIC_COLUMN - 4 - (int)strlen(t.text), m->unit);
}

static void add_noise(const struct stat_print *p, struct str *s, const struct series *v)
{
	double percent = p->runs > 1 ? series_error_percent(v) : 0;
	if (percent > 0)
		str_addf(s, "  ( +-%6.2f%% )", percent);
}

void stat_end_line(struct stat_print *p, struct str *s)
{
	while (s->len && s->buf[s->len - 1] == ' ')
		s->buf[--s->len] = 0;
	str_addc(s, '\n');
	out_str(p->o, s);
}

/* How many CPUs are in it. */
static int cpus_in(const struct stat_print *p, size_t bucket)
{
	for (size_t e = 0; e < p->table->events->n; e++)
		if (stat_cell(p->table, e, bucket)->n)
			return stat_cell(p->table, e, bucket)->n;
	return p->table->buckets.at[bucket].n_cpus;
}

static void text_prefix(const struct stat_print *p, struct str *s, size_t bucket, int n)
{
	if (p->interval >= 0)
		str_addf(s, "%16.9f ", p->interval);
	add_place(p, s, bucket, n);
}

void stat_text_place(const struct stat_print *p, struct str *s, size_t bucket)
{
	text_prefix(p, s, bucket, cpus_in(p, bucket));
}

static void text_name(const struct stat_print *p, struct str *s, const struct event *e, const char *unit)
{
	const char *cg = cgroup_of(p, e);
	struct str name = STR_INIT;
	str_add_safez(&name, e->name);
	str_addf(s, " %-4s %-32s", unit, name.buf);
	if (cg) {
		str_addc(s, ' ');
		str_add_safez(s, cg);
	}
	str_release(&name);
}

static void text_uncounted(struct stat_print *p, struct str *s, const struct event *e)
{
	const char *unit, *what = e->missing ? "<not supported>" : "<not counted>";
	bool fraction;
	(void)stat_display(e, 0, &unit, &fraction);
	str_addf(s, "%s%18s%s", out_colour(p->o, OUT_GREY), what, out_colour(p->o, OUT_PLAIN));
	text_name(p, s, e, e->missing ? "" : unit);
}

/* The figures behind the first, each below it. */
static void text_more(struct stat_print *p, struct str *s, size_t indent, const metric_list *m)
{
	for (size_t i = 1; i < m->n; i++) {
		str_addf(s, "%*s", (int)indent + 56, "");
		add_metric(p, s, &m->at[i]);
		stat_end_line(p, s);
	}
}

static void text_row(struct stat_print *p, size_t event, size_t bucket)
{
	const struct event *e = &p->table->events->at[event];
	const struct stat_cell *c = stat_cell(p->table, event, bucket);
	metric_list m = { 0 };
	struct str s = STR_INIT;
	bool fraction, counted = !e->missing && stat_counted(c);
	const char *unit;
	text_prefix(p, &s, bucket, c->n ? c->n : p->table->buckets.at[bucket].n_cpus);
	size_t indent = s.len;
	stat_metrics(p->table, event, bucket, &m);
	if (counted) {
		double v = stat_display(e, c->value.mean, &unit, &fraction);
		add_number(p, &s, v, fraction ? 2 : 0);
		text_name(p, &s, e, unit);
	} else {
		text_uncounted(p, &s, e);
	}
	if (m.n)
		add_metric(p, &s, &m.at[0]);
	else if (counted)
		str_addf(&s, "%*s", METRIC_COLUMN, "");
	if (counted)
		add_noise(p, &s, &c->value);
	if (counted && stat_running_percent(c) < 99.995)
		str_addf(&s, "  (%.2f%%)", stat_running_percent(c));
	stat_end_line(p, &s);
	text_more(p, &s, indent, &m);
	vec_release(&m);
	str_release(&s);
}

/* A separator inside a name would shift the columns: such a field is quoted. */
static void csv_field(const struct stat_print *p, struct str *s, const char *text)
{
	if (!strstr(text, p->separator)) {
		str_add_safez(s, text);
		return;
	}
	str_addc(s, '"');
	str_add_safez(s, text);
	str_addc(s, '"');
}

static void csv_prefix(const struct stat_print *p, struct str *s, size_t bucket, int n)
{
	if (p->summary)
		str_addf(s, "summary%s", p->separator);
	else if (p->interval >= 0) /* not filled up: a separator may be a blank */
		str_addf(s, "%.9f%s", p->interval, p->separator);
	if (p->table->aggr == STAT_ALL)
		return;
	csv_field(p, s, p->table->buckets.at[bucket].label);
	str_add(s, p->separator);
	if (p->table->aggr != STAT_CPU && p->table->aggr != STAT_THREAD)
		str_addf(s, "%d%s", n, p->separator);
}

void stat_csv_place(const struct stat_print *p, struct str *s, size_t bucket)
{
	csv_prefix(p, s, bucket, cpus_in(p, bucket));
}

static void csv_row(struct stat_print *p, size_t event, size_t bucket)
{
	const struct event *e = &p->table->events->at[event];
	const struct stat_cell *c = stat_cell(p->table, event, bucket);
	bool counted = !e->missing && stat_counted(c), fraction;
	metric_list m = { 0 };
	struct str s = STR_INIT;
	const char *unit, *sep = p->separator, *cg = cgroup_of(p, e);
	double v = stat_display(e, c->value.mean, &unit, &fraction);
	csv_prefix(p, &s, bucket, c->n ? c->n : p->table->buckets.at[bucket].n_cpus);
	if (counted)
		str_addf(&s, "%.*f", fraction ? 2 : 0, v);
	else
		str_add(&s, e->missing ? "<not supported>" : "<not counted>");
	str_addf(&s, "%s%s%s", sep, e->missing ? "" : unit, sep);
	csv_field(p, &s, e->name);
	str_add(&s, sep);
	if (cg) {
		csv_field(p, &s, cg);
		str_add(&s, sep);
	}
	if (p->runs > 1)
		str_addf(&s, "%.2f%%%s", counted ? series_error_percent(&c->value) : 0, sep);
	str_addf(&s, "%.0f%s%.2f", counted ? stat_runtime(c) : 0, sep, counted ? stat_running_percent(c) : 100);
	stat_metrics(p->table, event, bucket, &m);
	for (size_t i = 0; i < m.n; i++) {
		struct metric_text t;
		stat_metric_text(&m.at[i], &t);
		if (i)
			str_addf(&s, "\n%s%s%s%s%s", sep, sep, sep, sep, sep);
		str_addf(&s, "%s%.*s%s%s", sep, t.n, t.at, sep, m.at[i].unit);
	}
	str_addf(&s, "%s", m.n ? "" : sep);
	str_addf(&s, "%s\n", m.n ? "" : sep);
	out_str(p->o, &s);
	vec_release(&m);
	str_release(&s);
}

static void json_place(const struct stat_print *p, struct json *j, size_t bucket, int n)
{
	static const char *const keys[] = { [STAT_CPU] = "cpu", [STAT_CORE] = "core", [STAT_CLUSTER] = "cluster",
		[STAT_CACHE] = "cache", [STAT_DIE] = "die",
		[STAT_SOCKET] = "socket", [STAT_NODE] = "node", [STAT_THREAD] = "thread" };
	const struct stat_bucket *b = &p->table->buckets.at[bucket];
	if (p->interval >= 0)
		json_kdouble(j, "interval", p->interval);
	if (p->table->aggr == STAT_ALL)
		return;
	json_kstr(j, keys[p->table->aggr], p->table->aggr == STAT_CPU ? b->label + 3 : b->label);
	if (p->table->aggr != STAT_CPU && p->table->aggr != STAT_THREAD)
		json_ks64(j, "aggregate-number", n);
}

void stat_json_place(const struct stat_print *p, struct json *j, size_t bucket)
{
	json_place(p, j, bucket, cpus_in(p, bucket));
}

/* A figure more of the event before it. */
static void json_more(struct stat_print *p, size_t bucket, const struct metric *m)
{
	struct str s = STR_INIT;
	struct json j;
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	stat_json_place(p, &j, bucket);
	json_kdouble(&j, "metric-value", m->value);
	json_kstr(&j, "metric-unit", m->unit);
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(p->o, &s);
	str_release(&s);
}

static void json_row(struct stat_print *p, size_t event, size_t bucket)
{
	const struct event *e = &p->table->events->at[event];
	const struct stat_cell *c = stat_cell(p->table, event, bucket);
	bool counted = !e->missing && stat_counted(c), fraction;
	metric_list m = { 0 };
	struct str s = STR_INIT;
	struct json j;
	char value[64];
	const char *unit, *cg = cgroup_of(p, e);
	double v = stat_display(e, c->value.mean, &unit, &fraction);
	snprintf(value, sizeof(value), "%f", v);
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	json_place(p, &j, bucket, c->n ? c->n : p->table->buckets.at[bucket].n_cpus);
	json_kstr(&j, "counter-value", counted ? value : e->missing ? "<not supported>" : "<not counted>");
	json_kstr(&j, "unit", e->missing ? "" : unit);
	json_kstr(&j, "event", e->name);
	if (cg)
		json_kstr(&j, "cgroup", cg);
	if (p->runs > 1)
		json_kdouble(&j, "variance", counted ? series_error_percent(&c->value) : 0);
	json_ku64(&j, "event-runtime", counted ? (uint64_t)stat_runtime(c) : 0);
	json_kdouble(&j, "pcnt-running", counted ? stat_running_percent(c) : 100);
	stat_metrics(p->table, event, bucket, &m);
	json_kdouble(&j, "metric-value", m.n ? m.at[0].value : 0);
	json_kstr(&j, "metric-unit", m.n ? m.at[0].unit : "");
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(p->o, &s);
	str_release(&s);
	for (size_t i = 1; i < m.n; i++)
		json_more(p, bucket, &m.at[i]);
	vec_release(&m);
}

void stat_print_header(struct stat_print *p, const char *subject)
{
	struct str s = STR_INIT;
	if (p->format != STAT_TEXT)
		return;
	str_add(&s, "\n Performance counter stats for ");
	str_add_safez(&s, subject);
	if (p->runs > 1)
		str_addf(&s, " (%d runs)", p->runs);
	str_add(&s, ":\n\n");
	out_str(p->o, &s);
	str_release(&s);
}

void stat_print_interval_header(struct stat_print *p)
{
	static const char *const place[] = { [STAT_ALL] = "", [STAT_CPU] = "CPU        ", [STAT_CORE] = "core            cpus ",
		[STAT_CLUSTER] = "cluster              cpus ", [STAT_CACHE] = "cache                  cpus ",
		[STAT_DIE] = "die          cpus ", [STAT_SOCKET] = "socket cpus ", [STAT_NODE] = "node   cpus ",
		[STAT_THREAD] = "             comm-tid     " };
	if (p->format == STAT_TEXT && !p->metric_only)
		out_printf(p->o, "#           time %s            counts unit events\n", place[p->table->aggr]);
}

struct ranked { size_t bucket; double value; };

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return x->value < y->value ? 1 : x->value > y->value ? -1 : x->bucket < y->bucket ? -1 : 1;
}

static void print_row(struct stat_print *p, size_t event, size_t bucket)
{
	static void (*const row[])(struct stat_print *, size_t, size_t) = { text_row, csv_row, json_row };
	row[p->format](p, event, bucket);
}

/* Threads: those with the highest counts first; of a whole machine's, those that did nothing are left out. */
static void print_threads(struct stat_print *p, size_t event)
{
	size_t n = p->table->buckets.n, shown = 0;
	struct ranked *r = xcalloc(n + 1, sizeof(*r));
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){ i, stat_cell(p->table, event, i)->value.mean };
	qsort(r, n, sizeof(*r), by_value);
	for (size_t i = 0; i < n; i++)
		if (r[i].value > 0 || !p->target->every_task || (!shown && i == n - 1)) {
			print_row(p, event, r[i].bucket);
			shown++;
		}
	free(r);
}

void stat_print_table(struct stat_print *p)
{
	const struct stat_table *t = p->table;
	if (p->metric_only) {
		stat_print_figures(p, p->interval < 0 || p->lines++ % 25 == 0);
		return;
	}
	/* cores and sockets: all events of one place together, as perf shows them */
	if (stat_by_place(t->aggr)) {
		for (size_t b = 0; b < t->buckets.n; b++)
			for (size_t e = 0; e < t->events->n; e++)
				print_row(p, e, b);
		return;
	}
	for (size_t e = 0; e < t->events->n; e++) {
		if (t->aggr == STAT_THREAD)
			print_threads(p, e);
		else
			for (size_t b = 0; b < t->buckets.n; b++)
				print_row(p, e, b);
	}
}

/* --table: each run, how far from the mean it is, and a mark more for every twentieth. */
static void print_runs(struct stat_print *p, int precision)
{
	const struct stat_table *t = p->table;
	double mean = t->elapsed.mean / 1e9;
	char text[64];
	snprintf(text, sizeof(text), " %17.*f", precision, mean);
	int indent = (int)strspn(text, " ");
	out_printf(p->o, "%*s# Table of individual measurements:\n", indent, "");
	vec_each(&t->runs, r) {
		double run = *r / 1e9;
		int marks = run > 0 ? 1 + abs((int)(100 * (run - mean) / run) / 5) : 1;
		out_printf(p->o, " %17.*f (%+.*f) ", precision, run, precision, run - mean);
		for (int i = 0; i < marks && i < 1000; i++)
			out_puts(p->o, "#");
		out_puts(p->o, "\n");
	}
	out_printf(p->o, "\n%*s# Final result:\n", indent, "");
}

void stat_print_footer(struct stat_print *p, const struct stat_times *times)
{
	const struct series *t = &p->table->elapsed;
	const char *gap = p->table->events->n ? "\n" : ""; /* the heading ends with an empty line already */
	if (p->format != STAT_TEXT)
		return;
	if (p->runs > 1) {
		double sd = series_error(t) / 1e9;
		int precision = (sd > 1 || sd <= 0 ? 0 : (int)lround(ceil(-log10(sd)))) + 2;
		out_puts(p->o, gap);
		if (p->each_run)
			print_runs(p, precision);
		out_printf(p->o, " %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n\n", precision, t->mean / 1e9,
			   precision, sd, series_error_percent(t));
		return;
	}
	out_printf(p->o, "%s %17.9f seconds time elapsed\n\n", gap, t->mean / 1e9);
	if (times->known)
		out_printf(p->o, " %17.9f seconds user\n %17.9f seconds sys\n\n", times->user, times->sys);
}

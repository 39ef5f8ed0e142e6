// SPDX-License-Identifier: GPL-2.0-or-later
/* Each row of the page is built in one str: prefix (time, place), number, unit, name, then what may
 * follow the name. Columns are those of perf, so that scripts and eyes trained on it keep working. */
#include "ui/statprint.h"
#include <langinfo.h>
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
	snprintf(p->thousands, sizeof(p->thousands), "%s", nl_langinfo_l(THOUSEP, loc));
	freelocale(loc);
}

static void add_number(const struct stat_print *p, struct str *s, double v, int decimals)
{
	char plain[64];
	struct str g = STR_INIT;
	int n = snprintf(plain, sizeof(plain), "%.*f", decimals, v);
	int whole = (int)strcspn(plain, ".");
	for (int i = 0; i < n; i++) {
		if (i && i < whole && (whole - i) % 3 == 0 && plain[i - 1] != '-')
			str_add(&g, p->thousands);
		str_addc(&g, plain[i]);
	}
	/* the separator may be two bytes wide and one column */
	int wide = 18;
	if (p->thousands[0] && p->thousands[1])
		wide += (int)strlen(p->thousands) * ((whole - 1) / 3) - (whole - 1) / 3;
	str_addf(s, "%*s", wide, g.buf);
	str_release(&g);
}

/* Where the numbers come from, in front of them. */
static void add_place(const struct stat_print *p, struct str *s, size_t bucket, int n)
{
	const struct stat_bucket *b = &p->table->buckets.at[bucket];
	static const int width[] = { [STAT_CPU] = 10, [STAT_CORE] = 15, [STAT_DIE] = 12, [STAT_SOCKET] = 6,
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
	char number[64];
	snprintf(number, sizeof(number), m->format, m->value);
	str_add(s, " # ");
	if (m->grade)
		str_add(s, out_colour(p->o, colours[m->grade]));
	str_add(s, number);
	if (m->grade)
		str_add(s, out_colour(p->o, OUT_PLAIN));
	str_addf(s, " %-*s", METRIC_COLUMN - 4 - (int)strlen(number), m->unit);
}

static void add_noise(const struct stat_print *p, struct str *s, const struct series *v)
{
	double percent = p->runs > 1 ? series_error_percent(v) : 0;
	if (percent > 0)
		str_addf(s, "  ( +-%6.2f%% )", percent);
}

static void end_line(struct stat_print *p, struct str *s)
{
	while (s->len && s->buf[s->len - 1] == ' ')
		s->buf[--s->len] = 0;
	str_addc(s, '\n');
	out_str(p->o, s);
}

static void text_prefix(const struct stat_print *p, struct str *s, size_t bucket, int n)
{
	if (p->interval >= 0)
		str_addf(s, "%16.9f ", p->interval);
	add_place(p, s, bucket, n);
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
	end_line(p, s);
}

static void text_row(struct stat_print *p, size_t event, size_t bucket)
{
	const struct event *e = &p->table->events->at[event];
	const struct stat_cell *c = stat_cell(p->table, event, bucket);
	struct metric m[METRICS_MAX];
	struct str s = STR_INIT;
	const char *unit;
	bool fraction;
	text_prefix(p, &s, bucket, c->n ? c->n : p->table->buckets.at[bucket].n_cpus);
	if (e->missing || !stat_counted(c)) {
		text_uncounted(p, &s, e);
		str_release(&s);
		return;
	}
	double v = stat_display(e, c->value.mean, &unit, &fraction);
	size_t indent = s.len;
	add_number(p, &s, v, fraction ? 2 : 0);
	text_name(p, &s, e, unit);
	int n = stat_metrics(p->table, event, bucket, m);
	if (n)
		add_metric(p, &s, &m[0]);
	else
		str_addf(&s, "%*s", METRIC_COLUMN, "");
	add_noise(p, &s, &c->value);
	if (stat_running_percent(c) < 99.995)
		str_addf(&s, "  (%.2f%%)", stat_running_percent(c));
	end_line(p, &s);
	for (int i = 1; i < n; i++) {
		str_addf(&s, "%*s", (int)indent + 56, "");
		add_metric(p, &s, &m[i]);
		end_line(p, &s);
	}
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
	if (p->interval >= 0)
		str_addf(s, "%16.9f%s", p->interval, p->separator);
	if (p->table->aggr == STAT_ALL)
		return;
	csv_field(p, s, p->table->buckets.at[bucket].label);
	str_add(s, p->separator);
	if (p->table->aggr != STAT_CPU && p->table->aggr != STAT_THREAD)
		str_addf(s, "%d%s", n, p->separator);
}

static void csv_row(struct stat_print *p, size_t event, size_t bucket)
{
	const struct event *e = &p->table->events->at[event];
	const struct stat_cell *c = stat_cell(p->table, event, bucket);
	bool counted = !e->missing && stat_counted(c), fraction;
	struct metric m[METRICS_MAX];
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
	int n = counted ? stat_metrics(p->table, event, bucket, m) : 0;
	for (int i = 0; i < n; i++) {
		char number[64];
		snprintf(number, sizeof(number), m[i].format, m[i].value);
		char *end, *at = number + strspn(number, " ");
		(void)strtod(at, &end);
		if (i)
			str_addf(&s, "\n%s%s%s%s%s", sep, sep, sep, sep, sep);
		str_addf(&s, "%s%.*s%s%s", sep, (int)(end - at), at, sep, m[i].unit);
	}
	str_addf(&s, "%s", n ? "" : sep);
	str_addf(&s, "%s\n", n ? "" : sep);
	out_str(p->o, &s);
	str_release(&s);
}

static void json_place(const struct stat_print *p, struct json *j, size_t bucket, int n)
{
	static const char *const keys[] = { [STAT_CPU] = "cpu", [STAT_CORE] = "core", [STAT_DIE] = "die",
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

static void json_row(struct stat_print *p, size_t event, size_t bucket)
{
	const struct event *e = &p->table->events->at[event];
	const struct stat_cell *c = stat_cell(p->table, event, bucket);
	bool counted = !e->missing && stat_counted(c), fraction;
	struct metric m[METRICS_MAX];
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
	int n = counted ? stat_metrics(p->table, event, bucket, m) : 0;
	json_kdouble(&j, "metric-value", n ? m[0].value : 0);
	json_kstr(&j, "metric-unit", n ? m[0].unit : "");
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(p->o, &s);
	str_release(&s);
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
		[STAT_DIE] = "die          cpus ", [STAT_SOCKET] = "socket cpus ", [STAT_NODE] = "node   cpus ",
		[STAT_THREAD] = "             comm-tid     " };
	if (p->format == STAT_TEXT)
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
	/* cores and sockets: all events of one place together, as perf shows them */
	if (t->aggr == STAT_CORE || t->aggr == STAT_DIE || t->aggr == STAT_SOCKET || t->aggr == STAT_NODE) {
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

void stat_print_footer(struct stat_print *p, const struct stat_times *times)
{
	const struct series *t = &p->table->elapsed;
	const char *gap = p->table->events->n ? "\n" : ""; /* the heading ends with an empty line already */
	if (p->format != STAT_TEXT)
		return;
	if (p->runs > 1) {
		double sd = series_error(t) / 1e9;
		int precision = (sd > 1 || sd <= 0 ? 0 : (int)lround(ceil(-log10(sd)))) + 2;
		out_printf(p->o, "%s %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n\n", gap, precision, t->mean / 1e9,
			   precision, sd, series_error_percent(t));
		return;
	}
	out_printf(p->o, "%s %17.9f seconds time elapsed\n\n", gap, t->mean / 1e9);
	if (times->known)
		out_printf(p->o, " %17.9f seconds user\n %17.9f seconds sys\n\n", times->user, times->sys);
}

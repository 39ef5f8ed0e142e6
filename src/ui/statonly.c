// SPDX-License-Identifier: GPL-2.0-or-later
/* --metric-only: one line for each place, a column for each figure. Rates and the share of a CPU are left out, as in perf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"
#include "ui/statprint_inner.h"

enum { COLUMN = 20 };

struct figure { struct metric m; size_t at; const char *event; }; /* of the event with that index and name */
typedef VEC(struct figure) figure_list;

static bool is_shown(const struct metric *m)
{
	return m->asked || (!strstr(m->unit, "/sec") && !strstr(m->unit, "CPUs utilized"));
}

/* "of all branches" says nothing without the event. */
static void add_label(struct str *s, const struct figure *f)
{
	if (str_starts(f->m.unit, "of all")) {
		str_add_safez(s, f->event);
		str_addc(s, ' ');
	}
	str_add_safez(s, f->m.unit);
}

static void take_figures(const struct stat_table *t, size_t bucket, figure_list *out)
{
	metric_list l = { 0 };
	vec_clear(out);
	for (size_t e = 0; e < t->events->n; e++) {
		stat_metrics(t, e, bucket, &l);
		vec_each(&l, m)
			if (is_shown(m))
				*vec_push(out) = (struct figure){ *m, e, t->events->at[e].name };
	}
	vec_release(&l);
}

static int width_of(const struct str *label)
{
	return label->len >= COLUMN ? (int)label->len + 1 : COLUMN;
}

static void add_value(const struct stat_print *p, struct str *s, const struct figure *f, const struct str *label)
{
	struct metric_text t;
	stat_metric_text(&f->m, &t);
	if (p->format == STAT_TEXT)
		str_addf(s, "%*s ", width_of(label), t.text);
	else
		str_addf(s, "%.*s%s", t.n, t.at, p->separator);
}

static void json_line(struct stat_print *p, size_t bucket, const figure_list *l)
{
	struct str s = STR_INIT;
	struct json j;
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	stat_json_place(p, &j, bucket);
	vec_each(l, f) {
		struct str label = STR_INIT;
		struct metric_text t;
		add_label(&label, f);
		stat_metric_text(&f->m, &t);
		char *value = xstrndup(t.at, t.n);
		json_kstr(&j, label.buf, value);
		free(value);
		str_release(&label);
	}
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(p->o, &s);
	str_release(&s);
}

/* The names of the columns, and above the places theirs. */
static void heading(struct stat_print *p, const figure_list *columns)
{
	static const char *const places[] = { [STAT_ALL] = "", [STAT_CPU] = "cpu", [STAT_CORE] = "core", [STAT_CLUSTER] = "cluster",
		[STAT_CACHE] = "cache", [STAT_DIE] = "die", [STAT_SOCKET] = "socket", [STAT_NODE] = "node", [STAT_THREAD] = "thread" };
	struct str s = STR_INIT;
	const enum stat_aggr a = p->table->aggr;
	if (p->format == STAT_TEXT) {
		stat_text_place(p, &s, 0);
		size_t indent = s.len;
		str_clear(&s);
		if (p->interval >= 0)
			str_add(&s, "#           time ");
		str_pad(&s, indent, ' ');
	} else {
		str_addf(&s, "%s%s", p->interval >= 0 ? "time" : "", p->interval >= 0 ? p->separator : "");
		str_addf(&s, "%s%s", places[a], a == STAT_ALL ? "" : p->separator);
		str_addf(&s, "%s%s", stat_by_place(a) ? "cpus" : "", stat_by_place(a) ? p->separator : "");
	}
	vec_each(columns, f) {
		struct str label = STR_INIT;
		add_label(&label, f);
		if (p->format == STAT_TEXT)
			str_addf(&s, "%*s ", width_of(&label), label.buf);
		else
			str_addf(&s, "%s%s", label.buf, p->separator);
		str_release(&label);
	}
	stat_end_line(p, &s);
	str_release(&s);
}

static const struct figure *find(const figure_list *l, const struct figure *like)
{
	vec_each(l, f)
		if (f->at == like->at && !strcmp(f->m.unit, like->m.unit))
			return f;
	return NULL;
}

static int by_event(const void *a, const void *b)
{
	const struct figure *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* A column for each figure that some place has; where another has none its field is empty. */
static void find_columns(const struct stat_table *t, figure_list *columns, figure_list *l)
{
	for (size_t b = 0; b < t->buckets.n; b++) {
		take_figures(t, b, l);
		vec_each(l, f)
			if (!find(columns, f))
				*vec_push(columns) = *f;
	}
	if (t->buckets.n > 1 && columns->n)
		qsort(columns->at, columns->n, sizeof(*columns->at), by_event);
}

static void line(struct stat_print *p, size_t bucket, const figure_list *columns, const figure_list *l)
{
	struct str s = STR_INIT;
	if (p->format == STAT_TEXT)
		stat_text_place(p, &s, bucket);
	else
		stat_csv_place(p, &s, bucket);
	vec_each(columns, column) {
		struct str label = STR_INIT;
		const struct figure *mine = find(l, column);
		add_label(&label, column);
		if (mine)
			add_value(p, &s, mine, &label);
		else if (p->format == STAT_TEXT)
			str_addf(&s, "%*s ", width_of(&label), "");
		else
			str_add(&s, p->separator);
		str_release(&label);
	}
	stat_end_line(p, &s);
	str_release(&s);
}

void stat_print_figures(struct stat_print *p, bool with_heading)
{
	figure_list l = { 0 }, columns = { 0 };
	const struct stat_table *t = p->table;
	find_columns(t, &columns, &l);
	p->figures += columns.n;
	if (with_heading && p->format != STAT_JSON)
		heading(p, &columns);
	for (size_t b = 0; b < t->buckets.n; b++) {
		take_figures(t, b, &l);
		if (p->format == STAT_JSON)
			json_line(p, b, &l);
		else
			line(p, b, &columns, &l);
	}
	vec_release(&l);
	vec_release(&columns);
}

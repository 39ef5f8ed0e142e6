// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/diff/diff.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/order.h"
#include "base/error.h"
#include "base/map.h"

/* ---- reading ---- */

/* Numbers are ours to print: of the layout's columns only the keys are left. A filter that leaves one value takes its column away. */
static void keys_only(struct layout *l, const struct diff_options *o)
{
	const struct { enum sort_key key; const wordlist *w; } lists[] = { { KEY_DSO, &o->dsos }, { KEY_COMM, &o->comms }, { KEY_SYM, &o->symbols } };
	size_t kept = 0, left = 0;
	vec_each(&l->out, i) {
		struct column *c = &l->col.at[*i];
		if (c->kind != COLUMN_KEY)
			continue;
		l->out.at[kept++] = *i;
		for (int k = 0; k < 3; k++)
			c->elide |= c->row->key == lists[k].key && lists[k].w->n == 1;
		left += !c->elide;
	}
	l->out.n = kept;
	vec_each(&l->col, c)
		c->elide &= left > 0;
}

struct diff_progress { struct diff *d; const struct diff_file *f; };

static bool go_on(void *progress, double done)
{
	const struct diff_progress *p = progress;
	return !p->d->go_on || p->d->go_on(p->d->ctx, (done + (p->f - p->d->file)) / p->d->n);
}

static int read_file(struct diff *d, struct diff_file *f)
{
	const struct diff_options *o = d->o;
	struct layout_options lo = { .sort = o->sort, .def = "dso,symbol", .parent = o->parent };
	int err = layout_make(&f->layout, &lo);
	if (!err && regcomp(&f->parent, o->parent ? o->parent : "^sys_|^do_page_fault", REG_EXTENDED))
		err = error_set(EINVAL, "'%s' is not a regular expression", o->parent);
	if (err)
		return err;
	f->compiled = true;
	keys_only(&f->layout, o);
	f->filter.comms = o->comms;
	struct profile_options po = { .max_stack = 127, .dsos = o->dsos.n ? &o->dsos : NULL, .symbols = o->symbols.n ? &o->symbols : NULL,
		.filter = &f->filter, .parent = layout_has(&f->layout, KEY_PARENT) ? &f->parent : NULL };
	f->profile = profile_new(f->data, f->syms, &f->layout, &po);
	f->profile->fold.relative = o->relative;
	f->profile->fold.full_dso = verbosity > 0;
	session_header(f->profile->session, f->data);
	err = profile_read_while(f->profile, go_on, &(struct diff_progress){ d, f });
	profile_finish(f->profile, false, NULL);
	return err ? error_context("%s", f->path) : 0;
}

int diff_read(struct diff *d)
{
	d->style = (struct report_style){ .separator = d->o->separator, .headers = !d->o->quiet };
	for (int i = 0; i < d->n; i++) {
		int err = read_file(d, &d->file[i]);
		if (err)
			return err;
	}
	return 0;
}

static void free_row(struct diff_row *r)
{
	free(r->key);
	free(r->line);
	free(r->period);
}

/* The files' lines are again as they were: the same event may be worked out once more. */
static void end_event(struct diff *d)
{
	vec_each(&d->row, r)
		free_row(r);
	vec_release(&d->row);
	vec_each(&d->left_out, e)
		(*e)->filtered = false;
	vec_release(&d->left_out);
	for (int i = 0; i < d->n; i++) {
		report_table_free(d->file[i].table);
		d->file[i].table = NULL;
		d->file[i].hist = NULL;
	}
}

void diff_release(struct diff *d)
{
	end_event(d);
	for (int i = 0; i < d->n; i++) {
		struct diff_file *f = &d->file[i];
		profile_free(f->profile);
		if (f->compiled)
			regfree(&f->parent);
		layout_release(&f->layout);
		f->filter.comms = (wordlist){ 0 }; /* the options' */
		filter_release(&f->filter);
	}
}

/* ---- rows ---- */

/* Lines are the same when their keys are, functions by name, wherever they lie. */
static void add_key(const struct diff_file *f, const struct hist_entry *e, struct str *s)
{
	vec_each(&f->layout.out, i) {
		const struct column *c = &f->layout.col.at[*i];
		if (c->row->key == KEY_SYM)
			str_add(s, place_at(&f->profile->places, e->place)->sym ?: "");
		else
			report_table_key(f->table, s, c, e, 20);
		str_addc(s, 1); /* below every letter, so that texts sort as their columns do */
	}
}

static void leave_out(struct diff *d, struct hist_entry *e)
{
	if (!e || e->filtered)
		return;
	e->filtered = true;
	*vec_push(&d->left_out) = e;
}

/* Functions of one name are one line, and all addresses without a function, under the lowest. */
static void merge(struct diff *d, struct diff_row *r, int file, struct hist_entry *e)
{
	const struct diff_file *f = &d->file[file];
	struct hist_entry *other = r->line[file];
	const struct place *p = place_at(&f->profile->places, e->place), *q = place_at(&f->profile->places, other->place);
	if (!p->sym && !q->sym && p->addr < q->addr) {
		r->line[file] = e;
		e = other;
	}
	leave_out(d, e);
}

static void add_lines(struct diff *d, int file, struct strmap *rows)
{
	struct diff_file *f = &d->file[file];
	vec_each(&f->hist->entry, e) {
		struct str key = STR_INIT;
		add_key(f, *e, &key);
		uintptr_t at = (uintptr_t)strmap_get(rows, key.buf);
		bool known = at != 0, hidden = (*e)->filtered;
		if (!known && file && (hidden || d->o->baseline_only)) {
			leave_out(d, *e);
			str_release(&key);
			continue;
		}
		if (!known) {
			*vec_push(&d->row) = (struct diff_row){ .key = str_detach(&key), .file = file, .hidden = hidden, .line = xcalloc(d->n, sizeof(*e)),
				.period = xcalloc(d->n, sizeof(uint64_t)) };
			at = d->row.n;
			strmap_set(rows, vec_last(&d->row)->key, (void *)at);
		}
		str_release(&key);
		struct diff_row *r = &d->row.at[at - 1];
		r->period[file] += (*e)->self.period;
		if (r->line[file])
			merge(d, r, file, *e);
		else
			r->line[file] = *e;
		if (r->file != file)
			leave_out(d, *e);
	}
}

static bool has_pair(const struct diff *d, const struct diff_row *r)
{
	for (int i = 1; i < d->n; i++)
		if (r->line[i])
			return true;
	return false;
}

static void drop_row(struct diff *d, struct diff_row *r)
{
	leave_out(d, r->line[r->file]);
	free_row(r);
}

/* With baseline_only a percentage is of what is left, as in perf also of what a filter hides. */
static void drop_rows(struct diff *d)
{
	size_t kept = 0;
	uint64_t left = 0;
	vec_each(&d->row, r) {
		bool paired = !d->o->baseline_only || has_pair(d, r);
		if (paired && r->line[0] && !(r->hidden && d->o->relative))
			left += r->period[0];
		if (paired && !r->hidden)
			d->row.at[kept++] = *r;
		else
			drop_row(d, r);
	}
	d->row.n = kept;
	d->base_total = d->o->baseline_only ? left : d->file[0].total;
}

/* ---- values and order ---- */

static double percent(uint64_t period, uint64_t total)
{
	return total ? period * 100.0 / total : 0;
}

bool diff_value(const struct diff *d, const struct diff_row *r, int file, double *value)
{
	uint64_t old = r->period[0], new = r->period[file];
	if (!r->line[file])
		return false;
	switch (d->o->compute) {
	case DIFF_RATIO:
		*value = (double)new / (old ? old : 1);
		break;
	case DIFF_WDIFF:
		*value = (double)(int64_t)(new * d->o->weight_new - old * d->o->weight_base);
		break;
	default:
		*value = percent(new, d->file[file].total) - percent(old, d->file[0].total);
	}
	return true;
}

static int cmp_values(const struct diff *d, double l, double r)
{
	if (d->o->compute == DIFF_DELTA_ABS) {
		l = fabs(l);
		r = fabs(r);
	}
	return l > r ? 1 : l < r ? -1 : 0;
}

/* Positive: a comes first. first: the column that was asked for, in which what has no baseline has no value. */
static int cmp_column(const struct diff *d, const struct diff_row *a, const struct diff_row *b, int file, bool first)
{
	double l, r;
	bool x = diff_value(d, a, file, &l), y = diff_value(d, b, file, &r);
	if (!first && (has_pair(d, a) != has_pair(d, b)))
		return has_pair(d, a) ? 1 : -1;
	if (!x || !y)
		return x - y;
	if (first && d->o->compute >= DIFF_RATIO && !(a->line[0] && b->line[0]))
		return !!a->line[0] - !!b->line[0];
	return cmp_values(d, l, r);
}

static int compare(const struct diff *d, const struct diff_row *a, const struct diff_row *b)
{
	int c = d->o->order ? cmp_column(d, a, b, d->o->order, true) : 0;
	uint64_t p = a->period[0], q = b->period[0];
	if (!c)
		c = (p > q) - (p < q);
	for (int i = 1; !c && i < d->n; i++)
		c = cmp_column(d, a, b, i, false);
	return c ? c : -strcmp(a->key, b->key);
}

static bool comes_before(const void *a, const void *b, void *ctx)
{
	return compare(ctx, a, b) > 0;
}

static void sort_rows(struct diff *d)
{
	VEC(void *) at = { 0 };
	VEC(struct diff_row) sorted = { 0 };
	vec_each(&d->row, r)
		*vec_push(&at) = r;
	if (at.n)
		order_by_tree(at.at, at.n, comes_before, d);
	vec_each(&at, r)
		*vec_push(&sorted) = *(struct diff_row *)*r;
	vec_release(&at);
	vec_release(&d->row);
	d->row.at = sorted.at;
	d->row.n = sorted.n;
	d->row.cap = sorted.cap;
}

/* ---- an event ---- */

/* The first event that counts the same. */
static int like(const struct diff_file *f, const struct perf_event_attr *a)
{
	for (size_t i = 0; i < perfdata_n_events(f->data); i++) {
		const struct perf_event_attr *b = &perfdata_event_at(f->data, i)->attr;
		if (a->type == b->type && a->config == b->config)
			return i;
	}
	return -1;
}

/* Columns are as wide as what is shown, whichever file it comes from. */
static void align(struct diff *d, const int *event)
{
	for (int i = 0; i < d->n; i++) {
		struct diff_file *f = &d->file[i];
		report_table_free(f->table);
		f->table = f->hist ? report_table_new(f->profile, f->hist, event[i], &d->style) : NULL;
		if (i && f->table)
			report_table_align(d->file[0].table, f->table);
	}
	for (int i = 1; i < d->n; i++)
		if (d->file[i].table)
			report_table_align(d->file[0].table, d->file[i].table);
}

size_t diff_next_event(const struct diff *d, size_t from)
{
	const struct diff_file *f = &d->file[0];
	size_t i = from, n = perfdata_n_events(f->data);
	while (i < n && f->filter.wanted.n && !intlist_has(&f->filter.wanted, i))
		i++;
	return i;
}

void diff_event(struct diff *d, int event)
{
	const struct perf_event_attr *a = &perfdata_event_at(d->file[0].data, event)->attr;
	struct strmap rows = { 0 };
	int *of = xcalloc(d->n, sizeof(*of));
	end_event(d);
	for (int i = 0; i < d->n; i++) {
		struct diff_file *f = &d->file[i];
		of[i] = i ? like(f, a) : event;
		if (of[i] < 0)
			continue;
		f->hist = profile_hist(f->profile, of[i]);
		f->total = hist_total(f->hist);
		f->table = report_table_new(f->profile, f->hist, of[i], &d->style);
		add_lines(d, i, &rows);
	}
	strmap_release(&rows);
	drop_rows(d);
	sort_rows(d);
	align(d, of);
	free(of);
}

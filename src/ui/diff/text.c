// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "ui/diff/diff.h"

enum number { NUMBER_BASELINE, NUMBER_COMPUTED, NUMBER_FORMULA, NUMBER_PERIOD, NUMBER_BASE_PERIOD };
enum { FORMULA_MAX = 70, CELL_MAX = 128 };

static const char *name_of(const struct diff *d, enum number n, int *width)
{
	static const char *const computed[] = { "Delta Abs", "Delta", "Ratio", "Weighted diff" };
	*width = n == NUMBER_FORMULA ? FORMULA_MAX : 14;
	switch (n) {
	case NUMBER_BASELINE:
		*width = 0;
		return "Baseline";
	case NUMBER_COMPUTED:
		*width = d->o->compute >= DIFF_RATIO ? 14 : 7;
		return computed[d->o->compute];
	case NUMBER_FORMULA:
		return "Formula";
	case NUMBER_PERIOD:
		return "Period";
	default:
		return "Base period";
	}
}

static int header_of(const struct diff *d, enum number n, int file, char *buf, size_t size)
{
	int width;
	const char *name = name_of(d, n, &width);
	if (d->n > 2)
		snprintf(buf, size, "%s/%d", name, file);
	else
		snprintf(buf, size, "%s", name);
	return (int)strlen(buf) > width ? (int)strlen(buf) : width;
}

/* Calls f for every column of numbers. */
typedef void number_column(struct diff *d, const struct diff_row *r, enum number n, int file, struct str *s, bool first);
static void each_number(struct diff *d, const struct diff_row *r, struct str *s, number_column *f)
{
	for (int i = 0; i < d->n; i++) {
		f(d, r, i ? NUMBER_COMPUTED : NUMBER_BASELINE, i, s, !i);
		if (i && d->o->formula)
			f(d, r, NUMBER_FORMULA, i, s, false);
		if (d->o->period)
			f(d, r, i ? NUMBER_PERIOD : NUMBER_BASE_PERIOD, i, s, false);
	}
}

static void add_header(struct diff *d, const struct diff_row *r, enum number n, int file, struct str *s, bool first)
{
	char name[CELL_MAX];
	int width = header_of(d, n, file, name, sizeof(name));
	(void)r;
	str_add(s, first ? "" : d->o->separator ? d->o->separator : "  ");
	str_addf(s, "%*s", width, name);
}

static void add_dots(struct diff *d, const struct diff_row *r, enum number n, int file, struct str *s, bool first)
{
	char name[CELL_MAX];
	int width = header_of(d, n, file, name, sizeof(name));
	(void)r;
	str_add(s, first ? "" : "  ");
	str_pad(s, s->len + width, '.');
}

/* ---- what stands in a column ---- */

static void formula(const struct diff *d, const struct diff_row *r, int file, char *buf)
{
	uint64_t old = r->period[0], new = r->period[file];
	switch (d->o->compute) {
	case DIFF_RATIO:
		snprintf(buf, FORMULA_MAX, "%.0F / %.0F", (double)new, (double)old);
		break;
	case DIFF_WDIFF:
		snprintf(buf, FORMULA_MAX, "(%" PRIu64 " * %" PRId64 ") - (%" PRIu64 " * %" PRId64 ")", new, d->o->weight_new, old, d->o->weight_base);
		break;
	default:
		snprintf(buf, FORMULA_MAX, "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %" PRIu64 ")", new, d->file[file].total, old,
			 d->base_total);
	}
}

static void computed(const struct diff *d, const struct diff_row *r, int file, char *buf, size_t n, int width)
{
	double v;
	bool plain = d->o->separator; /* then what is nothing is empty: room for the end alone */
	if (!diff_value(d, r, file, &v))
		return;
	if (d->o->compute >= DIFF_RATIO && !r->line[0])
		snprintf(buf, n, "N/A");
	else if (d->o->compute == DIFF_RATIO)
		snprintf(buf, plain && v <= 0 ? 1 : n, "%14.6f", v);
	else if (d->o->compute == DIFF_WDIFF)
		snprintf(buf, plain && !v ? 1 : n, "%14" PRId64, (int64_t)(r->period[file] * d->o->weight_new - r->period[0] * d->o->weight_base));
	else
		snprintf(buf, n, "%+*.2f%%", plain ? 4 : width - 1, v);
}

static void cell(const struct diff *d, const struct diff_row *r, enum number n, int file, char *buf, size_t size, int width)
{
	double share = d->base_total ? r->period[0] * 100.0 / d->base_total : 0;
	buf[0] = 0;
	if (n == NUMBER_BASELINE && r->line[0])
		snprintf(buf, size, d->o->separator ? "%.2f" : "%7.2f%%", share);
	else if (n == NUMBER_COMPUTED)
		computed(d, r, file, buf, size, width);
	else if (n == NUMBER_BASE_PERIOD)
		snprintf(buf, size, "%" PRIu64, r->period[0]);
	else if (n == NUMBER_PERIOD && r->line[file])
		snprintf(buf, size, "%" PRIu64, r->period[file]);
	else if (n == NUMBER_FORMULA && r->line[file])
		formula(d, r, file, buf);
}

static void add_number(struct diff *d, const struct diff_row *r, enum number n, int file, struct str *s, bool first)
{
	char name[CELL_MAX], text[CELL_MAX];
	int width = header_of(d, n, file, name, sizeof(name));
	cell(d, r, n, file, text, sizeof(text), width);
	if (d->o->separator) {
		str_add(s, first ? "" : d->o->separator);
		str_addf(s, "%-*s", width, text);
	} else {
		str_addf(s, n == NUMBER_COMPUTED && d->o->compute == DIFF_WDIFF && *text != 'N' ? "  %-*s" : "  %*s", width, text);
	}
}

/* ---- lines ---- */

void diff_head_text(struct diff *d, struct str *s)
{
	each_number(d, NULL, s, add_header);
	str_add(s, d->o->separator ? d->o->separator : "  ");
	report_table_head(d->file[0].table, s);
}

void diff_row_text(struct diff *d, const struct diff_row *r, struct str *s)
{
	each_number(d, r, s, add_number);
	str_add(s, d->o->separator ? d->o->separator : "");
	report_table_line(d->file[r->file].table, s, r->line[r->file]);
}

static void add_files(const struct diff *d, struct str *s)
{
	str_add(s, "# Data files:\n");
	for (int i = 0; i < d->n; i++) {
		str_addf(s, "#  [%d] ", i);
		str_add_safez(s, d->file[i].path);
		str_addf(s, " %s\n", i ? "" : "(Baseline)");
	}
	str_add(s, "#\n");
}

static void print_event(struct diff *d, struct out *out, int event, bool first)
{
	struct str s = STR_INIT;
	diff_event(d, event);
	if (!d->o->quiet) {
		str_add(&s, first ? "# Event '" : "\n# Event '");
		str_add_safez(&s, perfdata_event_at(d->file[0].data, event)->name);
		str_add(&s, "'\n#\n");
		if (verbosity > 0 || d->n > 2)
			add_files(d, &s);
		str_add(&s, "# ");
		diff_head_text(d, &s);
		str_addc(&s, '\n');
	}
	if (!d->o->quiet && !d->o->separator) {
		str_add(&s, "# ");
		each_number(d, NULL, &s, add_dots);
		str_add(&s, "  ");
		report_table_rule(d->file[0].table, &s);
		str_add(&s, "\n#\n");
	}
	out_str(out, &s);
	vec_each(&d->row, r) {
		diff_row_text(d, r, &s);
		str_addc(&s, '\n');
		out_str(out, &s);
	}
	str_release(&s);
}

void diff_print(struct diff *d, struct out *out)
{
	size_t first = diff_next_event(d, 0);
	for (size_t i = first; i < perfdata_n_events(d->file[0].data); i = diff_next_event(d, i + 1))
		print_event(d, out, i, i == first);
}

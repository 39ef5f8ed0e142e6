// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "ui/annotate/annotate.h"

static int column_width(const struct annotate_style *s)
{
	return s->n * (s->column == ANNOTATE_PERIOD ? 12 : 8);
}

static const char *column_name(const struct annotate_style *s)
{
	return s->column == ANNOTATE_PERIOD ? "Period" : s->column == ANNOTATE_SAMPLES ? "Samples" : "Percent";
}

static void print_dashes(struct out *out, size_t n)
{
	while (n--)
		out_puts(out, "-");
	out_puts(out, "\n");
}

static enum out_colour heat(double percent)
{
	return percent >= 5 ? OUT_RED : percent >= 0.5 ? OUT_GREEN : OUT_PLAIN;
}

void annotate_shares(struct out *out, const struct code_listing *l, const struct annotate_style *s)
{
	source_shares shares = { 0 };
	struct str path = STR_INIT;
	listing_shares(l, s->events, s->n, s->type, s->full_path, &shares);
	str_add_safez(&path, l->fn->f.dso->path);
	out_printf(out, "\nSorted summary for file %s\n----------------------------------------------\n\n", path.buf);
	if (!shares.n)
		out_printf(out, " Nothing higher than %1.1f%%\n", 0.5);
	vec_each(&shares, at) {
		for (int i = 0; i < s->n; i++)
			out_printf(out, "%s %7.2f%s", out_colour(out, heat((*at)->percent[i])), (*at)->percent[i], out_colour(out, OUT_PLAIN));
		out_printf(out, " %s\n", (*at)->place);
	}
	str_release(&path);
	source_shares_release(&shares);
}

static void print_title(struct out *out, const struct code_listing *l, const struct annotate_style *s)
{
	struct str t = STR_INIT;
	const struct dso *d = l->fn->f.dso;
	const char *base = strrchr(d->path, '/');
	int width = column_width(s);
	str_addf(&t, " %-*.*s|\tSource code & Disassembly of ", width, width, column_name(s));
	str_add_safez(&t, s->full_path || !base ? d->path : base + 1);
	str_addf(&t, " for ");
	str_add_safez(&t, s->event_name);
	str_addf(&t, " (%" PRIu64 " samples, percent: %s)\n", l->fn->sum.at[s->events[0]].n, percent_type_name(s->type));
	size_t n = t.len;
	out_str(out, &t);
	str_release(&t);
	print_dashes(out, n + 4);
}

/* -v: each address that has samples. */
static void print_hits(struct out *out, const struct code_listing *l, int event)
{
	for (uint64_t offset = 0; offset < l->size; offset++) {
		uint32_t id = idmap_get(&l->fn->index, offset + 1);
		struct hit h = id ? hits_of(l->hits, l->fn, id - 1, event) : (struct hit){ 0, 0 };
		if (h.n)
			out_printf(out, "%*" PRIx64 ": %" PRIu64 "\n", 32, l->fn->f.sym_addr + offset, h.n);
	}
	out_printf(out, "%*s: %" PRIu64 "\n", 32, "h->nr_samples", l->fn->sum.at[event].n);
}

static void print_numbers(struct out *out, const struct code_listing *l, const struct listing_line *line, const struct annotate_style *s)
{
	for (int i = 0; i < s->n; i++) {
		double p = listing_percent(l, line, s->events[i], s->type);
		struct hit h = listing_hit(l, line, s->events[i]);
		out_puts(out, out_colour(out, heat(p)));
		if (s->column == ANNOTATE_PERIOD)
			out_printf(out, " %11" PRIu64, h.period);
		else if (s->column == ANNOTATE_SAMPLES)
			out_printf(out, " %7" PRIu64, h.n);
		else
			out_printf(out, " %7.2f", p);
		out_puts(out, out_colour(out, OUT_PLAIN));
	}
}

static int address_width(const struct code_listing *l)
{
	for (size_t i = l->line.n; i-- > 0;)
		if (l->line.at[i].code)
			return snprintf(NULL, 0, "%" PRIx64, l->start + l->line.at[i].offset);
	return 0;
}

/* -l names the place of hot instructions, but not twice in a row. */
static void print_place(struct out *out, const struct code_listing *l, const struct listing_line *line, const struct annotate_style *s, char **last)
{
	double max = 0;
	for (int i = 0; i < s->n; i++) {
		double p = listing_percent(l, line, s->events[i], s->type);
		max = p > max ? p : max;
	}
	if (!s->places || max <= 0.5)
		return;
	char *place = listing_place(l, line, s->full_path);
	if (!*last || strcmp(*last, place)) {
		out_printf(out, " // %s", place);
		free(*last);
		*last = place;
	} else {
		free(place);
	}
}

void annotate_stdio(struct out *out, const struct code_listing *l, const struct annotate_style *s)
{
	int width = column_width(s), digits = address_width(l);
	char *last = NULL;
	print_title(out, l, s);
	if (verbosity > 0)
		print_hits(out, l, s->events[0]);
	vec_each(&l->line, line) {
		if (!line->code && !*line->text) {
			out_printf(out, " %*s:\n", width, " ");
		} else if (!line->code) {
			out_printf(out, " %*s: %-*d %s\n", width, " ", digits, line->number, line->text);
		} else {
			print_numbers(out, l, line, s);
			out_printf(out, " :   %*" PRIx64 ":%s", digits, l->start + line->offset, line->text);
			print_place(out, l, line, s, &last);
			out_puts(out, "\n");
		}
	}
	free(last);
}

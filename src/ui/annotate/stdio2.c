// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ui/annotate/annotate.h"

static void print_title(struct out *out, const struct code_listing *l, const struct annotate_style *s, const struct perfdata_event *e, struct hit sum)
{
	struct str t = STR_INIT;
	char unit = ' ';
	for (const char *u = "KMG"; *u && sum.n > 1000; u++) {
		sum.n /= 1000;
		unit = *u;
	}
	str_addf(&t, "Samples: %" PRIu64 "%c of event%s '", sum.n, unit, s->n > 1 ? "s" : "");
	str_add_safez(&t, s->event_name);
	str_addf(&t, "',");
	if (e->attr.freq)
		str_addf(&t, " %" PRIu64 " Hz,", (uint64_t)e->attr.sample_freq);
	str_addf(&t, " Event count (approx.): %" PRIu64 ", [percent: %s]\n", sum.period, percent_type_name(s->type));
	str_add_safez(&t, l->fn->name);
	str_add(&t, "() ");
	str_add_safez(&t, l->fn->f.dso->path);
	str_addc(&t, '\n');
	out_str(out, &t);
	str_release(&t);
}

static double max_percent(const struct code_listing *l, const struct listing_line *line, const struct annotate_style *s)
{
	double max = 0;
	for (int i = 0; i < s->n; i++) {
		double p = listing_percent(l, line, s->events[i], s->type);
		max = p > max ? p : max;
	}
	return max;
}

static void add_numbers(struct str *t, const struct code_listing *l, const struct listing_line *line, const struct annotate_style *s, int width, bool first)
{
	const char *title = s->column == ANNOTATE_PERIOD ? "Period" : s->column == ANNOTATE_SAMPLES ? "Samples" : "Percent";
	if (max_percent(l, line, s) == 0) {
		str_addf(t, "%-*s", width, first ? title : " ");
		return;
	}
	for (int i = 0; i < s->n; i++) {
		struct hit h = listing_hit(l, line, s->events[i]);
		if (s->column == ANNOTATE_PERIOD)
			str_addf(t, "%11" PRIu64 " ", h.period);
		else if (s->column == ANNOTATE_SAMPLES)
			str_addf(t, "%7" PRIu64 " ", h.n);
		else
			str_addf(t, "%7.2f ", listing_percent(l, line, s->events[i], s->type));
	}
}

static const char *arrow_text(char c)
{
	return c == '>' ? "\u2192 " : c == '<' ? "\u2190 " : c == 'v' ? "\u2193 " : c == '^' ? "\u2191 " : "  ";
}

static void add_code(struct str *t, const struct code_listing *l, const struct listing_line *line, int width, int digits, int names)
{
	char arrow;
	char *insn = annotate_insn(l, line, names, false, &arrow);
	int printed;
	if (line->jumps)
		printed = snprintf(NULL, 0, "%*" PRIx64 ": ", digits, line->offset);
	else
		printed = digits + 2;
	if (line->jumps)
		str_addf(t, "%*" PRIx64 ": ", digits, line->offset);
	else
		str_addf(t, "%-*s  ", digits, " ");
	str_add(t, arrow_text(arrow));
	str_addf(t, "%-*s", width + 3 + printed, insn);
	free(insn);
}

void annotate_stdio2(struct out *out, const struct code_listing *l, const struct annotate_style *s, const struct perfdata_event *e, struct hit sum)
{
	int width = s->n * (s->column == ANNOTATE_PERIOD ? 12 : 8), digits = hex_digits(l->size), names = annotate_name_width(l);
	struct str t = STR_INIT;
	bool first = true;
	print_title(out, l, s, e, sum);
	vec_each(&l->line, line) {
		add_numbers(&t, l, line, s, width, first);
		str_addc(&t, ' ');
		if (line->code)
			add_code(&t, l, line, width, digits, names);
		else if (!*line->text)
			str_addf(&t, "%-*s", width, " ");
		else
			str_addf(&t, "%-*s  %-*s", digits, " ", digits + 2 + width - 1, line->text);
		str_addc(&t, '\n');
		out_str(out, &t);
		first = false;
	}
	str_release(&t);
}

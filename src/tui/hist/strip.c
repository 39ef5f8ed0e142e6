// SPDX-License-Identifier: GPL-2.0-or-later
/* The samples over time, a line for each part of it, on which a range is chosen. What is shown is the range that is chosen now, so
 * that one can be chosen within it. */
#include <stdlib.h>
#include "tui/hist/inner.h"

enum { LABEL = 24, NO_MARK = -1 };

struct strip_view {
	struct tui_source base;
	struct hist_browse *b;
	size_t event;
	uint64_t zero, from, to; /* zero: what times are counted from */
	VEC(uint64_t) sum;
	uint64_t most, total;
	int width;
	long mark;
};

static struct strip_view *of(struct tui_source *s)
{
	return (struct strip_view *)s;
}

void hist_browse_range(struct hist_browse *b, uint64_t from, uint64_t to)
{
	b->from = from;
	b->to = to;
	vec_each(&b->pr->hist, h) {
		if (!*h)
			continue;
		hist_forget_lines(*h);
		hist_range(*h, to ? from : 0, to ? to : UINT64_MAX);
	}
	profile_finish(b->pr, b->report->o->group, b->report->o->symbol_filter);
	for (size_t i = 0; b->style.hierarchy && i < b->pr->hist.n; i++)
		hist_hierarchy(profile_hist(b->pr, i));
	b->generation++;
}

static uint64_t first_of(const struct hist_browse *b)
{
	uint64_t first = UINT64_MAX, from, to;
	vec_each(&b->pr->hist, h)
		if (*h && hist_span(*h, &from, &to) && from < first)
			first = from;
	return first;
}

void hist_range_say(const struct hist_browse *b, struct str *out)
{
	uint64_t zero = first_of(b);
	str_addf(out, "%sfrom %.6f to %.6f s", out->len ? ", " : "", (b->from - zero) / 1e9, (b->to - zero) / 1e9);
}

static uint64_t start_of(const struct strip_view *v, size_t row)
{
	return v->from + (uint64_t)((double)(v->to - v->from) * row / v->sum.n);
}

static void measure(struct strip_view *v, size_t n)
{
	vec_clear(&v->sum);
	for (size_t i = 0; i < n; i++)
		*vec_push(&v->sum) = 0;
	hist_strip(profile_hist(v->b->pr, v->event), v->from, v->to, v->sum.at, n);
	v->most = v->total = 0;
	vec_each(&v->sum, s) {
		v->most = *s > v->most ? *s : v->most;
		v->total += *s;
	}
}

static void size(struct tui_source *s, int width, int rows)
{
	struct strip_view *v = of(s);
	v->width = width;
	if (rows > 0 && (size_t)rows != v->sum.n) {
		v->mark = NO_MARK;
		measure(v, rows);
	}
}

static size_t rows(struct tui_source *s)
{
	return of(s)->sum.n;
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	struct strip_view *v = of(s);
	int room = v->width > LABEL + 2 ? v->width - LABEL - 2 : 1;
	int n = v->most ? (int)((double)v->sum.at[row] / v->most * room + 0.5) : 0;
	str_addf(&l->text, "%c %12.6f s %6.2f%% ", (long)row == v->mark ? '*' : ' ', (start_of(v, row) - v->zero) / 1e9,
		 v->total ? 100.0 * v->sum.at[row] / v->total : 0.0);
	size_t start = l->text.len;
	for (int i = 0; i < n; i++)
		str_addc(&l->text, '#');
	tui_line_mark(l, start, n, TUI_WARM);
}

static void title(struct tui_source *s, struct str *out)
{
	struct strip_view *v = of(s);
	str_addf(out, "Samples over time, from %.6f to %.6f s, of '", (v->from - v->zero) / 1e9, (v->to - v->zero) / 1e9);
	report_event_name(v->b->report, v->b->pr, v->event, out);
	str_add(out, "'");
}

static void status(struct tui_source *s, struct str *out)
{
	str_add(out, of(s)->mark == NO_MARK ? "m marks one end of a range, Enter takes the selected line" : "Enter takes the range from the mark to here");
}

static enum tui_did key_pressed(struct tui *t, struct tui_source *s, int key)
{
	struct strip_view *v = of(s);
	size_t at = tui_cursor(t), a = at, z = at;
	switch (key) {
	case 'm':
		v->mark = v->mark == (long)at ? NO_MARK : (long)at;
		return TUI_DONE;
	case 'a':
		hist_browse_range(v->b, 0, 0);
		return TUI_LEAVE;
	case TUI_ENTER:
		if (v->mark != NO_MARK) {
			a = (size_t)v->mark < at ? (size_t)v->mark : at;
			z = (size_t)v->mark > at ? (size_t)v->mark : at;
		}
		hist_browse_range(v->b, start_of(v, a), z + 1 == v->sum.n ? v->to : start_of(v, z + 1) - 1);
		return TUI_LEAVE;
	default: return TUI_NOT_MINE;
	}
}

static void free_view(struct tui_source *s)
{
	vec_release(&of(s)->sum);
	free(s);
}

static const struct tui_source_ops ops = { .kind = TUI_STRIP, .rows = rows, .line = line, .title = title, .status = status, .key = key_pressed,
	.size = size, .free = free_view };

struct tui_source *hist_strip_view(struct tui *t, struct hist_browse *b, size_t event)
{
	uint64_t first, last;
	if (!hist_span(profile_hist(b->pr, event), &first, &last) || first == last) {
		tui_say(t, "when these samples came is not known");
		return NULL;
	}
	struct strip_view *v = xcalloc(1, sizeof(*v));
	*v = (struct strip_view){ .base.ops = &ops, .b = b, .event = event, .zero = first_of(b), .from = b->to ? b->from : first, .to = b->to ? b->to : last, .mark = NO_MARK };
	return &v->base;
}

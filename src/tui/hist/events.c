// SPDX-License-Identifier: GPL-2.0-or-later
/* Of several events: a list of them. */
#include <stdlib.h>
#include "tui/hist/inner.h"

struct events_view { struct tui_source base; struct hist_browse *b; VEC(size_t) event; unsigned generation; };

size_t hist_browse_events(struct hist_browse *b, size_t *at, size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < perfdata_n_events(b->pr->data); i++) {
		if (report_event_hidden(b->report, b->pr, i))
			continue;
		if (at && n < most)
			at[n] = i;
		n++;
	}
	return at && n > most ? most : n;
}

static struct events_view *of(struct tui_source *s)
{
	return (struct events_view *)s;
}

static size_t rows(struct tui_source *s)
{
	return of(s)->event.n;
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	struct events_view *v = of(s);
	struct hist *h = profile_hist(v->b->pr, v->event.at[row]);
	str_addf(&l->text, "%12llu ", (unsigned long long)h->samples);
	report_event_name(v->b->report, v->b->pr, v->event.at[row], &l->text);
}

static void title(struct tui_source *s, struct str *out)
{
	(void)s;
	str_add(out, "Available samples");
}

static enum tui_did key_pressed(struct tui *t, struct tui_source *s, int key)
{
	struct events_view *v = of(s);
	if (key != TUI_ENTER && key != TUI_RIGHT)
		return TUI_NOT_MINE;
	if (tui_cursor(t) < v->event.n)
		tui_push(t, hist_view_new(v->b, v->event.at[tui_cursor(t)]));
	return TUI_DONE;
}

static void list(struct events_view *v)
{
	vec_clear(&v->event);
	for (size_t i = 0; i < perfdata_n_events(v->b->pr->data); i++)
		if (!report_event_hidden(v->b->report, v->b->pr, i))
			*vec_push(&v->event) = i;
	v->generation = v->b->generation;
}

static bool tick(struct tui_source *s)
{
	if (of(s)->generation == of(s)->b->generation)
		return false;
	list(of(s));
	return true;
}

static void free_view(struct tui_source *s)
{
	vec_release(&of(s)->event);
	free(s);
}

static const struct tui_source_ops ops = { .kind = TUI_EVENTS, .rows = rows, .line = line, .title = title, .key = key_pressed, .tick = tick, .free = free_view };

struct tui_source *hist_browse_view(struct hist_browse *b)
{
	size_t first = 0;
	if (hist_browse_events(b, &first, 1) && hist_browse_events(b, NULL, 0) < 2)
		return hist_view_new(b, first);
	if (!hist_browse_events(b, NULL, 0) && perfdata_n_events(b->pr->data))
		return hist_view_new(b, 0); /* nothing at all: an empty view says so */
	struct events_view *v = xcalloc(1, sizeof(*v));
	v->base.ops = &ops;
	v->b = b;
	list(v);
	return &v->base;
}

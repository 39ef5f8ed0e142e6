// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/diff/diff.h"
#include <stdlib.h>
#include "base/error.h"
#include "tui/run.h"

struct diff_view {
	struct tui_source base;
	struct diff *d;
	struct diff_options *o;
	size_t event;
	bool stopped; /* reading was */
};

static struct diff_view *of(struct tui_source *s)
{
	return (struct diff_view *)s;
}

static size_t rows(struct tui_source *s)
{
	return of(s)->d->row.n;
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	struct diff_view *v = of(s);
	struct str text = STR_INIT;
	double value;
	const struct diff_row *r = &v->d->row.at[row];
	diff_row_text(v->d, r, &text);
	bool known = v->o->compute < DIFF_RATIO && diff_value(v->d, r, v->o->order ? v->o->order : 1, &value);
	tui_line_add(l, known && value >= 0.5 ? TUI_BAD : known && value <= -0.5 ? TUI_GOOD : TUI_PLAIN, "%s", text.buf);
	str_release(&text);
}

static void title(struct tui_source *s, struct str *out)
{
	struct diff_view *v = of(s);
	str_add(out, "Event '");
	str_add_safez(out, perfdata_event_at(v->d->file[0].data, v->event)->name);
	str_add(out, "'  ");
	for (int i = 0; i < v->d->n; i++) {
		str_addf(out, i ? "  %d: " : "baseline: ", i);
		str_add_safez(out, v->d->file[i].path);
	}
}

static void head(struct tui_source *s, struct str *out)
{
	str_add(out, "  ");
	diff_head_text(of(s)->d, out);
}

static enum tui_did show(struct tui *t, struct diff_view *v, size_t event)
{
	v->event = event;
	diff_event(v->d, event);
	tui_refresh(t);
	tui_go_to(t, 0);
	return TUI_DONE;
}

/* Of the events that are shown, the one before or behind. */
static size_t event_beside(const struct diff_view *v, size_t step)
{
	size_t n = perfdata_n_events(v->d->file[0].data), i = v->event;
	do
		i = (i + step) % n;
	while (diff_next_event(v->d, i) != i);
	return i;
}

static enum tui_did key_pressed(struct tui *t, struct tui_source *s, int key)
{
	struct diff_view *v = of(s);
	switch (key) {
	case TUI_TAB: return show(t, v, event_beside(v, 1));
	case TUI_BACK_TAB: return show(t, v, event_beside(v, perfdata_n_events(v->d->file[0].data) - 1));
	case '0' ... '9':
		if (key - '0' >= v->d->n) {
			tui_say(t, "there is no file %c", key);
			return TUI_DONE;
		}
		v->o->order = key - '0';
		return show(t, v, v->event);
	case 'p':
		v->o->period = !v->o->period;
		return TUI_DONE;
	case 'F':
		v->o->formula = !v->o->formula;
		return TUI_DONE;
	case TUI_ESC:
	case TUI_LEFT: return TUI_LEAVE;
	default: return TUI_NOT_MINE;
	}
}

static void status(struct tui_source *s, struct str *out)
{
	if (of(s)->stopped)
		str_add(out, "reading was stopped: this is not all");
}

static void free_view(struct tui_source *s)
{
	free(s);
}

static const struct tui_source_ops ops = { .kind = TUI_DIFF, .rows = rows, .line = line, .title = title, .head = head, .status = status, .key = key_pressed, .free = free_view };

static bool go_on(void *wait, double done)
{
	return tui_wait_go_on(wait, done);
}

int tui_diff(struct diff *d, struct diff_options *o)
{
	struct tui_wait *w = tui_wait_begin("reading the recordings");
	d->go_on = go_on;
	d->ctx = w;
	int err = diff_read(d);
	bool stopped = w && tui_wait_stopped(w);
	tui_wait_end(w);
	if (err)
		return err;
	if (!perfdata_n_events(d->file[0].data))
		return 0;
	struct diff_view *v = xcalloc(1, sizeof(*v));
	*v = (struct diff_view){ .base.ops = &ops, .d = d, .o = o, .stopped = stopped };
	v->event = diff_next_event(d, 0);
	d->style.on_screen = true;
	diff_event(d, v->event);
	return tui_run(&v->base, NULL);
}

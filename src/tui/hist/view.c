// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include "analysis/recorded.h"
#include "tui/hist/inner.h"

static struct hist_view *of(struct tui_source *s)
{
	return (struct hist_view *)s;
}

/* ---- what is seen ---- */

static size_t rows(struct tui_source *s)
{
	return of(s)->row.n;
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	hist_rows_line(of(s), row, l);
}

static uint64_t id(struct tui_source *s, size_t row)
{
	return of(s)->row.at[row].id;
}

static void add_count(struct str *out, uint64_t v)
{
	const char *unit = "";
	for (const char *u = "KMG"; *u && v > 9999; u++) {
		v /= 1000;
		unit = u;
	}
	str_addf(out, "%llu%.1s", (unsigned long long)v, unit);
}

static void title(struct tui_source *s, struct str *out)
{
	struct hist_view *v = of(s);
	const struct hist *h = v->h;
	bool relative = h->fold->relative;
	str_add(out, "Samples: ");
	add_count(out, relative ? h->samples_shown : h->samples);
	str_add(out, " of event '");
	report_event_name(v->b->report, v->b->pr, v->event, out);
	str_addf(out, "', Event count (approx.): %llu", (unsigned long long)hist_total(h));
	if (v->b->frozen)
		str_add(out, ", held");
	if (v->b->off)
		str_add(out, ", events off");
	if (v->b->zeroing)
		str_add(out, ", from zero each time");
}

static void head(struct tui_source *s, struct str *out)
{
	struct hist_view *v = of(s);
	if (v->no_head)
		return;
	if (hist_has_signs(v))
		str_add(out, "  ");
	report_table_head(v->table, out);
}

static void status(struct tui_source *s, struct str *out)
{
	struct hist_view *v = of(s);
	hist_filter_say(v, out);
	if (v->b->to)
		hist_range_say(v->b, out);
	if (v->min_percent > 0)
		str_addf(out, "%sat least %g %%", out->len ? ", " : "", v->min_percent);
	if (v->h->fold->relative)
		str_addf(out, "%sshares of what is shown", out->len ? ", " : "");
	if (v->b->ops && v->b->ops->status)
		v->b->ops->status(v->b->ctx, out);
}

/* ---- keys ---- */

static enum tui_did filter_symbol(struct tui *t, struct tui_source *s, const char *text)
{
	(void)t;
	hist_filter_drop_kind(of(s), HIST_FILTER_SYMBOL);
	if (*text)
		hist_filter_add(of(s), HIST_FILTER_SYMBOL, NULL, 0, text);
	hist_rows_make(of(s));
	return TUI_DONE;
}

static enum tui_did limit(struct tui *t, struct tui_source *s, const char *text)
{
	char *end;
	double v = strtod(text, &end);
	if (*text && (end == text || *end || !(v >= 0 && v <= 100))) {
		tui_say(t, "'%s' is not a percentage", text);
		return TUI_DONE;
	}
	of(s)->min_percent = *text ? v : 0;
	of(s)->h->fold->min_percent = of(s)->min_percent; /* of call graphs as well */
	hist_rows_anew(of(s));
	return TUI_DONE;
}

static enum tui_did next_event(struct tui *t, struct hist_view *v, bool back)
{
	enum { MOST = 1024 };
	size_t at[MOST], n = hist_browse_events(v->b, at, MOST), i = 0;
	if (n < 2)
		return TUI_DONE;
	while (i < n && at[i] != v->event)
		i++;
	tui_replace(t, hist_view_new(v->b, at[(i + (back ? n - 1 : 1)) % n]));
	return TUI_DONE;
}

static enum tui_did back(struct tui *t, struct hist_view *v)
{
	if (hist_filter_drop(v)) {
		hist_rows_make(v);
	} else if (v->b->to) {
		hist_browse_range(v->b, 0, 0);
		hist_rows_anew(v);
	} else {
		return TUI_LEAVE;
	}
	tui_refresh(t);
	return TUI_DONE;
}

static enum tui_did open_view(struct tui *t, struct tui_source *s)
{
	if (s)
		tui_push(t, s);
	return TUI_DONE;
}

static enum tui_did header(struct tui *t, struct hist_view *v)
{
	struct str s = STR_INIT;
	if (v->b->ops && v->b->ops->header)
		v->b->ops->header(v->b->ctx, &s);
	if (s.len)
		tui_page(t, "Header", s.buf);
	else
		tui_say(t, "there is no header");
	str_release(&s);
	return TUI_DONE;
}

static enum tui_did report_key(struct tui *t, struct hist_view *v, int key)
{
	switch (key) {
	case 'i': return header(t, v);
	case 'r': return hist_scripts(t);
	case 's': return hist_other_file(t, v);
	case 'T': return open_view(t, hist_strip_view(t, v->b, v->event));
	case '0' ... '9':
		if (key - '0' > v->h->n_pair) {
			tui_say(t, "this group has no event %c", key);
			return TUI_DONE;
		}
		v->sort_member = key - '0';
		hist_rows_make(v);
		return TUI_DONE;
	default: return TUI_NOT_MINE;
	}
}

static enum tui_did top_key(struct tui *t, struct hist_view *v, int key)
{
	struct hist_browse *b = v->b;
	switch (key) {
	case 'z':
		b->zeroing = !b->zeroing;
		if (b->ops->zero)
			b->ops->zero(b->ctx, b->zeroing);
		return TUI_DONE;
	case 'f':
		if (!b->ops->turn || !b->ops->turn(b->ctx, b->off))
			tui_say(t, "the events cannot be turned off and on here");
		else
			b->off = !b->off;
		return TUI_DONE;
	case 'p':
		b->frozen = !b->frozen;
		return TUI_DONE;
	default: return TUI_NOT_MINE;
	}
}

static void turn_shares(struct hist_view *v)
{
	v->h->fold->relative = !v->h->fold->relative;
	hist_rows_make(v);
}

static enum tui_did fold_key(struct tui *t, struct hist_view *v, int key)
{
	switch (key) {
	case '+': hist_rows_toggle(v, tui_cursor(t)); break;
	case 'e': hist_rows_open_entry(v, tui_cursor(t)); break;
	case 'c': hist_rows_fold(v, tui_cursor(t)); break;
	case 'E': hist_rows_all(v, true); break;
	case 'C': hist_rows_all(v, false); break;
	default: return TUI_NOT_MINE;
	}
	tui_refresh(t);
	return TUI_DONE;
}

static enum tui_did common_key(struct tui *t, struct hist_view *v, int key)
{
	switch (key) {
	case TUI_ENTER:
	case TUI_RIGHT:
	case 'm': return hist_menu(t, v);
	case TUI_TAB: return next_event(t, v, false);
	case TUI_BACK_TAB: return next_event(t, v, true);
	case TUI_ESC:
	case TUI_LEFT: return back(t, v);
	case 'a': return hist_annotate(t, v);
	case 'd': return hist_zoom_dso(t, v);
	case 't': return hist_zoom_thread(t, v);
	case 'k': return hist_zoom_kernel(t, v);
	case 'S': return hist_zoom_socket(t, v);
	case '/': tui_ask(t, "only functions with", "", filter_symbol); break;
	case 'L': tui_ask(t, "least percentage", "", limit); break;
	case 'F': turn_shares(v); break;
	case 'H': v->no_head = !v->no_head; break;
	case 'V': v->show_dso = !v->show_dso; break;
	case 'P': return hist_write(t, v);
	case 'g': return open_view(t, hist_flame_view(t, v));
	default: return TUI_NOT_MINE;
	}
	return TUI_DONE;
}

static enum tui_did key_pressed(struct tui *t, struct tui_source *s, int key)
{
	struct hist_view *v = of(s);
	enum tui_did did = fold_key(t, v, key);
	if (did == TUI_NOT_MINE)
		did = v->b->live ? top_key(t, v, key) : report_key(t, v, key);
	return did == TUI_NOT_MINE ? common_key(t, v, key) : did;
}

static bool tick(struct tui_source *s)
{
	struct hist_view *v = of(s);
	if (v->generation == v->b->generation)
		return false;
	hist_rows_anew(v);
	return true;
}

static void free_view(struct tui_source *s)
{
	hist_rows_release(of(s));
	hist_filter_release(of(s));
	free(s);
}

static const struct tui_source_ops report_ops = { .kind = TUI_REPORT, .rows = rows, .line = line, .id = id, .title = title, .head = head,
	.status = status, .key = key_pressed, .tick = tick, .free = free_view };
static const struct tui_source_ops top_ops = { .kind = TUI_TOP, .rows = rows, .line = line, .id = id, .title = title, .head = head,
	.status = status, .key = key_pressed, .tick = tick, .free = free_view };

struct tui_source *hist_view_new(struct hist_browse *b, size_t event)
{
	struct hist_view *v = xcalloc(1, sizeof(*v));
	v->base.ops = b->live ? &top_ops : &report_ops;
	v->b = b;
	v->event = event;
	v->sort_member = -1;
	v->min_percent = b->report->o->min_percent;
	v->show_dso = b->style.graph.show_dso;
	b->style.on_screen = true;
	hist_rows_anew(v);
	return &v->base;
}

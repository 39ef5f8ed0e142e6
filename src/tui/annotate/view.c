// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/out.h"
#include "tui/annotate/annotate.h"
#include "tui/run.h"

struct annotate_view {
	struct tui_source base;
	struct hits *hits;
	bool owned;
	size_t function; /* in the order of their samples */
	int event;
	struct annotate_options o;
	struct code_listing l;
	hit_list functions;
	VEC(size_t) row; /* line of the listing */
	enum annotate_column column;
	int offsets; /* O: of targets, of calls too, of all */
	bool no_source, no_arrows, numbers, raw, addresses, count_jumps, places, back;
	int names;
	size_t at; /* the row that is selected */
	VEC(struct annotate_step { const struct hit_function *fn; size_t row; }) way; /* the calls that were followed to here */
	struct annotate_live live;
	char *note; /* NULL: none */
};

static struct annotate_view *of(struct tui_source *s)
{
	return (struct annotate_view *)s;
}

/* ---- rows ---- */

static void make_rows(struct annotate_view *v)
{
	vec_clear(&v->row);
	for (size_t i = 0; i < v->l.line.n; i++)
		if (v->l.line.at[i].code || !v->no_source)
			*vec_push(&v->row) = i;
}

static const struct listing_line *line_of(const struct annotate_view *v, size_t row)
{
	return row < v->row.n ? &v->l.line.at[v->row.at[row]] : NULL;
}

static double percent_of(const struct annotate_view *v, size_t row)
{
	const struct listing_line *line = line_of(v, row);
	return line ? listing_percent(&v->l, line, v->event, v->o.type) : 0;
}

static size_t hottest(const struct annotate_view *v)
{
	size_t best = 0;
	for (size_t i = 1; i < v->row.n; i++)
		if (percent_of(v, i) > percent_of(v, best))
			best = i;
	return best;
}

/* The line with the next smaller share, or the next larger; equal ones from top to bottom. */
static size_t next_hot(const struct annotate_view *v, size_t from, bool up)
{
	size_t found = from;
	double now = percent_of(v, from);
	bool any = false;
	for (size_t k = 0; k < v->row.n; k++) {
		size_t i = up ? v->row.n - 1 - k : k;
		double p = percent_of(v, i), best = percent_of(v, found);
		bool after = up ? p > now || (p == now && i < from) : p < now || (p == now && i > from);
		if (i == from || p <= 0 || !after)
			continue;
		if (!any || (up ? p < best : p > best)) {
			found = i;
			any = true;
		}
	}
	return any ? found : hottest(v);
}

static size_t rows(struct tui_source *s)
{
	return of(s)->row.n;
}

static void add_number(const struct annotate_view *v, const struct listing_line *line, struct tui_line *l)
{
	double p = listing_percent(&v->l, line, v->event, v->o.type);
	struct hit h = listing_hit(&v->l, line, v->event);
	int width = v->column == ANNOTATE_PERIOD ? 12 : 8;
	if (!line->code || !h.n)
		tui_line_add(l, TUI_PLAIN, "%*s ", width, "");
	else if (v->column == ANNOTATE_PERIOD)
		tui_line_add(l, tui_role_of(p), "%*" PRIu64 " ", width, h.period);
	else if (v->column == ANNOTATE_SAMPLES)
		tui_line_add(l, tui_role_of(p), "%*" PRIu64 " ", width, h.n);
	else
		tui_line_add(l, tui_role_of(p), "%*.2f ", width, p);
}

/* The arrow from the selected jump to where it leads: what of it stands in a row, NULL for none. */
static const char *rail_of(const struct annotate_view *v, size_t row)
{
	const struct listing_line *jump = line_of(v, v->at);
	if (v->no_arrows || !jump || !jump->code || jump->target < 0)
		return NULL;
	size_t line = v->row.at[row], from = v->row.at[v->at], to = (size_t)jump->target;
	if (line < (from < to ? from : to) || line > (from < to ? to : from) || from == to)
		return NULL;
	if (line == from)
		return from < to ? "\u250c\u2500\u2500" : "\u2514\u2500\u2500";
	if (line == to)
		return from < to ? "\u2514\u2500\u2192" : "\u250c\u2500\u2192";
	return "\u2502";
}

static void add_offset(const struct annotate_view *v, const struct listing_line *line, struct tui_line *l)
{
	int digits = hex_digits(v->l.size);
	const struct instruction *i = line->insn >= 0 ? &v->l.insns.at[line->insn] : NULL;
	bool call = i && i->kind == INSN_CALL;
	if (v->count_jumps && line->jumps)
		tui_line_add(l, TUI_DIM, "%4u ", line->jumps);
	else if (v->count_jumps)
		tui_line_add(l, TUI_DIM, "%5s", "");
	if (v->addresses || v->raw)
		tui_line_add(l, TUI_DIM, "%8" PRIx64 ":", v->l.start + line->offset);
	else if (line->jumps || v->offsets > 1 || (v->offsets && call))
		tui_line_add(l, TUI_DIM, "%*" PRIx64 ":", digits, line->offset);
	else
		tui_line_add(l, TUI_PLAIN, "%*s ", digits, "");
}

static void add_code(const struct annotate_view *v, size_t row, const struct listing_line *line, struct tui_line *l)
{
	static const struct { char c; const char *text; } arrows[] = { { '>', "\u2192 " }, { '<', "\u2190 " }, { 'v', "\u2193 " }, { '^', "\u2191 " } };
	char arrow;
	char *text = annotate_insn(&v->l, line, v->names, v->raw, &arrow);
	const char *sign = "  ", *rail = rail_of(v, row);
	bool end = rail && (row == v->at || v->row.at[row] == (size_t)line_of(v, v->at)->target);
	add_offset(v, line, l);
	for (size_t i = 0; i < 4; i++)
		if (arrows[i].c == arrow)
			sign = arrows[i].text;
	tui_line_add(l, rail ? TUI_NAME : TUI_DIM, "%s", rail ? rail : " ");
	tui_line_add(l, TUI_DIM, "%s", end ? "" : sign);
	tui_line_add(l, TUI_PLAIN, "%s", text);
	if (v->places && listing_hit(&v->l, line, v->event).n) {
		char *place = listing_place(&v->l, line, v->o.full_path);
		tui_line_add(l, TUI_DIM, "  // %s", place);
		free(place);
	}
	free(text);
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	struct annotate_view *v = of(s);
	const struct listing_line *at = line_of(v, row);
	add_number(v, at, l);
	if (at->code) {
		add_code(v, row, at, l);
		return;
	}
	if (v->numbers && at->source_line > 0)
		tui_line_add(l, TUI_DIM, "%5d ", at->source_line);
	const char *rail = rail_of(v, row);
	if (rail)
		tui_line_add(l, TUI_NAME, "%*s %s%s", hex_digits(v->l.size), "", rail, at->text);
	else
		tui_line_add(l, TUI_NAME, "%*s  %s", hex_digits(v->l.size), "", at->text);
}

static void title(struct tui_source *s, struct str *out)
{
	struct annotate_view *v = of(s);
	struct hit sum = v->l.fn->sum.at[v->event];
	str_add_safez(out, v->l.fn->name);
	str_add(out, "  ");
	str_add_safez(out, v->l.fn->f.dso->path);
	str_addf(out, "  %" PRIu64 " samples [%s]", sum.n, percent_type_name(v->o.type));
}

static void status(struct tui_source *s, struct str *out)
{
	struct annotate_view *v = of(s);
	str_addf(out, "function %zu of %zu", v->function + 1, v->functions.n);
	if (v->note)
		str_addf(out, ", %s", v->note);
	if (v->o.stopped)
		str_add(out, ", reading was stopped: this is not all");
	if (v->live.status)
		v->live.status(v->live.ctx, out);
}

/* ---- another function ---- */

static int show(struct annotate_view *v, size_t function)
{
	struct code_listing l;
	struct listing_options o = v->o.listing;
	int err = listing_make(&l, v->hits, v->functions.at[function], &o);
	if (err)
		return err;
	listing_release(&v->l);
	v->l = l;
	v->function = function;
	v->names = annotate_name_width(&v->l);
	make_rows(v);
	return 0;
}

static void selected(struct tui_source *s, size_t row)
{
	of(s)->at = row;
}

static size_t start(struct tui_source *s)
{
	return hottest(of(s));
}

static enum tui_did go_to_function(struct tui *t, struct annotate_view *v, size_t function)
{
	if (show(v, function)) {
		tui_say(t, "%s", error_message());
		error_clear();
		return TUI_DONE;
	}
	tui_refresh(t);
	tui_go_to(t, hottest(v));
	return TUI_DONE;
}

static enum tui_did follow_call(struct tui *t, struct annotate_view *v, const struct instruction *i)
{
	for (size_t k = 0; k < v->functions.n; k++) {
		const struct hit_function *fn = v->functions.at[k], *from = v->l.fn;
		size_t row = tui_cursor(t);
		if (fn->f.dso != from->f.dso || fn->f.sym_addr != i->target)
			continue;
		go_to_function(t, v, k);
		if (v->l.fn == fn)
			*vec_push(&v->way) = (struct annotate_step){ from, row };
		return TUI_DONE;
	}
	tui_say(t, "no sample is in the function that is called here");
	return TUI_DONE;
}

/* To the call that led here, or out of the view. */
static enum tui_did go_back(struct tui *t, struct annotate_view *v)
{
	if (!v->way.n)
		return TUI_LEAVE;
	struct annotate_step back = v->way.at[--v->way.n];
	for (size_t k = 0; k < v->functions.n; k++)
		if (v->functions.at[k] == back.fn)
			go_to_function(t, v, k);
	if (v->l.fn == back.fn)
		tui_go_to(t, back.row);
	return TUI_DONE;
}

static enum tui_did follow(struct tui *t, struct annotate_view *v)
{
	const struct listing_line *at = line_of(v, tui_cursor(t));
	const struct instruction *i = at && at->insn >= 0 ? &v->l.insns.at[at->insn] : NULL;
	if (i && i->kind == INSN_RET)
		return go_back(t, v);
	if (i && i->has_target && at->target < 0)
		return follow_call(t, v, i);
	if (!i || at->target < 0) {
		tui_say(t, "this line leads nowhere that is known");
		return TUI_DONE;
	}
	for (size_t k = 0; k < v->row.n; k++)
		if (v->row.at[k] == (size_t)at->target)
			tui_go_to(t, k);
	return TUI_DONE;
}

static enum tui_did neighbour(struct tui *t, struct annotate_view *v, bool next)
{
	size_t n = v->functions.n;
	if (!n)
		return TUI_DONE;
	return go_to_function(t, v, (v->function % n + (next ? 1 : n - 1)) % n);
}

/* ---- P ---- */

static enum tui_did write_out(struct tui *t, struct annotate_view *v)
{
	struct out out;
	struct tui_line l = { .text = STR_INIT };
	char *name = xasprintf("%s.annotation", v->l.fn->name);
	for (char *c = name; *c; c++)
		*c = *c == '/' ? '_' : *c;
	int err = out_open(&out, name, false);
	v->at = SIZE_MAX; /* no arrow in a file */
	for (size_t i = 0; !err && i < v->row.n; i++) {
		tui_line_clear(&l);
		line(&v->base, i, &l);
		out_write(&out, l.text.buf, l.text.len);
		out_puts(&out, "\n");
	}
	if (!err)
		err = out_close(&out);
	tui_say_written(t, err, v->row.n, name);
	tui_line_release(&l);
	free(name);
	return TUI_DONE;
}

/* ---- keys ---- */

static enum tui_did search(struct tui *t, struct tui_source *s, const char *text)
{
	tui_search(t, *text ? text : NULL, of(s)->back);
	return TUI_DONE;
}

/* The bar stays on its line when others come or go. */
static void turn_source(struct tui *t, struct annotate_view *v)
{
	size_t at = tui_cursor(t) < v->row.n ? v->row.at[tui_cursor(t)] : 0, row = 0;
	v->no_source = !v->no_source;
	make_rows(v);
	while (row + 1 < v->row.n && v->row.at[row] < at)
		row++;
	tui_refresh(t);
	tui_go_to(t, row);
}

static enum tui_did turn(struct tui *t, struct annotate_view *v, int key)
{
	switch (key) {
	case 'j': v->no_arrows = !v->no_arrows; break;
	case 'J': v->count_jumps = !v->count_jumps; break;
	case 'o': v->raw = !v->raw; break;
	case 'O': v->offsets = (v->offsets + 1) % 3; break;
	case 's': turn_source(t, v); break;
	case 't': v->column = v->column == ANNOTATE_PERCENT ? ANNOTATE_PERIOD : v->column == ANNOTATE_PERIOD ? ANNOTATE_SAMPLES : ANNOTATE_PERCENT; break;
	case 'k': v->numbers = !v->numbers; break;
	case 'l': v->places = !v->places; break;
	case 'p': v->o.type ^= 2; break; /* local, global */
	case 'b': v->o.type ^= 1; break; /* period, hits */
	case 'f': v->addresses = !v->addresses; break;
	case 'c': tui_say(t, "no cycles are recorded: record -b on hardware that tells them"); break;
	case 'r': tui_say(t, "scripts are run on recordings: sonde script -s FILE.py"); break;
	default: return TUI_NOT_MINE;
	}
	return TUI_DONE;
}

static enum tui_did key_pressed(struct tui *t, struct tui_source *s, int key)
{
	struct annotate_view *v = of(s);
	switch (key) {
	case TUI_ENTER:
	case TUI_RIGHT: return follow(t, v);
	case 'H': tui_go_to(t, hottest(v)); return TUI_DONE;
	case TUI_TAB: tui_go_to(t, next_hot(v, tui_cursor(t), false)); return TUI_DONE;
	case TUI_BACK_TAB: tui_go_to(t, next_hot(v, tui_cursor(t), true)); return TUI_DONE;
	case '<':
	case '>': return neighbour(t, v, key == '>');
	case 'P': return write_out(t, v);
	case '/':
	case '?':
		v->back = key == '?';
		tui_ask(t, v->back ? "search back" : "search", "", search);
		return TUI_DONE;
	case 'n':
	case 'N': tui_search(t, NULL, v->back != (key == 'N')); return TUI_DONE;
	case 'q':
	case TUI_CTRL('c'):
	case TUI_ESC:
	case TUI_LEFT: return go_back(t, v);
	default: return turn(t, v, key);
	}
}

/* Live: the order of the functions may be another, the lines of this one are the same. */
static bool tick(struct tui_source *s)
{
	struct annotate_view *v = of(s);
	if (!v->live.renew || !v->live.renew(v->live.ctx, v->hits))
		return false;
	vec_clear(&v->functions);
	hits_sorted(v->hits, &v->event, 1, &v->functions);
	for (size_t i = 0; i < v->functions.n; i++)
		if (v->functions.at[i] == v->l.fn)
			v->function = i;
	listing_count(&v->l);
	return true;
}

static void free_view(struct tui_source *s)
{
	struct annotate_view *v = of(s);
	listing_release(&v->l);
	vec_release(&v->row);
	vec_release(&v->functions);
	vec_release(&v->way);
	free(v->note);
	if (v->owned)
		hits_free(v->hits);
	free(v);
}

static const struct tui_source_ops ops = { .kind = TUI_ANNOTATE, .rows = rows, .line = line, .selected = selected, .start = start, .title = title, .status = status, .key = key_pressed, .tick = tick,
	.free = free_view };

struct tui_source *annotate_view_new(struct hits *h, bool owned, size_t function, int event, const struct annotate_options *o, const struct annotate_live *live)
{
	struct annotate_view *v = xcalloc(1, sizeof(*v));
	v->base.ops = &ops;
	v->hits = h;
	v->event = event;
	v->o = *o;
	v->live = live ? *live : (struct annotate_live){ 0 };
	v->note = o->note ? xstrdup(o->note) : NULL;
	v->no_source = !o->listing.source;
	v->raw = o->listing.raw;
	v->o.listing.raw = false;
	v->column = o->period ? ANNOTATE_PERIOD : o->samples ? ANNOTATE_SAMPLES : ANNOTATE_PERCENT;
	v->places = o->places;
	hits_sorted(h, &event, 1, &v->functions);
	int err = function < v->functions.n ? show(v, function) : error_set(ENOENT, "no sample is in a function that is known");
	for (size_t k = function + 1; err && !o->choice.symbol && k < v->functions.n; k++)
		err = show(v, k); /* the kernel's may not be to be had, a program's are */
	if (err) {
		free_view(&v->base);
		return NULL;
	}
	error_clear();
	v->owned = owned;
	return &v->base;
}

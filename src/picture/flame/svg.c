// SPDX-License-Identifier: GPL-2.0-or-later
/* SVG as flamegraph.pl's readers know it: each frame a <g> with <title>, <rect> and, where there is room, <text>. */
#include <stdio.h>
#include "picture/embed.h"
#include "picture/escape.h"
#include "picture/flame/flame.h"

EMBED(flame_svg_js, "src/picture/flame/svg.js");
EMBED(flame_svg_css, "src/picture/flame/svg.css");

enum { ROW = 16, FONT = 12, SIDE = 10, TOP = 48, BOTTOM = 48, GONE_SHOWN = 10, GONE_ROW = 16 };

struct flame_drawing { const struct flame_picture *p; struct out *o; struct str s; double px; unsigned height; };

/* ---- colours ---- */

struct rgb { int r, g, b; };

static struct rgb mixed(struct rgb a, struct rgb b, double t)
{
	return (struct rgb){ a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t };
}

struct swatch { struct rgb c; const char *text; };
/* Told apart by who sees red and green as one, too. */
static const struct swatch kinds[] = {
	[FRAME_USER] = { { 240, 173, 78 }, "user" }, [FRAME_KERNEL] = { { 110, 174, 222 }, "kernel" },
	[FRAME_JIT] = { { 88, 190, 152 }, "JIT" }, [FRAME_INLINED] = { { 240, 222, 104 }, "inlined" },
	[FRAME_OTHER] = { { 196, 196, 196 }, "other" }, [FRAME_GROUP] = { { 214, 214, 214 }, "thread, command" },
	[FRAME_WAITING] = { { 186, 160, 214 }, "off the CPU" },
};
enum { SAME, GREW, SHRANK, NEW };
static const struct swatch changes[] = {
	[SAME] = { { 224, 224, 224 }, "as before" }, [GREW] = { { 214, 96, 77 }, "more than before" },
	[SHRANK] = { { 67, 147, 195 }, "less than before" }, [NEW] = { { 178, 134, 204 }, "new (dashed)" },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), CHANGES = sizeof(changes) / sizeof(changes[0]) };

/* The names of one kind differ in lightness. */
static struct rgb kind_colour(const struct fold_frame *f)
{
	enum { STEPS = 6 };
	return mixed(kinds[f->kind].c, (struct rgb){ 255, 255, 255 }, hash_bytes(f->name, strlen(f->name), 0) % STEPS * 0.06);
}

static struct rgb plain_colour(enum flame_colours c, const struct fold_frame *f)
{
	uint64_t h = hash_bytes(f->name, strlen(f->name), 0);
	int a = h & 0xff, b = h >> 8 & 0xff;
	switch (c) {
	case FLAME_HOT: return (struct rgb){ 205 + a * 50 / 255, 80 + b * 140 / 255, 60 };
	case FLAME_IO: return (struct rgb){ 90 + a * 60 / 255, 150 + b * 50 / 255, 230 };
	case FLAME_MEM: return (struct rgb){ 90 + a * 50 / 255, 190 + b * 50 / 255, 110 };
	default: return kind_colour(f);
	}
}

static struct rgb growth_colour(const struct flame_node *n)
{
	double g = flame_growth(n);
	return !n->before ? changes[NEW].c : g >= 0 ? mixed(changes[SAME].c, changes[GREW].c, g) : mixed(changes[SAME].c, changes[SHRANK].c, -g);
}

/* ---- frames ---- */

/* As much of the name as fits, whole characters. */
static void add_fitting(struct str *s, const char *name, double width)
{
	enum { LEAST = 3 };
	struct str shown = STR_INIT;
	size_t room = width > 6 ? (width - 6) / (FONT * 0.59) : 0, n = 0, at = 0;
	str_add_safez(&shown, name);
	for (size_t i = 0; i < shown.len; i++)
		n += (shown.buf[i] & 0xc0) != 0x80;
	if (room >= LEAST && n <= room) {
		escape_markup(s, shown.buf, shown.len);
	} else if (room >= LEAST) {
		for (n = 0; at < shown.len; at++)
			if ((shown.buf[at] & 0xc0) != 0x80 && n++ == room - 2)
				break;
		escape_markup(s, shown.buf, at);
		str_add(s, "..");
	}
	str_release(&shown);
}

static void draw_frame(struct flame_drawing *d, const struct flame_node *n, uint64_t x)
{
	const struct fold_frame *f = &d->p->t->frame.at[n->frame];
	double left = SIDE + x * d->px, width = n->total * d->px;
	unsigned y = d->p->inverted ? TOP + n->depth * ROW : d->height - BOTTOM - (n->depth + 1) * ROW;
	struct rgb c = d->p->compared ? growth_colour(n) : plain_colour(d->p->colours, f);
	struct str label = STR_INIT;
	flame_label(d->p, n, &label);
	str_add(&d->s, "<g><title>");
	escape_markup(&d->s, label.buf, label.len);
	str_addf(&d->s, "</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"%s/>", left, y, width, ROW - 1,
		 c.r, c.g, c.b, d->p->compared && !n->before ? " class=\"new\"" : "");
	str_addf(&d->s, "<text x=\"%.2f\" y=\"%u\">", left + 3, y + ROW - 5);
	add_fitting(&d->s, f->name, width);
	str_add(&d->s, "</text></g>\n");
	out_str(d->o, &d->s);
	str_release(&label);
}

static void draw_frames(struct flame_drawing *d)
{
	const struct flame_tree *t = d->p->t;
	uint64_t *next = xcalloc(t->node.n, sizeof(*next)); /* where a node's next callee begins */
	for (size_t i = 0; i < t->node.n; i++) {
		const struct flame_node *n = &t->node.at[i];
		uint64_t x = i ? next[n->parent] : 0;
		if (i)
			next[n->parent] += n->total;
		next[i] = x;
		draw_frame(d, n, x);
	}
	free(next);
}

/* ---- around them ---- */

static void add_text(struct str *s, const char *id, const char *class, double x, unsigned y, const char *text)
{
	str_addf(s, "<text id=\"%s\" class=\"%s\" x=\"%.0f\" y=\"%u\">", id, class, x, y);
	escape_markupz(s, text);
	str_add(s, "</text>\n");
}

static void add_swatch(struct str *s, const struct swatch *w, unsigned *x)
{
	enum { Y = 42, BOX = 10, GAP = 18 };
	str_addf(s, "<rect x=\"%u\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"/><text x=\"%u\" y=\"%d\">%s</text>", *x, Y - BOX + 1,
		 BOX, BOX, w->c.r, w->c.g, w->c.b, *x + BOX + 4, Y, w->text);
	*x += BOX + 4 + strlen(w->text) * FONT * 0.59 + GAP;
}

/* What the colours say, where they say something. */
static void legend(struct flame_drawing *d)
{
	const struct flame_tree *t = d->p->t;
	bool seen[KINDS] = { false };
	unsigned x = SIDE;
	for (size_t i = 0; i < t->node.n; i++)
		seen[t->frame.at[t->node.at[i].frame].kind] = true;
	str_add(&d->s, "<g id=\"legend\">");
	for (size_t i = 0; i < CHANGES && d->p->compared; i++)
		add_swatch(&d->s, &changes[i], &x);
	for (size_t i = 0; i < KINDS && !d->p->compared && d->p->colours == FLAME_KINDS; i++)
		if (seen[i])
			add_swatch(&d->s, &kinds[i], &x);
	str_add(&d->s, "</g>\n");
}

static void head(struct flame_drawing *d)
{
	const struct flame_picture *p = d->p;
	struct str all = STR_INIT;
	str_addf(&d->s, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		 "<svg version=\"1.1\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"",
		 p->width, d->height, p->width, d->height);
	escape_markupz(&d->s, p->title);
	str_add(&d->s, "\">\n<!-- made by sonde flame -->\n<style>\n");
	str_add(&d->s, flame_svg_css);
	str_add(&d->s, "</style>\n<rect id=\"back\" x=\"0\" y=\"0\" width=\"100%\" height=\"100%\"/>\n");
	add_text(&d->s, "title", "title", p->width / 2.0, 24, p->title);
	add_text(&d->s, "unzoom", "key hidden", SIDE, 24, "Reset zoom");
	add_text(&d->s, "search", "key end", p->width - SIDE, 24, "Search");
	legend(d);
	flame_amount(&all, p->t->node.at[0].total, p->scale);
	str_addf(&all, " %s", p->unit);
	add_text(&d->s, "details", "", SIDE, d->height - 28, all.buf);
	str_release(&all);
	add_text(&d->s, "matched", "end", p->width - SIDE, d->height - 28, " ");
	if (p->note)
		add_text(&d->s, "note", "note", SIDE, d->height - 10, p->note);
	str_addf(&d->s, "<g id=\"frames\" data-side=\"%d\" data-font=\"%g\"%s>\n", SIDE, FONT * 0.59, p->inverted ? "" : " data-floor=\"1\"");
	out_str(d->o, &d->s);
}

static void list_gone(struct flame_drawing *d, unsigned y)
{
	const struct flame_tree *t = d->p->t;
	size_t n = t->gone.n < GONE_SHOWN ? t->gone.n : GONE_SHOWN;
	struct str line = STR_INIT;
	if (!t->gone.n)
		return;
	str_addf(&line, "Gone: %zu stacks that the first has and the second has not%s", t->gone.n, t->gone.n > n ? "; the heaviest:" : ":");
	add_text(&d->s, "gone", "", SIDE, y, line.buf);
	for (size_t i = 0; i < n; i++) {
		str_clear(&line);
		flame_amount(&line, t->gone.at[i].before, d->p->scale);
		str_addf(&line, " %s  ", d->p->unit);
		flame_tree_gone_path(t, t->gone.at[i].stack, &line);
		str_addf(&d->s, "<text class=\"gone\" x=\"%d\" y=\"%u\">", SIDE, (unsigned)(y + (i + 1) * GONE_ROW));
		add_fitting(&d->s, line.buf, d->p->width - 2.0 * SIDE);
		str_add(&d->s, "</text>\n");
	}
	str_release(&line);
}

void flame_svg(const struct flame_picture *p, struct out *o)
{
	struct flame_drawing d = { .p = p, .o = o };
	uint64_t total = p->t->node.at[0].total;
	unsigned drawn = TOP + (p->t->depth + 1) * ROW + BOTTOM, gone = p->t->gone.n;
	str_init(&d.s);
	d.height = drawn + (gone ? ((gone < GONE_SHOWN ? gone : GONE_SHOWN) + 2) * GONE_ROW : 0);
	d.px = total ? (p->width - 2.0 * SIDE) / total : 0;
	unsigned whole = d.height;
	head(&d);
	d.height = drawn;
	draw_frames(&d);
	str_add(&d.s, "</g>\n");
	if (gone)
		list_gone(&d, drawn - 16);
	d.height = whole;
	str_add(&d.s, "<script><![CDATA[\n");
	str_add(&d.s, flame_svg_js);
	str_add(&d.s, "]]></script>\n</svg>\n");
	out_str(o, &d.s);
	str_release(&d.s);
}

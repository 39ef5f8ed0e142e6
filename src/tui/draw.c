// SPDX-License-Identifier: GPL-2.0-or-later
/* What is to be seen, as lines. */
#include <stdlib.h>
#include "tui/inner.h"

void tui_line_clear(struct tui_line *l)
{
	str_clear(&l->text);
	vec_clear(&l->span);
}

void tui_line_release(struct tui_line *l)
{
	str_release(&l->text);
	vec_release(&l->span);
}

void tui_line_mark(struct tui_line *l, size_t start, size_t n, enum tui_role role)
{
	*vec_push(&l->span) = (struct tui_span){ start, n, role };
}

void tui_line_add(struct tui_line *l, enum tui_role role, const char *fmt, ...)
{
	size_t start = l->text.len;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&l->text, fmt, ap);
	va_end(ap);
	if (role != TUI_PLAIN)
		tui_line_mark(l, start, l->text.len - start, role);
}

enum tui_role tui_role_of(double percent)
{
	return percent >= 5 ? TUI_HOT : percent >= 0.5 ? TUI_WARM : TUI_PLAIN;
}

void tui_frame_release(struct tui_frame *f)
{
	for (int i = 0; f->line && i < f->height; i++)
		tui_line_release(&f->line[i]);
	for (int i = 0; f->box.line && i < f->box.height; i++)
		tui_line_release(&f->box.line[i]);
	free(f->line);
	free(f->box.line);
	*f = (struct tui_frame){ 0 };
}

static struct tui_line *new_lines(int n)
{
	struct tui_line *l = xcalloc(n, sizeof(*l));
	for (int i = 0; i < n; i++)
		str_init(&l[i].text);
	return l;
}

static void whole(struct tui_line *l, enum tui_role role)
{
	tui_line_mark(l, 0, UINT32_MAX, role);
}

static void mark_matches(struct tui *t, struct tui_line *l)
{
	const char *from = l->text.buf, *hit;
	while ((hit = search_in(from, t->wanted.buf))) {
		tui_line_mark(l, hit - l->text.buf, t->wanted.len, TUI_MATCH);
		from = hit + t->wanted.len;
	}
}

static void draw_rows(struct tui *t, struct tui_frame *f, int first)
{
	struct tui_view *v = view_top(t);
	size_t n = v->src->ops->rows(v->src);
	if (v->src->ops->selected)
		v->src->ops->selected(v->src, v->cursor);
	for (int i = 0; i < view_height(t) && v->top + i < n; i++) {
		struct tui_line *l = &f->line[first + i];
		v->src->ops->line(v->src, v->top + i, l);
		mark_matches(t, l);
		if (v->top + i == v->cursor && !v->src->ops->no_bar) {
			whole(l, TUI_SELECTED);
			f->cursor = first + i;
		}
	}
}

static void draw_bottom(struct tui *t, struct tui_frame *f)
{
	struct tui_line *l = &f->line[f->height - 1];
	struct tui_source *s = tui_top(t);
	whole(l, TUI_STATUS);
	if (t->mode == MODE_ASK) {
		tui_line_add(l, TUI_PLAIN, "%s: ", t->question);
		str_add_safez(&l->text, t->typed.buf);
		f->input = l->text.len;
	} else if (t->said.len) {
		str_add(&l->text, t->said.buf);
	} else {
		if (s->ops->status)
			s->ops->status(s, &l->text);
		str_add(&l->text, l->text.len ? "  (? for keys)" : "? for keys, q to leave");
	}
}

static void draw_box(struct tui *t, struct tui_box *b)
{
	size_t n = menu_shown(t);
	b->menu = true;
	b->height = n + 2;
	b->line = new_lines(b->height);
	b->width = strlen(t->menu_title) + 4;
	vec_each(&t->menu.at, c)
		b->width = (int)strlen(c->text) + 4 > b->width ? (int)strlen(c->text) + 4 : b->width;
	b->width = b->width > t->width ? t->width : b->width;
	b->cursor = 1 + t->menu_at - t->menu_top;
	str_addf(&b->line[0].text, " %s ", t->menu_title);
	for (size_t i = 0; i < n; i++)
		str_add(&b->line[1 + i].text, t->menu.at.at[t->menu_top + i].text);
}

void tui_draw(struct tui *t, struct tui_frame *f)
{
	struct tui_source *s = tui_top(t);
	tui_frame_release(f);
	*f = (struct tui_frame){ .width = t->width, .height = t->height, .line = new_lines(t->height), .cursor = -1, .input = -1 };
	if (!s)
		return;
	view_clamp(t);
	s->ops->title(s, &f->line[0].text);
	whole(&f->line[0], TUI_TITLE);
	if (t->height < 2)
		return;
	bool head = view_has_head(t);
	if (head && t->height > 2) {
		s->ops->head(s, &f->line[1].text);
		whole(&f->line[1], TUI_HEAD);
	}
	draw_rows(t, f, 1 + head);
	draw_bottom(t, f);
	if (t->mode == MODE_MENU)
		draw_box(t, &f->box);
}

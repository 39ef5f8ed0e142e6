// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/view.h"
#include <stdlib.h>
#include "base/error.h"
#include "tui/inner.h"

struct tui *tui_new(int width, int height)
{
	struct tui *t = xcalloc(1, sizeof(*t));
	str_init(&t->said);
	str_init(&t->typed);
	str_init(&t->wanted);
	tui_resize(t, width, height);
	return t;
}

static void source_free(struct tui_source *s)
{
	if (s && s->ops->free)
		s->ops->free(s);
}

static void free_gone(struct tui *t)
{
	vec_each(&t->gone, s)
		source_free(*s);
	vec_clear(&t->gone);
}

void tui_free(struct tui *t)
{
	if (!t)
		return;
	free_gone(t);
	for (size_t i = t->view.n; i-- > 0;)
		source_free(t->view.at[i].src);
	vec_release(&t->view);
	vec_release(&t->gone);
	menu_close(t);
	vec_release(&t->menu.at);
	ask_close(t);
	str_release(&t->said);
	str_release(&t->typed);
	str_release(&t->wanted);
	free(t);
}

static void tell_size(struct tui *t)
{
	struct tui_view *v = view_top(t);
	if (v && v->src->ops->size)
		v->src->ops->size(v->src, t->width, view_height(t));
}

void tui_resize(struct tui *t, int width, int height)
{
	t->width = width > 1 ? width : 1;
	t->height = height > 1 ? height : 1;
	tell_size(t);
	view_clamp(t);
}

/* ---- the stack of views ---- */

struct tui_source *tui_top(struct tui *t)
{
	struct tui_view *v = view_top(t);
	return v ? v->src : NULL;
}

void tui_push(struct tui *t, struct tui_source *s)
{
	*vec_push(&t->view) = (struct tui_view){ .src = s };
	tell_size(t);
	size_t row = s->ops->start ? s->ops->start(s) : 0, above = view_height(t) / 2;
	vec_last(&t->view)->top = row > above ? row - above : 0;
	tui_go_to(t, row);
}

void tui_replace(struct tui *t, struct tui_source *s)
{
	struct tui_view *v = view_top(t);
	*vec_push(&t->gone) = v->src;
	*v = (struct tui_view){ .src = s };
	tell_size(t);
	tui_go_to(t, 0);
}

static void leave(struct tui *t)
{
	*vec_push(&t->gone) = vec_last(&t->view)->src;
	t->view.n--;
	t->ended |= !t->view.n;
	struct tui_source *now = tui_top(t);
	if (now && now->ops->tick) /* while it was covered its rows may have become others */
		now->ops->tick(now);
	tell_size(t);
	tui_refresh(t);
}

static enum tui_did view_did(struct tui *t, enum tui_did did)
{
	if (did == TUI_LEAVE && t->view.n)
		leave(t);
	if (did == TUI_QUIT)
		t->ended = true;
	return did;
}

/* ---- the cursor ---- */

bool view_has_head(const struct tui *t)
{
	struct tui_view *v = view_top((struct tui *)t);
	struct str s = STR_INIT;
	if (v && v->src->ops->head)
		v->src->ops->head(v->src, &s);
	bool has = s.len;
	str_release(&s);
	return has;
}

int view_height(const struct tui *t)
{
	int n = t->height - 2 - view_has_head(t); /* the title, and the line at the bottom */
	return n > 0 ? n : 0;
}

static size_t n_rows(struct tui_view *v)
{
	return v->src->ops->rows(v->src);
}

static uint64_t id_of(struct tui_view *v, size_t row)
{
	if (row >= n_rows(v))
		return 0;
	return v->src->ops->id ? v->src->ops->id(v->src, row) : row;
}

/* The cursor within the rows, and on the screen. */
void view_clamp(struct tui *t)
{
	struct tui_view *v = view_top(t);
	size_t n = v ? n_rows(v) : 0, h = view_height(t);
	if (!v)
		return;
	if (v->cursor >= n)
		v->cursor = n ? n - 1 : 0;
	if (v->top > v->cursor)
		v->top = v->cursor;
	if (h && v->cursor - v->top >= h)
		v->top = v->cursor - h + 1;
	if (v->top && v->top + h > n) /* no empty lines below while there are rows above */
		v->top = n > h ? n - h : 0;
	v->id = id_of(v, v->cursor);
}

/* The row that was selected, as far down the screen as it was; false: it is no more. */
static bool find_again(struct tui_view *v)
{
	size_t n = n_rows(v), on_screen = v->cursor - v->top;
	for (size_t i = 0; i < n; i++) {
		if (id_of(v, i) != v->id)
			continue;
		v->cursor = i;
		v->top = i > on_screen ? i - on_screen : 0;
		return true;
	}
	return false;
}

void tui_refresh(struct tui *t)
{
	struct tui_view *v = view_top(t);
	if (!v)
		return;
	if (v->src->ops->id && id_of(v, v->cursor) != v->id && !find_again(v) && t->mode == MODE_MENU) {
		menu_close(t); /* it is about a row, and not about the one that stands there now */
		tui_say(t, "the line is gone");
	}
	view_clamp(t);
}

size_t tui_cursor(const struct tui *t)
{
	return t->view.n ? vec_last(&t->view)->cursor : 0;
}

void tui_go_to(struct tui *t, size_t row)
{
	if (t->view.n)
		vec_last(&t->view)->cursor = row;
	view_clamp(t);
}

static void move(struct tui *t, long by)
{
	struct tui_view *v = view_top(t);
	long n = n_rows(v), to = (long)v->cursor + by;
	tui_go_to(t, to < 0 ? 0 : to >= n ? (n ? n - 1 : 0) : to);
}

static void scroll(struct tui *t, long by)
{
	struct tui_view *v = view_top(t);
	long n = n_rows(v), h = view_height(t), top = (long)v->top + by;
	top = top > n - h ? n - h : top;
	top = top < 0 ? 0 : top;
	long at = (long)v->cursor + (top - (long)v->top);
	v->top = top;
	tui_go_to(t, at < 0 ? 0 : at);
}

/* ---- keys ---- */

static void help(struct tui *t)
{
	struct str s = STR_INIT;
	tui_keys_text(&s, view_top(t)->src->ops->kind);
	tui_page(t, "Keys", s.buf);
	str_release(&s);
}

static enum tui_did own_key(struct tui *t, int key)
{
	int page = view_height(t) > 1 ? view_height(t) - 1 : 1;
	switch (key) {
	case TUI_UP: move(t, -1); break;
	case TUI_DOWN: move(t, 1); break;
	case TUI_PAGE_UP: move(t, -page); break;
	case ' ':
	case TUI_PAGE_DOWN: move(t, page); break;
	case TUI_HOME: move(t, -(1L << 40)); break;
	case TUI_END: move(t, 1L << 40); break;
	case TUI_WHEEL_UP: scroll(t, -3); break;
	case TUI_WHEEL_DOWN: scroll(t, 3); break;
	case 'h':
	case '?':
	case TUI_F1: help(t); break;
	case TUI_CTRL('f'): return search_ask(t);
	case 'n': tui_search(t, NULL, false); break;
	case 'N': tui_search(t, NULL, true); break;
	case 'q':
	case TUI_CTRL('c'):
	case TUI_ESC:
	case TUI_LEFT: return TUI_LEAVE;
	default: return TUI_NOT_MINE;
	}
	return TUI_DONE;
}

static enum tui_did give(struct tui *t, int key)
{
	struct tui_source *s = tui_top(t);
	enum tui_did did = TUI_NOT_MINE;
	if (t->mode == MODE_MENU)
		return menu_key(t, key);
	if (t->mode == MODE_ASK)
		return ask_key(t, key);
	if (s->ops->key)
		did = s->ops->key(t, s, key);
	return did == TUI_NOT_MINE ? own_key(t, key) : did;
}

bool tui_key(struct tui *t, int key)
{
	if (t->ended || !t->view.n)
		return false;
	if (key == TUI_NO_KEY)
		return true;
	str_clear(&t->said);
	view_did(t, give(t, key));
	free_gone(t);
	view_clamp(t);
	return !t->ended;
}

bool tui_mouse(struct tui *t, int key, int x, int y)
{
	if (key == TUI_WHEEL_UP || key == TUI_WHEEL_DOWN)
		return tui_key(t, t->mode == MODE_MENU ? (key == TUI_WHEEL_UP ? TUI_UP : TUI_DOWN) : key);
	if (t->ended || !t->view.n)
		return false;
	if (t->mode == MODE_MENU) {
		struct tui_frame f = { 0 };
		tui_draw(t, &f);
		int line = y - (t->height - f.box.height) / 2 - 1;
		bool in = line >= 0 && line < (int)menu_shown(t) && t->menu_top + line < t->menu.at.n;
		tui_frame_release(&f);
		if (in)
			t->menu_at = t->menu_top + line;
		return tui_key(t, in ? TUI_ENTER : TUI_ESC);
	}
	struct tui_view *v = view_top(t);
	int line = y - 1 - view_has_head(t);
	if (line < 0 || line >= view_height(t) || v->top + line >= n_rows(v))
		return true;
	tui_go_to(t, v->top + line);
	if (v->src->ops->point)
		v->src->ops->point(v->src, v->cursor, x);
	return key == TUI_DOUBLE_CLICK ? tui_key(t, TUI_ENTER) : true;
}

void tui_say(struct tui *t, const char *fmt, ...)
{
	va_list ap;
	struct str s = STR_INIT;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	str_clear(&t->said);
	str_add_safez(&t->said, s.buf);
	str_release(&s);
}

void tui_say_written(struct tui *t, int err, size_t lines, const char *name)
{
	if (err)
		tui_say(t, "%s", error_message());
	else
		tui_say(t, "%zu lines are in %s", lines, name);
	error_clear();
}

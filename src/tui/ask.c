// SPDX-License-Identifier: GPL-2.0-or-later
/* Menus, questions, and pages of text. */
#include <stdlib.h>
#include "tui/inner.h"

/* ---- menus ---- */

void tui_menu_add(struct tui_menu *m, int number, void *with, const char *fmt, ...)
{
	struct str raw = STR_INIT, s = STR_INIT;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&raw, fmt, ap);
	va_end(ap);
	str_add_safez(&s, raw.buf);
	str_release(&raw);
	*vec_push(&m->at) = (struct tui_choice){ str_detach(&s), number, with };
}

void menu_close(struct tui *t)
{
	vec_each(&t->menu.at, c)
		free(c->text);
	vec_clear(&t->menu.at);
	free(t->menu_title);
	t->menu_title = NULL;
	if (t->mode == MODE_MENU)
		t->mode = MODE_ROWS;
}

void tui_choose(struct tui *t, const char *title, struct tui_menu *m,
		enum tui_did (*chosen)(struct tui *t, struct tui_source *s, int number, void *with))
{
	menu_close(t);
	vec_release(&t->menu.at);
	t->menu = *m;
	*m = (struct tui_menu){ 0 };
	t->menu_title = xstrdup(title);
	t->menu_at = t->menu_top = 0;
	t->chosen = chosen;
	t->mode = t->menu.at.n ? MODE_MENU : MODE_ROWS;
}

size_t menu_shown(const struct tui *t)
{
	size_t room = t->height > 4 ? t->height - 4 : 1;
	return t->menu.at.n < room ? t->menu.at.n : room;
}

static void menu_move(struct tui *t, long by)
{
	long n = t->menu.at.n, to = ((long)t->menu_at + by % n + n) % n;
	t->menu_at = to;
	if (t->menu_at < t->menu_top)
		t->menu_top = t->menu_at;
	if (t->menu_at >= t->menu_top + menu_shown(t))
		t->menu_top = t->menu_at - menu_shown(t) + 1;
}

enum tui_did menu_key(struct tui *t, int key)
{
	switch (key) {
	case TUI_UP: menu_move(t, -1); break;
	case TUI_DOWN: menu_move(t, 1); break;
	case TUI_HOME: menu_move(t, -(long)t->menu_at); break;
	case TUI_END: menu_move(t, -(long)t->menu_at - 1); break;
	case TUI_ENTER:
	case TUI_RIGHT: {
		struct tui_choice c = t->menu.at.at[t->menu_at];
		enum tui_did (*chosen)(struct tui *, struct tui_source *, int, void *) = t->chosen;
		menu_close(t);
		return chosen(t, tui_top(t), c.number, c.with);
	}
	case 'q':
	case TUI_CTRL('c'):
	case TUI_ESC:
	case TUI_LEFT: menu_close(t); break;
	default: break;
	}
	return TUI_DONE;
}

/* ---- questions ---- */

void ask_close(struct tui *t)
{
	free(t->question);
	t->question = NULL;
	if (t->mode == MODE_ASK)
		t->mode = MODE_ROWS;
}

void tui_ask(struct tui *t, const char *question, const char *given, enum tui_did (*answer)(struct tui *t, struct tui_source *s, const char *text))
{
	ask_close(t);
	t->question = xstrdup(question);
	str_clear(&t->typed);
	str_add(&t->typed, given);
	t->answer = answer;
	t->mode = MODE_ASK;
}

static void rub_out(struct str *s)
{
	while (s->len && (s->buf[--s->len] & 0xc0) == 0x80)
		;
	if (s->cap)
		s->buf[s->len] = 0;
}

static void add_character(struct str *s, uint32_t c)
{
	if (c < 0x80) {
		str_addc(s, c);
	} else if (c < 0x800) {
		str_addc(s, 0xc0 | c >> 6);
		str_addc(s, 0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		str_addc(s, 0xe0 | c >> 12);
		str_addc(s, 0x80 | (c >> 6 & 0x3f));
		str_addc(s, 0x80 | (c & 0x3f));
	} else {
		str_addc(s, 0xf0 | c >> 18);
		str_addc(s, 0x80 | (c >> 12 & 0x3f));
		str_addc(s, 0x80 | (c >> 6 & 0x3f));
		str_addc(s, 0x80 | (c & 0x3f));
	}
}

enum tui_did ask_key(struct tui *t, int key)
{
	enum { MOST = 400 };
	char *text;
	enum tui_did did;
	switch (key) {
	case TUI_ENTER: {
		enum tui_did (*answer)(struct tui *, struct tui_source *, const char *) = t->answer;
		text = xstrdup(t->typed.buf);
		ask_close(t);
		did = answer(t, tui_top(t), text);
		free(text);
		return did;
	}
	case TUI_CTRL('c'):
	case TUI_ESC: ask_close(t); break;
	case TUI_CTRL('u'): str_clear(&t->typed); break;
	case TUI_BACKSPACE:
	case TUI_CTRL('h'):
	case 127: rub_out(&t->typed); break;
	default:
		if (key >= ' ' && key < 0x110000 && (key < 0xd800 || key > 0xdfff) && t->typed.len < MOST)
			add_character(&t->typed, key);
	}
	return TUI_DONE;
}

/* ---- pages of text ---- */

struct page_source {
	struct tui_source base;
	char *title, *text;
	VEC(const char *) line;
};

static size_t page_rows(struct tui_source *s)
{
	return ((struct page_source *)s)->line.n;
}

static void page_line(struct tui_source *s, size_t row, struct tui_line *l)
{
	const char *z = ((struct page_source *)s)->line.at[row];
	str_add_safe(&l->text, z, strcspn(z, "\n"));
}

static void page_title(struct tui_source *s, struct str *out)
{
	str_add_safez(out, ((struct page_source *)s)->title);
}

static void page_free(struct tui_source *s)
{
	struct page_source *p = (struct page_source *)s;
	vec_release(&p->line);
	free(p->title);
	free(p->text);
	free(p);
}

static const struct tui_source_ops page_ops = { .kind = TUI_PAGE, .rows = page_rows, .line = page_line, .title = page_title, .free = page_free };

void tui_page(struct tui *t, const char *title, const char *text)
{
	struct page_source *p = xcalloc(1, sizeof(*p));
	p->base.ops = &page_ops;
	p->title = xstrdup(title);
	p->text = xstrdup(text);
	for (const char *z = p->text; *z; z += z[strcspn(z, "\n")] ? strcspn(z, "\n") + 1 : strcspn(z, "\n"))
		*vec_push(&p->line) = z;
	tui_push(t, &p->base);
}

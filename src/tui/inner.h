/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the browser's model share. */
#ifndef TUI_INNER_H
#define TUI_INNER_H
#include "tui/source.h"

struct tui_view {
	struct tui_source *src;
	size_t cursor, top; /* the selected row, the first on the screen */
	uint64_t id; /* of the selected row */
};

enum tui_mode { MODE_ROWS, MODE_MENU, MODE_ASK };

struct tui {
	VEC(struct tui_view) view;
	VEC(struct tui_source *) gone; /* left; freed when no key is being handled */
	int width, height;
	bool ended;
	enum tui_mode mode;
	struct str said; /* until the next key */
	/* MODE_MENU */
	struct tui_menu menu;
	char *menu_title;
	size_t menu_at, menu_top;
	enum tui_did (*chosen)(struct tui *t, struct tui_source *s, int number, void *with);
	/* MODE_ASK */
	char *question;
	struct str typed;
	enum tui_did (*answer)(struct tui *t, struct tui_source *s, const char *text);
	/* the search */
	struct str wanted;
};

static inline struct tui_view *view_top(struct tui *t)
{
	return t->view.n ? vec_last(&t->view) : NULL;
}
int view_height(const struct tui *t); /* lines for rows */
bool view_has_head(const struct tui *t);
void view_clamp(struct tui *t);
/* ask.c */
enum tui_did menu_key(struct tui *t, int key);
enum tui_did ask_key(struct tui *t, int key);
void menu_close(struct tui *t);
void ask_close(struct tui *t);
size_t menu_shown(const struct tui *t); /* how many choices the box has room for */
/* search.c */
const char *search_in(const char *text, const char *wanted); /* whichever case; NULL: not there */
enum tui_did search_ask(struct tui *t);
#endif

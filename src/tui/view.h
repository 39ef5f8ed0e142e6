/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The browser: a stack of views, each of which shows the rows of a source (tui/source.h), with a cursor, a search, menus
 * and questions. There is no terminal in here: keys come in as numbers, what is to be seen comes out as lines of text with
 * roles. tui/screen.h draws that, tui/run.h runs both. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "base/vec.h"

/* A character as it is (Esc 27, Tab 9, Enter 13, Ctrl-C 3), or one of these. */
enum tui_key {
	TUI_UP = 0x200000, TUI_DOWN, TUI_LEFT, TUI_RIGHT, TUI_PAGE_UP, TUI_PAGE_DOWN, TUI_HOME, TUI_END, TUI_BACK_TAB, TUI_F1,
	TUI_BACKSPACE, TUI_DELETE, TUI_WHEEL_UP, TUI_WHEEL_DOWN, TUI_CLICK, TUI_DOUBLE_CLICK,
	TUI_NO_KEY,
};
#define TUI_CTRL(c) ((c) & 0x1f)
enum { TUI_ENTER = 13, TUI_TAB = 9, TUI_ESC = 27 };

/* What a piece of text is; the screen decides how that looks. */
enum tui_role {
	TUI_PLAIN, TUI_TITLE, TUI_HEAD, TUI_STATUS, TUI_HOT /* >= 5 % */, TUI_WARM /* >= 0.5 % */, TUI_DIM, TUI_MATCH /* of a search */,
	TUI_GOOD, TUI_BAD, TUI_NAME, TUI_KERNEL, TUI_SELECTED, TUI_ROLES,
};
struct tui_span { uint32_t start, n; enum tui_role role; }; /* bytes; later ones go over earlier ones */
struct tui_line {
	struct str text; /* escaped already: nothing in it moves the cursor */
	VEC(struct tui_span) span;
};
void tui_line_clear(struct tui_line *l);
void tui_line_release(struct tui_line *l);
void tui_line_add(struct tui_line *l, enum tui_role role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void tui_line_mark(struct tui_line *l, size_t start, size_t n, enum tui_role role);
enum tui_role tui_role_of(double percent);

/* What is on the screen: lines from top to bottom, and a box over them. */
struct tui_box { int width, height; int cursor; struct tui_line *line; bool menu; };
struct tui_frame {
	int width, height;
	struct tui_line *line; /* height of them */
	int cursor; /* the line that is selected; -1: none */
	int input; /* bytes of the last line before the text cursor; -1: nothing is typed */
	struct tui_box box; /* height 0: none */
};
void tui_frame_release(struct tui_frame *f);

enum tui_did {
	TUI_NOT_MINE, /* somebody else may take the key */
	TUI_DONE,
	TUI_LEAVE, /* this view is done with; of the last one the browser ends */
	TUI_QUIT, /* the browser ends */
};

struct tui;
struct tui_source;
struct tui *tui_new(int width, int height);
void tui_free(struct tui *t); /* and all of its views */
void tui_resize(struct tui *t, int width, int height);
/* A key: false, the browser is to end. */
bool tui_key(struct tui *t, int key);
bool tui_mouse(struct tui *t, int key /* TUI_CLICK... */, int x, int y);
void tui_draw(struct tui *t, struct tui_frame *f);
/* The rows may have changed: the bar stays on its row (source.id), wherever that is now. */
void tui_refresh(struct tui *t);

/* ---- for sources ---- */

/* A view on top; the source is the browser's from now on. */
void tui_push(struct tui *t, struct tui_source *s);
struct tui_source *tui_top(struct tui *t); /* NULL: there is none */
/* The top view becomes that of another source; the old one is freed unless the source below is told to keep it. */
void tui_replace(struct tui *t, struct tui_source *s);
size_t tui_cursor(const struct tui *t); /* the selected row */
void tui_go_to(struct tui *t, size_t row);
/* A line at the bottom, until the next key. */
void tui_say(struct tui *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tui_say_written(struct tui *t, int err, size_t lines, const char *name); /* a file; err: the pending error instead, which ends */
/* Asks for a line of text; answer gets it unless Esc is pressed. */
void tui_ask(struct tui *t, const char *question, const char *given, enum tui_did (*answer)(struct tui *t, struct tui_source *s, const char *text));
/* Text to read: a page of lines. */
void tui_page(struct tui *t, const char *title, const char *text);
/* Choices: chosen gets the number that was given with each. */
struct tui_menu { VEC(struct tui_choice { char *text; int number; void *with; }) at; };
void tui_menu_add(struct tui_menu *m, int number, void *with, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void tui_choose(struct tui *t, const char *title, struct tui_menu *m /* is emptied */,
		enum tui_did (*chosen)(struct tui *t, struct tui_source *s, int number, void *with));
/* Searches on in the top view: wraps around, and says which match of how many that is. NULL: for the same as before. */
void tui_search(struct tui *t, const char *text, bool back);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A source of rows: what one view of the browser shows. It is the first member of whatever keeps the rows; it owns its
 * folds, its filters and its order, and says what each row looks like. The browser has the cursor, scrolls, searches, draws
 * menus and asks questions (tui/view.h). A source that shows what is alive changes its rows in tick() only. */
#ifndef TUI_SOURCE_H
#define TUI_SOURCE_H
#include "tui/keys.h"
#include "tui/view.h"

struct tui_source_ops {
	enum tui_kind kind; /* which keys of keys.def it has */
	bool no_bar; /* the selected row is not shown as such: what is selected is a part of it */
	size_t (*rows)(struct tui_source *s);
	void (*line)(struct tui_source *s, size_t row, struct tui_line *l); /* l is empty */
	/* What stays the same when the rows are sorted anew; NULL: the row's number. */
	uint64_t (*id)(struct tui_source *s, size_t row);
	void (*selected)(struct tui_source *s, size_t row); /* before lines are asked for: that row is; may be NULL */
	size_t (*start)(struct tui_source *s); /* the row that is selected at first; NULL: the first */
	void (*title)(struct tui_source *s, struct str *out); /* the line on top */
	void (*head)(struct tui_source *s, struct str *out); /* the names of the columns; NULL or empty: none */
	void (*status)(struct tui_source *s, struct str *out); /* filters, zoom, losses; may be NULL */
	/* Keys before the browser's own (arrows, pages, q, Esc, ?, search): NULL, or TUI_NOT_MINE for what it does not know. */
	enum tui_did (*key)(struct tui *t, struct tui_source *s, int key);
	void (*point)(struct tui_source *s, size_t row, int x); /* the mouse selected that row there; may be NULL */
	/* Another size of the screen, before the rows are asked for; may be NULL. */
	void (*size)(struct tui_source *s, int width, int rows);
	bool (*tick)(struct tui_source *s); /* its rows may be made anew: true, they were; NULL: they never change */
	/* The search of the browser is on Ctrl-F, n and N; a source that has these keys itself calls tui_search(). */
	void (*free)(struct tui_source *s);
};
struct tui_source { const struct tui_source_ops *ops; };
#endif

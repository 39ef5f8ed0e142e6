/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal: draws a frame, gives keys. It is as it was before after screen_close(), while we are stopped, and, by a
 * process of its own (tui/term/guard.h), after any other end. */
#ifndef TUI_TERM_SCREEN_H
#define TUI_TERM_SCREEN_H
#include "tui/view.h"

/* Is standard input and output a terminal that a cursor can be moved on? False: TERM=dumb, a pipe, a file. */
bool screen_possible(void);
struct screen;
struct screen *screen_open(void); /* NULL: not on this terminal, and a pending error */
void screen_close(struct screen *s);
void screen_size(const struct screen *s, int *width, int *height);
void screen_draw(struct screen *s, const struct tui_frame *f);
/* What was typed by now; TUI_NO_KEY: nothing more. x and y: of a mouse's key. resized: the size is another one. */
int screen_key(struct screen *s, int *x, int *y, bool *resized);
void screen_suspend(struct screen *s); /* Ctrl-Z: comes back with fg */
#endif

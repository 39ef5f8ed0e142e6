/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The browser on the terminal: draws, reads keys, until it is left. */
#ifndef TUI_RUN_H
#define TUI_RUN_H
#include "tui/source.h"

/* What is alive beside the keys; all may be NULL. */
struct tui_live {
	int fd; /* readable: beat() is due; -1: none */
	int ms; /* beat() is due after so many at the latest; 0: never for that */
	/* Something may have changed: the views' tick() comes after it. False: the browser is to end. */
	bool (*beat)(void *ctx);
	void (*hold)(void *ctx, bool on); /* off while the browser sleeps: only then may others change what it shows */
	void *ctx;
};
bool tui_possible(void); /* on this terminal; false: print text */
/* Shows s (the browser's from now on) until it is left or a signal asks for an end. -errno and a pending error. */
int tui_run(struct tui_source *s, const struct tui_live *live);

/* While something long goes on: says what, and how far it is. */
struct tui_wait;
struct tui_wait *tui_wait_begin(const char *what); /* NULL: no terminal for it */
bool tui_wait_go_on(struct tui_wait *w, double done); /* false: q, Esc, Ctrl-C or a signal; NULL: always true */
bool tui_wait_stopped(const struct tui_wait *w);
void tui_wait_end(struct tui_wait *w);
#endif

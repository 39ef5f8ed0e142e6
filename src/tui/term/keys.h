/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input gives each key at once, without a screen of ours: until keys_close(), and a guardian gives the terminal back however
 * we end. */
#ifndef TUI_TERM_KEYS_H
#define TUI_TERM_KEYS_H
#include <stdbool.h>
#include <termios.h>
#include "tui/term/guard.h"

struct keys { bool on; struct termios before, ours; struct guard_post guard; };
void keys_open(struct keys *k); /* on: standard input is a terminal */
void keys_pause(struct keys *k); /* stands still where Ctrl-Z was typed, with the terminal's own modes */
void keys_lines(struct keys *k, bool lines); /* for a while: whole lines, as the terminal had it */
void keys_close(struct keys *k);
#endif

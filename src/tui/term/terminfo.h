/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptions of terminals: the machine's own, else those that are built in (xterm, xterm-256color, screen, screen-256color, tmux,
 * tmux-256color, linux, vt100), so that a root without /usr/share/terminfo will do. */
#ifndef TUI_TERM_TERMINFO_H
#define TUI_TERM_TERMINFO_H
#include <stdbool.h>

/* Afterwards newterm() knows it. False: nobody does, or its cursor cannot be moved. */
bool terminfo_find(const char *term);
#endif

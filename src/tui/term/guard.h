/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that waits for our end and then, when the terminal is still ours, gives it back: modes, screen, cursor, mouse.
 * It is in a process group of its own, so that what ends us does not end it. */
#ifndef TUI_TERM_GUARD_H
#define TUI_TERM_GUARD_H
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

struct guard_post { int pid, fd; }; /* pid 0: there is none */
/* before: the modes as they were; reset: what undoes what we wrote to the terminal. */
void guard_post_open(struct guard_post *g, const struct termios *before, const char *reset);
/* The terminal is ours, with these modes (NULL: it is not). */
void guard_post_tell(const struct guard_post *g, const struct termios *ours);
void guard_post_close(struct guard_post *g);
#endif

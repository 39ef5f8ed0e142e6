/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings side by side in the browser. */
#ifndef TUI_DIFF_DIFF_H
#define TUI_DIFF_DIFF_H
#include "ui/diff/diff.h"

/* Reads d, with its progress on the screen, and shows it. o is what d->o points to, whose order the keys change. -errno and a pending error. */
int tui_diff(struct diff *d, struct diff_options *o);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording in the browser. */
#ifndef TUI_REPORT_H
#define TUI_REPORT_H
#include "tui/hist/browse.h"

/* Reads all of it, or as much as the user waits for, and shows it until it is left. next: another recording that was chosen (s), to be
 * freed by the caller; NULL: none. -errno and a pending error (what could be read was shown). */
int tui_report(struct report *r, struct symbols *syms, char **next);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of each view: one table, which `?` shows and which the man pages have (tests/host/browser-keys.sh). */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H
#include "base/str.h"

enum tui_kind {
	TUI_PAGE = 1 << 0, TUI_REPORT = 1 << 1, TUI_TOP = 1 << 2, TUI_ANNOTATE = 1 << 3, TUI_DIFF = 1 << 4, TUI_FLAME = 1 << 5,
	TUI_STRIP = 1 << 6, TUI_EVENTS = 1 << 7,
	TUI_HISTS = TUI_REPORT | TUI_TOP, TUI_ALL = 0xff,
};
/* Those of that view, a line each. */
void tui_keys_text(struct str *out, enum tui_kind kind);
#endif

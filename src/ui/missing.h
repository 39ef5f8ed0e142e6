/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UI_MISSING_H
#define UI_MISSING_H
#include "symbol/symbols.h"

/* Warns of files that were replaced since; with -v of every file whose frames have no names, with the reason, and of the
 * kernel's unless that was told. */
void symbols_say_missing(struct symbols *s, bool kernel_told);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from a debuginfod server. The library is loaded when DEBUGINFOD_URLS is set and a file
 * is wanted; without it the answer is that there is none. */
#ifndef SYMBOL_DEBUGINFOD_H
#define SYMBOL_DEBUGINFOD_H
#include <stdbool.h>
#include "symbol/symbols.h"

/* Path in debuginfod's own cache, the caller frees; NULL: not to be had. */
char *debuginfod_fetch(const struct build_id *id, bool executable);
#endif

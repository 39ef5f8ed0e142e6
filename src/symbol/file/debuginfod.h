/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from a debuginfod server. The library is loaded when DEBUGINFOD_URLS is set and a file
 * is wanted. The static program (make static) loads none: it finds what others have fetched to debuginfod's cache. */
#ifndef SYMBOL_FILE_DEBUGINFOD_H
#define SYMBOL_FILE_DEBUGINFOD_H
#include <stdbool.h>
#include "symbol/symbols.h"

/* Path in debuginfod's own cache, the caller frees; NULL: not to be had. */
char *debuginfod_fetch(const struct build_id *id, bool executable);
bool debuginfod_loads(void); /* whether this program is one that can load the library */
/* Why a fetch could ask no server, and the remedy; NULL when none met that. */
const char *debuginfod_unasked(const char **remedy);
#endif

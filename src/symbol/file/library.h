/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared libraries by a short name, as the loader would find them. */
#ifndef SYMBOL_FILE_LIBRARY_H
#define SYMBOL_FILE_LIBRARY_H
#include <stdbool.h>
/* "libc", "c", "libc.so.6": the path of this machine's own one; NULL: there is none. The caller frees. */
char *library_find(const char *name);
/* Is a library of that file name called so? "libc.so.6" is "libc", "c" and itself. */
bool library_is_called(const char *file, const char *name);
#endif

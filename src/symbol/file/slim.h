/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A debug file of a program, with no more in it than is asked for: as objcopy --only-keep-debug makes them. */
#ifndef SYMBOL_FILE_SLIM_H
#define SYMBOL_FILE_SLIM_H
#include <stdbool.h>
#include <stddef.h>
#include "base/str.h"

/* Appends the file at path with its notes and, of the rest, its symbols or its debug information or both; of all other sections
 * the headers are left. -errno, no pending error; -EFBIG: more than max bytes. */
int elf_slim(const char *path, bool symbols, bool dwarf, size_t max, struct str *out);
#endif

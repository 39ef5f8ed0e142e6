/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -ff: a file for each thread, NAME.TID. A file is open as long as its thread lives: there had better be room for many
 * descriptors. */
#ifndef UI_TRACE_FILES_H
#define UI_TRACE_FILES_H
#include "base/out.h"

struct trace_files;
/* spare: see struct out */
struct trace_files *trace_files_new(const char *name, bool append, bool spare);
/* Where the lines of a thread go; never NULL. One that cannot be opened takes everything and keeps the error.
 * *fresh: it was opened just now (may be NULL). */
struct out *trace_files_of(struct trace_files *f, int tid, bool *fresh);
void trace_files_flush(struct trace_files *f);
void trace_files_end(struct trace_files *f, int tid); /* the thread has ended */
int trace_files_error(const struct trace_files *f); /* of the first that failed, -errno; 0: none */
bool trace_files_full(const struct trace_files *f); /* one is (struct out); f may be NULL */
/* Closes all. The first error as pending error; f may be NULL. */
int trace_files_free(struct trace_files *f);
#endif

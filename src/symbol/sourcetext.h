/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of source files that debug information names. A file is read once (again after
 * many others), if it is a plain one and the user may read it. */
#ifndef SYMBOL_SOURCETEXT_H
#define SYMBOL_SOURCETEXT_H
#include <stddef.h>

struct source_texts;
struct source_texts *source_texts_new(void);
void source_texts_free(struct source_texts *t);
/* The line and how long it is, without its end, valid until the next call; NULL: the file or the line is not to be had. */
const char *source_texts_line(struct source_texts *t, const char *path, int line, size_t *n);
#endif

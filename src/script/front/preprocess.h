/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that begin with #: the interpreter's, includes (taken, and not read: constants are built in, types come from the kernel),
 * #define of words, #ifdef and its kin. */
#ifndef SCRIPT_PREPROCESS_H
#define SCRIPT_PREPROCESS_H
#include "script/front/lex.h"

/* The line at the lexer's place, which goes behind it, or behind what is left out. -errno and a pending error. */
int preprocess_line(struct lexer *l);
int preprocess_end(const struct lexer *l); /* the script's end: is every #if ended? */
/* Is the word a macro? Then what it stands for comes next. 1, 0, or -errno and a pending error. */
int preprocess_word(struct lexer *l, const char *name, size_t len, struct span at);
bool preprocess_over(struct lexer *l); /* at the end of a macro's text: goes on behind its word; false: it was none */
#endif

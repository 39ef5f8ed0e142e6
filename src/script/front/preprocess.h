/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that begin with #: the interpreter's, includes (taken, and not read: constants are built in, types come from the kernel),
 * #define, #ifdef and its kin; and macros, those lines' and the language's. */
#ifndef SCRIPT_PREPROCESS_H
#define SCRIPT_PREPROCESS_H
#include "script/front/lex.h"

/* The line at the lexer's place, which goes behind it, or behind what is left out. -errno and a pending error. */
int preprocess_line(struct lexer *l);
int preprocess_end(const struct lexer *l); /* the script's end: is every #if ended? */

/* ---- macro.c ---- */
/* NAME, or with arguments NAME(a, b): text that is put in its place. `block`: those of the language, macro NAME($a, @b, c) { ... }, whose
 * own variables nobody else sees and whose arguments are values. */
struct script_macro {
	const char *name; size_t len;
	struct text_part text;
	bool with_args, block, undone;
	const struct text_part *names; unsigned n_names; /* with their signs */
	struct script_macro *next;
};
const struct script_macro *macro_find(const struct lexer *l, const char *name, size_t len);
/* "(a, b)" at *at, which goes behind it. -errno and a pending error. */
int macro_names(struct lexer *l, struct script_macro *m, uint32_t *at, uint32_t end);
/* The language's own, behind the word `macro`; the next token is there then. */
int macro_declare(struct lexer *l);
/* The present token is a word, $x or @x: does it stand for something else? Then that comes next: 1; 2 when the present token is now the
 * bracket before it; 0, or -errno and a pending error. */
int macro_take(struct lexer *l);
/* At the end of a macro's text: goes on behind its word. false: it was none, or a bracket is to come first, by macro_bracket(). */
bool macro_over(struct lexer *l);
bool macro_bracket(struct lexer *l); /* the present token is that bracket */
#endif

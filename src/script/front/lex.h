/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of bpftrace's language. What stands before a block (probes, a predicate's slash) has other rules than what
 * stands in it: the parser asks for that by lex_probe(). */
#ifndef SCRIPT_LEX_H
#define SCRIPT_LEX_H
#include "script/front/source.h"

enum token_kind {
	TOKEN_END, TOKEN_INT, TOKEN_STRING, TOKEN_WORD /* pid, if, count */, TOKEN_VAR /* $x */, TOKEN_MAP /* @, @x */,
	TOKEN_PARAM /* $1 */, TOKEN_PARAMS /* $# */,
	/* operators of more than one character; all others are their character */
	TOKEN_FIRST_OP = 256,
	TOKEN_EQ = TOKEN_FIRST_OP, TOKEN_NE, TOKEN_LE, TOKEN_GE, TOKEN_AND, TOKEN_OR, TOKEN_SHL, TOKEN_SHR, TOKEN_INC, TOKEN_DEC,
	TOKEN_ARROW, TOKEN_ADD_TO, TOKEN_SUB_TO, TOKEN_MUL_TO, TOKEN_DIV_TO, TOKEN_MOD_TO, TOKEN_AND_TO, TOKEN_OR_TO,
	TOKEN_XOR_TO, TOKEN_SHL_TO, TOKEN_SHR_TO, TOKEN_RANGE,
};
struct token {
	int kind;
	struct span at;
	uint64_t value; /* INT, PARAM */
	const char *text; /* STRING: without its quotes and escapes; WORD, VAR, MAP: the name without its sign; in the arena */
	size_t len;
};

struct script_macro;
struct text_part { uint32_t begin, end; };
/* A macro's text, or what was given for one of its names: where to go on behind it. */
struct macro_use {
	const struct script_macro *macro; /* NULL: what was given, at the use below that has number `of` from 1 */
	unsigned of;
	uint32_t pos, end;
	const struct text_part *given; /* for each of the macro's names */
	unsigned number; /* of macros with variables of their own: each use has others */
	bool bracket; /* a bracket ) stands at its end, which the text does not have */
};
struct lexer {
	struct script_source *source;
	uint32_t pos, end; /* of the script, or of the macro that we are in */
	struct token now;
	struct script_macro *macros; /* front/preprocess.h; the last one first */
	struct macro_use back[16]; unsigned inside, uses;
	uint64_t put; /* bytes of text that macros stood for so far */
	unsigned conditions; /* #if without its #endif so far */
};
int lex_begin(struct lexer *l, struct script_source *s); /* the first token is there */
int lex_next(struct lexer *l); /* -errno and a pending error: what begins there is no token */
/* The word of a probe ("tracepoint:sched:*", "uprobe:/bin/bash:readline") that begins where the present token does: up to
 * white space, a comma, a brace, or a slash that cannot be of a path. The next token is there then. */
int lex_probe(struct lexer *l, struct token *probe);
#endif

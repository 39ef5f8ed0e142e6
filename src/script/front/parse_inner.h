/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_PARSE_INNER_H
#define SCRIPT_PARSE_INNER_H
#include "script/front/lex.h"
#include "script/front/parse.h"

struct script_parser {
	struct lexer lex;
	struct script_source *source;
	const struct params *params;
	unsigned depth; /* of the recursion */
	bool in_predicate; /* a slash is its end */
	unsigned maybe; /* we are in what may not be run: behind &&, in a branch of ?: */
	struct script_node **before; /* where statements go that are to be run before the present one; NULL: there is none */
};
/* All give NULL with a pending error. */
struct script_node *parse_expr(struct script_parser *p);
/* { $a = 1; $a + 1 }: its statements go before the present one, and its value is what the last one is. */
struct script_node *parse_block_value(struct script_parser *p);
struct script_node *parse_getopt(struct script_parser *p, struct script_node *n); /* what the call stands for */
int parse_unasked(const struct params *params, const struct script_source *s); /* an option that nobody asked for is an error */
bool parse_want(struct script_parser *p, int kind, const char *what); /* else an error */
bool parse_next(struct script_parser *p);
bool parse_deeper(struct script_parser *p); /* and p->depth-- behind it */
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the parser share. */
#ifndef SCRIPT_STAP_INNER_H
#define SCRIPT_STAP_INNER_H
#include "script/stap/parse/lex.h"
#include "script/stap/stap.h"

struct stap_parser {
	struct stap *st;
	struct script_source *source;
	stap_tokens tokens;
	size_t at;
	unsigned depth;
};
const struct stap_token *stap_now(const struct stap_parser *p);
const struct stap_token *stap_ahead(const struct stap_parser *p, size_t n);
bool stap_take(struct stap_parser *p, int kind); /* it was there, and is behind us */
bool stap_take_word(struct stap_parser *p, const char *word);
bool stap_want(struct stap_parser *p, int kind, const char *what); /* else an error */
bool stap_deeper(struct stap_parser *p); /* and p->depth-- behind it */

/* All give NULL with a pending error. */
struct script_node *stap_expr(struct stap_parser *p);
struct script_node *stap_keys(struct stap_parser *p, int close, unsigned *n, bool *ok);
/* n has all its children: their depth counts. NULL: too deep. */
struct script_node *stap_whole(struct stap_parser *p, struct script_node *n);
struct stap_point *stap_point_list(struct stap_parser *p);
struct stap_part *stap_part_list(struct stap_parser *p); /* one, without braces: an alias's name */
#endif

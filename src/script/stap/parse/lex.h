/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SystemTap's tokens, all of them at once: what the preprocessor (%( %? %: %), @define) leaves of a script. Kinds are those
 * of front/lex.h and some more. */
#ifndef SCRIPT_STAP_LEX_H
#define SCRIPT_STAP_LEX_H
#include "base/vec.h"
#include "script/front/lex.h"
#include "script/front/parse.h"

enum stap_token_kind {
	STAP_PUSH = 400 /* <<< */, STAP_DOT_TO /* .= */, STAP_MATCH /* =~ */, STAP_NO_MATCH /* !~ */, STAP_USHR /* >>> */,
	STAP_AT, /* @name */
	STAP_PRE, STAP_THEN, STAP_ELSE, STAP_CLOSE, /* %( %? %: %) */
	STAP_EMBEDDED, /* %{ C %} */
};
struct stap_token {
	int kind;
	struct span at;
	bool spaced; /* white space before it */
	int64_t value;
	const char *text; /* of words, strings, TOKEN_VAR ($name) and STAP_AT; in the arena */
	size_t len;
};
typedef VEC(struct stap_token) stap_tokens;

/* The last one is TOKEN_END. -errno, pending error. */
int stap_lex(struct script_source *s, const struct params *params, stap_tokens *out);
int stap_lex_raw(struct script_source *s, stap_tokens *out); /* without the preprocessor and parameters */
#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Statements and what stands at the top of a script. Semicolons are mere separators, as there. */
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/stap/parse/inner.h"

enum { RECURSION = 180 };

static struct script_node *stap_statement(struct stap_parser *p);

const struct stap_token *stap_ahead(const struct stap_parser *p, size_t n)
{
	return &p->tokens.at[p->at + n < p->tokens.n ? p->at + n : p->tokens.n - 1];
}

const struct stap_token *stap_now(const struct stap_parser *p)
{
	return stap_ahead(p, 0);
}

bool stap_take(struct stap_parser *p, int kind)
{
	bool is = stap_now(p)->kind == kind;
	p->at += is;
	return is;
}

static bool stap_word_is(const struct stap_parser *p, const char *word)
{
	return stap_now(p)->kind == TOKEN_WORD && !strcmp(stap_now(p)->text, word);
}

bool stap_take_word(struct stap_parser *p, const char *word)
{
	bool is = stap_word_is(p, word);
	p->at += is;
	return is;
}

bool stap_want(struct stap_parser *p, int kind, const char *what)
{
	if (stap_take(p, kind))
		return true;
	if (!error_pending())
		source_error(p->source, stap_now(p)->at, stap_now(p)->kind == TOKEN_END ? "%s is missing at the end" : "%s is missing here", what);
	return false;
}

bool stap_deeper(struct stap_parser *p)
{
	if (p->depth++ < RECURSION)
		return true;
	if (!error_pending())
		source_error(p->source, stap_now(p)->at, "this is nested more than %d deep", RECURSION);
	return false;
}

/* ---- statements ---- */

static struct script_node *stap_block_of(struct stap_parser *p, bool *ok)
{
	struct script_node *first = NULL, **last = &first;
	*ok = stap_want(p, '{', "a brace {");
	while (*ok && stap_now(p)->kind != '}') {
		if (stap_take(p, ';'))
			continue;
		*ok = stap_now(p)->kind == TOKEN_END ? stap_want(p, '}', "the brace } of a block") : (*last = stap_statement(p)) != NULL;
		if (*ok)
			last = &(*last)->next;
	}
	*ok = *ok && stap_want(p, '}', "the brace } of a block");
	return first;
}

static struct script_node *nothing(struct stap_parser *p, struct span at)
{
	return node_new(p->source, NODE_BLOCK, at);
}

/* One statement as a list of one. */
static bool one(struct stap_parser *p, struct script_node **to)
{
	struct span at = stap_now(p)->at;
	if (stap_take(p, ';')) {
		*to = nothing(p, at);
		return true;
	}
	return (*to = stap_statement(p)) != NULL;
}

static struct script_node *if_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_IF, at);
	if (!stap_want(p, '(', "a bracket (") || !(n->a = stap_expr(p)) || !stap_want(p, ')', "the bracket )") || !one(p, &n->body))
		return NULL;
	stap_take(p, ';');
	if (stap_take_word(p, "else") && !one(p, &n->other))
		return NULL;
	return stap_whole(p, n);
}

static struct script_node *while_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_WHILE, at);
	if (!stap_want(p, '(', "a bracket (") || !(n->a = stap_expr(p)) || !stap_want(p, ')', "the bracket )") || !one(p, &n->body))
		return NULL;
	return stap_whole(p, n);
}

static bool part_of_for(struct stap_parser *p, struct script_node **to, int end, const char *what)
{
	if (stap_now(p)->kind != end && !(*to = stap_expr(p)))
		return false;
	return stap_want(p, end, what);
}

static struct script_node *for_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_FOR, at);
	if (!stap_want(p, '(', "a bracket (") || !part_of_for(p, &n->a, ';', "a semicolon") || !part_of_for(p, &n->b, ';', "a semicolon") ||
	    !part_of_for(p, &n->c, ')', "the bracket )") || !one(p, &n->body))
		return NULL;
	return stap_whole(p, n);
}

static bool order(struct stap_parser *p, struct script_node *n, unsigned by)
{
	int k = stap_now(p)->kind;
	if (k != '+' && k != '-')
		return true;
	if (n->op) {
		source_error(p->source, stap_now(p)->at, "an array is sorted by one thing");
		return false;
	}
	p->at++;
	n->op = k;
	n->value = by;
	return true;
}

static struct script_node *loop_variable(struct stap_parser *p)
{
	const struct stap_token *t = stap_now(p);
	struct script_node *n = node_new(p->source, NODE_WORD, t->at);
	if (!stap_want(p, TOKEN_WORD, "the name of a variable"))
		return NULL;
	n->name = t->text;
	return n;
}

/* v = [a+, b] in array[*, 1] @count - limit 5: the part up to the array. */
static bool loop_variables(struct stap_parser *p, struct script_node *n)
{
	struct script_node **last = &n->args;
	if (stap_now(p)->kind == TOKEN_WORD && stap_ahead(p, 1)->kind == '=') {
		n->c = loop_variable(p);
		p->at++;
	}
	bool list = stap_take(p, '[');
	do {
		if (!(*last = loop_variable(p)))
			return false;
		last = &(*last)->next;
		if (!order(p, n, ++n->n_args))
			return false;
	} while (list && stap_take(p, ','));
	return !list || stap_want(p, ']', "the bracket ]");
}

static struct script_node *foreach(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_FOREACH, at);
	bool ok = true;
	if (!stap_want(p, '(', "a bracket (") || !loop_variables(p, n))
		return NULL;
	if (!stap_take_word(p, "in")) {
		source_error(p->source, stap_now(p)->at, "'in' is missing here");
		return NULL;
	}
	if (!(n->a = loop_variable(p)))
		return NULL;
	n->a->kind = NODE_MAP;
	if (stap_take(p, '['))
		n->a->args = stap_keys(p, ']', &n->a->n_args, &ok);
	if (ok && stap_now(p)->kind == STAP_AT) {
		n->name = stap_now(p)->text;
		p->at++;
	}
	if (!ok || !order(p, n, 0) || (stap_take_word(p, "limit") && !(n->b = stap_expr(p))) || !stap_want(p, ')', "the bracket )") || !one(p, &n->body))
		return NULL;
	return stap_whole(p, n);
}

static struct script_node *try_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_TRY, at);
	bool ok;
	n->body = stap_block_of(p, &ok);
	if (!ok)
		return NULL;
	if (!stap_take_word(p, "catch")) {
		source_error(p->source, stap_now(p)->at, "'catch' is missing here");
		return NULL;
	}
	if (stap_take(p, '(') && (!(n->a = loop_variable(p)) || !stap_want(p, ')', "the bracket )")))
		return NULL;
	n->other = stap_block_of(p, &ok);
	return ok ? stap_whole(p, n) : NULL;
}

static struct script_node *return_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_RETURN, at);
	int k = stap_now(p)->kind;
	if (k != ';' && k != '}' && !(n->a = stap_expr(p)))
		return NULL;
	return stap_whole(p, n);
}

static struct script_node *delete_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_DELETE, at);
	return (n->a = stap_expr(p)) ? stap_whole(p, n) : NULL;
}

static struct script_node *expr_statement(struct stap_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_EXPR, at);
	return (n->a = stap_expr(p)) ? stap_whole(p, n) : NULL;
}

static struct script_node *inner_statement(struct stap_parser *p)
{
	static const struct { const char *word; struct script_node *(*read)(struct stap_parser *p, struct span at); } long_ones[] = {
		{ "if", if_statement }, { "while", while_statement }, { "for", for_statement }, { "foreach", foreach }, { "try", try_statement },
		{ "return", return_statement }, { "delete", delete_statement } };
	static const struct { const char *word; enum node_kind kind; } bare[] = {
		{ "break", NODE_BREAK }, { "continue", NODE_CONTINUE }, { "next", NODE_NEXT } };
	struct span at = stap_now(p)->at;
	bool ok;
	if (stap_now(p)->kind == '{') {
		struct script_node *n = node_new(p->source, NODE_BLOCK, at);
		n->body = stap_block_of(p, &ok);
		return ok ? stap_whole(p, n) : NULL;
	}
	for (size_t i = 0; i < sizeof(long_ones) / sizeof(long_ones[0]); i++)
		if (stap_take_word(p, long_ones[i].word))
			return long_ones[i].read(p, at);
	for (size_t i = 0; i < sizeof(bare) / sizeof(bare[0]); i++)
		if (stap_take_word(p, bare[i].word))
			return node_new(p->source, bare[i].kind, at);
	return expr_statement(p, at);
}

static struct script_node *stap_statement(struct stap_parser *p)
{
	struct script_node *n = stap_deeper(p) ? inner_statement(p) : NULL;
	p->depth--;
	return n;
}

/* ---- the top ---- */

static bool type_name(struct stap_parser *p, bool *text) /* : long */
{
	if (!stap_take(p, ':'))
		return true;
	if (text)
		*text = stap_word_is(p, "string");
	return stap_want(p, TOKEN_WORD, "the name of a type");
}

static bool function(struct stap_parser *p)
{
	const struct stap_token *t = stap_now(p);
	struct stap_function *f = arena_get(&p->source->memory, sizeof(*f));
	bool ok;
	if (!stap_want(p, TOKEN_WORD, "the name of a function") || !type_name(p, &f->text) || !stap_want(p, '(', "a bracket ("))
		return false;
	f->name = t->text;
	f->at = t->at;
	f->own = !p->st->in_tapset;
	*vec_push(&p->st->functions) = f; /* from here on it is freed there */
	while (stap_now(p)->kind == TOKEN_WORD) {
		*vec_push(&f->locals) = (struct stap_variable){ stap_now(p)->text, stap_now(p)->at };
		f->n_params++;
		p->at++;
		if (!type_name(p, NULL))
			return false;
		if (!stap_take(p, ','))
			break;
	}
	if (!stap_want(p, ')', "the bracket )") || !type_name(p, &f->text))
		return false;
	if (stap_now(p)->kind == STAP_EMBEDDED) {
		source_error(p->source, stap_now(p)->at, "the function %s is written in C (%%{ ... %%}), which cannot be run", f->name);
		return false;
	}
	f->body = stap_block_of(p, &ok);
	return ok;
}

static bool global(struct stap_parser *p)
{
	do {
		const struct stap_token *t = stap_now(p);
		struct stap_global *g = arena_get(&p->source->memory, sizeof(*g));
		if (!stap_want(p, TOKEN_WORD, "the name of a variable"))
			return false;
		*g = (struct stap_global){ .name = t->text, .at = t->at, .own = !p->st->in_tapset };
		*vec_push(&p->st->globals) = g;
		g->wrap = stap_take(p, '%');
		if (stap_take(p, '[')) {
			g->array = true;
			g->limit = stap_now(p)->value;
			if (!stap_want(p, TOKEN_INT, "how many entries it has") || !stap_want(p, ']', "the bracket ]"))
				return false;
		}
		g->wrap |= stap_take(p, '%');
		if (!type_name(p, NULL))
			return false;
		if (stap_take(p, '=') && !(g->first = stap_expr(p)))
			return false;
	} while (stap_take(p, ','));
	return true;
}

/* probe a.b = c, d { }: an alias, when a = or += follows its name. */
static bool probe(struct stap_parser *p)
{
	struct span at = stap_now(p)->at;
	size_t from = p->at;
	bool ok;
	struct stap_part *name = stap_part_list(p);
	int k = stap_now(p)->kind;
	if (name && (k == '=' || k == TOKEN_ADD_TO)) {
		struct stap_alias *a = arena_get(&p->source->memory, sizeof(*a));
		p->at++;
		*a = (struct stap_alias){ .name = name, .behind = k == TOKEN_ADD_TO, .own = !p->st->in_tapset };
		if (!(a->points = stap_point_list(p)))
			return false;
		a->body = stap_block_of(p, &ok);
		*vec_push(&p->st->aliases) = a;
		return ok;
	}
	error_clear();
	p->at = from;
	struct stap_point *points = stap_point_list(p);
	if (!points)
		return false;
	struct script_node *body = stap_block_of(p, &ok);
	*vec_push(&p->st->probes) = (struct stap_probe){ points, body, at };
	return ok;
}

static bool top(struct stap_parser *p)
{
	(void)stap_take_word(p, "private");
	if (stap_take_word(p, "probe"))
		return probe(p);
	if (stap_take_word(p, "global"))
		return global(p);
	if (stap_take_word(p, "function"))
		return function(p);
	if (stap_now(p)->kind == STAP_EMBEDDED)
		source_error(p->source, stap_now(p)->at, "embedded C (%%{ ... %%}) cannot be run");
	else
		source_error(p->source, stap_now(p)->at, "a script has probe, global and function at its top");
	return false;
}

int stap_parse(struct stap *st, struct script_source *source)
{
	struct stap_parser p = { .st = st, .source = source };
	error_clear();
	int err = stap_lex(source, &st->params, &p.tokens);
	while (!err && stap_now(&p)->kind != TOKEN_END)
		if (!stap_take(&p, ';') && !top(&p))
			err = error_code();
	vec_release(&p.tokens);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Expressions, by the rank of their operators. An assignment is one too, as in C. */
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/stap/parse/inner.h"

static struct script_node *unary(struct stap_parser *p);

struct script_node *stap_whole(struct stap_parser *p, struct script_node *n)
{
	if (error_pending())
		return NULL;
	bool ok = node_adopt(p->source, n, n->a) && node_adopt(p->source, n, n->b) && node_adopt(p->source, n, n->c);
	const struct script_node *lists[] = { n->args, n->body, n->other };
	for (int k = 0; k < 3; k++)
		for (const struct script_node *i = lists[k]; i && ok; i = i->next)
			ok = node_adopt(p->source, n, i);
	return ok ? n : NULL;
}

static struct script_node *star(struct stap_parser *p)
{
	struct script_node *n = node_new(p->source, NODE_TUPLE, stap_now(p)->at);
	p->at++;
	return n;
}

struct script_node *stap_keys(struct stap_parser *p, int close, unsigned *n, bool *ok)
{
	struct script_node *first = NULL, **last = &first;
	*ok = true;
	*n = 0;
	while (*ok && stap_now(p)->kind != close) {
		int after = stap_ahead(p, 1)->kind;
		*ok = (*last = close == ']' && stap_now(p)->kind == '*' && (after == ',' || after == ']') ? star(p) : stap_expr(p));
		if (!*ok)
			break;
		last = &(*last)->next;
		++*n;
		if (stap_now(p)->kind != close)
			*ok = stap_want(p, ',', "a comma or the closing bracket");
	}
	*ok = *ok && stap_want(p, close, "the closing bracket");
	return first;
}

/* A string; those side by side are one. */
static struct script_node *string(struct stap_parser *p)
{
	struct script_node *n = node_new(p->source, NODE_STRING, stap_now(p)->at);
	struct str s = STR_INIT;
	for (; stap_now(p)->kind == TOKEN_STRING; p->at++)
		str_addn(&s, stap_now(p)->text, stap_now(p)->len);
	n->name = arena_text(&p->source->memory, s.buf, s.len);
	n->len = s.len;
	str_release(&s);
	return n;
}

static struct script_node *word(struct stap_parser *p)
{
	const struct stap_token *t = stap_now(p);
	struct script_node *n = node_new(p->source, NODE_WORD, t->at);
	bool ok = true;
	n->name = t->text;
	p->at++;
	if (stap_now(p)->kind == '(') {
		n->kind = NODE_CALL;
		p->at++;
		n->args = stap_keys(p, ')', &n->n_args, &ok);
	} else if (stap_now(p)->kind == '[') {
		n->kind = NODE_MAP;
		p->at++;
		n->args = stap_keys(p, ']', &n->n_args, &ok);
	}
	return ok ? stap_whole(p, n) : NULL;
}

/* @this1: a value of this thread's, between a function's entry and its return. The tapset has _this1[]. */
static struct script_node *this_of(struct stap_parser *p, const struct stap_token *t)
{
	struct script_node *n = node_new(p->source, NODE_MAP, t->at);
	char *name = xasprintf("_%s", t->text);
	n->name = arena_text(&p->source->memory, name, strlen(name));
	free(name);
	n->args = node_new(p->source, NODE_CALL, t->at);
	n->args->name = "tid";
	n->n_args = 1;
	return stap_whole(p, n);
}

/* @cast, @defined, @entry, and the statistics: @count(x). */
static struct script_node *at_word(struct stap_parser *p)
{
	static const char *const statistics[] = { "count", "sum", "avg", "min", "max", "variance", "hist_log", "hist_linear" };
	const struct stap_token *t = stap_now(p);
	struct script_node *n = node_new(p->source, NODE_CALL, t->at);
	bool ok;
	p->at++;
	n->name = t->text;
	n->before = true; /* it has an @ before it */
	if (str_starts(t->text, "this") && stap_now(p)->kind != '(')
		return this_of(p, t);
	if (stap_now(p)->kind != '(') /* a macro that nobody has defined */
		return n;
	p->at++;
	n->args = stap_keys(p, ')', &n->n_args, &ok);
	if (!ok)
		return NULL;
	bool is_cast = !strcmp(t->text, "cast"), is_defined = !strcmp(t->text, "defined"), is_entry = !strcmp(t->text, "entry");
	for (size_t i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++)
		if (!strcmp(statistics[i], t->text))
			n->kind = NODE_STAT;
	if (is_cast || is_defined || is_entry)
		n->kind = is_cast ? NODE_KCAST : is_defined ? NODE_DEFINED : NODE_ENTRY;
	if (n->kind != NODE_CALL) {
		if (!n->args) {
			source_error(p->source, n->at, "@%s() takes something between its brackets", t->text);
			return NULL;
		}
		n->a = n->args;
		n->args = n->args->next;
		n->a->next = NULL;
		n->n_args--;
	}
	if (is_cast && (!n->args || n->args->kind != NODE_STRING)) {
		source_error(p->source, n->at, "@cast() takes a value and the name of a type, a string");
		return NULL;
	}
	if (is_cast)
		n->name = n->args->name;
	if (strcmp(t->text, "choose_defined") == 0 && n->n_args == 2) { /* a macro there: @defined(a) ? a : b */
		struct script_node *c = node_new(p->source, NODE_TERNARY, t->at), *d = node_new(p->source, NODE_DEFINED, t->at);
		c->b = n->args;
		c->c = n->args->next;
		c->b->next = NULL;
		d->a = stap_clone(p->source, c->b);
		c->a = stap_whole(p, d);
		return stap_whole(p, c);
	}
	return stap_whole(p, n);
}

static struct script_node *bracket(struct stap_parser *p)
{
	struct span at = stap_now(p)->at;
	struct script_node *n;
	if (stap_now(p)->kind == '[') { /* [a, b] in x */
		bool ok;
		n = node_new(p->source, NODE_TUPLE, at);
		p->at++;
		n->args = stap_keys(p, ']', &n->n_args, &ok);
		return ok ? stap_whole(p, n) : NULL;
	}
	p->at++;
	n = stap_expr(p);
	return n && stap_want(p, ')', "the closing bracket )") ? n : NULL;
}

static struct script_node *primary(struct stap_parser *p)
{
	const struct stap_token *t = stap_now(p);
	struct script_node *n;
	switch (t->kind) {
	case TOKEN_INT:
		n = node_new(p->source, NODE_INT, t->at);
		n->value = (uint64_t)t->value;
		p->at++;
		return n;
	case TOKEN_STRING: return string(p);
	case TOKEN_VAR:
		n = node_new(p->source, NODE_TARGET, t->at);
		n->name = t->text;
		p->at++;
		return n;
	case TOKEN_WORD: return word(p);
	case STAP_AT: return at_word(p);
	case '(':
	case '[': return bracket(p);
	case TOKEN_PARAM:
		source_error(p->source, t->at, "the script is given no parameter %lld", (long long)t->value);
		error_hint("parameters follow the script: stap FILE.stp ONE TWO");
		return NULL;
	case STAP_EMBEDDED:
		source_error(p->source, t->at, "embedded C (%%{ ... %%}) cannot be run");
		return NULL;
	default:
		source_error(p->source, t->at, t->kind == TOKEN_END ? "the script ends where a value should be" : "a value should be here");
		return NULL;
	}
}

static struct script_node *member(struct stap_parser *p, struct script_node *a)
{
	p->at++;
	const struct stap_token *t = stap_now(p);
	if (t->kind != TOKEN_WORD) {
		source_error(p->source, t->at, "the name of a member should be here");
		return NULL;
	}
	struct script_node *n = node_new(p->source, NODE_FIELD, span_to(a->at, t->at));
	size_t len = strlen(t->text);
	n->name = t->text;
	n->a = a;
	p->at++;
	(void)len;
	return stap_whole(p, n);
}

static struct script_node *index_of(struct stap_parser *p, struct script_node *a)
{
	struct script_node *n = node_new(p->source, NODE_ITEM, a->at);
	n->a = a;
	n->array = true;
	p->at++;
	n->b = stap_expr(p);
	return n->b && stap_want(p, ']', "the bracket ] of an index") ? stap_whole(p, n) : NULL;
}

static struct script_node *step(struct stap_parser *p, struct script_node *a, int token, bool before, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_STEP, at);
	n->op = token == TOKEN_INC ? '+' : '-';
	n->before = before;
	n->a = a;
	if (a->kind == NODE_WORD || a->kind == NODE_MAP)
		return stap_whole(p, n);
	source_error(p->source, a->at, "only a variable can be stepped");
	return NULL;
}

static struct script_node *postfix(struct stap_parser *p)
{
	struct script_node *n = primary(p);
	while (n) {
		const struct stap_token *t = stap_now(p);
		bool memory = n->kind != NODE_MAP && n->kind != NODE_WORD && n->kind != NODE_INT && n->kind != NODE_STRING;
		if (t->kind == TOKEN_ARROW) {
			n = member(p, n);
		} else if (t->kind == '[' && memory && n->kind != NODE_CALL && n->kind != NODE_STAT) {
			n = index_of(p, n);
		} else if (t->kind == TOKEN_INC || t->kind == TOKEN_DEC) {
			p->at++;
			n = step(p, n, t->kind, true, span_to(n->at, t->at));
		} else {
			break;
		}
	}
	return n;
}

static struct script_node *unary_inner(struct stap_parser *p)
{
	const struct stap_token *t = stap_now(p);
	if (t->kind == TOKEN_INC || t->kind == TOKEN_DEC) {
		p->at++;
		struct script_node *a = unary(p);
		return a ? step(p, a, t->kind, false, span_to(t->at, a->at)) : NULL;
	}
	if (t->kind != '-' && t->kind != '+' && t->kind != '!' && t->kind != '~' && t->kind != '&')
		return postfix(p);
	struct script_node *n = node_new(p->source, NODE_UNARY, t->at);
	n->op = t->kind;
	p->at++;
	if (!(n->a = unary(p)))
		return NULL;
	n->at = span_to(t->at, n->a->at);
	return n->op == '+' ? n->a : stap_whole(p, n);
}

static struct script_node *unary(struct stap_parser *p)
{
	struct script_node *n = stap_deeper(p) ? unary_inner(p) : NULL;
	p->depth--;
	return n;
}

static int rank(const struct stap_token *t)
{
	switch (t->kind) {
	case TOKEN_OR: return 1;
	case TOKEN_AND: return 2;
	case '|': return 3;
	case '^': return 4;
	case '&': return 5;
	case TOKEN_WORD: return !strcmp(t->text, "in") ? 6 : 0;
	case TOKEN_EQ: case TOKEN_NE: case '<': case '>': case TOKEN_LE: case TOKEN_GE: case STAP_MATCH: case STAP_NO_MATCH: return 7;
	case TOKEN_SHL: case TOKEN_SHR: case STAP_USHR: return 8;
	case '.': return 9;
	case '+': case '-': return 10;
	case '*': case '%': case '/': return 11;
	default: return 0;
	}
}

static struct script_node *in_array(struct stap_parser *p, struct script_node *key)
{
	struct script_node *n = node_new(p->source, NODE_IN, key->at);
	const struct stap_token *t = stap_now(p);
	bool ok = true;
	if (t->kind != TOKEN_WORD) {
		source_error(p->source, t->at, "the name of an array follows 'in'");
		return NULL;
	}
	n->name = t->text;
	n->args = key->kind == NODE_TUPLE ? key->args : key;
	n->n_args = key->kind == NODE_TUPLE ? key->n_args : 1;
	n->at = span_to(key->at, t->at);
	p->at++;
	return ok ? stap_whole(p, n) : NULL;
}

static struct script_node *binary(struct stap_parser *p, int least)
{
	struct script_node *a = unary(p);
	for (int r; a && (r = rank(stap_now(p))) >= least && r;) {
		int op = stap_now(p)->kind;
		p->at++;
		if (op == TOKEN_WORD) {
			a = in_array(p, a);
			continue;
		}
		struct script_node *n = node_new(p->source, NODE_BINARY, a->at);
		n->op = op;
		n->a = a;
		if (!(n->b = binary(p, r + 1)))
			return NULL;
		n->at = span_to(a->at, n->b->at);
		a = stap_whole(p, n);
	}
	return error_pending() ? NULL : a;
}

static struct script_node *ternary(struct stap_parser *p)
{
	struct script_node *a = binary(p, 1);
	if (!a || stap_now(p)->kind != '?')
		return a;
	struct script_node *n = node_new(p->source, NODE_TERNARY, a->at);
	n->a = a;
	p->at++;
	if (!(n->b = stap_expr(p)) || !stap_want(p, ':', "the colon of ?:") || !(n->c = stap_expr(p)))
		return NULL;
	n->at = span_to(a->at, n->c->at);
	return stap_whole(p, n);
}

/* The operator of an assignment; 0: plain; -1: it is none. */
static int assignment(int token)
{
	static const struct { int token, op; } ops[] = {
		{ '=', 0 }, { TOKEN_ADD_TO, '+' }, { TOKEN_SUB_TO, '-' }, { TOKEN_MUL_TO, '*' }, { TOKEN_DIV_TO, '/' }, { TOKEN_MOD_TO, '%' },
		{ TOKEN_AND_TO, '&' }, { TOKEN_OR_TO, '|' }, { TOKEN_XOR_TO, '^' }, { TOKEN_SHL_TO, TOKEN_SHL }, { TOKEN_SHR_TO, TOKEN_SHR },
		{ STAP_DOT_TO, '.' }, { STAP_PUSH, STAP_PUSH },
	};
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i].token == token)
			return ops[i].op;
	return -1;
}

static bool can_be_set(const struct script_node *n)
{
	while (n->kind == NODE_FIELD || (n->kind == NODE_ITEM && n->array))
		n = n->a;
	return n->kind == NODE_WORD || n->kind == NODE_MAP || n->kind == NODE_TARGET || n->kind == NODE_KCAST;
}

static struct script_node *assign(struct stap_parser *p)
{
	struct script_node *a = ternary(p);
	int op = a ? assignment(stap_now(p)->kind) : -1;
	if (op < 0)
		return a;
	struct script_node *n = node_new(p->source, op == STAP_PUSH ? NODE_PUSH : NODE_ASSIGN, a->at);
	if (!can_be_set(a)) {
		source_error(p->source, a->at, "only a variable can be assigned to");
		return NULL;
	}
	p->at++;
	n->op = op;
	n->a = a;
	if (!(n->b = stap_expr(p)))
		return NULL;
	n->at = span_to(a->at, n->b->at);
	return stap_whole(p, n);
}

struct script_node *stap_expr(struct stap_parser *p)
{
	struct script_node *n = stap_deeper(p) ? assign(p) : NULL;
	p->depth--;
	return n;
}

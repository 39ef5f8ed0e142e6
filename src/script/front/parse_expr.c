// SPDX-License-Identifier: GPL-2.0-or-later
/* Expressions, by the rank of their operators. In a predicate a slash is its end and not a division, unless in brackets. */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/front/parse_inner.h"
#include "script/front/parse_type.h"
#include "script/type.h"

static struct script_node *unary(struct script_parser *p);

static struct script_node *whole(struct script_parser *p, struct script_node *n)
{
	if (error_pending())
		return NULL;
	bool ok = node_adopt(p->source, n, n->a) && node_adopt(p->source, n, n->b) && node_adopt(p->source, n, n->c);
	for (struct script_node *i = n->args; i && ok; i = i->next)
		ok = node_adopt(p->source, n, i);
	return ok ? n : NULL;
}

static struct script_node *parse_args(struct script_parser *p, int close, unsigned *n, bool *ok)
{
	struct script_node *first = NULL, **last = &first;
	bool predicate = p->in_predicate;
	p->in_predicate = false;
	*ok = true;
	*n = 0;
	while (*ok && p->lex.now.kind != close) {
		*ok = (*last = parse_expr(p));
		if (!*ok)
			break;
		last = &(*last)->next;
		++*n;
		if (p->lex.now.kind != close)
			*ok = parse_want(p, ',', "a comma or the closing bracket");
	}
	p->in_predicate = predicate;
	*ok = *ok && parse_next(p);
	return first;
}

/* Is this a type in brackets, which the bracket before it has opened? A name of which nothing is known is one when stars follow it,
 * or when something stands behind the bracket that would make no sense there otherwise. */
static bool is_type(const struct script_parser *p, bool alone)
{
	struct script_parser ahead = *p;
	bool stars = false;
	if (parse_is_type(p))
		return true;
	if (p->lex.now.kind != TOKEN_WORD || !parse_next(&ahead))
		return false;
	while (ahead.lex.now.kind == '*' && parse_next(&ahead))
		stars = true;
	if (ahead.lex.now.kind != ')')
		return false;
	if (stars || alone)
		return stars;
	if (!parse_next(&ahead))
		return false;
	int next = ahead.lex.now.kind;
	return next == TOKEN_INT || next == TOKEN_WORD || next == TOKEN_VAR || next == TOKEN_MAP || next == TOKEN_PARAM || next == '(';
}

/* a.b[2].c of offsetof() */
static bool member_path(struct script_parser *p, struct script_node *n)
{
	struct script_node **last = &n->args;
	for (bool first = true;; first = false) {
		int kind = p->lex.now.kind;
		if (!first && kind != '.' && kind != '[')
			return true;
		if (!first && !parse_next(p))
			return false;
		bool index = !first && kind == '[';
		if (p->lex.now.kind != (index ? TOKEN_INT : TOKEN_WORD)) {
			source_error(p->source, p->lex.now.at, index ? "the index in offsetof() is a number" : "the name of a member is missing here");
			return false;
		}
		*last = node_new(p->source, index ? NODE_INT : NODE_WORD, p->lex.now.at);
		(*last)->name = p->lex.now.text;
		(*last)->value = p->lex.now.value;
		last = &(*last)->next;
		if (++n->n_args > 64) {
			source_error(p->source, p->lex.now.at, "this is nested too deep");
			return false;
		}
		if (!parse_next(p) || (index && !parse_want(p, ']', "the bracket ] of an index")))
			return false;
	}
}

/* sizeof(type or expression), offsetof(type or expression, member) */
static struct script_node *size_of(struct script_parser *p, struct token t)
{
	bool offset = !strcmp(t.text, "offsetof"), predicate = p->in_predicate;
	struct script_node *n = node_new(p->source, offset ? NODE_OFFSETOF : NODE_SIZEOF, t.at);
	p->in_predicate = false;
	bool ok = parse_next(p);
	if (ok && (is_type(p, true) || (offset && p->lex.now.kind == TOKEN_WORD)))
		ok = (n->written = parse_type_name(p));
	else
		ok = ok && (n->a = parse_expr(p));
	if (ok && offset)
		ok = parse_want(p, ',', "a comma and a member") && member_path(p, n);
	p->in_predicate = predicate;
	n->at = span_to(t.at, p->lex.now.at);
	return ok && parse_want(p, ')', offset ? "the bracket ) of offsetof" : "the bracket ) of sizeof") ? whole(p, n) : NULL;
}

/* str($1 + 2): the parameter's text from there on. */
static void cut_param(struct script_node *n)
{
	struct script_node *sum = n->args, *text;
	if (!sum || sum->kind != NODE_BINARY || sum->op != '+' || !sum->a->array || sum->b->kind != NODE_INT || (sum->a->kind != NODE_INT && sum->a->kind != NODE_STRING))
		return;
	text = sum->a;
	size_t skip = sum->b->value < text->len ? (size_t)sum->b->value : text->len;
	text->name = text->name ? text->name + skip : NULL;
	text->len -= skip;
	text->next = sum->next;
	n->args = text;
}

static struct script_node *word(struct script_parser *p)
{
	struct token t = p->lex.now;
	struct script_node *n = node_new(p->source, NODE_WORD, t.at);
	bool ok;
	n->name = t.text;
	if (!parse_next(p))
		return NULL;
	if (p->lex.now.kind != '(')
		return n;
	if (!strcmp(t.text, "sizeof") || !strcmp(t.text, "offsetof"))
		return size_of(p, t);
	n->kind = NODE_CALL;
	if (!parse_next(p))
		return NULL;
	n->args = parse_args(p, ')', &n->n_args, &ok);
	if (ok && !strcmp(t.text, "str"))
		cut_param(n);
	if (ok && !strcmp(t.text, "getopt"))
		return parse_getopt(p, n);
	return ok ? whole(p, n) : NULL;
}

static struct script_node *map(struct script_parser *p)
{
	struct token t = p->lex.now;
	struct script_node *n = node_new(p->source, NODE_MAP, t.at);
	bool ok = true;
	n->name = t.text;
	if (!parse_next(p))
		return NULL;
	if (p->lex.now.kind == '[') {
		struct span open = p->lex.now.at;
		if (!parse_next(p))
			return NULL;
		n->args = parse_args(p, ']', &n->n_args, &ok);
		if (ok && !n->n_args) {
			source_error(p->source, open, "there is no key between the brackets");
			return NULL;
		}
	}
	return ok ? whole(p, n) : NULL;
}

/* (a), (a, b), (uint32)a */
static struct script_node *bracket(struct script_parser *p)
{
	struct span at = p->lex.now.at;
	bool ok;
	if (!parse_next(p))
		return NULL;
	if (is_type(p, false)) {
		struct script_node *n = node_new(p->source, NODE_CAST, at);
		if (!(n->written = parse_type_name(p)) || !parse_want(p, ')', "the bracket ) of a cast"))
			return NULL;
		n->a = unary(p);
		if (n->a)
			n->at = span_to(at, n->a->at);
		return n->a ? whole(p, n) : NULL;
	}
	struct script_node *n = node_new(p->source, NODE_TUPLE, at);
	n->args = parse_args(p, ')', &n->n_args, &ok);
	if (!ok)
		return NULL;
	if (!n->n_args) {
		source_error(p->source, at, "there is nothing between the brackets");
		return NULL;
	}
	return n->n_args == 1 ? n->args : whole(p, n);
}

/* $1: a number where it is one, else its text; one that was not given is 0. */
static struct script_node *param(struct script_parser *p, struct token t)
{
	struct script_node *n = node_new(p->source, NODE_INT, t.at);
	const char *text = p->params && t.value && t.value <= p->params->n ? p->params->at[t.value - 1] : NULL;
	int64_t v = 0;
	if (t.kind == TOKEN_PARAMS) {
		n->value = p->params ? p->params->n : 0;
	} else if (text && !parse_s64(text, &v)) {
		n->value = (uint64_t)v;
		n->op = v < 0 ? '-' : 0; /* as a folded one: it is not a large one */
	} else if (text) {
		n->kind = NODE_STRING;
	}
	n->name = text;
	n->len = text ? strlen(text) : 0;
	n->array = t.kind == TOKEN_PARAM;
	return n;
}

static struct script_node *primary(struct script_parser *p)
{
	struct token t = p->lex.now;
	struct script_node *n;
	switch (t.kind) {
	case TOKEN_INT:
		n = node_new(p->source, NODE_INT, t.at);
		n->value = t.value;
		break;
	case TOKEN_STRING:
		n = node_new(p->source, NODE_STRING, t.at);
		n->name = t.text;
		n->len = t.len;
		break;
	case TOKEN_VAR:
		n = node_new(p->source, NODE_VAR, t.at);
		n->name = t.text;
		break;
	case TOKEN_PARAM:
		if (!t.value) {
			source_error(p->source, t.at, "the first parameter is $1");
			return NULL;
		}
		/* fallthrough */
	case TOKEN_PARAMS:
		n = param(p, t);
		break;
	case TOKEN_MAP: return map(p);
	case TOKEN_WORD: return word(p);
	case '(': return bracket(p);
	case '{': return parse_block_value(p);
	default:
		source_error(p->source, t.at, t.kind == TOKEN_END ? "the script ends where a value should be" : "a value should be here");
		return NULL;
	}
	return parse_next(p) ? n : NULL;
}

static struct script_node *member(struct script_parser *p, struct script_node *a)
{
	struct token t;
	struct script_node *n;
	if (!parse_next(p))
		return NULL;
	t = p->lex.now;
	if (t.kind == TOKEN_INT) {
		n = node_new(p->source, NODE_ITEM, span_to(a->at, t.at));
		n->value = t.value;
	} else if (t.kind == TOKEN_WORD) {
		n = node_new(p->source, NODE_FIELD, span_to(a->at, t.at));
		n->name = t.text;
	} else {
		source_error(p->source, t.at, "the name of a member should be here");
		return NULL;
	}
	n->a = a;
	return parse_next(p) ? whole(p, n) : NULL;
}

static struct script_node *step(struct script_parser *p, struct script_node *a, int token, bool before, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_STEP, at);
	n->op = token == TOKEN_INC ? '+' : '-';
	n->before = before;
	n->a = a;
	if (a->kind == NODE_VAR || a->kind == NODE_MAP)
		return whole(p, n);
	source_error(p->source, a->at, "only a variable ($x) or a map (@x) can be stepped");
	return NULL;
}

static struct script_node *index_of(struct script_parser *p, struct script_node *a)
{
	struct script_node *n = node_new(p->source, NODE_ITEM, a->at);
	n->a = a;
	n->array = true;
	if (!parse_next(p) || !(n->b = parse_expr(p)) || !parse_want(p, ']', "the bracket ] of an index"))
		return NULL;
	return whole(p, n);
}

static struct script_node *postfix(struct script_parser *p)
{
	struct script_node *n = primary(p);
	while (n) {
		struct token t = p->lex.now;
		if (t.kind == '.' || t.kind == TOKEN_ARROW) {
			n = member(p, n);
		} else if (t.kind == '[') {
			n = index_of(p, n);
		} else if (t.kind == TOKEN_INC || t.kind == TOKEN_DEC) {
			n = parse_next(p) ? step(p, n, t.kind, true, span_to(n->at, t.at)) : NULL;
		} else {
			break;
		}
	}
	return n;
}

static struct script_node *unary_inner(struct script_parser *p)
{
	struct token t = p->lex.now;
	if (t.kind == TOKEN_INC || t.kind == TOKEN_DEC) {
		struct script_node *a = parse_next(p) ? unary(p) : NULL;
		return a ? step(p, a, t.kind, false, span_to(t.at, a->at)) : NULL;
	}
	if (!strchr("-!~*&", t.kind) || !t.kind || t.kind > 255)
		return postfix(p);
	struct script_node *n = node_new(p->source, NODE_UNARY, t.at);
	n->op = t.kind;
	if (!parse_next(p) || !(n->a = unary(p)))
		return NULL;
	n->at = span_to(t.at, n->a->at);
	return whole(p, n);
}

static struct script_node *unary(struct script_parser *p)
{
	struct script_node *n = parse_deeper(p) ? unary_inner(p) : NULL;
	p->depth--;
	return n;
}

static int rank(const struct script_parser *p, int token)
{
	switch (token) {
	case TOKEN_OR: return 1;
	case TOKEN_AND: return 2;
	case '|': return 3;
	case '^': return 4;
	case '&': return 5;
	case TOKEN_EQ: case TOKEN_NE: return 6;
	case '<': case '>': case TOKEN_LE: case TOKEN_GE: return 7;
	case TOKEN_SHL: case TOKEN_SHR: return 8;
	case '+': case '-': return 9;
	case '*': case '%': return 10;
	case '/': return p->in_predicate ? 0 : 10;
	default: return 0;
	}
}

static struct script_node *binary(struct script_parser *p, int least)
{
	struct script_node *a = unary(p);
	for (int r; a && (r = rank(p, p->lex.now.kind)) >= least && r;) {
		struct script_node *n = node_new(p->source, NODE_BINARY, a->at);
		bool maybe = p->lex.now.kind == TOKEN_AND || p->lex.now.kind == TOKEN_OR;
		n->op = p->lex.now.kind;
		n->a = a;
		p->maybe += maybe;
		if (!parse_next(p) || !(n->b = binary(p, r + 1)))
			return NULL;
		p->maybe -= maybe;
		n->at = span_to(a->at, n->b->at);
		a = whole(p, n);
	}
	return error_pending() ? NULL : a;
}

static struct script_node *ternary(struct script_parser *p)
{
	struct script_node *a = binary(p, 1);
	if (!a || p->lex.now.kind != '?')
		return a;
	struct script_node *n = node_new(p->source, NODE_TERNARY, a->at);
	n->a = a;
	p->maybe++;
	if (!parse_next(p))
		return NULL;
	if (p->lex.now.kind == ':')
		n->b = a; /* a ?: b */
	else if (!(n->b = parse_expr(p)))
		return NULL;
	if (!parse_want(p, ':', "the colon of ?:") || !(n->c = parse_expr(p)))
		return NULL;
	p->maybe--;
	n->at = span_to(a->at, n->c->at);
	return whole(p, n);
}

struct script_node *parse_expr(struct script_parser *p)
{
	struct script_node *n = parse_deeper(p) ? ternary(p) : NULL;
	p->depth--;
	return n;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/front/parse.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/front/parse_inner.h"
#include "script/front/parse_type.h"
#include "script/front/preprocess.h"
#include "script/type.h"

enum { RECURSION = 200 };

static struct script_node *statements(struct script_parser *p, bool *ok);

bool parse_next(struct script_parser *p)
{
	return !lex_next(&p->lex);
}

bool parse_deeper(struct script_parser *p)
{
	if (p->depth++ < RECURSION)
		return true;
	source_error(p->source, p->lex.now.at, "this is nested more than %d deep", RECURSION);
	return false;
}

static bool parse_take(struct script_parser *p, int kind)
{
	return p->lex.now.kind == kind && parse_next(p);
}

bool parse_want(struct script_parser *p, int kind, const char *what)
{
	if (p->lex.now.kind == kind)
		return parse_next(p);
	if (!error_pending())
		source_error(p->source, p->lex.now.at, p->lex.now.kind == TOKEN_END ? "%s is missing at the end" : "%s is missing here", what);
	if (p->lex.now.kind == '=' && (kind == ')' || kind == '/' || kind == '{' || kind == ','))
		error_hint("== compares");
	return false;
}

static bool is_word(const struct script_parser *p, const char *word)
{
	return p->lex.now.kind == TOKEN_WORD && !strcmp(p->lex.now.text, word);
}

static struct script_node *block(struct script_parser *p, bool *ok)
{
	struct script_node *body = NULL;
	*ok = parse_deeper(p) && parse_want(p, '{', "a brace {");
	if (*ok)
		body = statements(p, ok);
	*ok = *ok && parse_want(p, '}', "the brace } of a block");
	p->depth--;
	return body;
}

static bool adopt_list(struct script_parser *p, struct script_node *parent, const struct script_node *list)
{
	for (; list; list = list->next)
		if (!node_adopt(p->source, parent, list))
			return false;
	return true;
}

static struct script_node *if_statement(struct script_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_IF, at);
	bool ok;
	n->a = parse_expr(p);
	if (!n->a)
		return NULL;
	n->body = block(p, &ok);
	if (ok && is_word(p, "else")) {
		ok = parse_next(p);
		struct span other = p->lex.now.at;
		if (ok && is_word(p, "if")) {
			p->maybe++;
			ok = parse_deeper(p) && parse_next(p) && (n->other = if_statement(p, other));
			p->maybe--;
			p->depth--;
		} else if (ok) {
			n->other = block(p, &ok);
		}
	}
	ok = ok && node_adopt(p->source, n, n->a) && adopt_list(p, n, n->body) && adopt_list(p, n, n->other);
	return ok ? n : NULL;
}

static struct script_node *unroll(struct script_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_UNROLL, at);
	bool ok;
	n->a = parse_expr(p);
	if (!n->a)
		return NULL;
	n->body = block(p, &ok);
	return ok && node_adopt(p->source, n, n->a) && adopt_list(p, n, n->body) ? n : NULL;
}

static struct script_node *while_statement(struct script_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_WHILE, at);
	bool ok;
	p->maybe++;
	n->a = parse_expr(p);
	p->maybe--;
	if (!n->a)
		return NULL;
	n->body = block(p, &ok);
	return ok && node_adopt(p->source, n, n->a) && adopt_list(p, n, n->body) ? n : NULL;
}

/* for ($i : 0..10) and for ($kv : @m), with or without brackets */
static struct script_node *for_statement(struct script_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_EACH, at);
	bool bracket = p->lex.now.kind == '(', ok = true;
	if (bracket && !parse_next(p))
		return NULL;
	if (p->lex.now.kind != TOKEN_VAR) {
		source_error(p->source, p->lex.now.at, "the variable of the loop should be here");
		error_hint("for ($i : 0..10) { ... } counts, for ($kv : @map) { ... } goes through a map");
		return NULL;
	}
	n->a = node_new(p->source, NODE_VAR, p->lex.now.at);
	n->a->name = p->lex.now.text;
	if (!parse_next(p))
		return NULL;
	if (p->lex.now.kind != ':') {
		source_error(p->source, p->lex.now.at, "the colon of a for loop is missing here");
		error_hint("for ($%s : 0..10) { ... } counts, for ($kv : @map) { ... } goes through a map", n->a->name);
		return NULL;
	}
	if (!parse_next(p) || !(n->b = parse_expr(p)))
		return NULL;
	if (n->b->kind != NODE_MAP || n->b->n_args || p->lex.now.kind == TOKEN_RANGE)
		ok = parse_want(p, TOKEN_RANGE, "the .. of a range, from..to,") && (n->c = parse_expr(p));
	ok = ok && (!bracket || parse_want(p, ')', "the bracket ) of a for loop"));
	if (ok)
		n->body = block(p, &ok);
	ok = ok && node_adopt(p->source, n, n->b) && node_adopt(p->source, n, n->c) && adopt_list(p, n, n->body);
	return ok ? n : NULL;
}

/* The operator of an assignment; 0: plain; -1: it is none. */
static int assignment(int token)
{
	static const struct { int token, op; } ops[] = {
		{ '=', 0 }, { TOKEN_ADD_TO, '+' }, { TOKEN_SUB_TO, '-' }, { TOKEN_MUL_TO, '*' }, { TOKEN_DIV_TO, '/' }, { TOKEN_MOD_TO, '%' },
		{ TOKEN_AND_TO, '&' }, { TOKEN_OR_TO, '|' }, { TOKEN_XOR_TO, '^' }, { TOKEN_SHL_TO, TOKEN_SHL }, { TOKEN_SHR_TO, TOKEN_SHR },
	};
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i].token == token)
			return ops[i].op;
	return -1;
}

/* A string has the room that it needs: "string" and "string[64]" say no more than that it is one. */
static bool declared_type(struct script_parser *p, struct script_node *n)
{
	if (!is_word(p, "string"))
		return (n->written = parse_type_name(p));
	n->array = true;
	return parse_next(p) && (p->lex.now.kind != '[' || (parse_next(p) && parse_want(p, TOKEN_INT, "the size of a string") && parse_want(p, ']', "the bracket ]")));
}

/* let $x, let $x = 1, let $x: uint32 = 1 */
static struct script_node *let_statement(struct script_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_LET, at);
	if (p->lex.now.kind != TOKEN_VAR) {
		source_error(p->source, p->lex.now.at, "a variable ($x) follows let");
		return NULL;
	}
	n->a = node_new(p->source, NODE_VAR, p->lex.now.at);
	n->a->name = p->lex.now.text;
	n->let = true;
	if (!parse_next(p) || (p->lex.now.kind == ':' && !(parse_next(p) && declared_type(p, n))))
		return NULL;
	if (p->lex.now.kind == '=') {
		n->kind = NODE_ASSIGN;
		if (!parse_next(p) || !(n->b = parse_expr(p)))
			return NULL;
		n->at = span_to(at, n->b->at);
	}
	return node_adopt(p->source, n, n->a) && node_adopt(p->source, n, n->b) ? n : NULL;
}

/* `_ = f()`: what is assigned there is not kept. */
static struct script_node *nowhere(struct script_parser *p)
{
	if (!parse_next(p) || !parse_want(p, '=', "the = behind _"))
		return NULL;
	return parse_expr(p);
}

static struct script_node *return_statement(struct script_parser *p, struct span at)
{
	struct script_node *n = node_new(p->source, NODE_RETURN, at);
	if (p->lex.now.kind == ';' || p->lex.now.kind == '}' || p->lex.now.kind == TOKEN_END)
		return n;
	n->a = parse_expr(p); /* what it is nobody asks */
	return n->a && node_adopt(p->source, n, n->a) ? n : NULL;
}

static struct script_node *assign_or_expr(struct script_parser *p)
{
	struct span at = p->lex.now.at;
	struct script_node *a = is_word(p, "_") ? nowhere(p) : parse_expr(p);
	if (!a)
		return NULL;
	int op = assignment(p->lex.now.kind);
	struct script_node *n = node_new(p->source, op < 0 ? NODE_EXPR : NODE_ASSIGN, at);
	n->a = a;
	if (op >= 0) {
		n->op = op;
		if (a->kind != NODE_VAR && a->kind != NODE_MAP) {
			source_error(p->source, a->at, "only a variable ($x) or a map (@x) can be assigned to");
			return NULL;
		}
		if (!parse_next(p) || !(n->b = parse_expr(p)))
			return NULL;
		n->at = span_to(at, n->b->at);
	}
	return node_adopt(p->source, n, n->a) && node_adopt(p->source, n, n->b) ? n : NULL;
}

static struct script_node *statement(struct script_parser *p)
{
	static const struct { const char *word; enum node_kind kind; } bare[] = {
		{ "break", NODE_BREAK }, { "continue", NODE_CONTINUE } };
	static const struct { const char *word; struct script_node *(*parse)(struct script_parser *p, struct span at); } heads[] = {
		{ "if", if_statement }, { "unroll", unroll }, { "while", while_statement }, { "for", for_statement }, { "let", let_statement },
		{ "return", return_statement } };
	struct span at = p->lex.now.at;
	bool ok;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (is_word(p, heads[i].word))
			return parse_next(p) ? heads[i].parse(p, at) : NULL;
	for (size_t i = 0; i < sizeof(bare) / sizeof(bare[0]); i++)
		if (is_word(p, bare[i].word))
			return parse_next(p) ? node_new(p->source, bare[i].kind, at) : NULL;
	if (p->lex.now.kind == '{') {
		struct script_node *n = node_new(p->source, NODE_BLOCK, at);
		n->body = block(p, &ok);
		return ok && adopt_list(p, n, n->body) ? n : NULL;
	}
	return assign_or_expr(p);
}

static bool ends_itself(const struct script_node *n)
{
	return n->kind == NODE_IF || n->kind == NODE_UNROLL || n->kind == NODE_WHILE || n->kind == NODE_EACH || n->kind == NODE_BLOCK;
}

/* The statements of a value that is a block are run before the statement that it is in. */
struct script_node *parse_block_value(struct script_parser *p)
{
	struct span at = p->lex.now.at;
	struct script_node **before = p->before;
	bool ok;
	struct script_node *n = block(p, &ok), *list = n;
	while (ok && n && n->next)
		n = n->next;
	if (!ok || !n || n->kind != NODE_EXPR) {
		if (ok)
			source_error(p->source, at, "this block has no value: its last part is to be an expression");
		return NULL;
	}
	if (list != n && (!before || p->maybe)) {
		source_later(p->source, at, "statements in a value that may not be asked for (behind &&, || and ?:, in else if, while, a predicate)");
		return NULL;
	}
	for (struct script_node *i = list, *next; i != n; i = next) {
		next = i->next;
		i->next = NULL;
		while (*before)
			before = &(*before)->next;
		*before = i;
	}
	return n->a;
}

/* A statement, behind those that it needs to have run before. The last of them; NULL: pending error. */
static struct script_node *with_before(struct script_parser *p, struct script_node **at)
{
	struct script_node **before = p->before;
	unsigned maybe = p->maybe;
	p->before = at;
	p->maybe = 0;
	struct script_node *n = statement(p);
	p->before = before;
	p->maybe = maybe;
	while (n && *at)
		at = &(*at)->next;
	*at = n;
	return n;
}

static struct script_node *statements(struct script_parser *p, bool *ok)
{
	struct script_node *first = NULL, **last = &first;
	*ok = false;
	while (p->lex.now.kind != '}' && p->lex.now.kind != TOKEN_END) {
		if (p->lex.now.kind == ';') {
			if (!parse_next(p))
				return NULL;
			continue;
		}
		struct script_node *n = with_before(p, last);
		if (!n)
			return NULL;
		last = &n->next;
		if (p->lex.now.kind != '}' && !ends_itself(n) && !parse_want(p, ';', "a semicolon"))
			return NULL;
	}
	*ok = true;
	return first;
}

/* ---- probes ---- */

/* $1 in the word of a probe is the parameter's text. NULL: it was not given. */
static const char *with_params(struct script_parser *p, const struct token *t)
{
	struct str s = STR_INIT;
	for (const char *c = t->text; *c; c++) {
		if (*c != '$' || c[1] < '1' || c[1] > '9') {
			str_addc(&s, *c);
			continue;
		}
		char *end;
		unsigned long n = strtoul(c + 1, &end, 10);
		if (!p->params || n > p->params->n) {
			str_release(&s);
			source_error(p->source, t->at, "the parameter $%lu was not given", n);
			error_hint("parameters stand behind the script: sonde run FILE FIRST SECOND");
			return NULL;
		}
		str_add(&s, p->params->at[n - 1]);
		c = end - 1;
	}
	const char *text = arena_text(&p->source->memory, s.buf, s.len);
	str_release(&s);
	return text;
}

static bool attach_points(struct script_parser *p, struct probe *pr)
{
	struct attach **last = &pr->attach;
	do {
		struct token t;
		if (p->lex.now.kind == '{' || p->lex.now.kind == '/' || p->lex.now.kind == TOKEN_END) {
			source_error(p->source, p->lex.now.at, "a probe is missing here");
			error_hint("a block stands behind its probe: tracepoint:sched:sched_switch { @ = count() }");
			return false;
		}
		if (lex_probe(&p->lex, &t))
			return false;
		const char *text = with_params(p, &t);
		if (!text)
			return false;
		*last = arena_get(&p->source->memory, sizeof(**last));
		**last = (struct attach){ .text = text, .at = t.at };
		last = &(*last)->next;
	} while (parse_take(p, ','));
	return !error_pending();
}

/* What stands at the top of a script and is no probe. */
static int other_top(struct script_parser *p)
{
	static const struct { const char *word, *what; } later[] = {
		{ "fn", "a function" }, { "import", "an import" } };
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		if (is_word(p, later[i].word))
			return source_later(p->source, p->lex.now.at, later[i].what);
	return 0;
}

/* config = { name = value; ... } */
static bool config(struct script_parser *p)
{
	struct config_line **last = &p->source->config;
	while (*last)
		last = &(*last)->next;
	if (!parse_next(p) || !parse_want(p, '=', "the = of a config block") || !parse_want(p, '{', "a brace {"))
		return false;
	while (p->lex.now.kind != '}') {
		struct config_line *c = arena_get(&p->source->memory, sizeof(*c));
		c->name = p->lex.now.text;
		c->at = p->lex.now.at;
		if (!parse_want(p, TOKEN_WORD, "the name of a setting") || !parse_want(p, '=', "the = of a setting"))
			return false;
		struct token v = p->lex.now;
		if (v.kind != TOKEN_INT && v.kind != TOKEN_STRING && v.kind != TOKEN_WORD)
			return !source_error(p->source, v.at, "the value of a setting is a number, a string or a word");
		c->value = v.kind == TOKEN_INT ? arena_text(&p->source->memory, p->source->text + v.at.at, v.at.len) : v.text;
		c->at = span_to(c->at, v.at);
		*last = c;
		last = &c->next;
		if (!parse_next(p) || (p->lex.now.kind != '}' && !parse_want(p, ';', "a semicolon")))
			return false;
	}
	return parse_next(p);
}

/* let @m = lruhash(100); */
static bool let_map(struct script_parser *p)
{
	struct map_kind_line *m = arena_get(&p->source->memory, sizeof(*m));
	if (!parse_next(p))
		return false;
	m->name = p->lex.now.text;
	m->at = p->lex.now.at;
	if (!parse_want(p, TOKEN_MAP, "the map that is declared") || !parse_want(p, '=', "the = of a map"))
		return false;
	m->kind = p->lex.now.text;
	m->at = span_to(m->at, p->lex.now.at);
	if (!parse_want(p, TOKEN_WORD, "the kind of a map, such as lruhash(100),") || !parse_want(p, '(', "a bracket ( with how many entries"))
		return false;
	m->entries = p->lex.now.value;
	if (p->lex.now.kind == TOKEN_INT && !parse_next(p))
		return false;
	m->next = p->source->kinds;
	p->source->kinds = m;
	return parse_want(p, ')', "the bracket ) of a map") && (p->lex.now.kind != ';' || parse_next(p));
}

static struct probe *probe(struct script_parser *p)
{
	struct probe *pr = arena_get(&p->source->memory, sizeof(*pr));
	bool ok;
	pr->at = p->lex.now.at;
	if (other_top(p) || !attach_points(p, pr))
		return NULL;
	if (p->lex.now.kind == '/') {
		p->in_predicate = true;
		ok = parse_next(p) && (pr->predicate = parse_expr(p));
		p->in_predicate = false;
		if (!ok || !parse_want(p, '/', "the slash behind the predicate"))
			return NULL;
	}
	if (p->lex.now.kind != '{') {
		if (!error_pending())
			source_error(p->source, p->lex.now.at, p->lex.now.kind == TOKEN_END ? "a brace { is missing at the end" : "a brace { is missing here");
		error_hint("a block stands behind its probe: BEGIN { ... }, tracepoint:sched:sched_switch { @ = count() }");
		return NULL;
	}
	pr->body = block(p, &ok);
	return ok ? pr : NULL;
}

int parse_script(struct script_source *s, const struct params *params, struct probe **probes)
{
	struct script_parser p = { .source = s, .params = params };
	struct probe **last = probes;
	*probes = NULL;
	error_clear();
	if (lex_begin(&p.lex, s))
		return error_code();
	while (p.lex.now.kind != TOKEN_END) {
		if (parse_is_declaration(&p)) {
			if (!parse_declaration(&p))
				return error_code();
			while (parse_take(&p, ';'))
				;
			continue;
		}
		if (is_word(&p, "config")) {
			if (!config(&p))
				return error_code();
			continue;
		}
		if (is_word(&p, "let")) {
			if (!let_map(&p))
				return error_code();
			continue;
		}
		if (is_word(&p, "macro")) {
			if (macro_declare(&p.lex))
				return error_code();
			continue;
		}
		if (!(*last = probe(&p)))
			return error_code();
		last = &(*last)->next;
	}
	if (*probes && parse_unasked(params, s))
		return error_code();
	if (!*probes) {
		source_error(s, (struct span){ 0, 1 }, "there is no probe in the script");
		return error_hint("for example: sonde run -e 'tracepoint:raw_syscalls:sys_enter { @[comm] = count() }'");
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/interp/interp.h"
#include <errno.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/interp/inner.h"
#include "script/stap/parse/lex.h"
#include "script/type.h"

enum { ROOM = 64 << 10, CALLS_DEEP = 200, ARGS_MOST = 32 };

struct interp_value interp_fail(struct interp *ip, const struct script_node *n, const char *fmt, ...)
{
	va_list ap;
	struct str s = STR_INIT;
	if (!error_pending()) {
		va_start(ap, fmt);
		str_vaddf(&s, fmt, ap);
		va_end(ap);
		source_error(ip->source, n->at, "%s", s.buf);
	}
	str_release(&s);
	return (struct interp_value){ 0 };
}

void *interp_room(struct interp *ip, size_t n)
{
	n = (n + 15) & ~(size_t)15;
	if (!ip->room)
		ip->room = xmalloc(ROOM);
	if (ip->room_used + n > ROOM)
		return arena_get(&ip->scratch, n);
	void *p = ip->room + ip->room_used;
	ip->room_used += n;
	memset(p, 0, n);
	return p;
}

struct interp_value interp_text(struct interp *ip, const char *p, size_t n)
{
	size_t most = ip->text_max ? ip->text_max : VALUE_TEXT_MAX;
	n = n < most ? n : most;
	char *t = interp_room(ip, n + 1);
	if (n)
		memcpy(t, p, n);
	return value_text(t, n);
}

int64_t interp_number(const struct interp_value *v)
{
	return v->kind == VALUE_NUMBER ? v->number : 0;
}

const char *interp_string(struct interp *ip, const struct interp_value *v, size_t *len)
{
	if (v->kind == VALUE_NUMBER) {
		char buf[24];
		int n = snprintf(buf, sizeof(buf), "%lld", (long long)v->number);
		*len = (size_t)n;
		return interp_text(ip, buf, *len).text;
	}
	*len = v->len;
	return v->text ? v->text : "";
}

char *interp_dup(struct interp *ip, const struct interp_value *v)
{
	size_t len;
	const char *t = interp_string(ip, v, &len);
	return xstrndup(t, len);
}

/* ---- operators ---- */

static struct interp_value concat(struct interp *ip, const struct interp_value *a, const struct interp_value *b)
{
	size_t x, y;
	const char *p = interp_string(ip, a, &x), *q = interp_string(ip, b, &y);
	size_t most = ip->text_max ? ip->text_max : VALUE_TEXT_MAX;
	char *t = interp_room(ip, x + y + 1);
	memcpy(t, p, x);
	memcpy(t + x, q, y);
	return value_text(t, x + y < most ? x + y : most);
}

static int64_t divide(struct interp *ip, const struct script_node *n, int op, uint64_t a, uint64_t b, bool is_signed)
{
	if (!b) {
		if (!ip->zero_divides)
			interp_fail(ip, n, "division by 0");
		return op == '%' && ip->zero_divides ? (int64_t)a : 0;
	}
	if (!is_signed)
		return (int64_t)(op == '/' ? a / b : a % b);
	if ((int64_t)b == -1)
		return op == '/' ? (int64_t)-a : 0;
	return op == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b;
}

static bool is_unsigned(const struct script_node *n)
{
	return n && n->type && n->type->kind == TYPE_INT && !n->type->is_signed;
}

static int64_t compute(struct interp *ip, const struct script_node *n, int op, int64_t x, int64_t y)
{
	uint64_t a = (uint64_t)x, b = (uint64_t)y;
	bool is_signed = !is_unsigned(n->a);
	switch (op) {
	case '+': return (int64_t)(a + b);
	case '-': return (int64_t)(a - b);
	case '*': return (int64_t)(a * b);
	case '&': return (int64_t)(a & b);
	case '|': return (int64_t)(a | b);
	case '^': return (int64_t)(a ^ b);
	case TOKEN_SHL: return (int64_t)(a << (b & 63));
	case TOKEN_SHR: return is_signed ? x >> (b & 63) : (int64_t)(a >> (b & 63));
	case STAP_USHR: return (int64_t)(a >> (b & 63));
	default: return divide(ip, n, op, a, b, is_signed);
	}
}

static bool is_comparison(int op)
{
	return op == TOKEN_EQ || op == TOKEN_NE || op == '<' || op == '>' || op == TOKEN_LE || op == TOKEN_GE;
}

static bool compares(const struct script_node *n, const struct interp_value *a, const struct interp_value *b)
{
	int c = value_compare(a, b);
	if (a->kind != VALUE_TEXT && b->kind != VALUE_TEXT && is_unsigned(n->a) && is_unsigned(n->b))
		c = (uint64_t)a->number < (uint64_t)b->number ? -1 : (uint64_t)a->number > (uint64_t)b->number;
	switch (n->op) {
	case TOKEN_EQ: return !c;
	case TOKEN_NE: return c;
	case '<': return c < 0;
	case '>': return c > 0;
	case TOKEN_LE: return c <= 0;
	default: return c >= 0;
	}
}

static struct interp_value matches(struct interp *ip, const struct script_node *n, const struct interp_value *a, const struct interp_value *b)
{
	regex_t re;
	char *text = interp_dup(ip, a), *pattern = interp_dup(ip, b);
	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB)) {
		free(text);
		free(pattern);
		return interp_fail(ip, n->b, "this is no regular expression");
	}
	bool yes = !regexec(&re, text, 0, NULL, 0);
	regfree(&re);
	free(text);
	free(pattern);
	return value_number(yes == (n->op == STAP_MATCH));
}

static struct interp_value binary(struct interp *ip, struct script_node *n)
{
	struct interp_value a = interp_eval(ip, n->a);
	if (n->op == TOKEN_AND && !error_pending() && !interp_number(&a))
		return value_number(0);
	if (n->op == TOKEN_OR && !error_pending() && interp_number(&a))
		return value_number(1);
	struct interp_value b = interp_eval(ip, n->b);
	if (error_pending())
		return (struct interp_value){ 0 };
	if (n->op == TOKEN_AND || n->op == TOKEN_OR)
		return value_number(interp_number(&b) != 0);
	if (n->op == '.')
		return concat(ip, &a, &b);
	if (n->op == STAP_MATCH || n->op == STAP_NO_MATCH)
		return matches(ip, n, &a, &b);
	if (is_comparison(n->op))
		return value_number(compares(n, &a, &b));
	if (a.kind == VALUE_TEXT || b.kind == VALUE_TEXT)
		return interp_fail(ip, a.kind == VALUE_TEXT ? n->a : n->b, "this is a string, and numbers are computed with");
	return value_number(compute(ip, n, n->op, interp_number(&a), interp_number(&b)));
}

static struct interp_value unary(struct interp *ip, struct script_node *n)
{
	struct interp_value a = interp_eval(ip, n->a);
	int64_t v = interp_number(&a);
	if (a.kind == VALUE_TEXT)
		return interp_fail(ip, n->a, "this is a string, and numbers are computed with");
	return value_number(n->op == '-' ? (int64_t)-(uint64_t)v : n->op == '~' ? ~v : !v);
}

static struct interp_value cast(struct interp *ip, struct script_node *n)
{
	struct interp_value a = interp_eval(ip, n->a);
	if (!n->type || n->type->kind != TYPE_INT || n->type->size >= 8 || !n->type->size)
		return a;
	unsigned bits = 64 - n->type->size * 8;
	uint64_t v = (uint64_t)interp_number(&a) << bits;
	return value_number(n->type->is_signed ? (int64_t)v >> bits : (int64_t)(v >> bits));
}

/* ---- variables ---- */

static bool interp_keys(struct interp *ip, struct script_node *n, struct interp_value *key)
{
	unsigned k = 0;
	struct interp_global *g = &ip->globals[n->value];
	for (struct script_node *i = n->args; i && k < VALUE_KEYS && !error_pending(); i = i->next)
		key[k++] = interp_eval(ip, i);
	if (!g->items.n_keys)
		g->items.n_keys = k;
	else if (g->items.n_keys != k && !error_pending())
		interp_fail(ip, n, "%s has %u keys", g->name, g->items.n_keys);
	return !error_pending();
}

/* The cell of a variable or an element. make: it is there then, or an error is pending. */
struct interp_cell *interp_cell_of(struct interp *ip, struct script_node *n, bool make)
{
	struct interp_global *g = &ip->globals[n->value];
	struct interp_value key[VALUE_KEYS];
	if (!g->array)
		return &g->cell;
	if (!n->args) {
		interp_fail(ip, n, "%s is an array", g->name);
		return NULL;
	}
	if (!interp_keys(ip, n, key))
		return NULL;
	struct interp_cell *c = array_find(&g->items, key);
	if (c || !make)
		return c;
	if (g->limit && g->items.live >= g->limit) {
		if (!g->wrap) {
			interp_fail(ip, n, "Array overflow, %s has room for %zu entries", g->name, g->limit);
			error_hint("-DMAXMAPENTRIES=%zu makes more, and so does global %s[%zu]", g->limit * 8, g->name, g->limit * 8);
			return NULL;
		}
		array_delete(&g->items, array_oldest(&g->items));
	}
	return array_make(&g->items, key);
}

static struct interp_value variable(struct interp *ip, struct script_node *n)
{
	if (n->kind == NODE_LOCAL)
		return ip->locals[n->value];
	const struct interp_cell *c = interp_cell_of(ip, n, false);
	return c ? c->value : (struct interp_value){ 0 };
}

static void store(struct interp *ip, struct script_node *to, struct interp_value v)
{
	if (error_pending())
		return;
	if (to->kind == NODE_LOCAL) {
		/* a text of a global would go with the next change of that global */
		ip->locals[to->value] = v.kind == VALUE_TEXT ? interp_text(ip, v.text ? v.text : "", v.len) : v;
		return;
	}
	struct interp_cell *c = interp_cell_of(ip, to, true);
	if (c)
		cell_set(c, v);
}

static struct interp_value assign(struct interp *ip, struct script_node *n)
{
	struct interp_value v = interp_eval(ip, n->b);
	if (n->op && !error_pending()) {
		struct interp_value was = variable(ip, n->a);
		if (n->op == '.')
			v = concat(ip, &was, &v);
		else if (v.kind == VALUE_TEXT || was.kind == VALUE_TEXT)
			v = interp_fail(ip, n, "only numbers can be computed with");
		else
			v = value_number(compute(ip, n, n->op, interp_number(&was), interp_number(&v)));
	}
	store(ip, n->a, v);
	return v;
}

static struct interp_value step(struct interp *ip, struct script_node *n)
{
	struct interp_value was = variable(ip, n->a);
	if (was.kind == VALUE_TEXT)
		return interp_fail(ip, n, "only a number can be stepped");
	struct interp_value now = value_number((int64_t)((uint64_t)interp_number(&was) + (n->op == '+' ? 1ull : -1ull)));
	store(ip, n->a, now);
	return n->before ? value_number(interp_number(&was)) : now;
}

static struct interp_value push(struct interp *ip, struct script_node *n)
{
	struct interp_value v = interp_eval(ip, n->b);
	struct interp_cell *c = error_pending() ? NULL : interp_cell_of(ip, n->a, true);
	if (!c)
		return (struct interp_value){ 0 };
	if (v.kind == VALUE_TEXT)
		return interp_fail(ip, n->b, "statistics are made of numbers");
	if (!c->statistics)
		c->statistics = xcalloc(1, sizeof(*c->statistics));
	statistics_add(c->statistics, &ip->globals[n->a->value].form, interp_number(&v));
	return v;
}

static struct statistics *interp_statistics(struct interp *ip, struct script_node *n)
{
	const struct interp_cell *c = interp_cell_of(ip, n, false);
	return c ? c->statistics : NULL;
}

static struct interp_value statistic(struct interp *ip, struct script_node *n)
{
	const struct statistics *s = interp_statistics(ip, n->a);
	int64_t v = 0;
	if (error_pending())
		return (struct interp_value){ 0 };
	if (!strcmp(n->name, "hist_log") || !strcmp(n->name, "hist_linear")) {
		struct str text = STR_INIT;
		if (n->name[5] == 'l' && n->name[6] == 'o')
			statistics_show_log(s, &text);
		else
			statistics_show_linear(s, &ip->globals[n->a->value].form, &text);
		char *t = interp_room(ip, text.len + 1);
		memcpy(t, text.buf, text.len);
		struct interp_value shown = value_text(t, text.len);
		str_release(&text);
		return shown;
	}
	if (!statistics_get(s, n->name, &v))
		return interp_fail(ip, n, "empty aggregate: there is no @%s of nothing", n->name);
	return value_number(v);
}

static struct interp_value in_array(struct interp *ip, struct script_node *n)
{
	struct interp_value key[VALUE_KEYS];
	if (!interp_keys(ip, n, key))
		return (struct interp_value){ 0 };
	return value_number(array_find(&ip->globals[n->value].items, key) != NULL);
}

/* ---- calls ---- */

static struct interp_value function(struct interp *ip, struct script_node *n)
{
	const struct interp_code *f = &ip->code[n->value];
	struct interp_value *mine = interp_room(ip, (f->n_locals + 1) * sizeof(*mine)), *theirs = ip->locals;
	unsigned k = 0;
	for (struct script_node *i = n->args; i && k < f->n_params; i = i->next)
		mine[k++] = interp_eval(ip, i);
	if (error_pending())
		return (struct interp_value){ 0 };
	if (ip->depth >= CALLS_DEEP)
		return interp_fail(ip, n, "%s() calls itself more than %d deep", f->name, CALLS_DEEP);
	ip->depth++;
	ip->locals = mine;
	ip->result = (struct interp_value){ 0 };
	enum interp_flow flow = interp_list(ip, f->body);
	if (flow == FLOW_NEXT)
		ip->leaving_block = true;
	ip->locals = theirs;
	ip->depth--;
	struct interp_value v = ip->result;
	ip->result = (struct interp_value){ 0 };
	return v;
}

static struct interp_value call(struct interp *ip, struct script_node *n)
{
	struct interp_value args[ARGS_MOST];
	const struct interp_call *c = ip->find ? ip->find(n->name) : NULL;
	unsigned k = 0;
	if (!c)
		return interp_fail(ip, n, "there is no function %s()", n->name);
	for (struct script_node *i = n->args; i && k < ARGS_MOST && !error_pending(); i = i->next)
		args[k++] = interp_eval(ip, i);
	return error_pending() ? (struct interp_value){ 0 } : c->run(ip, n, args, k);
}

static struct interp_value slot(struct interp *ip, const struct script_node *n)
{
	bool entry = n->op == 'e';
	const struct interp_value *from = entry ? ip->entry : ip->slots;
	return from && n->value < (entry ? ip->n_entry : ip->n_slots) ? from[n->value] : (struct interp_value){ 0 };
}

struct interp_value interp_eval(struct interp *ip, struct script_node *n)
{
	struct interp_value v;
	switch (n->kind) {
	case NODE_INT: return value_number((int64_t)n->value);
	case NODE_STRING: return value_text(n->name, n->len);
	case NODE_LOCAL:
	case NODE_MAP: return variable(ip, n);
	case NODE_SLOT: return slot(ip, n);
	case NODE_BINARY: return binary(ip, n);
	case NODE_UNARY: return unary(ip, n);
	case NODE_TERNARY:
		v = interp_eval(ip, n->a);
		return error_pending() ? v : interp_eval(ip, interp_number(&v) ? n->b : n->c);
	case NODE_ASSIGN: return assign(ip, n);
	case NODE_STEP: return step(ip, n);
	case NODE_PUSH: return push(ip, n);
	case NODE_STAT: return statistic(ip, n);
	case NODE_IN: return in_array(ip, n);
	case NODE_FUNCTION: return function(ip, n);
	case NODE_CALL: return call(ip, n);
	case NODE_CAST: return cast(ip, n);
	default: return interp_fail(ip, n, "this cannot be run here");
	}
}

/* ---- a run ---- */

void interp_begin(struct interp *ip)
{
	ip->room_used = 0;
	arena_release(&ip->scratch);
	ip->scratch = (struct arena){ 0 };
	ip->slots = ip->entry = NULL;
	ip->n_slots = ip->n_entry = 0;
	ip->locals = NULL;
	ip->steps = 0;
	ip->depth = 0;
	ip->leaving_block = false;
}

int interp_run_on(struct interp *ip, struct script_node *body, unsigned n_locals)
{
	ip->locals = interp_room(ip, (n_locals + 1) * sizeof(*ip->locals));
	interp_list(ip, body);
	return error_code();
}

void interp_global_release(struct interp_global *g)
{
	cell_clear(&g->cell);
	array_empty(&g->items);
}

void interp_release(struct interp *ip)
{
	arena_release(&ip->scratch);
	free(ip->room);
	str_release(&ip->out);
	ip->room = NULL;
}

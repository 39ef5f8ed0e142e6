// SPDX-License-Identifier: GPL-2.0-or-later
/* Tokens are copied from one list to another; what a condition leaves out is skipped with its own conditions, a macro's body is
 * read as if it stood there, with its parameters replaced. */
#include "script/stap/parse/pre.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"

enum { MACRO_PARAMS = 16, DEEP = 60, MOST = 1 << 20 };
struct macro {
	const char *name, *params[MACRO_PARAMS];
	unsigned n_params;
	const struct stap_token *body; size_t n;
};
struct pre {
	struct script_source *s;
	stap_tokens out;
	VEC(struct macro) macros;
	unsigned deep;
	size_t kept; /* tokens of macros */
};
struct input { const struct stap_token *t; size_t at, n; };

static int copy(struct pre *p, struct input *in, bool take, bool nested);

static const struct stap_token *now(const struct input *in)
{
	static const struct stap_token end = { .kind = TOKEN_END };
	return in->at < in->n ? &in->t[in->at] : &end;
}

/* ---- conditions ---- */

static int cmp_versions(const char *a, const char *b)
{
	while (*a || *b) {
		if (isdigit((unsigned char)*a) || isdigit((unsigned char)*b)) {
			unsigned long x = strtoul(a, (char **)&a, 10), y = strtoul(b, (char **)&b, 10);
			if (x != y)
				return x < y ? -1 : 1;
		} else if (*a != *b) {
			return !*a || !*b ? (*a ? 1 : -1) : *a < *b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return 0;
}

static bool holds(int op, int order)
{
	switch (op) {
	case TOKEN_EQ: return !order;
	case TOKEN_NE: return order;
	case '<': return order < 0;
	case '>': return order > 0;
	case TOKEN_LE: return order <= 0;
	default: return order >= 0;
	}
}

/* What a word of a condition is on this machine; NULL: it is none. Of its configuration only what goes without saying is known. */
static const char *value_of(const char *name)
{
	static struct utsname u;
	static char release[80];
	if (!strcmp(name, "kernel_v") || !strcmp(name, "kernel_vr")) {
		uname(&u);
		snprintf(release, sizeof(release), "%.64s", u.release);
		if (!strcmp(name, "kernel_v"))
			release[strcspn(release, "-+")] = 0;
		return release;
	}
	if (!strcmp(name, "arch")) {
		uname(&u);
		return u.machine;
	}
	if (!strcmp(name, "systemtap_v"))
		return "5.0";
	if (!strcmp(name, "systemtap_privilege"))
		return "stapdev";
	if (!strcmp(name, "runtime"))
		return "kernel";
	if (!strcmp(name, "guru_mode"))
		return "0";
	if (!strcmp(name, "CONFIG_64BIT") || !strcmp(name, "CONFIG_HAVE_HW_BREAKPOINT"))
		return "y"; /* of all kernels for these processors */
	return str_starts(name, "CONFIG_") ? "" : NULL;
}

static bool is_comparison(int k)
{
	return k == TOKEN_EQ || k == TOKEN_NE || k == '<' || k == '>' || k == TOKEN_LE || k == TOKEN_GE;
}

static int one_condition(struct pre *p, struct input *in, bool *yes)
{
	const struct stap_token *a = now(in);
	in->at++;
	const struct stap_token *op = now(in);
	if (!is_comparison(op->kind)) { /* a number, or whether a parameter was given */
		*yes = a->kind == TOKEN_INT ? a->value : a->kind == TOKEN_STRING;
		return 0;
	}
	in->at++;
	const struct stap_token *b = now(in);
	in->at++;
	if (a->kind == TOKEN_INT && b->kind == TOKEN_INT) {
		*yes = holds(op->kind, a->value < b->value ? -1 : a->value > b->value);
		return 0;
	}
	const char *known = a->kind == TOKEN_WORD ? value_of(a->text) : NULL;
	if (a->kind == TOKEN_WORD && !known && b->kind != TOKEN_WORD)
		return source_error(p->s, a->at, "the preprocessor does not know '%.40s'", a->text);
	const char *left = known ? known : a->text, *right = b->text;
	if (!left || !right) { /* of a parameter that was not given */
		*yes = op->kind == TOKEN_NE;
		return 0;
	}
	if (b->kind == TOKEN_STRING && glob_has(right) && (op->kind == TOKEN_EQ || op->kind == TOKEN_NE))
		*yes = glob_match(right, left) == (op->kind == TOKEN_EQ);
	else
		*yes = holds(op->kind, known ? cmp_versions(left, right) : strcmp(left, right));
	return 0;
}

static int condition(struct pre *p, struct input *in, bool *yes)
{
	bool all = true, any = false;
	int err = 0;
	for (;;) {
		bool one = false;
		err = one_condition(p, in, &one);
		if (err)
			return err;
		all &= one;
		int op = now(in)->kind;
		if (op == TOKEN_AND) {
			in->at++;
			continue;
		}
		any |= all;
		all = true;
		if (op != TOKEN_OR)
			break;
		in->at++;
	}
	*yes = any;
	if (now(in)->kind != STAP_THEN)
		return source_error(p->s, now(in)->at, "%%? is missing behind a condition of the preprocessor");
	in->at++;
	return 0;
}

static int choice(struct pre *p, struct input *in, bool take)
{
	const struct stap_token *open = now(in);
	bool yes = false;
	in->at++;
	int err = condition(p, in, &yes);
	if (!err)
		err = copy(p, in, take && yes, true);
	if (!err && now(in)->kind == STAP_ELSE) {
		in->at++;
		err = copy(p, in, take && !yes, true);
	}
	if (!err && now(in)->kind != STAP_CLOSE)
		return source_error(p->s, open->at, "this %%( has no %%)");
	in->at++;
	return err;
}

/* ---- macros ---- */

static const struct macro *macro_of(const struct pre *p, const char *name)
{
	for (size_t i = p->macros.n; i--;)
		if (!strcmp(p->macros.at[i].name, name))
			return &p->macros.at[i];
	return NULL;
}

/* @define name(a, b) %( body %) */
static int define(struct pre *p, struct input *in)
{
	struct macro m = { 0 };
	struct span at = now(in)->at;
	in->at++;
	if (now(in)->kind != TOKEN_WORD)
		return source_error(p->s, at, "a name follows @define");
	m.name = now(in)->text;
	in->at++;
	if (now(in)->kind == '(') {
		for (in->at++; now(in)->kind == TOKEN_WORD || now(in)->kind == ','; in->at++)
			if (now(in)->kind == TOKEN_WORD && m.n_params < MACRO_PARAMS)
				m.params[m.n_params++] = now(in)->text;
		in->at++;
	}
	if (now(in)->kind != STAP_PRE)
		return source_error(p->s, at, "the body of a macro stands between %%( and %%)");
	in->at++;
	size_t from = in->at;
	for (unsigned depth = 1; depth; in->at++) {
		if (now(in)->kind == TOKEN_END)
			return source_error(p->s, at, "this macro has no %%)");
		depth += now(in)->kind == STAP_PRE;
		depth -= now(in)->kind == STAP_CLOSE;
	}
	m.n = in->at - 1 - from;
	p->kept += m.n;
	if (p->kept > MOST)
		return source_error(p->s, at, "macros grow without end");
	struct stap_token *body = arena_get(&p->s->memory, (m.n + 1) * sizeof(*body)); /* what defines it may be a macro's own text, which goes */
	memcpy(body, &in->t[from], m.n * sizeof(*body));
	m.body = body;
	*vec_push(&p->macros) = m;
	return 0;
}

/* The tokens of each argument, up to a comma or bracket of this level. */
static int read_args(struct pre *p, struct input *in, struct input *args, unsigned *n)
{
	struct span at = now(in)->at;
	*n = 0;
	if (now(in)->kind != '(')
		return 0;
	in->at++;
	for (unsigned depth = 0;; in->at++) {
		int k = now(in)->kind;
		if (k == TOKEN_END)
			return source_error(p->s, at, "the bracket of a macro has no end");
		if (!depth && (k == ')' || k == ',')) {
			++*n;
			if (k == ')')
				break;
			continue;
		}
		depth += k == '(' || k == '[';
		depth -= k == ')' || k == ']';
		if (*n < MACRO_PARAMS) {
			if (!args[*n].t)
				args[*n].t = now(in);
			args[*n].n++;
		}
	}
	in->at++;
	return 0;
}

static void add(struct pre *p, const struct stap_token *t, struct span at)
{
	struct stap_token *k = vec_push(&p->out);
	*k = *t;
	k->at = at;
}

static int expand(struct pre *p, const struct macro *m, struct input *in)
{
	struct input args[MACRO_PARAMS] = { 0 };
	struct span at = now(in)->at;
	unsigned n = 0;
	stap_tokens body = { 0 };
	in->at++;
	int err = m->n_params ? read_args(p, in, args, &n) : 0;
	if (!err && n != m->n_params)
		err = source_error(p->s, at, "the macro @%.40s takes %u arguments", m->name, m->n_params);
	for (size_t i = 0; i < m->n && !err; i++) {
		unsigned k = 0;
		while (k < m->n_params && !(m->body[i].kind == STAP_AT && !strcmp(m->body[i].text, m->params[k])))
			k++;
		const struct stap_token *from = k < m->n_params ? args[k].t : &m->body[i];
		for (size_t j = 0; j < (k < m->n_params ? args[k].n : 1); j++) {
			*vec_push(&body) = from[j];
			vec_last(&body)->at = at;
		}
	}
	struct input again = { body.at, 0, body.n };
	if (!err && (++p->deep > DEEP || p->out.n + body.n > MOST))
		err = source_error(p->s, at, "the macro @%.40s names itself, or grows without end", m->name);
	if (!err)
		err = copy(p, &again, true, false);
	p->deep -= p->deep > 0;
	vec_release(&body);
	return err;
}

/* Up to the end of its input or, nested, to the %: or %) that ends it. */
static int copy(struct pre *p, struct input *in, bool take, bool nested)
{
	int err = ++p->deep > DEEP ? source_error(p->s, now(in)->at, "the preprocessor's conditions are nested too deep") : 0;
	while (!err && in->at < in->n) {
		const struct stap_token *t = now(in);
		if (nested && (t->kind == STAP_ELSE || t->kind == STAP_CLOSE))
			break;
		const struct macro *m = take && t->kind == STAP_AT ? macro_of(p, t->text) : NULL;
		if (t->kind == STAP_PRE) {
			err = choice(p, in, take);
		} else if (take && t->kind == STAP_AT && !strcmp(t->text, "define")) {
			err = define(p, in);
		} else if (m) {
			err = expand(p, m, in);
		} else {
			if (take)
				add(p, t, t->at);
			in->at++;
		}
	}
	p->deep--;
	return err;
}

/* The tapset's macros, for all texts but their own. */
static int own_macros(struct pre *p, stap_tokens *tokens)
{
	static const char text[] =
#include "script/stap/parse/macros.def"
		;
	struct script_source own = { .name = "macros", .text = text, .len = sizeof(text) - 1, .memory = p->s->memory };
	int err = stap_lex_raw(&own, tokens);
	p->s->memory = own.memory;
	struct input in = { tokens->at, 0, tokens->n - 1 }; /* without its end */
	return err ? err : copy(p, &in, true, false);
}

int stap_preprocess(struct script_source *s, stap_tokens *tokens)
{
	struct pre p = { .s = s };
	struct input in = { tokens->at, 0, tokens->n };
	stap_tokens own = { 0 };
	int err = own_macros(&p, &own);
	if (!err)
		err = copy(&p, &in, true, false);
	vec_release(&p.macros);
	vec_release(&own);
	if (!err) {
		vec_release(tokens);
		tokens->at = p.out.at;
		tokens->n = p.out.n;
		tokens->cap = p.out.cap;
	} else {
		vec_release(&p.out);
	}
	return err;
}

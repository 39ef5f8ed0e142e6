// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands before a block: kernel.function("f").return ?, process("/bin/x").mark("y"), syscall.{read,write}. */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/stap/parse/inner.h"

enum { POINTS_MOST = 1000 };

/* Chains of parts: all that braces make of one text. */
typedef VEC(struct stap_part *) chains;

static struct stap_part *copy_chain(struct stap_parser *p, const struct stap_part *c)
{
	struct stap_part *first = NULL, **last = &first;
	for (; c; c = c->next) {
		*last = arena_get(&p->source->memory, sizeof(**last));
		**last = *c;
		(*last)->next = NULL;
		last = &(*last)->next;
	}
	return first;
}

static void append(struct stap_part *to, struct stap_part *more)
{
	while (to->next)
		to = to->next;
	to->next = more;
}

/* sys*_open: words and stars without space between them. */
static bool part_name(struct stap_parser *p, struct stap_part *part)
{
	struct str s = STR_INIT;
	part->at = stap_now(p)->at;
	for (bool first = true;; first = false) {
		const struct stap_token *t = stap_now(p);
		if (!first && t->spaced)
			break;
		if (t->kind == TOKEN_WORD)
			str_add(&s, t->text);
		else if (t->kind == '*')
			str_addc(&s, '*');
		else
			break;
		p->at++;
	}
	part->name = arena_text(&p->source->memory, s.buf, s.len);
	bool any = s.len;
	str_release(&s);
	if (!any)
		source_error(p->source, stap_now(p)->at, "the words of a probe should be here");
	return any;
}

static bool part_argument(struct stap_parser *p, struct stap_part *part)
{
	if (!stap_take(p, '('))
		return true;
	const struct stap_token *t = stap_now(p);
	bool minus = stap_take(p, '-');
	t = stap_now(p);
	if (t->kind == TOKEN_STRING) {
		struct str s = STR_INIT;
		for (; stap_now(p)->kind == TOKEN_STRING; p->at++)
			str_add(&s, stap_now(p)->text);
		part->kind = PART_TEXT;
		part->text = arena_text(&p->source->memory, s.buf, s.len);
		str_release(&s);
	} else if (t->kind == TOKEN_INT) {
		part->kind = PART_NUMBER;
		part->number = minus ? -t->value : t->value;
		p->at++;
	} else if (t->kind == TOKEN_PARAM) {
		source_error(p->source, t->at, "the script is given no parameter %lld", (long long)t->value);
		error_hint("parameters follow the script: stap FILE.stp ONE TWO");
		return false;
	} else if (t->kind != ')') {
		source_error(p->source, t->at, "a string or a number should be here");
		return false;
	}
	return stap_want(p, ')', "the bracket )");
}

static struct stap_part *one_part(struct stap_parser *p)
{
	struct stap_part *part = arena_get(&p->source->memory, sizeof(*part));
	if (!part_name(p, part) || !part_argument(p, part))
		return NULL;
	return part;
}

struct stap_part *stap_part_list(struct stap_parser *p)
{
	struct stap_part *first = one_part(p), *last = first;
	while (last && stap_take(p, '.')) {
		last->next = one_part(p);
		last = last->next;
		if (!last)
			return NULL;
	}
	return first;
}

static bool alternatives(struct stap_parser *p, chains *out);

/* part { "." part }, a part may be { chain, chain }. */
static bool chain(struct stap_parser *p, chains *out)
{
	chains heads = { 0 };
	bool ok = stap_deeper(p);
	do {
		chains next = { 0 }, joined = { 0 };
		if (ok && stap_take(p, '{')) {
			ok = alternatives(p, &next) && stap_want(p, '}', "the brace } of alternatives");
		} else if (ok) {
			struct stap_part *one = one_part(p);
			ok = one;
			*vec_push(&next) = one;
		}
		if (ok && heads.n * next.n > POINTS_MOST) {
			source_error(p->source, stap_now(p)->at, "the braces make more than %d probes", POINTS_MOST);
			ok = false;
		}
		for (size_t i = 0; ok && i < (heads.n ? heads.n : 1); i++)
			for (size_t k = 0; k < next.n; k++) {
				struct stap_part *c = heads.n ? copy_chain(p, heads.at[i]) : NULL, *more = copy_chain(p, next.at[k]);
				if (c)
					append(c, more);
				*vec_push(&joined) = c ? c : more;
			}
		vec_release(&heads);
		vec_release(&next);
		heads.at = joined.at;
		heads.n = joined.n;
		heads.cap = joined.cap;
	} while (ok && stap_take(p, '.'));
	for (size_t i = 0; ok && i < heads.n; i++)
		*vec_push(out) = heads.at[i];
	vec_release(&heads);
	p->depth--;
	return ok;
}

static bool alternatives(struct stap_parser *p, chains *out)
{
	do {
		size_t from = out->n;
		if (!chain(p, out))
			return false;
		for (int k; (k = stap_now(p)->kind) == '?' || k == '!'; p->at++)
			for (size_t i = from; i < out->n; i++) {
				out->at[i]->optional = true;
				out->at[i]->sufficient |= k == '!';
			}
	} while (stap_take(p, ','));
	return true;
}

static bool marks(struct stap_parser *p, struct stap_point *pt)
{
	while (stap_now(p)->kind == '?' || stap_now(p)->kind == '!') {
		pt->optional = true;
		pt->sufficient |= stap_now(p)->kind == '!';
		p->at++;
	}
	if (stap_take_word(p, "if"))
		return stap_want(p, '(', "a bracket (") && (pt->condition = stap_expr(p)) && stap_want(p, ')', "the bracket )");
	return true;
}

struct stap_point *stap_point_list(struct stap_parser *p)
{
	struct stap_point *first = NULL, **last = &first;
	bool ok = true;
	do {
		chains all = { 0 };
		struct stap_point pt = { .at = stap_now(p)->at };
		if (stap_now(p)->kind == TOKEN_PARAM) {
			source_error(p->source, pt.at, "the script is given no parameter %lld", (long long)stap_now(p)->value);
			error_hint("parameters follow the script: stap FILE.stp ONE TWO");
			return NULL;
		}
		ok = chain(p, &all);
		if (ok)
			pt.at = span_to(pt.at, p->tokens.at[p->at - 1].at);
		ok = ok && marks(p, &pt);
		for (size_t i = 0; ok && i < all.n; i++) {
			*last = arena_get(&p->source->memory, sizeof(**last));
			**last = pt;
			(*last)->parts = all.at[i];
			for (const struct stap_part *part = all.at[i]; part; part = part->next) {
				(*last)->optional |= part->optional;
				(*last)->sufficient |= part->sufficient;
			}
			last = &(*last)->next;
		}
		vec_release(&all);
	} while (ok && stap_take(p, ','));
	return ok ? first : NULL;
}

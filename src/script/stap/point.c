// SPDX-License-Identifier: GPL-2.0-or-later
/* A probe's words to places. Aliases are replaced by what they stand for, their blocks put before the probe's own; what is left
 * are the kinds of places of this file's table, each with the word that a provider of ours knows (provider/provider.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "script/stap/point.h"
#include "script/stap/tree.h"

enum { ALIAS_DEEP = 16, BLOCKS_MOST = 4096 };

/* What was gone through on the way to a place. */
struct way {
	struct script_node *before, *behind; /* blocks of aliases */
	struct script_node *condition;
	bool optional;
	unsigned deep;
	const char *word; /* what the script says, before aliases */
};

static int walk(struct stap *st, const struct stap_point *pt, const struct stap_probe *pr, struct way way, unsigned *made);

static void stap_point_text(const struct stap_part *p, struct str *out)
{
	for (const struct stap_part *i = p; i; i = i->next) {
		str_addf(out, "%s%s", i == p ? "" : ".", i->name);
		if (i->kind == PART_TEXT)
			str_addf(out, "(\"%s\")", i->text);
		else if (i->kind == PART_NUMBER)
			str_addf(out, "(%lld)", (long long)i->number);
	}
}

struct stap_block *stap_block_new(struct stap *st, enum stap_kind kind, const struct stap_point *pt)
{
	struct stap_block *b = arena_get(&st->source->memory, sizeof(*b));
	struct str name = STR_INIT;
	stap_point_text(pt->parts, &name);
	*b = (struct stap_block){ .kind = kind, .at = pt->at, .name = arena_text(&st->source->memory, name.buf, name.len) };
	b->word_of_script = b->name;
	str_release(&name);
	*vec_push(&st->blocks) = b;
	b->number = (unsigned)st->blocks.n - 1;
	return b;
}

static struct script_node *join(struct script_node *a, struct script_node *b)
{
	struct script_node **last = &a;
	while (*last)
		last = &(*last)->next;
	*last = b;
	return a;
}

/* The statements of an alias's prologue and the probe's own block, in one list. */
static struct script_node *body_of(struct stap *st, const struct way *way, const struct stap_probe *pr)
{
	struct script_node *body = stap_clone(st->source, way->before);
	struct script_node *own = node_new(st->source, NODE_BLOCK, pr->at);
	own->body = stap_clone(st->source, pr->body);
	body = join(body, own);
	return join(body, stap_clone(st->source, way->behind));
}

static bool set_place(struct script_node *n, void *ctx)
{
	n->at = *(struct span *)ctx;
	return false;
}

/* An alias of the tapset has no text in the script: what it does is where the probe's words are. */
static struct script_node *as_block(struct stap *st, const struct stap_alias *a, struct span at)
{
	struct script_node *n = node_new(st->source, NODE_BLOCK, at);
	n->body = stap_clone(st->source, a->body);
	if (!a->own)
		stap_visit(n->body, set_place, &at);
	n->before = true; /* bind.c leaves out of it what nobody uses */
	return n;
}

/* Do an alias's words fit the first of these? Gives what is left, in *rest. */
static bool alias_fits(const struct stap_alias *a, const struct stap_part *p, const struct stap_part **rest)
{
	const struct stap_part *n = a->name;
	for (; n && p; n = n->next, p = p->next)
		if (n->kind != p->kind || !(strcmp(n->name, p->name) == 0 || (glob_has(p->name) && glob_match(p->name, n->name))) ||
		    (n->kind == PART_TEXT && strcmp(n->text, p->text)) || (n->kind == PART_NUMBER && n->number != p->number))
			return false;
	*rest = p;
	return !n;
}

static struct stap_part *with_rest(struct stap *st, const struct stap_part *p, const struct stap_part *rest)
{
	struct stap_part *first = NULL, **last = &first;
	for (int k = 0; k < 2; k++)
		for (const struct stap_part *i = k ? rest : p; i; i = i->next) {
			*last = arena_get(&st->source->memory, sizeof(**last));
			**last = *i;
			(*last)->next = NULL;
			last = &(*last)->next;
		}
	return first;
}

static const char *point_word(struct stap *st, const struct stap_part *p)
{
	struct str text = STR_INIT;
	stap_point_text(p, &text);
	const char *word = arena_text(&st->source->memory, text.buf, text.len);
	str_release(&text);
	return word;
}

static int through_alias(struct stap *st, struct stap_alias *a, const struct stap_part *rest, const struct stap_point *pt, const struct stap_probe *pr,
			 struct way way, unsigned *made)
{
	int err = 0;
	struct script_node *own = as_block(st, a, pt->at);
	if (a->behind)
		way.behind = join(own, stap_clone(st->source, way.behind));
	else
		way.before = join(own, stap_clone(st->source, way.before));
	if (!way.deep++)
		way.word = point_word(st, with_rest(st, a->name, rest));
	if (way.deep > ALIAS_DEEP)
		return source_error(st->source, pt->at, "the aliases of this probe name each other without end");
	for (const struct stap_point *i = a->points; i && !err; i = i->next) {
		struct stap_point under = *i;
		unsigned before = *made;
		under.parts = with_rest(st, i->parts, rest);
		under.at = pt->at; /* the script's own words, not the tapset's */
		under.of_tapset = !a->own;
		under.next = NULL;
		struct way w = way;
		w.optional |= i->optional || a->points->next;
		err = walk(st, &under, pr, w, made);
		if (i->sufficient && *made > before)
			break;
	}
	return err;
}

static int unknown(struct stap *st, const struct stap_point *pt)
{
	struct str text = STR_INIT;
	struct nearest near;
	stap_point_text(pt->parts, &text);
	source_error(st->source, pt->at, "there is no probe %s here", text.buf);
	nearest_init(&near, text.buf);
	for (size_t i = 0; i < st->aliases.n; i++) {
		struct str name = STR_INIT;
		stap_point_text(st->aliases.at[i]->name, &name);
		nearest_offer(&near, arena_text(&st->source->memory, name.buf, name.len));
		str_release(&name);
	}
	if (!nearest_hint(&near))
		error_hint("probes are: begin, end, error, timer.s(1), timer.profile, kernel.function(\"f\"), kernel.trace(\"t\"), syscall.openat, "
			   "process(\"/bin/x\").function(\"f\") and those that doc/STAP.md has");
	str_release(&text);
	return -ENOENT;
}

static int walk(struct stap *st, const struct stap_point *pt, const struct stap_probe *pr, struct way way, unsigned *made)
{
	bool any = false;
	int err = 0;
	if (pt->condition && !way.condition)
		way.condition = pt->condition;
	for (int whole = 1; whole >= 0 && !any && !err; whole--) /* those that fit to the last word come first */
		for (size_t i = 0; i < st->aliases.n && !err; i++) {
			const struct stap_part *rest;
			if (!alias_fits(st->aliases.at[i], pt->parts, &rest) || (whole && rest))
				continue;
			any = true;
			err = through_alias(st, st->aliases.at[i], rest, pt, pr, way, made);
		}
	if (any || err)
		return err;
	if (st->blocks.n > BLOCKS_MOST)
		return source_error(st->source, pt->at, "the script has more than %d blocks", BLOCKS_MOST);
	struct stap_block *b = NULL;
	err = stap_place(st, pt, &b);
	bool optional = way.optional || pt->optional || pt->sufficient;
	if (err == -ENOENT && !error_pending())
		err = unknown(st, pt);
	if (err && optional && err != -EINVAL) {
		note(1, "%s", error_message());
		error_clear();
		return 0;
	}
	*made += !b && !err; /* never */
	for (; b && !err; b = b->also) {
		b->body = body_of(st, &way, pr);
		b->condition = stap_clone(st->source, way.condition);
		b->optional = optional;
		b->word_of_script = way.word ? way.word : b->name;
		++*made;
	}
	return err;
}

int stap_points(struct stap *st)
{
	int err = 0;
	for (size_t i = 0; i < st->probes.n && !err; i++) {
		const struct stap_probe pr = st->probes.at[i];
		bool optional = true;
		unsigned made = 0;
		st->placed = &pr;
		for (const struct stap_point *pt = pr.points; pt && !err; pt = pt->next) {
			unsigned before = made;
			optional &= pt->optional;
			err = walk(st, pt, &pr, (struct way){ .optional = pt->optional }, &made);
			if (pt->sufficient && made > before)
				break;
		}
		if (!err && !made && !optional)
			err = unknown(st, pr.points);
	}
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel is asked for. An expression of the block that only the kernel can evaluate becomes a tree of bpftrace's
 * language (args.file, str(args.name), comm), which is one argument of the record that the program sends; in the block a
 * NODE_SLOT stands for it. What a return needs of its entry is kept in a map by thread: the entry gets a program of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/check.h"
#include "script/ctype/ctype.h"
#include "script/provider/provider.h"
#include "script/stap/bind.h"
#include "script/stap/context.h"
#include "script/stap/parse/lex.h"
#include "script/stap/tree.h"

enum { KERNEL_ARGS = 8, FUNCTIONS_DEEP = 12, RESULTS_MOST = 64 };

static struct script_node *fail(struct stap_scope *sc, const struct script_node *n, const char *why)
{
	if (!error_pending())
		source_error(sc->st->source, n->at, "%s", why);
	return NULL;
}

static struct script_node *bare(struct stap_scope *sc, const char *name, struct span at)
{
	struct script_node *n = node_new(sc->st->source, NODE_WORD, at);
	n->name = name;
	return n;
}

/* ---- $name ---- */

static bool is_return(const char *name)
{
	return !strcmp(name, "return") || !strcmp(name, "$return");
}

static struct script_node *arg_of(struct stap_scope *sc, const char *name, struct span at)
{
	struct script_node *n = node_new(sc->st->source, NODE_FIELD, at);
	n->name = name;
	n->a = bare(sc, "args", at);
	return n;
}

/* $x where the block is, or at the entry. */
static struct script_node *target_here(struct stap_scope *sc, const struct script_node *n)
{
	struct stap_block *b = sc->block;
	if (str_starts(b->word, "usdt:") && str_starts(n->name, "arg") && n->name[3] >= '1' && n->name[3] <= '9') {
		char *word = xasprintf("arg%d", atoi(n->name + 3) - 1);
		struct script_node *w = bare(sc, arena_text(&sc->st->source->memory, word, strlen(word)), n->at);
		free(word);
		return w;
	}
	return arg_of(sc, n->name, n->at);
}

static struct script_node *kept_value(struct stap_scope *sc, struct script_node *value);

/* What all functions of this block give back, as numbers narrower than a register; NULL: something else, or who knows. */
static const struct script_type *narrow_result(const struct stap_scope *sc)
{
	struct run_script *s = sc->st->s;
	const struct script_type *t = NULL;
	const struct script_unit *u = NULL;
	for (size_t i = 0; i < s->units.n && !u; i++)
		if (s->units.at[i].probe == sc->block->probe)
			u = &s->units.at[i];
	if (!u || u->points.n > RESULTS_MOST)
		return NULL;
	for (size_t i = 0; i < u->points.n; i++) {
		const struct point *p = &s->points.at[u->points.at[i]];
		struct ctype_function f;
		if (p->provider != &provider_kretprobe || !p->func || !ctype_function(s->types, p->path, p->func, &f))
			return NULL;
		if (f.result->kind != TYPE_INT || f.result->size >= 8 || (t && (t->size != f.result->size || t->is_signed != f.result->is_signed)))
			return NULL;
		t = f.result;
	}
	return t;
}

static struct script_node *returned_value(struct stap_scope *sc, const struct script_node *n)
{
	const struct script_type *t = narrow_result(sc);
	struct script_node *v = bare(sc, "retval", n->at);
	char *cast = t ? xasprintf("(%sint%u)A", t->is_signed ? "" : "u", (unsigned)t->size * 8) : NULL;
	v = cast ? stap_template(sc->st, cast, n->at, &v, 1) : v;
	free(cast);
	return v;
}

static struct script_node *target(struct stap_scope *sc, const struct script_node *n)
{
	struct stap_block *b = sc->block;
	size_t len = strlen(n->name);
	if (b->side == SIDE_RETURN && is_return(n->name))
		return b->call ? arg_of(sc, "ret", n->at) : returned_value(sc, n);
	if (is_return(n->name))
		return fail(sc, n, "$return is what a function gives back: it is there in .return alone");
	if (len && n->name[len - 1] == '$')
		return fail(sc, n, "$x$ is text, which is made later than the kernel reads this");
	if (b->side == SIDE_RETURN && !b->any_call)
		return kept_value(sc, target_here(sc, n));
	return target_here(sc, n);
}

/* ---- values of the entry ---- */

const struct point *stap_entry_point(const struct stap_scope *sc)
{
	const struct run_script *s = sc->st->s;
	for (size_t i = 0; sc->block->entry && i < s->units.n; i++)
		if (s->units.at[i].probe == sc->block->entry->probe)
			return &s->points.at[s->units.at[i].points.at[0]];
	return NULL;
}


/* The map's element of this thread. */
static struct script_node *kept_place(struct stap_scope *sc, unsigned number, struct span at)
{
	struct script_node *m = node_new(sc->st->source, NODE_MAP, at);
	char *name = xasprintf(" entry%u_%u", sc->block->number, number);
	m->name = arena_text(&sc->st->source->memory, name, strlen(name));
	m->args = bare(sc, "tid", at);
	m->n_args = 1;
	free(name);
	return m;
}

static struct script_node *kept_value(struct stap_scope *sc, struct script_node *value)
{
	struct stap_block *e = sc->block->entry;
	struct str key = STR_INIT;
	size_t i;
	if (!value)
		return NULL;
	if (!e)
		return fail(sc, value, "what was there at the function's entry is not known here");
	stap_key(value, &key);
	for (i = 0; i < e->slots.n && strcmp(e->slots.at[i].key, key.buf); i++)
		;
	if (i == e->slots.n)
		*vec_push(&e->slots) = (struct stap_slot){ .key = arena_text(&sc->st->source->memory, key.buf, key.len), .tree = value };
	str_release(&key);
	return kept_place(sc, (unsigned)i, value->at);
}

static struct script_node *entry_value(struct stap_scope *sc, const struct script_node *n)
{
	struct stap_block at_entry;
	if (sc->block->side != SIDE_RETURN)
		return fail(sc, n, "@entry() is for .return: here the entry is now");
	at_entry = *sc->block;
	at_entry.side = SIDE_ENTRY;
	struct stap_scope there = *sc;
	there.block = &at_entry;
	there.point = stap_entry_point(sc);
	struct script_node *value = stap_kernel_tree(&there, n->a);
	return kept_value(sc, value);
}

/* ---- trees ---- */

struct assignment { const char *name; uint64_t number; struct script_node *value; unsigned n; };

static bool see_assignment(struct script_node *n, void *ctx)
{
	struct assignment *w = ctx;
	if ((n->kind == NODE_ASSIGN || n->kind == NODE_STEP || n->kind == NODE_FOREACH) && n->a &&
	    ((n->a->kind == NODE_WORD && !strcmp(n->a->name, w->name)) || (n->a->kind == NODE_LOCAL && n->a->name && !strcmp(n->a->name, w->name)))) {
		w->n += n->kind == NODE_ASSIGN && !n->op ? 1 : 2;
		w->value = n->b;
	}
	for (struct script_node *v = n->kind == NODE_FOREACH ? n->args : NULL; v; v = v->next)
		w->n += v->name && !strcmp(v->name, w->name) ? 2 : 0;
	return false;
}

/* A variable that is set once, by what the kernel can evaluate, is that. */
static struct script_node *variable(struct stap_scope *sc, const struct script_node *n)
{
	struct assignment w = { .name = n->name };
	for (unsigned i = 0; sc->fn && i < sc->fn->n_params; i++)
		if (!strcmp(sc->fn->locals.at[i].name, n->name) && sc->args && !stap_assigned(sc->fn->body, n->name))
			return stap_kernel_tree(sc->outer, sc->args[i]);
	stap_visit(sc->fn ? sc->fn->run : sc->block->body, see_assignment, &w);
	if (!w.n && sc->block->call && stap_call_argument(sc, n->name)) {
		struct script_node t = { .kind = NODE_TARGET, .at = n->at, .name = stap_call_argument(sc, n->name)->name };
		return target(sc, &t);
	}
	if (w.n == 1 && w.value && sc->deep < 50) {
		struct stap_scope deeper = *sc;
		deeper.deep++;
		return stap_kernel_tree(&deeper, w.value);
	}
	return fail(sc, n, "the kernel reads this memory when the probe is hit, and what it depends on is computed later");
}

/* Part of an expression: what the kernel gives must be the value itself, not what is made of it later. */
static struct script_node *part(struct stap_scope *sc, const struct script_node *n)
{
	const struct stap_context *c = n->kind == NODE_CALL ? stap_context_find(n->name) : NULL;
	if (c && c->form != SLOT_PLAIN)
		return fail(sc, n, "the kernel reads this memory when the probe is hit, and this is known later");
	return stap_kernel_tree(sc, n);
}

static struct script_node *with_children(struct stap_scope *sc, const struct script_node *n)
{
	struct script_node *c = stap_clone_one(sc->st->source, n);
	if ((n->a && !(c->a = part(sc, n->a))) || (n->b && !(c->b = part(sc, n->b))) || (n->c && !(c->c = part(sc, n->c))))
		return NULL;
	return c;
}

static struct script_node *cast(struct stap_scope *sc, const struct script_node *n)
{
	struct script_node *a = stap_kernel_tree(sc, n->a);
	const char *name = n->name;
	bool star = str_ends(name, "*"), bare_name = !strchr(name, ' ') && !star;
	if (!a)
		return NULL;
	/* "task_struct" is a struct; "struct x" and "struct x*" mean what a pointer points to */
	char *text = xasprintf("(%s%.*s *)A", bare_name ? "struct " : "", (int)(strlen(name) - star), name);
	struct script_node *tree = stap_template(sc->st, text, n->at, &a, 1);
	free(text);
	return tree;
}

/* int_arg(2): by its place, cut to its type. */
static struct script_node *numbered_arg(struct stap_scope *sc, const struct script_node *n, const struct script_node *which)
{
	const struct point *point = sc->block->side == SIDE_RETURN ? stap_entry_point(sc) : sc->point;
	const struct script_type *t = point ? point->args : NULL;
	struct script_node *tree;
	if (which->kind != NODE_INT || which->value < 1 || which->value > 10)
		return fail(sc, n, "the number of an argument is a constant, from 1 on");
	if (sc->block->call) { /* the first field is the call's number */
		if (!t || which->value >= t->n_fields)
			return fail(sc, n, "the call has fewer arguments");
		tree = arg_of(sc, t->fields[which->value].name, n->at);
	} else {
		char *word = xasprintf("arg%u", (unsigned)which->value - 1);
		tree = bare(sc, arena_text(&sc->st->source->memory, word, strlen(word)), n->at);
		free(word);
	}
	const char *cast = str_starts(n->name, "int_") || str_starts(n->name, "s32") ? "(int32)A" : str_starts(n->name, "uint_") || str_starts(n->name, "u32") ? "(uint32)A" : NULL;
	if (sc->block->side == SIDE_RETURN)
		tree = kept_value(sc, tree);
	return cast && tree ? stap_template(sc->st, cast, n->at, &tree, 1) : tree;
}

/* f(x), when all that f does is to return an expression of its parameters; NULL: it does more. */
static const struct script_node *returned(const struct stap_function *f, const struct script_node *n)
{
	bool is = f && f->body && f->body->kind == NODE_RETURN && !f->body->next && f->body->a && n->n_args == f->n_params;
	return is ? f->body->a : NULL;
}

static struct script_node *returned_tree(struct stap_scope *sc, const struct script_node *n, const struct stap_function *f)
{
	struct script_node *args[KERNEL_ARGS];
	struct stap_scope in = { .st = sc->st, .block = sc->block, .args = args, .outer = sc, .point = sc->point, .deep = sc->deep + 1 };
	struct stap_function as = *f;
	unsigned k = 0;
	if (sc->deep > FUNCTIONS_DEEP || n->n_args > KERNEL_ARGS)
		return fail(sc, n, "the kernel reads this memory when the probe is hit, and what it depends on is computed later");
	for (struct script_node *i = n->args; i; i = i->next)
		args[k++] = i;
	as.run = as.body;
	in.fn = &as;
	return stap_kernel_tree(&in, f->body->a);
}

bool stap_in_register(const struct stap_block *b, const struct stap_context *c)
{
	return c->form == SLOT_STACK && c->by == 'a' && b->word && str_starts(b->word, "profile:");
}

static struct script_node *call(struct stap_scope *sc, const struct script_node *n)
{
	const struct stap_context *c = stap_context_find(n->name);
	struct script_node *args[3] = { 0 };
	unsigned k = 0;
	const struct stap_function *f = n->before ? NULL : stap_function_of(sc->st, n->name);
	if (returned(f, n))
		return returned_tree(sc, n, f);
	if (!strcmp(n->name, "target") && !n->n_args) {
		struct script_node *v = node_new(sc->st->source, NODE_INT, n->at);
		v->value = (uint64_t)sc->st->target;
		return v;
	}
	if (!c || n->n_args > 3)
		return fail(sc, n, "the kernel reads this memory when the probe is hit, and has no such function");
	for (struct script_node *i = n->args; i; i = i->next)
		if (!(args[k++] = part(sc, i)))
			return NULL;
	if (stap_in_register(sc->block, c))
		return stap_template(sc->st, c->name[0] == 'u' ? "usermode ? reg(\"ip\") : 0" : "usermode ? 0 : reg(\"ip\")", n->at, NULL, 0);
	if (!strcmp(n->name, "returnval") && sc->block->call)
		return arg_of(sc, "ret", n->at);
	if (!strcmp(c->tree, "arg"))
		return numbered_arg(sc, n, args[0]);
	if (!strcmp(c->name, "returnval") && sc->block->side == SIDE_RETURN)
		return returned_value(sc, n);
	return stap_template(sc->st, c->tree, n->at, args, k);
}

struct script_node *stap_kernel_tree(struct stap_scope *sc, const struct script_node *n)
{
	switch (n->kind) {
	case NODE_INT:
	case NODE_STRING: return stap_clone_one(sc->st->source, n);
	case NODE_SLOT:
		return sc->block->slots.at[n->value].form == SLOT_PLAIN ? stap_clone_one(sc->st->source, sc->block->slots.at[n->value].tree) :
									   fail(sc, n, "this is not known in the kernel");
	case NODE_TARGET: return target(sc, n);
	case NODE_FIELD:
	case NODE_ITEM: return with_children(sc, n);
	case NODE_UNARY: return with_children(sc, n);
	case NODE_BINARY: return n->op < 256 && n->op == '.' ? fail(sc, n, "strings are put together later than the kernel reads this") : with_children(sc, n);
	case NODE_TERNARY:
		if (n->a->kind == NODE_DEFINED)
			return stap_kernel_tree(sc, stap_is_there(sc, n->a->a) ? n->b : n->c);
		return with_children(sc, n);
	case NODE_DEFINED: {
		struct script_node *v = node_new(sc->st->source, NODE_INT, n->at);
		v->value = stap_is_there(sc, n->a);
		return v;
	}
	case NODE_KCAST: return cast(sc, n);
	case NODE_ENTRY: return entry_value(sc, n);
	case NODE_CALL: return call(sc, n);
	case NODE_LOCAL:
	case NODE_WORD: return variable(sc, n);
	default: return fail(sc, n, "the kernel reads this memory when the probe is hit, and what it depends on is computed later");
	}
}

int stap_ask_kernel(struct stap_scope *sc, struct script_node **at, const struct script_node *what, enum slot_form form, int64_t by)
{
	struct stap_block *b = sc->block;
	struct script_node *tree = stap_kernel_tree(sc, what), *next = (*at)->next;
	struct str key = STR_INIT;
	size_t i;
	if (!tree)
		return error_code();
	if (tree->kind == NODE_INT || tree->kind == NODE_STRING) { /* known already */
		*at = tree;
		tree->next = next;
		return 0;
	}
	stap_key(tree, &key);
	str_addf(&key, " %d %lld", (int)form, (long long)by);
	for (i = 0; i < b->slots.n && strcmp(b->slots.at[i].key, key.buf); i++)
		;
	if (i == b->slots.n)
		*vec_push(&b->slots) = (struct stap_slot){ .key = arena_text(&sc->st->source->memory, key.buf, key.len), .tree = tree, .form = form, .by = by };
	if (what->kind == NODE_CALL && !what->n_args)
		b->slots.at[i].name = what->name;
	str_release(&key);
	struct script_node *n = node_new(sc->st->source, NODE_SLOT, what->at);
	n->value = i;
	n->next = next;
	*at = n;
	return b->slots.n > STAP_SLOTS ? source_error(sc->st->source, what->at, "a block asks the kernel for more than %d values", STAP_SLOTS) : 0;
}

/* Tried: does the compiler take it, at this place? */
const struct script_type *stap_type_of(struct stap_scope *sc, const struct script_node *n)
{
	struct run_script *s = sc->st->s;
	struct stap_block here = *sc->block;
	struct stap_scope there = *sc;
	struct script_unit *u = NULL;
	if (here.entry && !(n->kind == NODE_TARGET && is_return(n->name))) { /* asked of the entry */
		here.probe = here.entry->probe;
		here.side = SIDE_ENTRY;
		there.point = stap_entry_point(sc);
	}
	there.block = &here;
	for (size_t i = 0; i < s->units.n && !u; i++)
		if (s->units.at[i].probe == here.probe)
			u = &s->units.at[i];
	struct script_node *tree = stap_kernel_tree(&there, n);
	struct checker c = { .s = s, .u = u, .strict = true };
	if (u)
		c.point = &s->points.at[u->points.at[0]];
	const struct script_type *t = tree && u ? check_expr(&c, tree) : NULL;
	error_clear();
	return t && t->kind != TYPE_NONE && !c.err ? t : NULL;
}

bool stap_is_there(struct stap_scope *sc, const struct script_node *n)
{
	if (!sc->block || !sc->point)
		return false;
	if (n->kind == NODE_WORD) {
		bool is = false;
		struct script_node *copy = stap_clone_one(sc->st->source, n);
		bool there = stap_assigned(sc->block->body, n->name) || (sc->block->call && !stap_call_value(sc, &copy, &is) && is);
		error_clear();
		return there;
	}
	return stap_type_of(sc, n);
}

/* ---- the program ---- */

static struct script_node *statement_of(struct stap_scope *sc, struct script_node *e)
{
	struct script_node *n = node_new(sc->st->source, NODE_EXPR, e->at);
	n->a = e;
	return n;
}

static struct script_node *call_of(struct stap_scope *sc, const char *name, struct script_node *args, unsigned n, struct span at)
{
	struct script_node *c = node_new(sc->st->source, NODE_CALL, at);
	c->name = name;
	c->args = args;
	c->n_args = n;
	return c;
}

/* The entry's program: @entry[tid] = value for each. */
static void make_entry(struct stap_scope *sc)
{
	struct stap_block *e = sc->block->entry;
	struct script_node **last = &e->probe->body;
	*last = NULL;
	for (size_t i = 0; i < e->slots.n; i++) {
		struct script_node *n = node_new(sc->st->source, NODE_ASSIGN, sc->block->at);
		n->a = kept_place(sc, (unsigned)i, sc->block->at);
		n->b = e->slots.at[i].tree;
		*last = n;
		last = &n->next;
	}
}

int stap_make_probe(struct stap_scope *sc)
{
	struct stap_block *b = sc->block;
	struct script_node *number = node_new(sc->st->source, NODE_INT, b->at), **last = &number->next;
	unsigned n = 1;
	number->value = b->number;
	for (size_t i = 0; i < b->slots.n; i++, n++) {
		*last = stap_clone_one(sc->st->source, b->slots.at[i].tree);
		last = &(*last)->next;
	}
	b->probe->body = statement_of(sc, call_of(sc, "stap event", number, n, b->at));
	if (!b->entry)
		return 0;
	make_entry(sc);
	struct script_node **end = &b->probe->body->next;
	for (size_t i = 0; i < b->entry->slots.n; i++) {
		*end = statement_of(sc, call_of(sc, "delete", kept_place(sc, (unsigned)i, b->at), 1, b->at));
		end = &(*end)->next;
	}
	if (b->entry->slots.n) { /* a call that was under way before we came has no entry */
		struct script_node *m = kept_place(sc, 0, b->at), *has;
		m->next = m->args;
		m->args = NULL;
		m->n_args = 0;
		has = call_of(sc, "has_key", m, 2, b->at);
		if (b->probe->predicate) {
			struct script_node *both = node_new(sc->st->source, NODE_BINARY, b->at);
			both->op = TOKEN_AND;
			both->a = has;
			both->b = b->probe->predicate;
			has = both;
		}
		b->probe->predicate = has;
	}
	return 0;
}

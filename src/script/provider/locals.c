// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/locals.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/ctype/ctype.h"
#include "script/provider/regs.h"
#include "symbol/dwarf/dwarf.h"

/* ---- the block ---- */

struct walk { void (*fn)(struct script_node *n, struct script_node *parent, void *ctx); void *ctx; };

static void walk(const struct walk *w, struct script_node *n, struct script_node *parent)
{
	for (; n; n = n->next) {
		w->fn(n, parent, w->ctx);
		if (n->a)
			walk(w, n->a, n);
		if (n->b && n->b != n->a)
			walk(w, n->b, n);
		if (n->c)
			walk(w, n->c, n);
		walk(w, n->args, n);
		walk(w, n->body, n);
		walk(w, n->other, n);
	}
}

static void walk_probe(struct probe *p, void (*fn)(struct script_node *n, struct script_node *parent, void *ctx), void *ctx)
{
	const struct walk w = { fn, ctx };
	walk(&w, p->predicate, NULL);
	walk(&w, p->body, NULL);
}

static bool is_member(const struct script_node *n)
{
	return n->kind == NODE_FIELD && n->a->kind == NODE_WORD && !strcmp(n->a->name, "args");
}

struct set_names { wordlist set; };

static void find_set(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct set_names *s = ctx;
	bool sets = parent && parent->a == n && (parent->kind == NODE_ASSIGN || parent->kind == NODE_STEP || (parent->kind > NODE_EXPR && parent->body));
	if (n->kind == NODE_VAR && sets)
		wordlist_add(&s->set, n->name);
}

struct unset { const wordlist *set; bool any; const struct dwarf_place *place; struct dwarf_file *file; struct script_source *source; };

static bool is_unset(const struct unset *u, const struct script_node *n)
{
	return n->kind == NODE_VAR && !wordlist_has(u->set, n->name);
}

static void find_wanted(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct unset *u = ctx;
	(void)parent;
	u->any |= (n->kind == NODE_WORD && !strcmp(n->name, "args")) || is_unset(u, n);
}

bool locals_wanted(const struct probe *p)
{
	struct set_names s = { 0 };
	struct unset u = { .set = &s.set };
	walk_probe((struct probe *)p, find_set, &s);
	walk_probe((struct probe *)p, find_wanted, &u);
	wordlist_release(&s.set);
	return u.any;
}

/* $x to args.x */
static void rewrite(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct unset *u = ctx;
	struct fetch_want w = { .var = n->name };
	struct dwarf_value v;
	(void)parent;
	if (!is_unset(u, n))
		return;
	int err = dwarf_fetch(u->file, u->place, &w, &v);
	free(v.type);
	bool there = !err || !strstr(error_message(), "there is no variable");
	error_clear();
	if (!there)
		return;
	n->kind = NODE_FIELD;
	n->a = node_new(u->source, NODE_WORD, n->at);
	n->a->name = "args";
}

/* ---- values ---- */

struct members { struct run_script *s; struct point *pt; struct binary *b; const struct dwarf_place *place; dwarf_vars vars; int err; };

static struct script_type *number(uint8_t size, bool is_signed)
{
	char name[16];
	snprintf(name, sizeof(name), "%sint%d", is_signed ? "" : "u", size * 8);
	return type_named(name);
}

/* "s32", "x64", "b4@2/32": of the kernel's own language */
static void read_type(const char *text, struct point_value *v)
{
	int bits = 64;
	v->is_signed = text && (*text == 's' || !strncmp(text, "b0x", 3));
	if (text && *text != 'b')
		sscanf(text + 1, "%d", &bits);
	v->size = (uint8_t)(bits == 8 || bits == 16 || bits == 32 ? bits / 8 : 8);
}

static struct script_type *type_of(struct members *m, const char *name, const struct point_value *v)
{
	vec_each(&m->vars, i)
		if (!strcmp(i->name, name) && str_ends(i->type, "*"))
			return type_pointer(&m->s->source->memory, NULL, SPACE_USER);
	return number(v->size, v->is_signed);
}

static struct type_field *field_named(const struct point *pt, const char *name)
{
	for (unsigned i = 0; i < pt->args->n_fields; i++)
		if (!strcmp(pt->args->fields[i].name, name))
			return &pt->args->fields[i];
	return NULL;
}

/* With its type of C, of which the script may name members. false: of another kind, or not to be had. */
static bool fetch_typed(struct members *m, const char *name, struct type_field *f)
{
	struct point_value *v = &m->pt->values[f->at];
	struct dwarf_file *file = m->b->target.dwarf;
	Dwarf_Die die;
	if (dwarf_variable(file, m->place, name, &v->at, &die)) {
		error_clear();
		return false;
	}
	struct script_type *t = ctype_of_die(m->s->types, file, &die);
	bool word = t->kind == TYPE_INT || t->kind == TYPE_POINTER;
	if (!word && !((t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY) && v->at.memory))
		return false;
	v->size = (uint8_t)(word ? type_bytes(t) : 8);
	v->is_signed = type_is_signed(t);
	f->type = type_in_space(&m->s->source->memory, t, SPACE_USER);
	f->space = SPACE_USER;
	return true;
}

/* A member that the block asks for is fetched. */
static void fetch(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct members *m = ctx;
	struct dwarf_value v;
	(void)parent;
	if (m->err || !is_member(n))
		return;
	struct type_field *f = field_named(m->pt, n->name);
	struct fetch_want w = { .var = n->name };
	if (f && f->type->kind != TYPE_NONE)
		return;
	if (f && fetch_typed(m, n->name, f))
		return;
	int err = dwarf_fetch(m->b->target.dwarf, m->place, &w, &v);
	if (err && !f && strstr(error_message(), "there is no variable")) { /* the check tells what there is instead */
		error_clear();
		return;
	}
	if (err) {
		char *why = xstrdup(error_message()), *hints = xstrdup(error_hints());
		m->err = source_error(m->s->source, n->at, "%s", why);
		if (*hints)
			error_hint("%s", hints);
		free(why);
		free(hints);
		return;
	}
	if (!f) { /* a variable of the whole program */
		f = &m->pt->args->fields[m->pt->args->n_fields++];
		*f = (struct type_field){ .name = n->name, .at = m->pt->n_values++, .size = 8 };
	}
	if (!fetch_typed(m, n->name, f)) {
		m->pt->values[f->at].at = v.at;
		read_type(v.type, &m->pt->values[f->at]);
		f->type = type_of(m, n->name, &m->pt->values[f->at]);
	}
	free(v.type);
}

enum { GLOBALS = 64 };

static void name_members(struct members *m)
{
	struct arena *a = &m->s->source->memory;
	wordlist names = { 0 };
	dwarf_var_names(m->b->target.dwarf, m->place, false, &names);
	m->pt->args = arena_get(a, sizeof(*m->pt->args));
	*m->pt->args = (struct script_type){ TYPE_RECORD, .fields = arena_get(a, (names.n + GLOBALS) * sizeof(struct type_field)) };
	m->pt->values = arena_get(a, (names.n + GLOBALS) * sizeof(struct point_value));
	vec_each(&names, n)
		if (!field_named(m->pt, *n))
			m->pt->args->fields[m->pt->args->n_fields++] = (struct type_field){ .name = arena_text(a, *n, strlen(*n)), .type = &type_none, .at = m->pt->n_values++, .size = 8 };
	wordlist_release(&names);
}

int locals_fill(struct run_script *s, struct point *pt, struct probe *p, struct binary *b, const struct dwarf_place *place)
{
	struct set_names set = { 0 };
	struct members m = { .s = s, .pt = pt, .b = b, .place = place };
	walk_probe(p, find_set, &set);
	struct unset u = { .set = &set.set, .place = place, .file = b->target.dwarf, .source = s->source };
	walk_probe(p, rewrite, &u);
	wordlist_release(&set.set);
	dwarf_list_vars(b->target.dwarf, place, false, false, &m.vars);
	error_clear();
	name_members(&m);
	pt->dwarf = b->target.dwarf;
	walk_probe(p, fetch, &m);
	dwarf_vars_release(&m.vars);
	return m.err;
}

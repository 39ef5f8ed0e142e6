// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/user/locals.h"
#include <errno.h>
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

struct unset { const wordlist *set; bool any, args; const struct locals_from *from; struct script_source *source; };

static bool is_unset(const struct unset *u, const struct script_node *n)
{
	return n->kind == NODE_VAR && !wordlist_has(u->set, n->name);
}

static void find_wanted(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct unset *u = ctx;
	(void)parent;
	u->args |= n->kind == NODE_WORD && !strcmp(n->name, "args");
	u->any |= is_unset(u, n);
}

static struct unset wanted(const struct probe *p)
{
	struct set_names s = { 0 };
	struct unset u = { .set = &s.set };
	walk_probe((struct probe *)p, find_set, &s);
	walk_probe((struct probe *)p, find_wanted, &u);
	wordlist_release(&s.set);
	u.set = NULL;
	return u;
}

bool locals_unset(const struct probe *p)
{
	return wanted(p).any;
}

bool locals_wanted(const struct probe *p)
{
	struct unset u = wanted(p);
	return u.any || u.args;
}

/* $x to args.x */
static void rewrite(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct unset *u = ctx;
	(void)parent;
	if (!is_unset(u, n) || !dwarf_has_variable(u->from->file, u->from->place, n->name))
		return;
	n->kind = NODE_FIELD;
	n->a = node_new(u->source, NODE_WORD, n->at);
	n->a->name = "args";
}

/* ---- values ---- */

struct members { struct run_script *s; struct point *pt; const struct locals_from *from; int err; };

static struct type_field *field_named(const struct point *pt, const char *name)
{
	for (unsigned i = 0; i < pt->args->n_fields; i++)
		if (!strcmp(pt->args->fields[i].name, name))
			return &pt->args->fields[i];
	return NULL;
}

/* A variable of the whole kernel has one address, unless it has one for each CPU, or is a module's. */
static bool kernel_address(struct members *m, const struct script_node *n, struct fetch *at)
{
	enum { KERNEL_HALF = 63 };
	if (m->from->moved_by && at->num >> KERNEL_HALF) {
		uint64_t addr = at->num + m->from->moved_by;
		at->base = FETCH_CONST;
		at->num = addr;
		return true;
	}
	m->err = source_error(m->s->source, n->at, "'%s' cannot be had here: %s", n->name,
			      at->num >> KERNEL_HALF ? "where a module's data is is not known" : "there is one for each CPU, or it is a module's");
	return false;
}

static void fetch_node(struct members *m, const struct script_node *n)
{
	struct dwarf_file *file = m->from->file;
	Dwarf_Die die;
	struct type_field *f = field_named(m->pt, n->name);
	if ((f && f->type->kind != TYPE_NONE) || (!f && !dwarf_has_variable(file, m->from->place, n->name)))
		return; /* of what is not there the check tells what there is instead */
	if (!f) { /* a variable of the whole program */
		f = &m->pt->args->fields[m->pt->args->n_fields++];
		*f = (struct type_field){ .name = n->name, .type = &type_none, .at = m->pt->n_values++, .size = 8, .space = m->from->space };
	}
	struct point_value *v = &m->pt->values[f->at];
	if (dwarf_variable(file, m->from->place, n->name, &v->at, &die)) {
		m->err = source_blame(m->s->source, n->at);
		return;
	}
	if (v->at.base == FETCH_NONE || (v->at.base == FETCH_REG && !fetch_reg_name(v->at.reg))) {
		m->err = source_error(m->s->source, n->at, "'%s' cannot be had here: %s", n->name, v->at.base == FETCH_NONE ? "it is nowhere" : fetch_no_register);
		return;
	}
	if (m->from->space == SPACE_KERNEL && v->at.base == FETCH_ADDR && !kernel_address(m, n, &v->at))
		return;
	f->type = ctype_of_die(m->s->types, file, &die);
	if (m->from->space == SPACE_USER)
		f->type = type_in_space(&m->s->source->memory, f->type, SPACE_USER);
	if (!regs_of_type(v, f->type))
		m->err = source_error(m->s->source, n->at, "'%s' is in registers as a whole, from which its members cannot be read", n->name);
}

/* A member that the block asks for is fetched. */
static void fetch(struct script_node *n, struct script_node *parent, void *ctx)
{
	struct members *m = ctx;
	(void)parent;
	if (!m->err && is_member(n))
		fetch_node(m, n);
}

/* All that there is; what cannot be had here has no type. */
static void fetch_all(struct members *m)
{
	for (unsigned i = 0; i < m->pt->args->n_fields; i++) {
		struct type_field *f = &m->pt->args->fields[i];
		const struct script_node n = { .kind = NODE_FIELD, .name = f->name, .at = m->pt->attach->at };
		if (f->type->kind != TYPE_NONE)
			continue;
		fetch_node(m, &n);
		if (m->err)
			f->type = &type_none;
		m->err = 0;
		error_clear();
	}
}

enum { GLOBALS = 64 };

static void name_members(struct members *m)
{
	struct arena *a = &m->s->source->memory;
	wordlist names = { 0 };
	dwarf_var_names(m->from->file, m->from->place, false, &names);
	m->pt->args = arena_get(a, sizeof(*m->pt->args));
	*m->pt->args = (struct script_type){ TYPE_RECORD, .fields = arena_get(a, (names.n + GLOBALS) * sizeof(struct type_field)) };
	m->pt->values = arena_get(a, (names.n + GLOBALS) * sizeof(struct point_value));
	vec_each(&names, n)
		if (!field_named(m->pt, *n))
			m->pt->args->fields[m->pt->args->n_fields++] = (struct type_field){ .name = arena_text(a, *n, strlen(*n)), .type = &type_none, .at = m->pt->n_values++, .size = 8, .space = m->from->space };
	wordlist_release(&names);
}

void locals_keep_place(struct run_script *s, struct point *pt, struct dwarf_file *file, const struct dwarf_place *at)
{
	struct dwarf_place *place = arena_get(&s->source->memory, sizeof(*place));
	*place = *at;
	pt->place = place;
	pt->dwarf = file;
}

int locals_fill(struct run_script *s, struct point *pt, struct probe *p, const struct locals_from *from)
{
	struct set_names set = { 0 };
	struct members m = { .s = s, .pt = pt, .from = from };
	walk_probe(p, find_set, &set);
	struct unset u = { .set = &set.set, .from = from, .source = s->source };
	walk_probe(p, rewrite, &u);
	wordlist_release(&set.set);
	locals_keep_place(s, pt, from->file, from->place);
	name_members(&m);
	walk_probe(p, fetch, &m);
	if (p->all_locals && !m.err)
		fetch_all(&m);
	return m.err;
}

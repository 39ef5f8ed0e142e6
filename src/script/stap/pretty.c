// SPDX-License-Identifier: GPL-2.0-or-later
/* Values as text: $$vars, $$parms, $$locals, $$return, and $x$, $x->y$$. It becomes a call of sprintf, whose arguments the kernel is
 * asked for: all members of a struct with $, those of structs inside of it with $$. */
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "script/ctype/ctype.h"
#include "script/stap/bind.h"
#include "script/stap/tree.h"
#include "symbol/dwarf/dwarf.h"

enum { DEEP = 8, ITEMS = 16 };

struct pretty {
	struct stap_scope *sc;
	struct span at;
	struct str text; /* the format */
	struct script_node *call, **last;
	int err;
};

static struct script_node *node(const struct pretty *p, enum node_kind kind, const char *name)
{
	struct script_node *n = node_new(p->sc->st->source, kind, p->at);
	n->name = name;
	return n;
}

/* Can the kernel be asked for no more? */
static bool is_full(const struct pretty *p)
{
	return p->sc->block->slots.n >= STAP_SLOTS;
}

static void add(struct pretty *p, struct script_node *value, const char *conversion, enum slot_form form)
{
	if (p->err)
		return;
	if (is_full(p)) {
		str_add(&p->text, "...");
		return;
	}
	str_add(&p->text, conversion);
	*p->last = value;
	p->err = stap_ask_kernel(p->sc, p->last, value, form, 0);
	if (p->err)
		return;
	p->last = &(*p->last)->next;
	p->call->n_args++;
}

static void add_text(struct pretty *p, struct script_node *value)
{
	struct script_node *c = node(p, NODE_CALL, "kernel_string");
	c->args = value;
	c->n_args = 1;
	add(p, c, "%s", SLOT_QUOTED);
}

static void add_value(struct pretty *p, const struct script_type *t, struct script_node *value, int structs, int deep);

static void add_members(struct pretty *p, const struct script_type *t, struct script_node *value, int structs, int deep)
{
	str_addc(&p->text, '{');
	for (unsigned i = 0, n = 0; i < t->n_fields && !p->err; i++) {
		if (!t->fields[i].name || !*t->fields[i].name)
			continue;
		if (is_full(p)) {
			str_add(&p->text, ", ...");
			break;
		}
		struct script_node *m = node(p, NODE_FIELD, t->fields[i].name);
		m->a = stap_clone_one(p->sc->st->source, value);
		str_addf(&p->text, "%s.%s=", n++ ? ", " : "", t->fields[i].name);
		add_value(p, t->fields[i].type, m, structs - 1, deep + 1);
	}
	str_addc(&p->text, '}');
}

static void add_items(struct pretty *p, const struct script_type *t, struct script_node *value, int structs, int deep)
{
	str_addc(&p->text, '[');
	for (unsigned i = 0; i < t->count && i < ITEMS && !p->err; i++) {
		struct script_node *m = node(p, NODE_ITEM, NULL), *k = node(p, NODE_INT, NULL);
		k->value = i;
		m->array = true;
		m->a = stap_clone_one(p->sc->st->source, value);
		m->b = k;
		str_addf(&p->text, "%s", i ? ", " : "");
		add_value(p, t->to, m, structs, deep + 1);
	}
	str_addf(&p->text, "%s]", t->count > ITEMS ? ", ..." : "");
}

static bool has_members(struct script_type *t)
{
	return t && t->kind == TYPE_STRUCT && ctype_members(t);
}

/* structs: so many, one inside of the other, are shown with their members. */
static void add_value(struct pretty *p, const struct script_type *t, struct script_node *value, int structs, int deep)
{
	bool text = t->kind == TYPE_STRING || (t->kind == TYPE_ARRAY && t->to && t->to->is_char) || (t->kind == TYPE_POINTER && t->to && t->to->is_char);
	if (text)
		add_text(p, value);
	else if (t->kind == TYPE_INT)
		add(p, value, "%d", SLOT_PLAIN);
	else if (t->kind == TYPE_POINTER && !deep && has_members(t->to))
		add_members(p, t->to, value, structs, deep);
	else if (t->kind == TYPE_POINTER)
		add(p, value, "%p", SLOT_PLAIN);
	else if (t->kind == TYPE_STRUCT)
		structs > 0 && deep < DEEP && has_members((struct script_type *)t) ? add_members(p, t, value, structs, deep) : str_add(&p->text, "{...}");
	else if (t->kind == TYPE_ARRAY)
		structs > 0 && deep < DEEP && t->count && t->to ? add_items(p, t, value, structs, deep) : str_add(&p->text, "[...]");
	else
		str_addc(&p->text, '?');
}

/* $$vars: numbers, and that there is more. */
static void add_short(struct pretty *p, const struct type_field *f, struct script_node *value)
{
	switch (f->type->kind) {
	case TYPE_INT:
	case TYPE_POINTER: add(p, value, "%#x", SLOT_PLAIN); break;
	case TYPE_STRING: add_text(p, value); break;
	case TYPE_STRUCT: str_add(&p->text, "{...}"); break;
	case TYPE_ARRAY: f->type->to && f->type->to->is_char ? add_text(p, value) : str_add(&p->text, "[...]"); break;
	default: str_addc(&p->text, '?');
	}
}

static struct pretty begin(struct stap_scope *sc, struct span at)
{
	struct pretty p = { .sc = sc, .at = at, .text = STR_INIT };
	p.call = node(&p, NODE_CALL, "sprintf");
	p.call->args = node(&p, NODE_STRING, "");
	p.call->n_args = 1;
	p.last = &p.call->args->next;
	return p;
}

static int end(struct pretty *p, struct script_node **at)
{
	struct script_node *format = p->call->args;
	format->name = arena_text(&p->sc->st->source->memory, p->text.buf ? p->text.buf : "", p->text.len);
	format->len = p->text.len;
	str_release(&p->text);
	p->call->next = (*at)->next;
	*at = p->call;
	return p->err;
}

/* How many $ are at its end: of $x$ one. */
static int dollars(const char *name)
{
	size_t n = strlen(name), k = n;
	while (k && name[k - 1] == '$')
		k--;
	return (int)(n - k);
}

/* Parameters of a place in the source; where nothing else is known, all are. */
static void parameters(const struct point *pt, wordlist *out)
{
	if (pt && pt->place)
		dwarf_var_names(pt->dwarf, pt->place, true, out);
}

static bool is_had(const struct point *pt, const char *name)
{
	for (unsigned i = 0; pt->args && i < pt->args->n_fields; i++)
		if (pt->args->fields[i].name && !strcmp(pt->args->fields[i].name, name))
			return pt->args->fields[i].type->kind != TYPE_NONE;
	return false;
}

/* The places of a block (copies of what is inlined) may differ in what is to be had. */
static bool is_everywhere(const struct stap_scope *sc, const char *name)
{
	const struct run_script *s = sc->st->s;
	const struct stap_block *b = sc->block;
	const struct probe *probe = b->side == SIDE_RETURN && b->entry ? b->entry->probe : b->probe;
	for (size_t i = 0; i < s->units.n; i++)
		if (s->units.at[i].probe == probe && !is_had(&s->points.at[s->units.at[i].points.at[0]], name))
			return false;
	return true;
}

/* $$vars, $$parms, $$locals */
static int all_variables(struct stap_scope *sc, struct script_node **at, const char *which)
{
	const struct point *pt = sc->block->side == SIDE_ENTRY ? sc->point : stap_entry_point(sc);
	const struct script_type *t = stap_args_of(sc);
	struct pretty p = begin(sc, (*at)->at);
	bool params = str_starts(which, "parms"), locals = str_starts(which, "locals");
	wordlist names = { 0 };
	parameters(pt, &names);
	for (unsigned i = 0; t && i < t->n_fields && !p.err; i++) {
		const struct type_field *f = &t->fields[i];
		bool param = f->name && (!pt || !pt->place || wordlist_has(&names, f->name));
		if (!f->name || !strcmp(f->name, "__syscall_nr") || f->type->kind == TYPE_RECORD || (params && !param) || (locals && param))
			continue;
		str_addf(&p.text, "%s%s=", p.text.len ? " " : "", f->name);
		struct script_node *value = node(&p, NODE_TARGET, f->name);
		if (!is_everywhere(sc, f->name))
			str_addc(&p.text, '?');
		else if (dollars(which))
			add_value(&p, f->type, value, dollars(which) == 1 ? 1 : DEEP, 0);
		else
			add_short(&p, f, value);
	}
	wordlist_release(&names);
	return end(&p, at);
}

static int returned(struct stap_scope *sc, struct script_node **at)
{
	struct pretty p = begin(sc, (*at)->at);
	str_add(&p.text, "return=");
	add(&p, node(&p, NODE_TARGET, "return"), "%#x", SLOT_PLAIN);
	return end(&p, at);
}

static int all_of(struct stap_scope *sc, struct script_node **at, const char *which)
{
	struct script_node *n = *at;
	bool back = str_starts(which, "return");
	if (str_starts(which, "vars") || str_starts(which, "parms") || str_starts(which, "locals"))
		return all_variables(sc, at, which);
	if (back && sc->block->side == SIDE_RETURN)
		return returned(sc, at);
	if (!back && strcmp(which, "name"))
		return source_error(sc->st->source, n->at, "there is no $$%s", which);
	n->kind = NODE_STRING;
	n->name = back || !sc->point ? "" : sc->point->event ? sc->point->event : sc->point->name;
	n->len = strlen(n->name);
	return 0;
}

bool stap_is_pretty(const struct script_node *n)
{
	return (n->kind == NODE_TARGET || n->kind == NODE_FIELD) && n->name && (dollars(n->name) || n->name[0] == '$');
}

int stap_pretty(struct stap_scope *sc, struct script_node **at)
{
	struct script_node *n = *at;
	if (!sc->block || sc->block->kind != STAP_KERNEL)
		return source_error(sc->st->source, n->at, "%s%s means nothing here: nothing of the kernel or a program is there", n->kind == NODE_TARGET ? "$" : "", n->name);
	if (n->kind == NODE_TARGET && n->name[0] == '$')
		return all_of(sc, at, n->name + 1);
	struct pretty p = begin(sc, n->at);
	struct script_node *whole = stap_clone_one(sc->st->source, n);
	int k = dollars(n->name);
	whole->name = arena_text(&sc->st->source->memory, n->name, strlen(n->name) - (size_t)k);
	const struct script_type *t = stap_type_of(sc, whole);
	if (!t) { /* what is wrong is told when that is checked */
		str_release(&p.text);
		whole->next = n->next;
		return stap_ask_kernel(sc, at, whole, SLOT_PLAIN, 0);
	}
	add_value(&p, t, whole, k == 1 ? 1 : DEEP, 0);
	return end(&p, at);
}

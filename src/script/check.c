// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/check.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "script/check_type.h"
#include "script/builtin/builtin.h"
#include "script/code/able.h"
#include "script/constants.h"
#include "script/front/lex.h"
#include "script/front/parse_type.h"
#include "script/provider/provider.h"

enum { ROUNDS = 30 };

static void check_block(struct checker *c, struct script_node *n, struct decl **vars);

struct script_type *check_fail(struct checker *c, struct span at, const char *fmt, ...)
{
	struct str text = STR_INIT;
	va_list ap;
	if (!c->strict || c->err)
		return &type_none;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	c->err = source_error(c->s->source, at, "%s", text.buf);
	str_release(&text);
	return &type_none;
}

struct script_type *check_later(struct checker *c, struct span at, const char *what)
{
	if (c->strict && !c->err)
		c->err = source_later(c->s->source, at, what);
	return &type_none;
}

/* "an int64", "a string", "an lhist()" */
static const char *article(const char *word)
{
	return strchr("aeio", *word) || str_starts(word, "lhist") ? "an" : "a";
}

bool check_number(struct checker *c, struct script_node *n, const char *what)
{
	check_expr(c, n);
	return check_is_number(c, n, what);
}

bool check_is_number(struct checker *c, struct script_node *n, const char *what)
{
	struct script_type *t = n->type;
	if (t->kind == TYPE_INT || t->kind == TYPE_POINTER || t->kind == TYPE_KSYM)
		return true;
	struct str s = STR_INIT;
	type_describe(t, &s);
	check_fail(c, n->at, "%s is a number, and this is %s %s", what, article(s.buf), s.buf);
	str_release(&s);
	return false;
}

bool check_constant(struct checker *c, const struct script_node *n, int64_t least, int64_t most, const char *what)
{
	bool negative = n->kind == NODE_UNARY && n->op == '-' && n->a->kind == NODE_INT;
	int64_t v = negative ? -(int64_t)n->a->value : (int64_t)n->value;
	if ((n->kind == NODE_INT || negative) && v >= least && v <= most)
		return true;
	check_fail(c, n->at, "%s is a constant from %lld to %lld", what, (long long)least, (long long)most);
	return false;
}

static struct site *site_of(const struct checker *c, const struct script_node *n)
{
	for (size_t i = 0; i < c->s->sites.n; i++)
		if (c->s->sites.at[i]->call == n && c->s->sites.at[i]->unit == c->u)
			return c->s->sites.at[i];
	return NULL;
}

struct site *check_site(struct checker *c, struct script_node *n, struct script_type *payload)
{
	if (!n->site || n->site->unit != c->u)
		n->site = site_of(c, n);
	if (!n->site) {
		n->site = arena_get(&c->s->source->memory, sizeof(*n->site));
		n->site->number = (unsigned)c->s->sites.n;
		n->site->call = n;
		n->site->unit = c->u;
		n->site->builtin = n->builtin;
		*vec_push(&c->s->sites) = n->site;
	}
	n->site->payload = payload;
	return n->site;
}

/* ---- variables and maps ---- */

static struct decl *new_decl(struct checker *c, struct script_node *n)
{
	struct decl *d = arena_get(&c->s->source->memory, sizeof(*d));
	d->name = n->name;
	d->first = n->at;
	c->changed = true;
	return d;
}

static struct decl *new_variable(struct checker *c, struct script_node *n)
{
	struct decl *d = new_decl(c, n);
	d->next = c->u->probe->vars;
	c->u->probe->vars = d;
	return d;
}

/* The one of that name that is for the whole probe; NULL. */
static struct decl *wide_one(const struct checker *c, const char *name)
{
	struct decl *d = c->u->probe->vars;
	while (d && (!d->wide || strcmp(d->name, name)))
		d = d->next;
	return d;
}

static struct decl *in_scope(const struct checker *c, const char *name)
{
	struct decl *wide = wide_one(c, name);
	for (const struct scope *s = c->scope; s; s = s->up)
		for (struct decl *d = *s->vars; d; d = d->inner)
			if (!strcmp(d->name, name))
				return d->let || !wide ? d : wide;
	return wide;
}

/* A variable ends with the block that sets it first. Once it was the probe's: what is used behind its block is so still. */
static struct decl *outlives(struct checker *c, struct script_node *n)
{
	struct decl *d = c->u->probe->vars;
	while (d && (d->let || strcmp(d->name, n->name)))
		d = d->next;
	if (!d)
		return NULL;
	struct decl *wide = new_variable(c, n);
	wide->wide = wide->assigned = true;
	return wide;
}

static void tell_wide(struct checker *c, struct decl *d)
{
	if (!d->wide || d->told || !c->strict || c->err)
		return;
	d->told = true;
	source_warn(c->s->source, d->first, "$%s is used outside of the block that sets it, which newer versions of bpftrace refuse: let $%s; "
		    "before that block works everywhere", d->name, d->name);
}

static struct decl *declare(struct checker *c, struct script_node *n)
{
	struct decl *d = new_variable(c, n);
	d->inner = *c->scope->vars;
	*c->scope->vars = d;
	return d;
}

/* The variable that is set here, or read: the first makes it. NULL: it is never set. */
static struct decl *variable(struct checker *c, struct script_node *n, bool written)
{
	n->decl = in_scope(c, n->name);
	if (!n->decl)
		n->decl = written ? declare(c, n) : outlives(c, n);
	if (n->decl)
		tell_wide(c, n->decl);
	return n->decl;
}

/* let, and the variable of a loop: a new one in this block, whatever else is called so. */
static struct decl *own_variable(struct checker *c, struct script_node *n)
{
	for (struct decl *d = *c->scope->vars; d; d = d->inner)
		if (d->let && d->first.at == n->at.at && !strcmp(d->name, n->name)) /* a macro has one place, and a name for each use */
			return n->decl = d;
	n->decl = declare(c, n);
	n->decl->let = true;
	return n->decl;
}

static struct decl *named_map(struct checker *c, struct script_node *n)
{
	for (size_t i = 0; !n->decl && i < c->s->maps.n; i++)
		if (!strcmp(c->s->maps.at[i]->name, n->name))
			n->decl = c->s->maps.at[i];
	if (!n->decl) {
		n->decl = new_decl(c, n);
		n->decl->keyed = n->n_args;
		*vec_push(&c->s->maps) = n->decl;
	}
	return n->decl;
}

static void undefined(struct checker *c, struct script_node *n)
{
	struct nearest near;
	if (!c->strict || c->err)
		return;
	check_fail(c, n->at, "nothing is ever stored in @%s", n->name);
	nearest_init(&near, n->name);
	for (size_t i = 0; i < c->s->maps.n; i++)
		if (c->s->maps.at[i]->assigned)
			nearest_offer(&near, c->s->maps.at[i]->name);
	if (!nearest_hint_of(&near, "@"))
		error_hint("a script fills its own maps: @%s%s = 1 somewhere", n->name, n->n_args ? "[key]" : "");
}

static struct script_type *never_set(struct checker *c, const struct script_node *n)
{
	struct nearest near;
	if (!c->strict || c->err)
		return &type_none;
	check_fail(c, n->at, "$%s is never set in this block", n->name);
	nearest_init(&near, n->name);
	for (const struct decl *d = c->u->probe->vars; d; d = d->next)
		if (d->assigned)
			nearest_offer(&near, d->name);
	nearest_hint_of(&near, "$");
	return &type_none;
}

/* The keys between brackets: they widen the map's. */
static void keys(struct checker *c, struct script_node *n, struct decl *d)
{
	struct script_type *types[16];
	unsigned k = 0;
	if (n->n_args == 1 && n->args->kind == NODE_TUPLE) { /* @x[(1, 2)] is @x[1, 2] */
		n->n_args = n->args->n_args;
		n->args = n->args->args;
	}
	if (n->n_args > 16) {
		check_fail(c, n->at, "a map has at most 16 keys");
		return;
	}
	for (struct script_node *i = n->args; i; i = i->next) {
		types[k] = check_expr(c, i);
		if (types[k]->kind == TYPE_AGGREGATE || !check_kept(c, i) || (c->strict && types[k]->kind == TYPE_NONE)) {
			check_fail(c, i->at, "this cannot be a key");
			return;
		}
		k++;
	}
	if (k == 1 && types[0]->kind == TYPE_NONE && !d->key)
		return; /* it may be a tuple: not known yet */
	struct script_type *t = k == 1 && types[0]->kind == TYPE_TUPLE ? types[0] : type_tuple(&c->s->source->memory, types, k), *joined = type_join(&c->s->source->memory, d->key, t);
	if (!joined) {
		struct str was = STR_INIT, is = STR_INIT;
		type_describe(d->key, &was);
		type_describe(t, &is);
		check_fail(c, n->at, "the keys of @%s are %s elsewhere, and %s here", n->name, was.buf, is.buf);
		str_release(&was);
		str_release(&is);
		return;
	}
	if (!d->key || !type_same(d->key, joined))
		c->changed = true;
	d->key = joined;
}

struct decl *check_map(struct checker *c, struct script_node *n)
{
	if (n->kind != NODE_MAP) {
		check_fail(c, n->at, "a map (@name) should be here");
		return NULL;
	}
	struct decl *d = named_map(c, n);
	n->type = d->type ? type_whole(d->type) : &type_none;
	if (n->n_args) {
		d->keyed = true;
		keys(c, n, d);
	}
	if (c->strict && !d->assigned)
		undefined(c, n);
	return d;
}

/* An aggregation where its value is meant: what it comes to over all CPUs, a number. */
static struct script_type *check_aggregate_value(struct checker *c, const struct script_node *map)
{
	const struct script_type *t = map->decl->type;
	if (t->aggregate == AGG_HIST || t->aggregate == AGG_LHIST)
		return check_fail(c, map->at, "%s %s() is no one number: it can only be printed", article(aggregate_name(t->aggregate)), aggregate_name(t->aggregate));
	if (c->strict && !c->err && !(able(c->s, ABLE_PERCPU) && able(c->s, ABLE_LOOP))) {
		check_fail(c, map->at, "this kernel cannot add up @%s in a program: that came with Linux 5.19", map->name);
		error_hint("@%s++ and @%s += n are numbers that a program can read", map->name, map->name);
	}
	return t->is_signed ? &type_s64 : &type_u64;
}

/* A map where its value is meant. */
static struct script_type *map_value(struct checker *c, struct script_node *n, bool written)
{
	struct decl *d = named_map(c, n);
	if (written)
		d->assigned = true;
	if (!check_map(c, n))
		return &type_none;
	if (d->keyed != (n->n_args > 0))
		return check_fail(c, n->at, d->keyed ? "@%s has keys elsewhere" : "@%s has no keys elsewhere", n->name);
	return !written && d->type && d->type->kind == TYPE_AGGREGATE ? check_aggregate_value(c, n) : n->type;
}

static void widen(struct checker *c, struct script_node *to, struct script_type *t)
{
	struct decl *d = to->decl;
	uint8_t bytes = t->kind != TYPE_INT ? 0 : t->literal ? 8 : (uint8_t)t->size;
	if (bytes > d->bytes) {
		d->bytes = bytes;
		c->changed = true;
	}
	if (d->fixed && (t->kind == TYPE_INT || t->kind == TYPE_POINTER))
		t = d->fixed;
	else if (!t->literal) /* whatever was cut before it came here: what is kept has all its bytes */
		t = type_whole(t);
	struct script_type *joined = type_join(&c->s->source->memory, d->type, t);
	if (!joined) {
		struct str was = STR_INIT, is = STR_INIT;
		type_describe(d->type, &was);
		type_describe(t, &is);
		check_fail(c, to->at, "%s%s is %s %s elsewhere, and would be %s %s here", to->kind == NODE_MAP ? "@" : "$", to->name, article(was.buf), was.buf,
			   article(is.buf), is.buf);
		str_release(&was);
		str_release(&is);
		return;
	}
	if (!d->type || !type_same(d->type, joined))
		c->changed = true;
	d->type = joined;
	to->type = type_whole(joined);
}

/* What `let $x: uint8` says; NULL: nothing. */
static struct script_type *declared_type(struct checker *c, const struct script_node *n)
{
	struct script_type *t = n->written ? check_written(c, n->written) : NULL;
	if (!t || t->kind == TYPE_INT || t->kind == TYPE_POINTER)
		return t;
	check_fail(c, n->written->at, "what is declared with its type is a number, a pointer or a string");
	return NULL;
}

void check_assign(struct checker *c, struct script_node *n)
{
	struct script_type *t = check_expr(c, n->b);
	if (n->a->kind == NODE_MAP) {
		map_value(c, n->a, true);
	} else {
		struct decl *d = n->let ? own_variable(c, n->a) : variable(c, n->a, true);
		d->assigned = true;
		if (n->let)
			d->fixed = declared_type(c, n);
		n->a->type = d->type ? type_whole(d->type) : &type_none;
		if (n->let && n->array && t->kind != TYPE_STRING && t->kind != TYPE_NONE)
			check_fail(c, n->b->at, "$%s is declared as a string", n->a->name);
		if (t->kind == TYPE_AGGREGATE)
			check_fail(c, n->b->at, "%s() can only be stored in a map", aggregate_name(t->aggregate));
	}
	if (t->kind == TYPE_NONE || !check_kept(c, n->b)) {
		check_fail(c, n->b->at, "this has no value that could be stored");
		return;
	}
	if (n->op && (t->kind != TYPE_INT || (n->a->decl->type && n->a->decl->type->kind != TYPE_INT && n->a->decl->type->kind != TYPE_POINTER))) {
		check_fail(c, n->at, "only numbers can be computed with");
		return;
	}
	widen(c, n->a, n->op && t->kind == TYPE_INT ? type_whole(t) : t);
}

/* ---- expressions ---- */

static struct script_type *literal(struct checker *c, const struct script_node *n)
{
	static struct script_type number = { TYPE_INT, .size = 8, .is_signed = true, .literal = true },
			   large = { TYPE_INT, .size = 8, .literal = true };
	(void)c;
	if (n->value > INT64_MAX) /* folded: negative, so that it takes nobody's sign */
		return n->op == '-' ? &type_s64 : &large;
	return &number;
}

/* probe == "kprobe:vfs_read": the name of a place, and one as text. */
static bool names_place(const struct script_node *a, const struct script_node *b)
{
	return (a->type->kind == TYPE_PROBE || a->type->kind == TYPE_FUNC) && b->kind == NODE_STRING;
}

static struct script_type *binary(struct checker *c, struct script_node *n)
{
	struct script_type *a = check_expr(c, n->a), *b = check_expr(c, n->b);
	bool equality = n->op == TOKEN_EQ || n->op == TOKEN_NE;
	if ((a->kind == TYPE_NONE || b->kind == TYPE_NONE) && !c->strict) /* @x = @x + 1 begins somewhere: with the other's type */
		return n->op == '-' ? &type_s64 : a->kind == TYPE_NONE ? (b->kind == TYPE_INT ? b : &type_none) : a->kind == TYPE_INT ? a : &type_none;
	if (a->kind == TYPE_NONE || b->kind == TYPE_NONE) {
		check_fail(c, (a->kind == TYPE_NONE ? n->a : n->b)->at, "this has no value");
		return &type_none;
	}
	if (equality) {
		inet_adopt(c, &n->a, n->b);
		inet_adopt(c, &n->b, n->a);
		a = n->a->type;
		b = n->b->type;
	}
	if (equality && ((a->kind == TYPE_STRING && b->kind == TYPE_STRING) || (a->kind == TYPE_SHOWN && b->kind == TYPE_SHOWN && a->shown == b->shown)))
		return &type_bool;
	if (equality && (names_place(n->a, n->b) || names_place(n->b, n->a)))
		return &type_bool;
	if (equality && a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE)
		return type_join(&c->s->source->memory, a, b) ? &type_bool : check_fail(c, n->at, "tuples of different kinds are never the same");
	if (equality && a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY) {
		if (!a->size || a->size != b->size)
			return check_fail(c, n->at, "arrays of different sizes are never the same");
		return &type_bool;
	}
	if (!check_is_number(c, n->a, "what an operator is applied to") || !check_is_number(c, n->b, "what an operator is applied to"))
		return &type_none;
	check_signs(c, n);
	if (equality || strchr("<>", n->op < 256 ? n->op : ' ') || n->op == TOKEN_LE || n->op == TOKEN_GE || n->op == TOKEN_AND || n->op == TOKEN_OR)
		return &type_bool;
	if (a->kind == TYPE_POINTER || b->kind == TYPE_POINTER)
		return check_pointers(c, n);
	struct script_type *t = type_join(&c->s->source->memory, a, b);
	if (n->op == '-')
		return &type_s64;
	if (n->op == TOKEN_SHL || n->op == TOKEN_SHR)
		t = a;
	if (t->kind == TYPE_INT && !t->literal)
		return t->is_signed ? &type_s64 : &type_u64;
	return t;
}

static struct script_type *unary(struct checker *c, struct script_node *n)
{
	if (n->op == '*' || n->op == '&')
		return n->op == '*' ? check_deref(c, n) : check_address_of(c, n);
	struct script_type *t = check_expr(c, n->a);
	if (!check_is_number(c, n->a, "what an operator is applied to"))
		return &type_none;
	return n->op == '!' ? &type_bool : n->op == '-' ? &type_s64 : t;
}

static struct script_type *ternary(struct checker *c, struct script_node *n)
{
	check_number(c, n->a, "a condition");
	struct script_type *b = n->b == n->a ? n->a->type : check_expr(c, n->b), *d = check_expr(c, n->c), *t = type_join(&c->s->source->memory, b, d);
	if (!t || (b->kind == TYPE_NONE) != (d->kind == TYPE_NONE))
		return check_fail(c, n->at, "both sides of ?: are to be of one kind");
	return t;
}

static struct script_type *tuple(struct checker *c, struct script_node *n)
{
	struct script_type *types[16];
	unsigned k = 0;
	if (n->n_args > 16)
		return check_fail(c, n->at, "a tuple has at most 16 items");
	for (struct script_node *i = n->args; i; i = i->next, k++) {
		types[k] = check_expr(c, i);
		if (types[k]->kind == TYPE_AGGREGATE || types[k]->kind == TYPE_NONE || !check_kept(c, i))
			return check_fail(c, i->at, "this cannot be an item of a tuple");
	}
	return type_tuple(&c->s->source->memory, types, k);
}

static struct script_type *item(struct checker *c, struct script_node *n)
{
	struct script_type *t = n->array ? check_expr(c, n->a) : NULL;
	if (t && t->kind == TYPE_TUPLE && n->b->kind == NODE_INT) { /* $t[1] is $t.1 */
		n->array = false;
		n->value = n->b->value;
		n->b = NULL;
	}
	if (n->array)
		return check_index(c, n);
	t = t ? t : check_expr(c, n->a);
	if (t->kind != TYPE_TUPLE)
		return check_fail(c, n->at, "only a tuple has numbered items");
	if (n->value >= t->n_fields)
		return check_fail(c, n->at, "this tuple has %u items, the first is .0", t->n_fields);
	struct script_type *f = t->fields[n->value].type;
	return f->literal ? type_whole(f) : f;
}

static struct script_type *unknown(struct checker *c, const struct script_node *n)
{
	struct nearest near;
	if (!c->strict || c->err)
		return &type_none;
	bool call = n->kind == NODE_CALL;
	check_fail(c, n->at, call ? "there is no function %s()" : "there is no built-in value '%s'", n->name);
	nearest_init(&near, n->name);
	for (const struct builtin *b = NULL; (b = builtin_next(b));)
		if (b->is_call == call)
			nearest_offer(&near, b->name);
	nearest_hint(&near);
	return &type_none;
}

/* AF_INET: the node becomes the number. */
static bool header_constant(struct script_node *n)
{
	if (!constant_value(n->name, &n->value))
		return false;
	n->kind = NODE_INT;
	n->op = (int64_t)n->value < 0 ? '-' : 0;
	return true;
}

static struct script_type *builtin(struct checker *c, struct script_node *n)
{
	bool call = n->kind == NODE_CALL;
	if (!n->builtin)
		n->builtin = builtin_find(n->name, call);
	if (!n->builtin && !n->n_args) /* `pid` and `pid()` are one; `kstack` takes nothing when it stands alone */
		n->builtin = builtin_find(n->name, !call);
	if (!n->builtin) {
		if (!call && !c->s->source->declared && header_constant(n)) /* without a look into the kernel's types */
			return literal(c, n);
		struct script_type *constant = call ? NULL : check_enum_constant(c, n);
		if (!call && !constant && header_constant(n))
			return literal(c, n);
		const char *later = constant ? NULL : builtin_later(n->name);
		if (constant)
			return constant;
		return later ? check_later(c, n->at, later) : unknown(c, n);
	}
	const struct builtin *b = n->builtin;
	if (b->is_call && (n->n_args < b->min || (b->max >= b->min && n->n_args > b->max)))
		return check_fail(c, n->at, b->max == b->min ? "%s() takes %u argument%s" : "%s() takes at least %u argument%s", b->name, b->min,
				  b->min == 1 ? "" : "s");
	return b->check(c, n);
}

static struct script_type *step(struct checker *c, struct script_node *n)
{
	if (n->a->kind == NODE_MAP)
		map_value(c, n->a, true);
	else
		variable(c, n->a, true)->assigned = true;
	if (n->a->decl->type && n->a->decl->type->kind == TYPE_POINTER)
		return n->a->type = n->a->decl->type;
	if (n->a->decl->type && n->a->decl->type->kind != TYPE_INT)
		return check_fail(c, n->at, "only a number can be stepped");
	widen(c, n->a, &type_s64);
	return n->a->decl->type;
}

static struct script_type *expression(struct checker *c, struct script_node *n)
{
	switch (n->kind) {
	case NODE_INT: return literal(c, n);
	case NODE_STRING:
		if (n->len >= STRING_MAX)
			return check_fail(c, n->at, "a string has at most %d bytes", STRING_MAX - 1);
		return type_string(&c->s->source->memory, (uint32_t)n->len + 1);
	case NODE_WORD:
	case NODE_CALL: return builtin(c, n);
	case NODE_VAR:
		if (!variable(c, n, false) || !n->decl->assigned)
			return never_set(c, n);
		return n->decl->type ? type_whole(n->decl->type) : &type_none;
	case NODE_MAP: return map_value(c, n, false);
	case NODE_UNARY: return unary(c, n);
	case NODE_BINARY: return binary(c, n);
	case NODE_TERNARY: return ternary(c, n);
	case NODE_CAST: return check_cast(c, n);
	case NODE_SIZEOF: return check_sizeof(c, n);
	case NODE_OFFSETOF: return check_offsetof(c, n);
	case NODE_FIELD: return check_field(c, n);
	case NODE_ITEM: return item(c, n);
	case NODE_TUPLE: return tuple(c, n);
	case NODE_STEP: return step(c, n);
	default: return &type_none;
	}
}

struct script_type *check_expr(struct checker *c, struct script_node *n)
{
	return n->type = expression(c, n);
}

/* ---- statements ---- */

static void let(struct checker *c, struct script_node *n)
{
	struct decl *d = own_variable(c, n->a);
	d->assigned = true;
	d->fixed = declared_type(c, n);
	if (d->fixed)
		widen(c, n->a, d->fixed);
}

/* What $kv is: the key, several as a tuple, and the value. */
static struct script_type *pair_of(struct checker *c, struct script_node *map)
{
	struct decl *d = check_map(c, map);
	if (!d || !d->type || !d->key)
		return d && d->type && !d->keyed ? check_fail(c, map->at, "@%s has no keys to go through", map->name) : &type_none;
	struct script_type *value = d->type;
	if (value->kind == TYPE_AGGREGATE && (value = check_aggregate_value(c, map))->kind == TYPE_NONE)
		return value;
	struct script_type *types[] = { d->key->n_fields == 1 ? d->key->fields[0].type : d->key, value };
	return type_tuple(&c->s->source->memory, types, 2);
}

static void for_loop(struct checker *c, struct script_node *n)
{
	struct scope inner = { c->scope, &n->vars };
	struct script_type *t = &type_s64;
	if (n->c) {
		check_number(c, n->b, "where a range begins");
		check_number(c, n->c, "where a range ends");
	} else {
		t = pair_of(c, n->b);
	}
	c->scope = &inner;
	own_variable(c, n->a)->assigned = true;
	if (t->kind != TYPE_NONE)
		widen(c, n->a, t);
	c->scope = inner.up;
	c->loops++;
	check_block(c, n->body, &n->vars);
	c->loops--;
}

static void loop(struct checker *c, struct script_node *n)
{
	check_number(c, n->a, n->kind == NODE_WHILE ? "a condition" : "how often");
	c->loops++;
	check_block(c, n->body, &n->vars);
	c->loops--;
}

static void statement(struct checker *c, struct script_node *n)
{
	switch (n->kind) {
	case NODE_ASSIGN: check_assign(c, n); break;
	case NODE_EXPR:
		check_expr(c, n->a);
		if (n->a->type->kind == TYPE_AGGREGATE)
			check_fail(c, n->a->at, "%s() is to be stored in a map", aggregate_name(n->a->type->aggregate));
		break;
	case NODE_IF:
		check_number(c, n->a, "a condition");
		check_block(c, n->body, &n->vars);
		check_block(c, n->other, &n->other_vars);
		break;
	case NODE_WHILE:
	case NODE_UNROLL: loop(c, n); break;
	case NODE_EACH: for_loop(c, n); break;
	case NODE_LET: let(c, n); break;
	case NODE_RETURN:
		if (n->a)
			check_expr(c, n->a);
		break;
	case NODE_BREAK:
	case NODE_CONTINUE:
		if (!c->loops)
			check_fail(c, n->at, "there is no loop around this");
		break;
	case NODE_BLOCK: check_block(c, n->body, &n->vars); break;
	default: break;
	}
}

static void check_block(struct checker *c, struct script_node *n, struct decl **vars)
{
	struct scope s = { c->scope, vars };
	c->scope = &s;
	for (; n && !c->err; n = n->next)
		statement(c, n);
	c->scope = s.up;
}

static void unit(struct checker *c, struct script_unit *u)
{
	c->u = u;
	c->point = &c->s->points.at[u->points.at[0]];
	if (u->probe->predicate)
		check_number(c, u->probe->predicate, "a predicate");
	check_block(c, u->probe->body, &u->probe->top);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct decl *const *)a)->name, (*(struct decl *const *)b)->name);
}

int check_script(struct run_script *s)
{
	struct checker c = { .s = s, .changed = true };
	for (int round = 0; c.changed && round < ROUNDS; round++) {
		c.changed = false;
		vec_each(&s->units, u)
			unit(&c, u);
	}
	c.strict = true;
	vec_each(&s->units, u)
		if (!c.err)
			unit(&c, u);
	if (s->maps.n)
		qsort(s->maps.at, s->maps.n, sizeof(s->maps.at[0]), by_name);
	for (size_t i = 0; i < s->maps.n; i++)
		s->maps.at[i]->number = (unsigned)i;
	return c.err;
}

int check_unit(struct run_script *s, struct script_unit *u)
{
	struct checker c = { .s = s, .strict = true };
	unit(&c, u);
	return c.err;
}

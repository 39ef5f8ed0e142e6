// SPDX-License-Identifier: GPL-2.0-or-later
/* What C has: casts, members, indices, pointers, sizeof and offsetof.
 *
 * An expression that means a place in memory has C's type of it in `place`, and what its value is in `type`: of an array of char
 * that is a string. The type of a pointer says in whose memory it points, and so does that of a struct or array for the pointers
 * in it: what was read from a program's memory points into it, too. */
#include <string.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/check_type.h"
#include "script/ctype/ctype.h"
#include "script/front/lex.h"
#include "script/front/parse_type.h"

enum { NAMES_SHOWN = 24 };

static struct arena *memory(const struct checker *c)
{
	return &c->s->source->memory;
}

static bool silent(const struct checker *c)
{
	return !c->strict || c->err;
}

/* What a call like exit() is to an operator. (What has failed has said why, and check_fail() says nothing more.) */
static struct script_type *no_value(struct checker *c, const struct script_node *n)
{
	return check_fail(c, n->at, "this has no value");
}

/* ---- types ---- */

static struct script_type *unknown_type(struct checker *c, const struct c_type *t)
{
	if (silent(c))
		return NULL;
	if (error_pending()) {
		c->err = error_code();
		return NULL;
	}
	check_fail(c, t->at, "nobody knows the type '%s'", t->name ? t->name : "");
	if (t->name)
		ctype_hint(c->s->types, c->point->dwarf, t->name);
	return NULL;
}

/* What typeof() in it stands for. Of a value that only one of C's types could have. */
static bool find_typeof(struct checker *c, struct c_type *whole)
{
	struct c_type *t = whole;
	while (t->kind != C_TYPEOF && t->to)
		t = t->to;
	if (t->kind != C_TYPEOF)
		return true;
	struct script_type *is = check_expr(c, t->of);
	if (t->of->place)
		is = t->of->place;
	whole->made = NULL; /* of an earlier round */
	t->is = is->literal ? type_whole(is) : is;
	if (is->kind == TYPE_INT || is->kind == TYPE_POINTER || is->kind == TYPE_STRUCT || is->kind == TYPE_ARRAY)
		return true;
	check_fail(c, t->at, "typeof() takes a number, a pointer, a struct or an array here");
	return false;
}

struct script_type *check_written(struct checker *c, struct c_type *t)
{
	if (!find_typeof(c, t))
		return NULL;
	const struct c_type *unknown;
	struct script_type *type = ctype_written(c->s->types, c->point->dwarf, t, &unknown);
	if (!type && !c->err && silent(c))
		error_clear();
	return type ? type : unknown_type(c, unknown);
}

static struct script_type *in_space(struct checker *c, struct script_type *t, enum script_space space)
{
	if (t->kind == TYPE_POINTER)
		return type_in_space(memory(c), t, space);
	if ((t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY) || t->space == space)
		return t;
	struct script_type *copy = arena_get(memory(c), sizeof(*copy));
	ctype_size(t);
	ctype_members(t);
	*copy = *t;
	copy->space = space;
	return copy;
}

/* n means a place of that type. */
static struct script_type *place(struct checker *c, struct script_node *n, struct script_type *t, enum script_space space)
{
	if (t->kind == TYPE_NONE)
		return check_fail(c, n->at, "this is of a type that cannot be read: void, or floating-point");
	if (t->kind == TYPE_FUNCTION)
		return check_fail(c, n->at, "this is a function, which has no value");
	/* the kernel has pointers into programs, too, and its types do not tell which: the address does */
	n->place = in_space(c, t, t->kind == TYPE_POINTER && space == SPACE_KERNEL ? SPACE_ANY : space);
	return type_is_text(t) ? type_string(memory(c), t->count ? t->count + 1 : c->s->max_string) : n->place;
}

bool check_kept(struct checker *c, const struct script_node *n)
{
	struct script_type *t = n->type;
	if (t->kind == TYPE_RECORD || t->kind == TYPE_FUNCTION)
		return false;
	if ((t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY) || ctype_size(t))
		return true;
	struct str s = STR_INIT;
	type_describe(t, &s);
	check_fail(c, n->at, "the size of %s is not known, so that it has no value to be kept or shown", s.buf);
	str_release(&s);
	return false;
}

bool check_address(struct checker *c, struct script_node *n, const char *what)
{
	struct script_type *t = check_expr(c, n);
	return t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT || t->kind == TYPE_STRING || check_is_number(c, n, what);
}

/* ---- members ---- */

static void tell_members(const struct checker *c, struct script_type *t, const char *name)
{
	struct nearest near;
	struct str have = STR_INIT;
	(void)c;
	nearest_init(&near, name);
	for (unsigned i = 0; i < t->n_fields; i++) {
		nearest_offer(&near, t->fields[i].name);
		if (i < NAMES_SHOWN)
			str_addf(&have, "%s%s", i ? ", " : "", t->fields[i].name);
	}
	if (t->n_fields > NAMES_SHOWN)
		str_addf(&have, " and %u more", t->n_fields - NAMES_SHOWN);
	nearest_hint(&near);
	if (t->n_fields)
		error_hint("%s has: %s", t->name, have.buf);
	str_release(&have);
}

static struct script_type *no_member(struct checker *c, const struct script_node *n, struct script_type *t)
{
	if (silent(c))
		return &type_none;
	if (ctype_members(t)) {
		check_fail(c, n->at, "%s has no member '%s'", t->name, n->name);
		tell_members(c, t, n->name);
	} else {
		check_fail(c, n->at, "the members of %s are not known here", t->name);
		ctype_hint(c->s->types, c->point->dwarf, t->name);
	}
	return &type_none;
}

/* A member of `args`, which the provider gives. */
static struct script_type *of_record(struct checker *c, struct script_node *n, struct script_type *t)
{
	struct nearest near;
	for (unsigned i = 0; i < t->n_fields; i++) {
		struct type_field *f = &t->fields[i];
		if (strcmp(f->name, n->name))
			continue;
		if (f->type->kind == TYPE_ARRAY || f->type->kind == TYPE_STRUCT)
			return place(c, n, f->type, f->space);
		return f->type;
	}
	if (silent(c))
		return &type_none;
	struct str have = STR_INIT;
	nearest_init(&near, n->name);
	for (unsigned i = 0; i < t->n_fields; i++) {
		str_addf(&have, "%s%s", i ? ", " : "", t->fields[i].name);
		nearest_offer(&near, t->fields[i].name);
	}
	check_fail(c, n->at, "%s has no '%s'", c->point->name, n->name);
	nearest_hint(&near);
	if (t->n_fields)
		error_hint("%s has: %s", c->point->name, have.buf);
	str_release(&have);
	return &type_none;
}

static struct script_type *no_struct(struct checker *c, const struct script_node *n, struct script_type *t)
{
	struct str s = STR_INIT;
	if (t->kind == TYPE_NONE)
		return no_value(c, n->a);
	if (silent(c))
		return &type_none;
	type_describe(t, &s);
	check_fail(c, n->at, "'%s' cannot be a member: this is a %s, not a struct", n->name, s.buf);
	if (t->kind == TYPE_INT || t->kind == TYPE_POINTER)
		error_hint("say what it points to: ((struct NAME *)...)->%s", n->name);
	str_release(&s);
	return &type_none;
}

struct script_type *check_field(struct checker *c, struct script_node *n)
{
	struct script_type *t = check_expr(c, n->a);
	n->place = NULL;
	if (t->kind == TYPE_RECORD)
		return of_record(c, n, t);
	struct script_type *base = t->kind == TYPE_POINTER && t->to ? t->to : t;
	if (base->kind != TYPE_STRUCT)
		return no_struct(c, n, t);
	const struct type_field *f = ctype_member(base, n->name);
	return f ? place(c, n, f->type, t->space) : no_member(c, n, base);
}

/* ---- indices and pointers ---- */

static struct script_type *not_pointed(struct checker *c, const struct script_node *n, const struct script_type *t)
{
	struct str s = STR_INIT;
	if (t->kind == TYPE_NONE)
		return &type_none;
	type_describe(t, &s);
	check_fail(c, n->at, "what this %s points to is not known", s.buf);
	if (!silent(c) || c->err)
		error_hint("a cast says it: *(uint64 *)..., ((struct NAME *)...)[1]");
	str_release(&s);
	return &type_none;
}

struct script_type *check_index(struct checker *c, struct script_node *n)
{
	check_expr(c, n->a);
	struct script_type *t = n->a->place && n->a->place->kind == TYPE_ARRAY ? n->a->place : n->a->type;
	n->place = NULL;
	if (t->kind == TYPE_NONE)
		return no_value(c, n->a);
	if (!check_number(c, n->b, "an index"))
		return &type_none;
	if (t->kind == TYPE_TUPLE)
		return check_fail(c, n->b->at, "the index of a tuple is a constant");
	if (t->kind != TYPE_ARRAY && t->kind != TYPE_POINTER)
		return check_fail(c, n->at, "only an array or a pointer has an index");
	if (!t->to || !ctype_size(t->to))
		return not_pointed(c, n, t);
	if (t->kind == TYPE_ARRAY && t->count && n->b->kind == NODE_INT && n->b->value >= t->count)
		return check_fail(c, n->b->at, "this array has %u items, the first is [0]", t->count);
	return place(c, n, t->to, t->space);
}

struct script_type *check_deref(struct checker *c, struct script_node *n)
{
	struct script_type *t = check_expr(c, n->a);
	n->place = NULL;
	if (t->kind == TYPE_INT) /* as bpftrace has it: a word is there */
		return place(c, n, &type_u64, SPACE_ANY);
	if (t->kind != TYPE_POINTER)
		return t->kind == TYPE_NONE ? no_value(c, n->a) : check_fail(c, n->at, "only a pointer can be followed");
	if (!t->to || (t->to->kind != TYPE_FUNCTION && !ctype_size(t->to)))
		return not_pointed(c, n, t);
	return place(c, n, t->to, t->space);
}

/* In whose memory a place is. */
static enum script_space space_of(const struct script_node *n)
{
	while ((n->kind == NODE_FIELD || n->kind == NODE_ITEM) && n->a->place && n->a->type->kind != TYPE_POINTER)
		n = n->a;
	if (n->kind == NODE_FIELD || n->kind == NODE_ITEM || n->kind == NODE_UNARY)
		return n->a->type->kind == TYPE_INT ? SPACE_ANY : n->a->type->space;
	return SPACE_KERNEL;
}

struct script_type *check_address_of(struct checker *c, struct script_node *n)
{
	struct script_node *a = n->a;
	struct script_type *t = check_expr(c, a);
	if (t->kind == TYPE_NONE)
		return a->kind == NODE_CALL ? check_fail(c, n->at, "only a variable, a map or a member has an address") : t;
	if (a->place && !(a->kind == NODE_FIELD && a->a->type->kind == TYPE_RECORD))
		return type_pointer(memory(c), a->place, a->place->kind == TYPE_INT || a->place->kind == TYPE_POINTER ? space_of(a) : a->place->space);
	if (a->kind == NODE_VAR) {
		if (!a->decl->addressed)
			c->changed = true;
		a->decl->addressed = true;
	} else if (a->kind != NODE_MAP) {
		return check_fail(c, n->at, "only a variable, a map or a member has an address");
	}
	return type_pointer(memory(c), t->kind == TYPE_INT || t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER ? t : NULL, SPACE_KERNEL);
}

/* ---- casts ---- */

static struct script_type *cast_to_array(struct checker *c, struct script_node *n, struct script_type *t)
{
	uint32_t size = ctype_size(t->to);
	if (t->to->kind != TYPE_INT)
		return check_fail(c, n->at, "a number is cast to an array of numbers");
	if (!t->count) /* (int8[])x: as many as are in it */
		t = type_array(memory(c), t->to, type_bytes(n->a->type) / size);
	if (!t->count || (uint64_t)t->count * size > 8)
		return check_fail(c, n->at, "a number has eight bytes, and the array would have %u", t->count * size);
	return in_space(c, t, SPACE_KERNEL);
}

static bool castable(struct checker *c, struct script_node *n, const struct script_type *to)
{
	const struct script_type *t = n->type;
	if (to->kind == TYPE_INT && t->kind == TYPE_ARRAY && t->size && t->size <= 8)
		return true;
	if (to->kind == TYPE_POINTER && t->kind == TYPE_ARRAY)
		return true; /* the address of its first item */
	return check_is_number(c, n, "what is cast");
}

struct script_type *check_cast(struct checker *c, struct script_node *n)
{
	struct script_type *from = check_expr(c, n->a), *t = check_written(c, n->written);
	if (!t || from->kind == TYPE_NONE)
		return t ? no_value(c, n->a) : &type_none;
	if (t->kind == TYPE_STRUCT || t->kind == TYPE_NONE || t->kind == TYPE_FUNCTION) {
		check_fail(c, n->at, "nothing can be cast to a %s", t->kind == TYPE_STRUCT ? t->name : "type without a value");
		if (t->kind == TYPE_STRUCT && c->err)
			error_hint("a pointer can: (%s *)", t->name);
		return &type_none;
	}
	if (t->kind == TYPE_INT && inet_number(n->a, &n->a->value)) { /* pton("127.0.0.1"): its four bytes */
		n->a->kind = NODE_INT;
		check_expr(c, n->a);
	}
	if (!castable(c, n->a, t))
		return &type_none;
	if (t->kind == TYPE_ARRAY)
		return cast_to_array(c, n, t);
	if (t->kind == TYPE_POINTER)
		return type_in_space(memory(c), t, from->kind == TYPE_POINTER || from->kind == TYPE_ARRAY ? from->space : SPACE_ANY);
	return t;
}

/* ---- sizeof, offsetof ---- */

/* sizeof(pid_t): a word that is no built-in. */
static struct script_type *named_type(struct checker *c, const struct script_node *n)
{
	if (n->kind != NODE_WORD || builtin_find(n->name, false))
		return NULL;
	return ctype_find(c->s->types, c->point->dwarf, n->name);
}

struct script_type *check_sizeof(struct checker *c, struct script_node *n)
{
	struct script_type *named = n->written ? NULL : named_type(c, n->a);
	struct script_type *t = named ? named : n->written ? check_written(c, n->written) : check_expr(c, n->a);
	if (!t || (t->kind == TYPE_NONE && !n->written))
		return &type_none;
	if (!n->written && !named && n->a->place)
		t = n->a->place;
	n->value = ctype_size(t);
	if (!n->value) {
		struct str s = STR_INIT;
		type_describe(t, &s);
		check_fail(c, n->at, "the size of %s is not known", s.buf);
		str_release(&s);
	}
	return &type_u64;
}

struct script_type *check_offsetof(struct checker *c, struct script_node *n)
{
	struct script_type *t = n->written ? check_written(c, n->written) : check_expr(c, n->a);
	n->value = 0;
	if (t && t->kind == TYPE_POINTER && !n->written && t->to)
		t = t->to;
	for (const struct script_node *i = n->args; t && i; i = i->next) {
		if (i->kind == NODE_INT) {
			if (t->kind != TYPE_ARRAY)
				return check_fail(c, i->at, "only an array has an index");
			n->value += i->value * ctype_size(t->to);
			t = t->to;
			continue;
		}
		const struct type_field *f = t->kind == TYPE_STRUCT ? ctype_member(t, i->name) : NULL;
		if (!f)
			return t->kind == TYPE_STRUCT ? no_member(c, i, t) : no_struct(c, i, t);
		if (f->bits)
			return check_fail(c, i->at, "a bit-field begins within a byte: it has no offset");
		n->value += f->at;
		t = f->type;
	}
	return t ? &type_u64 : &type_none;
}

/* ---- arithmetic ---- */

struct script_type *check_pointers(struct checker *c, struct script_node *n)
{
	struct script_type *a = n->a->type, *b = n->b->type;
	if (n->op == '-' && a->kind == TYPE_POINTER && b->kind == TYPE_POINTER)
		return &type_s64;
	if ((n->op == '+' || n->op == '-') && a->kind == TYPE_POINTER && b->kind == TYPE_INT)
		return a;
	if (n->op == '+' && b->kind == TYPE_POINTER && a->kind == TYPE_INT)
		return b;
	(void)c;
	return &type_u64;
}

uint32_t type_step(struct script_type *t)
{
	uint32_t size = t->kind == TYPE_POINTER && t->to ? ctype_size(t->to) : 0;
	return size ? size : 1;
}

/* Is its sign written down, and not what numbers without one have? */
static bool has_sign(const struct script_node *n)
{
	return n->type->kind == TYPE_INT && !n->type->literal && (n->place || n->kind == NODE_CAST || n->kind == NODE_FIELD || n->kind == NODE_WORD);
}

void check_signs(struct checker *c, struct script_node *n)
{
	bool order = n->op == '<' || n->op == '>' || n->op == TOKEN_LE || n->op == TOKEN_GE;
	if (silent(c) || n->warned || (!order && n->op != '/' && n->op != '%') || !has_sign(n->a) || !has_sign(n->b) ||
	    type_is_signed(n->a->type) == type_is_signed(n->b->type))
		return;
	struct str a = STR_INIT, b = STR_INIT;
	type_describe(n->a->type, &a);
	type_describe(n->b->type, &b);
	n->warned = true;
	source_warn(c->s->source, n->at, "numbers of different signs are %s, both as int64: %s and %s", order ? "compared" : "divided", a.buf, b.buf);
	str_release(&a);
	str_release(&b);
}

/* What a constant of this enum is: a number, whose name %s still knows. */
static struct script_type *shown_as_number(struct checker *c, const struct script_type *t)
{
	struct script_type *one = arena_get(memory(c), sizeof(*one)), *kept = arena_get(memory(c), sizeof(*kept));
	*kept = (struct script_type){ TYPE_INT, .size = 8, .is_signed = true, .name = t->name, .constants = t->constants, .n_constants = t->n_constants, .plain = true };
	*one = *kept;
	one->literal = true;
	one->whole = kept;
	return one;
}

/* A word that no built-in is called: a constant of an enum. */
struct script_type *check_enum_constant(struct checker *c, struct script_node *n)
{
	int64_t v;
	struct script_type *t = ctype_constant(c->s->types, c->point->dwarf, n->name, &v);
	if (!t)
		return NULL;
	static struct script_type number = { TYPE_INT, .size = 8, .is_signed = true, .literal = true };
	n->value = (uint64_t)v;
	struct script_type *shown = t->name && t->n_constants ? shown_as_number(c, t) : &number;
	return v >= 0 ? shown : shown->whole ? shown->whole : &type_s64; /* what is negative takes nobody's sign */
}

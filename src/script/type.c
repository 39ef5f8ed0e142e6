// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/type.h"
#include <string.h>

struct script_type type_none = { .kind = TYPE_NONE }, type_u64 = { TYPE_INT, .size = 8 }, type_s64 = { TYPE_INT, .size = 8, .is_signed = true },
	    type_bool = { TYPE_INT, .size = 8, .is_signed = true }, type_probe = { TYPE_PROBE, .size = 8 }, type_func = { TYPE_FUNC, .size = 8 },
	    type_user = { TYPE_USER, .size = 8 }, type_ksym = { TYPE_KSYM, .size = 8 },
	    type_comm = { TYPE_STRING, .size = COMM_SIZE };

struct script_type *type_named(const char *name)
{
	static struct { const char *name; struct script_type type; } numbers[] = {
		{ "int8", { TYPE_INT, .size = 1, .is_signed = true } }, { "int16", { TYPE_INT, .size = 2, .is_signed = true } },
		{ "int32", { TYPE_INT, .size = 4, .is_signed = true } }, { "int64", { TYPE_INT, .size = 8, .is_signed = true } },
		{ "uint8", { TYPE_INT, .size = 1 } }, { "uint16", { TYPE_INT, .size = 2 } }, { "uint32", { TYPE_INT, .size = 4 } }, { "uint64", { TYPE_INT, .size = 8 } },
		{ "int8_t", { TYPE_INT, .size = 1, .is_signed = true } }, { "int16_t", { TYPE_INT, .size = 2, .is_signed = true } },
		{ "int32_t", { TYPE_INT, .size = 4, .is_signed = true } }, { "int64_t", { TYPE_INT, .size = 8, .is_signed = true } },
		{ "uint8_t", { TYPE_INT, .size = 1 } }, { "uint16_t", { TYPE_INT, .size = 2 } }, { "uint32_t", { TYPE_INT, .size = 4 } }, { "uint64_t", { TYPE_INT, .size = 8 } },
		{ "bool", { TYPE_INT, .size = 1 } },
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(numbers[i].name, name))
			return &numbers[i].type;
	return NULL;
}

struct script_type *type_string(struct arena *a, uint32_t size)
{
	struct script_type *t = arena_get(a, sizeof(*t));
	size = (size + 7) & ~7u;
	*t = (struct script_type){ TYPE_STRING, .size = size > STRING_MAX ? STRING_MAX : size < 8 ? 8 : size };
	return t;
}

struct script_type *type_tuple(struct arena *a, struct script_type **types, unsigned n)
{
	struct script_type *t = arena_get(a, sizeof(*t));
	*t = (struct script_type){ TYPE_TUPLE, .n_fields = n, .fields = arena_get(a, n * sizeof(*t->fields)) };
	for (unsigned i = 0; i < n; i++) {
		t->fields[i] = (struct type_field){ .type = types[i], .at = t->size, .size = type_room(types[i]) };
		t->size += t->fields[i].size;
	}
	return t;
}

struct script_type *type_shown(struct arena *a, const struct shown *shown, uint32_t size)
{
	struct script_type *t = arena_get(a, sizeof(*t));
	*t = (struct script_type){ TYPE_SHOWN, .size = (size + 7) & ~7u, .shown = shown };
	return t;
}

struct script_type *type_pointer(struct arena *a, struct script_type *to, enum script_space space)
{
	struct script_type *t = arena_get(a, sizeof(*t));
	*t = (struct script_type){ TYPE_POINTER, .size = 8, .to = to, .space = space };
	return t;
}

static uint32_t aggregate_room(const struct script_type *t)
{
	switch (t->aggregate) {
	case AGG_COUNT:
	case AGG_SUM: return 8;
	case AGG_MIN:
	case AGG_MAX:
	case AGG_AVG:
	case AGG_STATS: return 16;
	case AGG_HIST: return (uint32_t)(((65 - t->step) << t->step) + 1) * 8;
	case AGG_LHIST: return (uint32_t)((t->max - t->min) / t->step + 2) * 8;
	}
	return 8;
}

double type_float(const struct script_type *t, uint64_t word)
{
	double d;
	float f;
	memcpy(&d, &word, sizeof(d));
	memcpy(&f, &word, sizeof(f));
	return t->size == 4 ? (double)f : d;
}

uint32_t type_bytes(const struct script_type *t)
{
	return t->kind == TYPE_INT || t->kind == TYPE_FLOAT || t->kind == TYPE_POINTER || t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY ? t->size : t->kind == TYPE_NONE || t->kind == TYPE_FUNCTION ? 0 : type_room(t);
}

uint32_t type_room(const struct script_type *t)
{
	switch (t->kind) {
	case TYPE_STRING:
	case TYPE_SHOWN:
	case TYPE_TUPLE: return t->size;
	case TYPE_STRUCT:
	case TYPE_ARRAY: return t->size ? (t->size + 7) & ~7u : 8;
	case TYPE_AGGREGATE: return aggregate_room(t);
	default: return 8;
	}
}

bool type_is_word(const struct script_type *t)
{
	return t->kind != TYPE_STRING && t->kind != TYPE_TUPLE && t->kind != TYPE_AGGREGATE && t->kind != TYPE_NONE &&
	       t->kind != TYPE_RECORD && t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY && t->kind != TYPE_FUNCTION &&
	       (t->kind != TYPE_SHOWN || t->size == 8);
}

bool type_is_signed(const struct script_type *t)
{
	return t->kind == TYPE_INT && t->is_signed;
}

/* Structs are the same by their name: two files may both describe one. An unnamed one is only itself. */
static bool same_struct(const struct script_type *a, const struct script_type *b)
{
	return a == b || (a->kind == b->kind && !strcmp(a->name, b->name) && !strchr(a->name, '('));
}

static bool same_target(const struct script_type *a, const struct script_type *b)
{
	if (a == b || !a || !b)
		return a == b;
	if (a->kind == TYPE_STRUCT)
		return same_struct(a, b);
	return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed && a->count == b->count && same_target(a->to, b->to);
}

bool type_same(const struct script_type *a, const struct script_type *b)
{
	if (a == b)
		return true;
	if (a->kind == TYPE_STRUCT)
		return same_struct(a, b);
	if (a->kind == TYPE_ARRAY)
		return same_target(a, b);
	if (a->kind == TYPE_POINTER)
		return same_target(a, b) && a->space == b->space;
	if (a->name != b->name && (!a->name || !b->name || strcmp(a->name, b->name)))
		return false;
	if (a->kind != b->kind || a->size != b->size || a->is_signed != b->is_signed || a->aggregate != b->aggregate ||
	    a->n_fields != b->n_fields || a->min != b->min || a->max != b->max || a->step != b->step || a->literal != b->literal || a->plain != b->plain || a->depth != b->depth || a->mode != b->mode ||
	    a->shown != b->shown)
		return false;
	for (unsigned i = 0; i < a->n_fields; i++)
		if (!type_same(a->fields[i].type, b->fields[i].type))
			return false;
	return true;
}

static struct script_type *join_tuples(struct arena *m, const struct script_type *a, const struct script_type *b)
{
	struct script_type **types = arena_get(m, a->n_fields * sizeof(*types));
	if (a->n_fields != b->n_fields)
		return NULL;
	for (unsigned i = 0; i < a->n_fields; i++)
		if (!(types[i] = type_join(m, a->fields[i].type, b->fields[i].type)))
			return NULL;
	return type_tuple(m, types, a->n_fields);
}

struct script_type *type_whole(struct script_type *t)
{
	if (t->whole)
		return t->whole;
	if (t->kind != TYPE_INT || (t->size == 8 && !t->literal))
		return t;
	return t->is_signed ? &type_s64 : &type_u64;
}

/* An enum without its names. */
static struct script_type *plain_number(struct script_type *t)
{
	static struct script_type plain[2][9];
	if (!t->name || t->size > 8)
		return t;
	struct script_type *p = &plain[t->is_signed][t->size];
	*p = (struct script_type){ TYPE_INT, .size = t->size, .is_signed = t->is_signed };
	return p;
}

/* Where signs differ, and both are more than a constant, it is signed: what is compared with 0 then is right. */
static struct script_type *join_numbers(struct script_type *a, struct script_type *b)
{
	if (a->name && b->name && !strcmp(a->name, b->name))
		return a->plain != b->plain ? type_whole(a->plain ? b : a) : a->literal != b->literal ? type_whole(a) : a->size >= b->size ? a : b;
	a = plain_number(a);
	b = plain_number(b);
	if (a->literal != b->literal)
		return type_whole(a->literal ? b : a); /* the constant may be larger than a small one's size */
	if (a->is_signed == b->is_signed)
		return a->size >= b->size ? a : b;
	return &type_s64;
}

/* Of one kind they may have counted numbers of either sign. */
static struct script_type *join_aggregates(struct script_type *a, struct script_type *b)
{
	struct script_type unlike = *b;
	unlike.is_signed = a->is_signed;
	return !type_same(a, &unlike) ? NULL : a->is_signed ? a : b;
}

static struct script_type *in_any_space(struct arena *m, const struct script_type *t)
{
	struct script_type *copy = arena_get(m, sizeof(*copy));
	*copy = *t;
	copy->space = SPACE_ANY;
	return copy;
}

/* void points to anything; where both know what to, it is to be the same. */
static struct script_type *join_pointers(struct arena *m, struct script_type *a, struct script_type *b)
{
	if (a->to && b->to && !same_target(a->to, b->to))
		return NULL;
	struct script_type *t = a->to ? a : b;
	if (a->space == b->space)
		return t;
	return in_any_space(m, t); /* the address tells */
}

struct script_type *type_join(struct arena *m, struct script_type *a, struct script_type *b)
{
	if (!a || a->kind == TYPE_NONE)
		return b;
	if (!b || b->kind == TYPE_NONE)
		return a;
	if (a->kind == TYPE_INT && b->kind == TYPE_INT)
		return join_numbers(a, b);
	if ((a->kind == TYPE_STRING && b->kind == TYPE_STRING) || (a->kind == TYPE_SHOWN && b->kind == TYPE_SHOWN && a->shown == b->shown))
		return a->size >= b->size ? a : b;
	if (a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE)
		return join_tuples(m, a, b);
	if (a->kind == TYPE_POINTER && b->kind == TYPE_POINTER)
		return join_pointers(m, a, b);
	if (a->kind == TYPE_POINTER && b->kind == TYPE_INT)
		return a;
	if (b->kind == TYPE_POINTER && a->kind == TYPE_INT)
		return b;
	if (a->kind == TYPE_AGGREGATE && b->kind == TYPE_AGGREGATE)
		return join_aggregates(a, b);
	if ((a->kind == TYPE_STRUCT || a->kind == TYPE_ARRAY) && a->space != b->space && type_same(a, b))
		return in_any_space(m, a);
	return type_same(a, b) ? a : NULL;
}

const char *aggregate_name(enum aggregate a)
{
	static const char *const names[] = { "count", "sum", "avg", "min", "max", "stats", "hist", "lhist" };
	return names[a];
}

void type_describe(const struct script_type *t, struct str *out)
{
	switch (t->kind) {
	case TYPE_NONE: str_add(out, "nothing"); break;
	case TYPE_INT:
		if (t->name) {
			str_add(out, t->name);
			break;
		}
		str_addf(out, "%sint%u", t->is_signed ? "" : "u", t->size * 8);
		break;
	case TYPE_STRING: str_add(out, "string"); break;
	case TYPE_POINTER:
		if (t->to)
			type_describe(t->to, out);
		str_add(out, t->to ? (t->to->kind == TYPE_POINTER ? "*" : " *") : "pointer");
		break;
	case TYPE_RECORD: str_add(out, "struct"); break;
	case TYPE_STRUCT: str_add(out, t->name); break;
	case TYPE_FUNCTION: str_add(out, "function"); break;
	case TYPE_FLOAT: str_add(out, t->size == 4 ? "float" : "double"); break;
	case TYPE_ARRAY:
		type_describe(t->to, out);
		str_addf(out, "[%u]", t->count);
		break;
	case TYPE_PROBE: str_add(out, "probe"); break;
	case TYPE_FUNC: str_add(out, "func"); break;
	case TYPE_USER: str_add(out, "username"); break;
	case TYPE_KSYM: str_add(out, "ksym"); break;
	case TYPE_CLOCK: str_add(out, "strftime"); break;
	case TYPE_KSTACK: str_add(out, "kstack"); break;
	case TYPE_USTACK: str_add(out, "ustack"); break;
	case TYPE_SHOWN: str_add(out, t->shown->name); break;
	case TYPE_AGGREGATE: str_addf(out, "%s()", aggregate_name(t->aggregate)); break;
	case TYPE_TUPLE:
		for (unsigned i = 0; i < t->n_fields; i++) {
			str_add(out, i ? ", " : "(");
			type_describe(t->fields[i].type, out);
		}
		str_addc(out, ')');
		break;
	}
}

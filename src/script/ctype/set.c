// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/ctype/inner.h"

struct ctypes *ctypes_new(struct arena *memory)
{
	struct ctypes *c = xcalloc(1, sizeof(*c));
	c->memory = memory;
	c->declared.set = c->kernel.set = c;
	return c;
}

static void release_source(struct ctype_source *s)
{
	u64map_release(&s->known);
}

void ctypes_free(struct ctypes *c)
{
	if (!c)
		return;
	ctype_close_kernel(c);
	ctype_close_declared(c);
	for (size_t i = 0; i < c->modules.n; i++) {
		release_source(c->modules.at[i]);
		free(c->modules.at[i]);
	}
	for (size_t i = 0; i < c->programs.n; i++) {
		release_source(c->programs.at[i]);
		free(c->programs.at[i]);
	}
	release_source(&c->declared);
	release_source(&c->kernel);
	vec_release(&c->modules);
	vec_release(&c->programs);
	free(c);
}

/* ---- numbers ---- */

#define U(bytes) { TYPE_INT, .size = bytes }
#define S(bytes) { TYPE_INT, .size = bytes, .is_signed = true }
static struct script_type numbers[] = { U(1), U(2), U(4), U(8), S(1), S(2), S(4), S(8) };
static struct script_type c_char = { TYPE_INT, .size = 1, .is_signed = true, .is_char = true };

struct script_type *ctype_float(unsigned size)
{
	static struct script_type floats[] = { { TYPE_FLOAT, .size = 4 }, { TYPE_FLOAT, .size = 8 } };
	return size == 4 ? &floats[0] : size == 8 ? &floats[1] : &type_none;
}

struct script_type *ctype_number(unsigned size, bool is_signed)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].size == size && numbers[i].is_signed == is_signed)
			return &numbers[i];
	return &type_none;
}

struct script_type *ctype_base(const char *name)
{
	static const struct { const char *name; uint8_t size; bool is_signed; } rows[] = {
		{ "int", 4, true }, { "unsigned int", 4, false }, { "unsigned", 4, false }, { "long", 8, true }, { "unsigned long", 8, false }, { "short", 2, true },
		{ "unsigned short", 2, false }, { "unsigned char", 1, false }, { "signed char", 1, true }, { "long long", 8, true },
		{ "unsigned long long", 8, false }, { "bool", 1, false }, { "_Bool", 1, false }, { "size_t", 8, false }, { "ssize_t", 8, true },
		{ "uintptr_t", 8, false }, { "intptr_t", 8, true }, { "ptrdiff_t", 8, true },
		{ "int8", 1, true }, { "int16", 2, true }, { "int32", 4, true }, { "int64", 8, true },
		{ "uint8", 1, false }, { "uint16", 2, false }, { "uint32", 4, false }, { "uint64", 8, false },
		{ "int8_t", 1, true }, { "int16_t", 2, true }, { "int32_t", 4, true }, { "int64_t", 8, true },
		{ "uint8_t", 1, false }, { "uint16_t", 2, false }, { "uint32_t", 4, false }, { "uint64_t", 8, false },
		{ "s8", 1, true }, { "s16", 2, true }, { "s32", 4, true }, { "s64", 8, true },
		{ "u8", 1, false }, { "u16", 2, false }, { "u32", 4, false }, { "u64", 8, false },
		{ "__s8", 1, true }, { "__s16", 2, true }, { "__s32", 4, true }, { "__s64", 8, true },
		{ "__u8", 1, false }, { "__u16", 2, false }, { "__u32", 4, false }, { "__u64", 8, false },
	};
	if (!strcmp(name, "char"))
		return &c_char;
	if (!strcmp(name, "float") || !strcmp(name, "double"))
		return ctype_float(*name == 'f' ? 4 : 8);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			return ctype_number(rows[i].size, rows[i].is_signed);
	return NULL;
}

bool ctype_is_number(const char *name)
{
	return ctype_base(name);
}

/* ---- pieces of types ---- */

bool ctype_deeper(struct ctypes *c)
{
	return c->depth++ < CTYPE_DEPTH;
}

struct script_type *ctype_shell(struct ctype_source *src, uint64_t id, const char *tag, const char *name, uint64_t size)
{
	struct script_type *t = arena_get(src->set->memory, sizeof(*t));
	struct str full = STR_INIT;
	str_addf(&full, "%s ", tag);
	str_add_safez(&full, name && *name ? name : "(unnamed)");
	*t = (struct script_type){ TYPE_STRUCT, .size = size > UINT32_MAX ? 0 : (uint32_t)size, .source = src, .id = id,
		.name = arena_text(src->set->memory, full.buf, full.len) };
	str_release(&full);
	return t;
}

struct script_type *ctype_enum(struct ctypes *c, const char *name, unsigned size, bool is_signed, unsigned n)
{
	struct script_type *t = arena_get(c->memory, sizeof(*t)), *number = ctype_number(size, is_signed);
	if (number == &type_none)
		return number;
	struct str full = STR_INIT;
	str_add(&full, "enum ");
	str_add_safez(&full, name && *name ? name : "(unnamed)");
	*t = *number;
	t->name = arena_text(c->memory, full.buf, full.len);
	t->constants = arena_get(c->memory, n * sizeof(*t->constants) + 1);
	t->n_constants = n;
	str_release(&full);
	return t;
}

void ctype_enum_done(struct ctypes *c, struct script_type *t)
{
	if (t->kind != TYPE_INT || t->size == 8)
		return;
	t->whole = arena_get(c->memory, sizeof(*t));
	*t->whole = *t;
	t->whole->whole = NULL;
	t->whole->size = 8;
}

struct script_type *type_array(struct arena *a, struct script_type *of, uint32_t count)
{
	struct script_type *t = arena_get(a, sizeof(*t));
	uint64_t size = (uint64_t)type_bytes(of) * count;
	*t = (struct script_type){ TYPE_ARRAY, .to = of, .count = count, .size = size > UINT32_MAX ? 0 : (uint32_t)size };
	return t;
}

bool type_is_text(const struct script_type *t)
{
	return t->kind == TYPE_ARRAY && t->to->kind == TYPE_INT && t->to->is_char;
}

struct script_type *type_in_space(struct arena *a, struct script_type *t, enum script_space space)
{
	if (t->kind != TYPE_POINTER || t->space == space || t->space == SPACE_USER)
		return t;
	struct script_type *copy = arena_get(a, sizeof(*copy));
	*copy = *t;
	copy->space = space;
	return copy;
}

/* ---- members ---- */

void members_add(struct member_list *m, const char *name, struct script_type *type, uint64_t bit, unsigned bits)
{
	if (m->fields.n >= CTYPE_MEMBERS || bit / 8 > UINT32_MAX)
		return;
	if (name && *name) {
		*vec_push(&m->fields) = (struct type_field){ .name = arena_text(m->set->memory, name, strlen(name)), .type = type,
			.at = (uint32_t)(bit / 8), .size = type_bytes(type), .bit_at = (uint8_t)(bit % 8), .bits = (uint8_t)bits };
		return;
	}
	if (type->kind != TYPE_STRUCT || !ctype_members(type))
		return;
	for (unsigned i = 0; i < type->n_fields && m->fields.n < CTYPE_MEMBERS; i++) {
		struct type_field f = type->fields[i];
		if (__builtin_add_overflow(f.at, (uint32_t)(bit / 8), &f.at))
			continue;
		*vec_push(&m->fields) = f;
	}
}

void members_take(struct member_list *m, struct script_type *t)
{
	t->n_fields = (unsigned)m->fields.n;
	t->fields = arena_get(m->set->memory, m->fields.n * sizeof(*t->fields) + 1);
	if (m->fields.n)
		memcpy(t->fields, m->fields.at, m->fields.n * sizeof(*t->fields));
	t->complete = true;
	vec_release(&m->fields);
}

bool ctype_members(struct script_type *t)
{
	if (t->kind != TYPE_STRUCT || t->complete || !t->source)
		return t->kind == TYPE_STRUCT && t->complete;
	struct ctypes *c = t->source->set;
	if (ctype_deeper(c))
		t->source->complete(t);
	c->depth--;
	return t->complete;
}

const struct type_field *ctype_member(struct script_type *t, const char *name)
{
	if (ctype_members(t))
		for (unsigned i = 0; i < t->n_fields; i++)
			if (!strcmp(t->fields[i].name, name))
				return &t->fields[i];
	return NULL;
}

uint32_t ctype_size(struct script_type *t)
{
	if (t->kind == TYPE_STRUCT && !t->size)
		ctype_members(t);
	if (t->kind == TYPE_ARRAY && !t->size && t->count) {
		uint64_t size = (uint64_t)ctype_size(t->to) * t->count;
		t->size = size > UINT32_MAX ? 0 : (uint32_t)size;
	}
	return type_bytes(t);
}

/* ---- names ---- */

/* "struct x" to its two words. */
static const char *split(const char *name, const char **kind)
{
	static const char *const kinds[] = { "struct", "union", "enum" };
	for (size_t i = 0; i < 3; i++)
		if (str_starts(name, kinds[i]) && name[strlen(kinds[i])] == ' ') {
			*kind = kinds[i];
			return name + strlen(kinds[i]) + 1;
		}
	*kind = "";
	return name;
}

struct script_type *ctype_find(struct ctypes *c, struct dwarf_file *dwarf, const char *name)
{
	const char *kind, *word = split(name, &kind);
	c->dwarf = dwarf;
	struct script_type *t = ctype_find_declared(c, kind, word);
	if (!t && !*kind)
		t = ctype_base(word);
	if (!t && dwarf)
		t = ctype_find_program(c, dwarf, kind, word);
	if (!t)
		t = ctype_find_kernel(c, kind, word);
	return t;
}

void ctype_hint(struct ctypes *c, struct dwarf_file *dwarf, const char *name)
{
	const char *kind, *word = split(name, &kind);
	struct nearest near;
	nearest_init(&near, word);
	ctype_offer_declared(c, &near, kind);
	ctype_offer_kernel(c, &near, kind);
	char *sign = xasprintf("%s%s", kind, *kind ? " " : "");
	nearest_hint_of(&near, sign);
	free(sign);
	if (!ctype_have_kernel(c))
		error_hint("this kernel has no type information (/sys/kernel/btf/vmlinux): write what you need of it into the script: %s { int a; };",
			   *kind ? name : "struct x");
	else
		error_hint("types come from the script itself (%s { int a; };)%s and the kernel's BTF", *kind ? name : "struct x",
			   dwarf ? ", the program's debug information" : "");
}

struct script_type *ctype_constant(struct ctypes *c, struct dwarf_file *dwarf, const char *name, int64_t *value)
{
	struct script_type *t = ctype_declared_constant(c, name, value);
	if (!t && dwarf)
		t = ctype_program_constant(dwarf, name, value);
	return t ? t : ctype_kernel_constant(c, name, value);
}

struct script_type *ctype_pointer_to(struct ctypes *c, const char *name, enum script_space space)
{
	struct script_type *t = strmap_get(&c->pointed, name);
	if (!t) {
		struct c_type *w = arena_get(c->memory, sizeof(*w)), *p = arena_get(c->memory, sizeof(*p));
		const struct c_type *unknown;
		*w = (struct c_type){ .kind = C_NAMED, .name = arena_text(c->memory, name, strlen(name)) };
		*p = (struct c_type){ .kind = C_POINTER, .to = w };
		t = ctype_written(c, NULL, p, &unknown);
		if (!t) {
			error_clear();
			t = type_pointer(c->memory, NULL, SPACE_ANY);
		}
		strmap_set(&c->pointed, name, t);
	}
	return type_in_space(c->memory, t, space);
}

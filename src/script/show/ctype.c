// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/ctype.h"
#include <math.h>
#include <string.h>
#include "script/ctype/ctype.h"
#include "script/show/value.h"

enum { DEEPEST = 16, LONGEST = 1 << 18 /* types may hold each other again and again */ };

struct c_shower { struct str *out; const struct namer *nm; enum show_form form; unsigned depth; size_t begin; };

static void show(struct c_shower *s, struct script_type *t, const uint8_t *p, size_t n);

bool show_constant(struct str *out, const struct script_type *t, uint64_t v, bool json)
{
	for (unsigned i = 0; i < t->n_constants; i++)
		if ((uint64_t)t->constants[i].value == v) {
			str_add(out, json ? "\"" : "");
			str_add_safez(out, t->constants[i].name);
			str_add(out, json ? "\"" : "");
			return true;
		}
	return false;
}

/* As many digits as it has. JSON has no name for what is no number. */
void show_float(struct str *out, const struct script_type *t, uint64_t v, bool json)
{
	double d = type_float(t, v);
	if (json && !isfinite(d))
		str_add(out, "null");
	else
		str_addf(out, "%.*g", t->size == 4 ? 7 : 15, d);
}

static void number(struct c_shower *s, const struct script_type *t, uint64_t v)
{
	if (t->kind == TYPE_POINTER)
		str_addf(s->out, s->form == SHOW_JSON ? "%llu" : "0x%llx", (unsigned long long)v);
	else if (show_constant(s->out, t, v, s->form == SHOW_JSON))
		return;
	else if (t->is_signed)
		str_addf(s->out, "%lld", (long long)v);
	else
		str_addf(s->out, "%llu", (unsigned long long)v);
}

/* bits from `at` on, or all of `size` bytes when bits is 0. */
static uint64_t cut(const uint8_t *p, size_t n, unsigned size, unsigned at, unsigned bits, bool is_signed)
{
	uint64_t v = 0;
	unsigned bytes = bits ? (at + bits + 7) / 8 : size, width = bits ? bits : size * 8;
	memcpy(&v, p, bytes > 8 ? (n < 8 ? n : 8) : bytes > n ? n : bytes);
	if (!width || width > 64)
		return v;
	v = v >> at << (64 - width);
	return is_signed ? (uint64_t)((int64_t)v >> (64 - width)) : v >> (64 - width);
}

static void members(struct c_shower *s, struct script_type *t, const uint8_t *p, size_t n)
{
	bool key = s->form == SHOW_KEY, json = s->form == SHOW_JSON;
	str_add(s->out, key ? "{" : "{ ");
	for (unsigned i = 0; ctype_members(t) && i < t->n_fields && s->out->len - s->begin < LONGEST; i++) {
		const struct type_field *f = &t->fields[i];
		str_add(s->out, !i ? "" : key ? "," : ", ");
		str_add(s->out, json ? "\"" : ".");
		str_add_safez(s->out, f->name);
		str_add(s->out, json ? "\": " : key ? "=" : " = ");
		if (f->at >= n && type_bytes(f->type))
			continue;
		if (f->bits)
			number(s, f->type, cut(p + f->at, n - f->at, f->type->size, f->bit_at, f->bits, f->type->is_signed));
		else
			show(s, f->type, p + f->at, f->at < n ? n - f->at : 0);
	}
	str_add(s->out, key ? "}" : " }");
}

static void items(struct c_shower *s, struct script_type *t, const uint8_t *p, size_t n)
{
	size_t size = ctype_size(t->to);
	str_addc(s->out, '[');
	for (uint32_t i = 0; size && i < t->count && (i + 1) * size <= n && s->out->len - s->begin < LONGEST; i++) {
		str_add(s->out, i ? "," : "");
		show(s, t->to, p + i * size, size);
	}
	str_addc(s->out, ']');
}

static void show(struct c_shower *s, struct script_type *t, const uint8_t *p, size_t n)
{
	if (s->depth > DEEPEST || s->out->len - s->begin > LONGEST) {
		str_add(s->out, s->form == SHOW_JSON ? "null" : "...");
		return;
	}
	s->depth++;
	if (type_is_text(t))
		show_string(s->out, s->nm, (const char *)p, strnlen((const char *)p, t->count < n ? t->count : n), s->form == SHOW_JSON);
	else if (t->kind == TYPE_STRUCT)
		members(s, t, p, n);
	else if (t->kind == TYPE_ARRAY)
		items(s, t, p, n);
	else if (t->kind == TYPE_FLOAT)
		show_float(s->out, t, cut(p, n, t->size, 0, 0, false), s->form == SHOW_JSON);
	else if (t->kind == TYPE_INT || t->kind == TYPE_POINTER)
		number(s, t, cut(p, n, type_bytes(t), 0, 0, type_is_signed(t)));
	else
		str_add(s->out, s->form == SHOW_JSON ? "null" : "?");
	s->depth--;
}

void show_ctype(struct str *out, const struct namer *nm, struct script_type *t, const uint8_t *p, size_t n, enum show_form form)
{
	struct c_shower s = { out, nm, form, 0, out->len };
	show(&s, t, p, n);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/fraction.h"
#include <string.h>

static double operand(const struct type_field *f, const uint8_t *value)
{
	uint64_t v;
	memcpy(&v, value + f->at, sizeof(v));
	if (f->type->kind == TYPE_FLOAT)
		return type_float(f->type, v);
	return type_is_signed(f->type) ? (double)(int64_t)v : (double)v;
}

static double compute(const struct fraction *f, const struct script_type *t, const uint8_t *value)
{
	if (f->op == 'k')
		return f->constant;
	if (f->op == 'v')
		return operand(&t->fields[f->operand], value);
	double a = compute(f->a, t, value), b = compute(f->b, t, value);
	switch (f->op) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	default: return b != 0 ? a / b : 0; /* as the kernel divides */
	}
}

double fraction_value(const struct script_type *t, const uint8_t *value)
{
	return compute(t->fraction, t, value);
}

static void text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	(void)nm;
	str_addf(out, "%g", fraction_value(t, value));
}

const struct shown shown_fraction = { "fraction", text };

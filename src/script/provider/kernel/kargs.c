// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/kernel/kargs.h"
#include <string.h>
#include "arch/dwarf_regs.h"
#include "base/error.h"
#include "script/provider/regs.h"

struct script_type *kargs_record(struct run_script *s, const struct ctype_function *f)
{
	struct arena *m = &s->source->memory;
	struct script_type *t = arena_get(m, sizeof(*t));
	*t = (struct script_type){ TYPE_RECORD, .fields = arena_get(m, (f->n_params + 1) * sizeof(*t->fields)) };
	for (unsigned i = 0; i < f->n_params && type_is_word(f->params[i].type); i++) { /* what comes by value moves those behind it */
		const struct type_field *p = &f->params[i];
		if (*p->name) /* a pointer may be a program's: the address tells */
			t->fields[t->n_fields++] = (struct type_field){ .name = p->name, .type = p->type, .at = i, .size = 8, .space = SPACE_KERNEL };
	}
	return t;
}

/* Registers by the calling convention: up to the first that is no word, and behind which nobody knows. */
static void by_convention(struct run_script *s, struct point *pt, const struct ctype_function *f)
{
	pt->values = arena_get(&s->source->memory, (f->n_params + 1) * sizeof(*pt->values));
	pt->n_values = f->n_params;
	bool words = !f->result || type_is_word(f->result) || f->result->kind == TYPE_NONE;
	for (unsigned i = 0; i < f->n_params; i++) {
		struct point_value *v = &pt->values[i];
		words &= type_is_word(f->params[i].type) && f->params[i].type->kind != TYPE_FLOAT;
		if (!words) {
			v->why = "a structure is handed over by value before it";
			continue;
		}
		if (i < ARCH_ARG_REGS)
			fetch_reg(&v->at, arch_arg_regs[i], 0, false);
		else
			fetch_reg(&v->at, ARCH_SP, ARCH_ENTRY_CFA + 8 * (int64_t)(i - ARCH_ARG_REGS), true);
		regs_of_type(v, f->params[i].type);
	}
}

/* What cannot be had is not among them. */
static void drop_unknown(struct point *pt)
{
	unsigned n = 0;
	for (unsigned i = 0; i < pt->args->n_fields; i++)
		if (!pt->values[pt->args->fields[i].at].why)
			pt->args->fields[n++] = pt->args->fields[i];
	pt->args->n_fields = n;
}

int kargs_at_entry(struct run_script *s, struct point *pt, const char *module, const char *function)
{
	struct ctype_function f;
	if (!ctype_function(s->types, module, function, &f))
		return 0;
	pt->args = kargs_record(s, &f);
	by_convention(s, pt, &f);
	drop_unknown(pt);
	return 0;
}

void kargs_result(struct run_script *s, struct point *pt, const char *module, const char *function)
{
	struct ctype_function f;
	if (ctype_function(s->types, module, function, &f) && f.result->kind == TYPE_POINTER)
		pt->result = f.result;
}

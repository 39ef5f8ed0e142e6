// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/source.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "kernel/argformat.h"
#include "kernel/dynevents.h"
#include "probe/fetcharg.h"

enum { UNKNOWN_VALUE = 0xdeade12d }; /* what perf shows too where an instance lacks the variable */

/* ---- places ---- */

struct addresses { uint64_t *at; size_t n, max; bool current; };

/* What programs are linked to today goes before what is kept for old ones. */
static void keep_address(const struct elfsym *s, void *ctx)
{
	struct addresses *a = ctx;
	if (!s->old && !a->current) {
		a->current = true;
		a->n = 0;
	}
	if (a->n < a->max && !(a->current && s->old))
		a->at[a->n++] = s->addr;
}

size_t probe_alias(void *target, const char *name, uint64_t *out, size_t max)
{
	struct addresses a = { .at = out, .max = max };
	struct elfsyms *syms = function_is_glob(name) ? NULL : probe_target_debug_symbols(target);
	if (syms)
		elfsyms_find(syms, name, keep_address, &a);
	return a.n;
}

/* "main.add:3" looks like a file to the grammar but is a function in Go. */
static bool could_be_function(const struct probe_target *t, const struct probe_spec *s)
{
	return !s->function && s->file && probe_target_is_go(t);
}

/* Functions that the linker threw away keep their debug information, at address 0 or nearly so. */
static int drop_discarded(struct probe_target *t, const struct probe_spec *s, dwarf_places *places)
{
	size_t n = 0;
	uint64_t off, back;
	for (size_t i = 0; i < places->n; i++)
		if (!probe_target_offset(t, places->at[i].addr, &off) && !probe_target_addr(t, off, &back))
			places->at[n++] = places->at[i];
	places->n = n;
	return n ? 0 : error_set(ENOENT, "'%s' was left out when %s was linked", s->function ? s->function : s->file, t->path);
}

int probe_source_places(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o, bool vars,
			dwarf_places *out)
{
	struct dwarf_query q = {
		.function = s->function, .file = s->file, .pattern = s->pattern, .line = s->line,
		.has_line = s->has_line, .offset = s->offset, .ret = s->ret, .no_inlines = o->no_inlines, .nested = o->nested,
		.max = probe_max_places(o, s->function), .source = t->options.source, .vars = vars && t->user,
		.alias = probe_alias, .alias_ctx = t,
	};
	int err = dwarf_find(t->dwarf, &q, out);
	if (err == -ENOENT && could_be_function(t, s)) {
		struct dwarf_query as_function = q;
		as_function.function = s->file;
		as_function.file = NULL;
		char *message = xstrdup(error_message());
		err = dwarf_find(t->dwarf, &as_function, out);
		if (err == -ENOENT && str_ends(s->file, ".go"))
			error_set(ENOENT, "%s", message);
		free(message);
		if (!err)
			error_clear();
	}
	if (!err && t->user)
		err = drop_discarded(t, s, out);
	return err;
}

/* ---- arguments ---- */

struct place_args {
	struct probe_target *t;
	const struct dwarf_place *place;
	struct probe_def *def;
	bool have_x;
};

static void name_address(void *ctx, uint64_t addr, struct str *out)
{
	const struct place_args *p = ctx;
	fetcharg_address(p->t, p->def, addr, out);
}

char *probe_arg_name(const struct probe_argspec *a)
{
	const char *base = a->var;
	struct str s = STR_INIT;
	if (a->name)
		return xstrdup(a->name);
	vec_each(&a->fields, f)
		if (f->name)
			base = f->name;
	for (const char *p = base; *p; p++)
		str_addc(&s, isalnum((unsigned char)*p) || *p == '_' ? *p : '_');
	if (a->type && !a->fields.n)
		str_addf(&s, "_%.*s", (int)strcspn(a->type, "[@/"), a->type);
	return str_detach(&s);
}

/* Two members of the same name must not meet in one event. */
static char *unique_name(const struct probe_def *d, char *name)
{
	char *base = name;
	for (int i = 1; i < 100; i++) {
		bool taken = false;
		vec_each(&d->args, a)
			taken |= a->name && !strcmp(a->name, name);
		if (!taken)
			break;
		if (name != base)
			free(name);
		name = xasprintf("%s_%d", base, i);
	}
	if (name != base)
		free(base);
	return name;
}

static int add_fetch(struct place_args *p, const struct fetch *from, bool user, const char *of, const char *tail, const char *type)
{
	struct fetch f = *from;
	struct str value = STR_INIT;
	f.user = user;
	int err = fetch_write(&f, name_address, p, &value);
	char *name = xasprintf("%s%s", of, tail);
	if (!err)
		probe_def_arg(p->def, name, value.buf, type);
	free(name);
	str_release(&value);
	return err;
}

/* More of a text, and how long it is or a slice: in types that tell our readers (kernel/argformat.h). */
static int add_counted(struct place_args *p, const struct dwarf_value *v, bool user, const char *of)
{
	struct fetch more = v->at;
	more.add += ARG_TEXT;
	int err = v->text ? add_fetch(p, &more, user, of, "_more", "u64[24]") : 0;
	return err ? err : add_fetch(p, &v->length, user, of, "_len", FETCH_LENGTH);
}

static int add_variable(struct place_args *p, const struct probe_argspec *a)
{
	struct fetch_want w = { .var = a->var, .steps = a->fields.at, .n_steps = a->fields.n, .type = a->type,
				.kernel = !p->t->user, .have_x = p->have_x };
	struct dwarf_value v = { 0 };
	struct str value = STR_INIT;
	int err = fetcharg_check_type(p->t, a);
	if (!err)
		err = dwarf_fetch(p->t->dwarf, p->place, &w, &v);
	if (!err) {
		v.at.user = a->user || (a->type && !strcmp(a->type, "ustring") && !p->t->user);
		err = fetch_write(&v.at, name_address, p, &value);
	}
	if (!err) {
		struct probe_defarg *d;
		char *name = unique_name(p->def, probe_arg_name(a));
		d = probe_def_arg(p->def, name, value.buf, v.text ? "u8[64]" : v.type);
		note(1, "%s at %s+%llu: %s%s%s", a->text, p->place->func_name,
		     (unsigned long long)(p->place->addr - p->place->func_addr), d->value, v.type ? ":" : "", v.type ? v.type : "");
		if (v.counted)
			err = add_counted(p, &v, v.at.user, name);
		free(name);
	}
	free(v.type);
	str_release(&value);
	return err;
}

static int add_all(struct place_args *p, bool params_only)
{
	wordlist names = { 0 };
	dwarf_var_names(p->t->dwarf, p->place, params_only, &names);
	size_t before = p->def->args.n;
	vec_each(&names, n) {
		struct probe_argspec a = { .text = *n, .var = *n };
		if (add_variable(p, &a)) { /* what is not available is left out */
			note(1, "%s", error_message());
			error_clear();
		}
	}
	wordlist_release(&names);
	if (p->def->args.n == before)
		note(1, "no variable is available at %s", p->place->func_name);
	return 0;
}

static int add_arg(struct place_args *p, const struct probe_argspec *a)
{
	if (a->fetcharg)
		return fetcharg_add(p->t, p->def, a, p->place->addr == p->place->func_addr);
	if (!strcmp(a->var, "$params") || !strcmp(a->var, "$vars"))
		return add_all(p, a->var[1] == 'p');
	return add_variable(p, a);
}

/* ---- definitions ---- */

static int set_kernel_place(struct probe_target *t, struct probe_def *d, const struct dwarf_place *p)
{
	const struct elfsym *s = NULL;
	struct elfsyms *syms = probe_target_debug_symbols(t);
	d->addr = p->addr;
	d->target = t->module ? xstrdup(t->module) : NULL;
	if (!t->live || t->module)
		s = elfsyms_at(syms, p->addr, p->func_name);
	if (!t->module && (!s || elfsyms_count(syms, s->name) > 1)) /* never an ambiguous name */
		s = elfsyms_first(syms, "_text");
	if (!s)
		return error_set(ENOENT, "no symbol is near address 0x%llx", (unsigned long long)p->addr);
	d->symbol = xstrdup(s->name);
	d->offset = p->addr - s->addr;
	return 0;
}

static int set_place(struct probe_target *t, struct probe_def *d, const struct probe_spec *s, const struct dwarf_place *p)
{
	Dwarf_Die scope = p->scope;
	const char *name = dwarf_diename(&scope);
	d->ret = s->ret;
	d->func = xstrdup(s->function || !name ? p->func_name : name);
	if (!t->user)
		return set_kernel_place(t, d, p);
	probe_target_in(t, d);
	d->addr = p->addr;
	if (probe_target_offset(t, p->addr, &d->offset))
		return error_set(ERANGE, "address 0x%llx is not in any loaded part of %s", (unsigned long long)p->addr, t->path);
	return 0;
}

/* In some of several places a variable may be missing: the event then needs a stand-in. */
static void fill_gap(probe_defs *out, size_t first, size_t gap, const struct probe_argspec *a, size_t index)
{
	const struct probe_defarg *model = NULL;
	for (size_t i = first; i < out->n && !model; i++)
		if (i != gap && out->at[i].args.n > index && out->at[i].args.at[index].value[0] != '\\')
			model = &out->at[i].args.at[index];
	char *type = model && model->type ? xstrdup(model->type) : NULL;
	char *name = unique_name(&out->at[gap], probe_arg_name(a));
	char value[32];
	snprintf(value, sizeof(value), "\\0x%x", UNKNOWN_VALUE);
	probe_def_arg(&out->at[gap], name, value, type && strstr(type, "string") ? NULL : type);
	free(name);
	free(type);
}

/* One argument at all places. It must be there at one of them at least. */
static int arg_everywhere(struct probe_target *t, const struct probe_argspec *a, const dwarf_places *places,
			  probe_defs *out, size_t first, bool have_x)
{
	size_t n = places->n, missing = 0, index = out->at[first].args.n;
	bool *gap = xcalloc(n, sizeof(*gap));
	int err = 0;
	char *message = NULL, *hints = NULL;
	for (size_t i = 0; i < n; i++) {
		struct place_args p = { .t = t, .place = &places->at[i], .def = &out->at[first + i], .have_x = have_x };
		int e = add_arg(&p, a);
		if (!e)
			continue;
		gap[i] = true;
		missing++;
		err = e;
		if (!message) {
			message = xstrdup(error_message());
			hints = xstrdup(error_hints());
		}
		error_clear();
	}
	if (missing && missing < n && err != -EINVAL) {
		warn("%s (%zu of %zu places; shown as 0x%x there)", message, missing, n, UNKNOWN_VALUE);
		for (size_t i = 0; i < n; i++)
			if (gap[i])
				fill_gap(out, first, first + i, a, index);
		err = 0;
	} else if (missing) {
		error_set(err, "%s", message);
		if (*hints)
			error_hint("%s", hints);
	}
	free(message);
	free(hints);
	free(gap);
	return err;
}

/* Appends the definitions of all places, or none. */
static int define_places(struct probe_target *t, const struct probe_spec *s, const dwarf_places *places, probe_defs *out)
{
	size_t first = out->n;
	bool have_x = dynevents_readme_has("x8/16/32/64");
	int err = 0;
	for (size_t i = 0; i < places->n && !err; i++)
		err = set_place(t, vec_push(out), s, &places->at[i]);
	for (size_t i = 0; i < s->args.n && !err; i++)
		err = arg_everywhere(t, &s->args.at[i], places, out, first, have_x);
	while (err && out->n > first)
		probe_def_release(&out->at[--out->n]);
	return err;
}

/* Code that is optimized, which not all compilers tell, may have no variable behind the prologue, and yet all on entry. */
static bool move_back(const dwarf_places *places, dwarf_places *out)
{
	bool any = false;
	vec_each(places, p) {
		struct dwarf_place *q = vec_push(out);
		*q = *p;
		any |= q->moved;
		q->addr = q->moved ? q->func_addr : q->addr;
		q->moved = false;
	}
	return any;
}

/* See fetch_bits_type(). */
static void tell_signs(const struct probe_def *d)
{
	struct str names = STR_INIT, counted = STR_INIT;
	int n = 0;
	for (size_t i = 0; i < d->args.n; i++) {
		const struct probe_defarg *a = &d->args.at[i];
		if (a->type && !strcmp(a->type, FETCH_LENGTH))
			str_addf(&counted, "%s%.*s", counted.len ? ", " : "", (int)strlen(a->name) - 4, a->name);
		else if (a->name && a->type && !strncmp(a->type, "b0x", 3))
			str_addf(&names, "%s%s", n++ ? ", " : "", a->name);
	}
	if (n)
		note(0, "%s %s signed: sonde shows that, but perf and the kernel's own trace show the bits without their sign", names.buf,
		     n > 1 ? "are" : "is");
	if (counted.len)
		note(0, "sonde shows %s up to the length that is told; perf and the kernel's own trace show an array of bytes or numbers", counted.buf);
	str_release(&counted);
	str_release(&names);
}

int probe_resolve_source(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o,
			 probe_defs *out)
{
	dwarf_places places = { 0 }, back = { 0 };
	size_t first = out->n;
	bool vars = false;
	vec_each(&s->args, a)
		vars |= !a->fetcharg;
	int err = probe_source_places(t, s, o, vars, &places);
	if (!err)
		err = define_places(t, s, &places, out);
	if (err && places.n && move_back(&places, &back)) {
		char *message = xstrdup(error_message()), *hints = xstrdup(error_hints());
		error_clear();
		if (define_places(t, s, &back, out)) {
			error_clear();
			error_set(err, "%s", message);
			if (*hints)
				error_hint("%s", hints);
		} else {
			err = 0;
			vec_clear(&places);
		}
		free(message);
		free(hints);
	}
	for (size_t i = 0; i < places.n && !err; i++)
		if (places.at[i].moved)
			note(0, "probing %s behind its prologue, at 0x%llx, where its variables are in place",
			     places.at[i].func_name, (unsigned long long)places.at[i].addr);
	if (!err && out->n > first)
		tell_signs(&out->at[first]);
	vec_release(&places);
	vec_release(&back);
	return err;
}

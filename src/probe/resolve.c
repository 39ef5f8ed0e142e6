// SPDX-License-Identifier: GPL-2.0-or-later
/* A definition is looked up in this order: a marker in the file's notes; debug information, which
 * also knows inlined copies and local variables; the symbol table, which knows neither. */
#include "probe/resolve.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "probe/fetcharg.h"
#include "probe/source.h"
#include "symbol/demangle.h"

static int add_plain_args(struct probe_target *t, struct probe_def *d, const struct probe_spec *s, bool entry)
{
	int err = 0;
	for (size_t i = 0; i < s->args.n && !err; i++)
		err = fetcharg_add(t, d, &s->args.at[i], entry);
	return err;
}

static int place_user(struct probe_target *t, struct probe_def *d, uint64_t addr)
{
	probe_target_in(t, d);
	d->addr = addr;
	if (probe_target_offset(t, addr, &d->offset))
		return error_set(ERANGE, "address 0x%llx is not in any loaded part of %s",
				 (unsigned long long)addr, t->path);
	return 0;
}

/* Wildcards may mean more than was thought of; the inlined copies of one function are all meant. */
int probe_max_places(const struct probe_options *o, const char *function)
{
	enum { WILD = 128, ONE = 512 };
	return o->max_probes > 0 ? o->max_probes : function && function_is_glob(function) ? WILD : ONE;
}

struct by_symbol {
	struct probe_target *t;
	const struct probe_spec *s;
	const struct probe_options *o;
	probe_defs *out;
	int err;
	size_t n;
	bool btf; /* arguments by the kernel's types */
};

static int check_symbol_offset(const struct probe_spec *s, const struct elfsym *sym)
{
	if (s->has_offset && sym->size && s->offset >= sym->size)
		return error_set(ERANGE, "%s is %llu bytes long: +%llu is outside of it", sym->name,
				 (unsigned long long)sym->size, (unsigned long long)s->offset);
	return 0;
}

static void one_symbol(const struct elfsym *sym, void *ctx)
{
	struct by_symbol *b = ctx;
	if (b->err)
		return;
	int max = probe_max_places(b->o, b->s->function);
	if (b->n++ >= (size_t)max) {
		b->err = error_set(E2BIG, "'%s' means more than %d places", b->s->function, max);
		error_hint("narrow it, or raise the bound with --max-probes");
		return;
	}
	b->err = check_symbol_offset(b->s, sym);
	if (b->err)
		return;
	struct probe_def *d = vec_push(b->out);
	d->ret = b->s->ret;
	d->func = xstrdup(sym->name);
	d->addr = sym->addr + b->s->offset;
	if (b->t->user) {
		b->err = place_user(b->t, d, sym->addr + b->s->offset);
	} else {
		d->target = b->t->module ? xstrdup(b->t->module) : NULL;
		d->symbol = xstrdup(sym->name);
		d->offset = b->s->offset;
	}
	if (sym->ifunc)
		warn("%s is chosen at run time (an IFUNC): the probe is on the chooser, which runs once per program",
		     sym->name);
	if (b->btf)
		b->err = probe_resolve_btf(b->t, b->s, d);
	else if (!b->err)
		b->err = add_plain_args(b->t, d, b->s, !b->s->offset);
}

static int no_such_function(struct probe_target *t, const struct probe_spec *s)
{
	struct nearest n;
	error_set(ENOENT, "there is no function '%s' in %s", s->function,
		  t->path ? t->path : t->module ? t->module : "the kernel");
	nearest_init(&n, s->function);
	vec_each(&t->syms.syms, y)
		if (!y->data && !y->plt)
			nearest_offer(&n, y->name);
	if (!nearest_hint(&n))
		error_hint("'sonde probe -F%s%s' lists the functions", t->user ? " -x " : "", t->user ? t->path : "");
	return -ENOENT;
}

/* ns::Box::area, with or without its parameters' types. */
static size_t find_demangled(struct by_symbol *b)
{
	size_t hits = 0;
	bool params = strchr(b->s->function, '(') != NULL;
	if (!strstr(b->s->function, "::"))
		return 0;
	vec_each(&b->t->syms.syms, y) {
		char *plain = y->data || y->plt || !demangle_wanted(y->name) ? NULL : demangle(y->name, params);
		if (plain && !strcmp(plain, b->s->function)) {
			hits++;
			one_symbol(y, b);
		}
		free(plain);
	}
	return hits;
}

/* A library's function that the file calls: its slot is here, its code is not. */
static size_t find_slot(struct by_symbol *b)
{
	char *slot = xasprintf("%s@plt", b->s->function);
	size_t hits = b->t->user ? elfsyms_find(&b->t->syms, slot, one_symbol, b) : 0;
	if (hits)
		note(1, "%s is in a library: the probe is on the calls from here (%s)", b->s->function, slot);
	free(slot);
	return hits;
}

static int resolve_by_symbol(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o,
			     probe_defs *out, bool btf)
{
	struct by_symbol b = { .t = t, .s = s, .o = o, .out = out, .btf = btf };
	int err = probe_target_symbols(t);
	if (err)
		return error_pending() ? err : error_sys(err, "cannot read the symbols of %s", t->path ? t->path : "the kernel");
	if (!elfsyms_find(&t->syms, s->function, one_symbol, &b) && !find_demangled(&b) && !find_slot(&b))
		return no_such_function(t, s);
	return b.err;
}

static int resolve_address(struct probe_target *t, const struct probe_spec *s, probe_defs *out)
{
	struct probe_def *d = vec_push(out);
	d->ret = s->ret;
	d->func = xasprintf("abs_%llx", (unsigned long long)s->addr);
	int err = 0;
	if (t->user) {
		err = place_user(t, d, s->addr + s->offset);
	} else {
		d->addr = d->offset = s->addr + s->offset;
		d->target = t->module ? xstrdup(t->module) : NULL;
	}
	return err ? err : add_plain_args(t, d, s, false);
}

/* A return probe swaps the return address on the stack; Go moves stacks and panics on it. */
static int refuse_go_return(const struct probe_spec *s)
{
	error_set(EPERM, "'%s' is in a Go program, where a return probe can crash the program", s->function);
	return error_hint("Go moves its stacks and finds the changed return address; probe the lines of its "
			  "return statements instead, or insist with --force");
}

/* Variables are wanted and there is no debug information: BTF knows parameters on entry. */
static int without_dwarf(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o,
			 probe_defs *out)
{
	bool entry = s->function && !s->file && !s->pattern && !s->offset && !(s->has_line && s->line);
	if (entry && !probe_target_btf(t)) {
		note(1, "no debug information: parameters from the kernel's BTF");
		return resolve_by_symbol(t, s, o, out, true);
	}
	return probe_target_no_dwarf(t);
}

/* In a definition spaces part words, # begins a comment and a new line another definition. */
static int refuse_path(const char *path)
{
	error_set(EINVAL, "the kernel takes no probe in '%s': spaces, # and control characters cannot be in the path", path);
	return error_hint("give the file a plain name as well: ln FILE NAME, and -x NAME (a probe is on the file, not on its name)");
}

static bool is_plain_path(const char *path)
{
	for (; *path; path++)
		if ((unsigned char)*path <= ' ' || *path == '#' || *path == 127)
			return false;
	return true;
}

int probe_resolve(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o,
		  probe_defs *out)
{
	if (t->user && !is_plain_path(t->path))
		return refuse_path(t->path);
	if (s->ret && t->user && !o->force && probe_target_is_go(t))
		return refuse_go_return(s);
	if (s->sdt)
		return probe_resolve_sdt(t, s, out);
	if (s->is_addr)
		return resolve_address(t, s, out);
	bool need = probe_spec_needs_source(s);
	if (!need && (s->ret || function_is_glob(s->function))) {
		int e = resolve_by_symbol(t, s, o, out, false);
		if (e != -ENOENT || probe_target_dwarf(t))
			return e;
	}
	error_clear();
	if (probe_target_dwarf(t))
		return need ? without_dwarf(t, s, o, out) : resolve_by_symbol(t, s, o, out, false);
	size_t before = out->n;
	int err = probe_resolve_source(t, s, o, out);
	if (err != -ENOENT || need || out->n != before)
		return err;
	error_clear(); /* assembler, or a part of the file compiled without -g */
	return resolve_by_symbol(t, s, o, out, false);
}

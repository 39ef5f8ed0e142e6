// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/script.h"
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "script/check.h"
#include "script/code/emit.h"
#include "script/settings.h"
#include "script/ctype/ctype.h"
#include "script/dump.h"
#include "script/fold.h"
#include "script/globals.h"
#include "script/code/lower.h"
#include "script/code/marks.h"
#include "script/code/slots.h"
#include "script/front/parse.h"
#include "script/provider/user/binary.h"
#include "script/provider/kernel/kfuncs.h"
#include "script/provider/dtrace.h"
#include "script/provider/provider.h"
#include "script/stap/front.h"

enum { KEYS = 4096, STRINGS = 1024 };

/* What the kernel's maps, and the memory that programs share, have room for. */
static int check_sizes(struct run_script *s)
{
	if (s->maps.n > MAPS_MAX)
		return source_error(s->source, s->maps.at[MAPS_MAX]->first, "a script has at most %d maps", MAPS_MAX);
	for (size_t i = 0; i < s->maps.n; i++) {
		struct decl *d = s->maps.at[i];
		if (d->type && type_room(d->type) + 8 > ZERO_MAX)
			return source_error(s->source, d->first, "the values of this map are too large");
	}
	return 0;
}

static int make_code(struct run_script *s, struct script_unit *u)
{
	int err = check_unit(s, u);
	if (!err) {
		fold_probe(u->probe);
		err = lower_unit(s, u);
	}
	if (!err && s->dump & DUMP_IR)
		dump_ir(u);
	if (!err && verbosity > 2) {
		struct str text = STR_INIT;
		ir_print(&u->ir, &text);
		vec_each(&u->functions, f) {
			str_addf(&text, "function%zu:\n", (size_t)(f - u->functions.at));
			ir_print(f, &text);
		}
		note(3, "%s:\n%s", u->probe->attach->text, text.buf);
		str_release(&text);
	}
	err = err ? err : emit_unit(s->source, u);
	if (!err && s->dump & DUMP_CODE)
		dump_code(s, u);
	return err;
}

/* --name=value is for getopt(); a lone -- stands between. */
static struct params split_params(const struct run_script *s, struct arena *a, char **params, unsigned n)
{
	struct params p = { arena_get(a, (n + 1) * sizeof(*p.at)), 0, arena_get(a, (n + 1) * sizeof(*p.named)), 0 };
	for (unsigned i = 0; i < n; i++)
		if (s->stap || strncmp(params[i], "--", 2))
			p.at[p.n++] = params[i];
		else if (params[i][2])
			p.named[p.n_named++].text = params[i] + 2;
	return p;
}

int script_compile(struct run_script *s, struct script_source *source, char **params, unsigned n_params)
{
	struct params p = split_params(s, &source->memory, params, n_params);
	s->source = source;
	s->max_keys = s->room ? s->room : KEYS;
	s->max_string = STRINGS;
	s->types = ctypes_new(&source->memory);
	int cpus = libbpf_num_possible_cpus();
	s->n_cpus = cpus > 0 ? (unsigned)cpus : 1;
	int err = s->stap ? stap_front(s->stap, s, source, &p) : dtrace_first(s);
	if (!err && !s->stap)
		err = parse_script(source, &p, &s->probes);
	if (!err)
		err = settings_read(s);
	if (!err && !s->stap)
		err = ctypes_declare(s->types, source);
	if (!err && !s->stap)
		err = provider_expand(s);
	if (!err)
		err = check_script(s);
	if (!err && s->dump & DUMP_TREE)
		dump_tree(s);
	if (!err)
		err = settings_maps(s);
	if (!err)
		err = check_sizes(s);
	if (!err)
		marks_choose(s);
	if (!err)
		slots_choose(s);
	for (size_t i = 0; i < s->units.n && !err; i++)
		err = make_code(s, &s->units.at[i]);
	return err;
}

static void forget_code(struct script_unit *u)
{
	ir_release(&u->ir);
	u->ir = (struct ir){ 0 };
	vec_each(&u->functions, f)
		ir_release(f);
	vec_release(&u->functions);
}

int script_shorten(struct run_script *s, struct script_unit *u)
{
	if (!u->bounded || u->smaller > 8)
		return -E2BIG;
	u->smaller += 2;
	forget_code(u);
	return make_code(s, u);
}

void script_forget(struct run_script *s)
{
	vec_each(&s->units, u) {
		forget_code(u);
		vec_release(&u->starts);
		vec_release(&u->code);
		vec_release(&u->lines);
		vec_release(&u->points);
		vec_release(&u->links);
	}
	vec_release(&s->units);
	vec_each(&s->points, p)
		if (p->opened >= 0)
			close(p->opened);
	vec_release(&s->points);
	kfuncs_forget();
	vec_release(&s->maps);
	vec_release(&s->sites);
	ctypes_free(s->types);
	s->types = NULL;
	binaries_release(s);
	vec_release(&s->loops);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments without debug information: the kernel's BTF and the calling convention. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "kernel/dynevents.h"
#include "probe/fetcharg.h"
#include "probe/source.h"
#include "symbol/btf.h"

static void no_address(void *ctx, uint64_t addr, struct str *out)
{
	(void)ctx;
	str_addf(out, "@0x%llx", (unsigned long long)addr);
}

static int add_one(struct probe_target *t, struct probe_def *d, const struct probe_argspec *a, bool have_x)
{
	struct fetch_want w = { .var = a->var, .steps = a->fields.at, .n_steps = a->fields.n, .type = a->type,
				.kernel = true, .have_x = have_x };
	struct fetch f = { 0 };
	struct str value = STR_INIT;
	char *type = NULL;
	int err = fetcharg_check_type(t, a);
	if (!err)
		err = btf_fetch(t->btf, d->func, &w, &f, &type);
	if (!err) {
		f.user = a->user || (a->type && !strcmp(a->type, "ustring"));
		err = fetch_write(&f, no_address, NULL, &value);
		if (err)
			error_set(err, "'%s' cannot be fetched", a->text);
	}
	if (!err) {
		char *name = probe_arg_name(a);
		probe_def_arg(d, name, value.buf, type);
		free(name);
	}
	free(type);
	str_release(&value);
	return err;
}

static int add_params(struct probe_target *t, struct probe_def *d, bool have_x)
{
	btf_args args = { 0 };
	int err = btf_list_args(t->btf, d->func, &args);
	for (size_t i = 0; i < args.n && !err; i++) {
		struct probe_argspec a = { .text = args.at[i].name, .var = args.at[i].name };
		err = add_one(t, d, &a, have_x);
	}
	btf_args_release(&args);
	return err;
}

int probe_resolve_btf(struct probe_target *t, const struct probe_spec *s, struct probe_def *d)
{
	bool have_x = dynevents_readme_has("x8/16/32/64");
	int err = 0;
	for (size_t i = 0; i < s->args.n && !err; i++) {
		const struct probe_argspec *a = &s->args.at[i];
		if (a->fetcharg)
			err = fetcharg_add(t, d, a, true);
		else if (!strcmp(a->var, "$params") || !strcmp(a->var, "$vars"))
			err = add_params(t, d, have_x);
		else
			err = add_one(t, d, a, have_x);
	}
	return err;
}

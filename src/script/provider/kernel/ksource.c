// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/kernel/ksource.h"
#include <errno.h>
#include <stdlib.h>
#include "base/error.h"
#include "probe/source.h"
#include "script/provider/kernel/kfuncs.h"
#include "script/provider/user/locals.h"

struct binary *ksource_open(struct run_script *s, const char *module)
{
	struct binary *b = binary_kernel(s, module);
	return b && !probe_target_dwarf(&b->target) ? b : NULL;
}

int ksource_none(struct run_script *s, const struct attach *a, const char *module)
{
	struct binary *b = binary_kernel(s, module);
	if (b)
		probe_target_no_dwarf(&b->target);
	char *why = xstrdup(error_message()), *hints = xstrdup(error_hints());
	source_error(s->source, a->at, "%s", why);
	if (*hints)
		error_hint("%s", hints);
	free(why);
	free(hints);
	return -ENODATA;
}

static bool first_address(const struct kfunc *f, void *ctx)
{
	*(uint64_t *)ctx = f->addr;
	return false;
}

/* How far the kernel is from where it was linked to: what is to be added to an address of its debug information. */
static int moved_by(struct binary *b, uint64_t *by)
{
	struct elfsyms *syms = probe_target_debug_symbols(&b->target);
	const struct elfsym *text = syms ? elfsyms_first(syms, "_text") : NULL;
	uint64_t here = 0;
	int err = kfuncs_each("vmlinux", "_text", first_address, &here);
	if (err)
		return err;
	*by = here && text ? here - text->addr : 0;
	if (here && text)
		return 0;
	error_set(EPERM, "the kernel does not tell where it is");
	return error_hint("/proc/sys/kernel/kptr_restrict hides addresses, or %s is no kernel", b->target.path ? b->target.path : "that file");
}

static int in_module(struct binary *b, struct kernel_spot *spot)
{
	struct elfsyms *syms = probe_target_debug_symbols(&b->target);
	const struct elfsym *y = syms ? elfsyms_at(syms, spot->place->addr, spot->place->func_name) : NULL;
	if (!y)
		return error_set(ENOENT, "no symbol is near address 0x%llx", (unsigned long long)spot->place->addr);
	spot->symbol = y->name;
	spot->offset = spot->place->addr - y->addr;
	return 0;
}

int ksource_each(struct binary *b, const struct probe_spec *spec, ksource_taker *fn, void *ctx)
{
	const struct probe_options how = { .nested = true, .max_probes = 4096 };
	dwarf_places places = { 0 };
	uint64_t by = 0;
	int err = probe_source_places(&b->target, spec, &how, false, &places);
	if (!err && !b->target.module)
		err = moved_by(b, &by);
	for (size_t i = 0; i < places.n && !err; i++) {
		struct kernel_spot spot = { .binary = b, .place = &places.at[i], .symbol = places.at[i].func_name };
		if (b->target.module)
			err = in_module(b, &spot);
		else
			spot.addr = places.at[i].addr + by;
		if (!err)
			err = fn(&spot, ctx);
	}
	vec_release(&places);
	return err;
}

int ksource_locals(struct run_script *s, struct point *pt, struct probe *p, const struct kernel_spot *spot)
{
	return locals_fill(s, pt, p, &(struct locals_from){ spot->binary->target.dwarf, spot->place, SPACE_KERNEL, spot->addr ? spot->addr - spot->place->addr : 0 });
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What debug information adds to probing: lines, local variables, inlined copies. */
#ifndef PROBE_SOURCE_H
#define PROBE_SOURCE_H
#include "base/out.h"
#include "probe/resolve.h"
#include "symbol/dwarf/dwarf.h"

/* Places and arguments of a definition. The target's debug information is open. */
int probe_resolve_source(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o,
			 probe_defs *out);
/* Arguments from BTF, for the entry of kernel functions. The target's BTF is open. */
int probe_resolve_btf(struct probe_target *t, const struct probe_spec *s, struct probe_def *d);
/* The places alone; names the symbol table knows are tried as aliases. */
int probe_source_places(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o, bool vars,
			dwarf_places *out);
size_t probe_alias(void *target, const char *name, uint64_t *out, size_t max); /* a dwarf_alias */
/* The argument's name: given, else the last member's, else the variable's. Owned. */
char *probe_arg_name(const struct probe_argspec *a);

/* -V and -L */
struct probe_show_options {
	bool externs, ranges;
	const char *filter;
	const struct probe_options *probe;
};
int probe_show_vars(struct probe_target *t, const char *place, const struct probe_show_options *o, struct out *out);
int probe_show_lines(struct probe_target *t, const char *range, struct out *out);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What debug information adds to probes in the kernel: lines, variables, functions that are only inlined. */
#ifndef SCRIPT_PROVIDER_KSOURCE_H
#define SCRIPT_PROVIDER_KSOURCE_H
#include "probe/spec.h"
#include "script/provider/user/binary.h"
#include "symbol/dwarf/dwarf.h"

struct kernel_spot {
	struct binary *binary;
	const struct dwarf_place *place;
	uint64_t addr; /* in the running kernel; 0: in a module, at symbol + offset */
	const char *symbol; uint64_t offset;
};
typedef int ksource_taker(const struct kernel_spot *spot, void *ctx); /* 0, or -errno with a pending error */

/* The kernel's debug information, or that of a module. NULL: there is none; no pending error. */
struct binary *ksource_open(struct run_script *s, const char *module);
/* Says why ksource_open() has none. -ENODATA, pending error. */
int ksource_none(struct run_script *s, const struct attach *a, const char *module);
/* All places that the spec means. -ENOENT and a pending error: none. */
int ksource_each(struct binary *b, const struct probe_spec *spec, ksource_taker *fn, void *ctx);
/* Gives the point its args, of what is known there; see provider/user/locals.h. */
int ksource_locals(struct run_script *s, struct point *pt, struct probe *p, const struct kernel_spot *spot);
#endif

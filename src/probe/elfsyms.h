/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of one file or of the kernel, by name and by address: what can be probed without
 * any knowledge of the source. */
#ifndef PROBE_ELFSYMS_H
#define PROBE_ELFSYMS_H
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/map.h"
#include "base/vec.h"

struct elfsym {
	const char *name; /* lives as long as the table */
	uint64_t addr, size;
	bool plt, ifunc, data, global;
	bool old; /* an old version of a versioned symbol */
};

struct elfsyms {
	VEC(struct elfsym) syms;
	VEC(void *) owned; /* memory that names point into */
};

/* Adds .symtab, .dynsym and PLT slots of an open file. */
void elfsyms_add_elf(struct elfsyms *t, Elf *elf);
/* Adds the functions of the kernel (module NULL) or of one module, from kallsyms.
 * -errno, with a pending error when the addresses are hidden. */
int elfsyms_add_kallsyms(struct elfsyms *t, const char *module);
void elfsyms_release(struct elfsyms *t);
/* Calls fn for each function of that name (wildcards allowed), one per address. */
size_t elfsyms_find(struct elfsyms *t, const char *name, void (*fn)(const struct elfsym *s, void *ctx), void *ctx);
const struct elfsym *elfsyms_first(struct elfsyms *t, const char *name);
size_t elfsyms_count(const struct elfsyms *t, const char *name); /* functions of that very name */
/* The function that holds the address; name_hint: preferred among aliases. NULL: none. */
const struct elfsym *elfsyms_at(struct elfsyms *t, uint64_t addr, const char *name_hint);
const struct elfsym *elfsyms_data(struct elfsyms *t, const char *name); /* a variable */
const struct elfsym *elfsyms_data_at(struct elfsyms *t, uint64_t addr);
#endif

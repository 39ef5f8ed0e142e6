/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters and variables of programs, and of the kernel, by their names, as debug information has them: members of `args`. */
#ifndef SCRIPT_PROVIDER_LOCALS_H
#define SCRIPT_PROVIDER_LOCALS_H
#include "script/script.h"

struct dwarf_place;
struct locals_from {
	struct dwarf_file *file;
	const struct dwarf_place *place;
	enum script_space space; /* of the memory that they are in */
	uint64_t moved_by; /* the kernel's: what is to be added to addresses of the file; 0: not known, a module's */
};
/* Does the block ask for any? */
bool locals_wanted(const struct probe *p);
bool locals_unset(const struct probe *p); /* is there a $x that the block sets nowhere? */
/* The point says where in the source it is. */
void locals_keep_place(struct run_script *s, struct point *pt, struct dwarf_file *file, const struct dwarf_place *at);
/* That, and gives the point its args. A $x that the block sets nowhere, and that is a variable there, becomes args.x.
 * -errno, pending error: one that is asked for is there, but cannot be had. */
int locals_fill(struct run_script *s, struct point *pt, struct probe *p, const struct locals_from *from);
#endif

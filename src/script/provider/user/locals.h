/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters and variables of programs by their names, as debug information has them: members of `args`. */
#ifndef SCRIPT_PROVIDER_LOCALS_H
#define SCRIPT_PROVIDER_LOCALS_H
#include "script/provider/user/binary.h"

struct dwarf_place;
/* Does the block ask for any? */
bool locals_wanted(const struct probe *p);
/* Gives the point its args. A $x that the block sets nowhere, and that is a variable there, becomes args.x.
 * -errno, pending error: one that is asked for is there, but cannot be had. */
int locals_fill(struct run_script *s, struct point *pt, struct probe *p, struct binary *b, const struct dwarf_place *place);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions of the machine. Maps are not loaded yet: an instruction that names one has its number (ir.h) where the
 * descriptor will be, see emit_relocate(). */
#ifndef SCRIPT_EMIT_H
#define SCRIPT_EMIT_H
#include "script/script.h"

int emit_unit(const struct script_source *s, struct script_unit *u); /* alloc and emit: u->ir to u->code. -errno, pending error */
/* Puts descriptors where map numbers are. */
void emit_relocate(struct script_unit *u, int (*fd_of)(void *ctx, const struct script_unit *u, unsigned map), void *ctx);
#endif

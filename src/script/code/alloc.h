/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Virtual registers to the machine's, by linear scan. r6 to r9 hold what lives across calls, r3 to r5 what does not
 * come near one; r0 to r2 are the emitter's. What finds none free goes to the stack, whose places are shared by those that
 * do not live at the same time. */
#ifndef SCRIPT_ALLOC_H
#define SCRIPT_ALLOC_H
#include "script/code/ir.h"

struct reg_homes {
	int *at; /* of each virtual register: 3 to 9, or negative: its place on the stack, a multiple of 8; 0: never used */
	uint32_t stack; /* bytes of the stack that are used, objects included */
};
/* -E2BIG without a pending error: the stack of 512 bytes does not hold it. */
int alloc_registers(const struct ir *ir, struct reg_homes *out);
void reg_homes_release(struct reg_homes *p);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What printf shows by %f: programs have no fractions, so the operands are sent, and a / b is computed here. */
#ifndef SCRIPT_SHOW_FRACTION_H
#define SCRIPT_SHOW_FRACTION_H
#include "script/type.h"

struct fraction {
	int op; /* + - * /; 'k' a constant, 'v' an operand */
	double constant;
	unsigned operand; /* the field of the type */
	struct fraction *a, *b;
};
extern const struct shown shown_fraction;
double fraction_value(const struct script_type *t, const uint8_t *value);
#endif

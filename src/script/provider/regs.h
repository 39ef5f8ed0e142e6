/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that are called with the registers of the thread that came to the place: uprobes, kprobes and their kin. */
#ifndef SCRIPT_PROVIDER_REGS_H
#define SCRIPT_PROVIDER_REGS_H
#include "script/provider/provider.h"
#include "symbol/fetch.h"

/* A value of `args`, or of a marker's argN. */
struct point_value {
	struct fetch at;
	const char *why; /* it cannot be had: the sentence; NULL: it can */
	uint8_t size; /* bytes of a number: 1, 2, 4, 8 */
	bool is_signed;
};

int regs_arg(struct lower *l, unsigned n); /* of a function at its entry: provider.arg */
int regs_retval(struct lower *l); /* provider.retval */
/* The size and sign of a number. false: it is none, and not in memory either, where its members could be read. */
bool regs_of_type(struct point_value *v, const struct script_type *t);
int regs_value(struct lower *l, const struct point_value *v);
/* provider.field: f->at is the number of the point's value. */
int regs_field(struct lower *l, const struct type_field *f);
/* provider.enter: which of the unit's points it is, where somebody asks. */
void regs_enter(struct lower *l);
/* Is `probe` or `func` in the block, so that a program must know where it is? */
bool regs_where(const struct probe *p);
/* Can a program that is attached to several places learn at which it is? */
bool regs_have_cookies(void);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where threads waited, and how long: a list of stacks, or folded lines. */
#ifndef UI_SCHED_OFFCPU_H
#define UI_SCHED_OFFCPU_H
#include "analysis/flame/stackfold.h"
#include "base/out.h"

struct offcpu_view {
	bool folded;
	int event; /* which of the fold's */
	uint64_t least; /* ns */
	size_t most; /* 0: all */
};
void offcpu_print(const struct offcpu_view *v, struct out *o, const struct stackfold *f);
#endif

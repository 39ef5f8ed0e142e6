/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments in the kernel's own language: %di, $stack2, $comm, @sym+8, +8(%si), \5. */
#ifndef PROBE_FETCHARG_H
#define PROBE_FETCHARG_H
#include "probe/def.h"
#include "probe/spec.h"
#include "probe/target.h"

/* NULL: well formed. Else what is wrong, and *at is where. marker: it is for one, and may go on from arg1 and so on. */
const char *fetcharg_check(const char *p, bool marker, const char **at);
/* "arg2" is 2; 0: it is none of a marker's arguments. */
int fetcharg_marker(const char *p, size_t n);
/* May the type be asked for, of that target and of this kernel? -EINVAL with a pending error. */
int fetcharg_check_type(const struct probe_target *t, const struct probe_argspec *a);
/* Appends the argument to the probe. In programs @sym becomes the data's place in the file and $argN the register of
 * the calling convention, both of which the kernel knows only for itself. entry: the probe is on a function's first
 * instruction. -errno with a pending error. */
int fetcharg_add(struct probe_target *t, struct probe_def *d, const struct probe_argspec *a, bool entry);
/* A fixed address as a probe names it: relative to the probed code in programs, by symbol in the kernel. */
void fetcharg_address(struct probe_target *t, const struct probe_def *d, uint64_t addr, struct str *out);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long threads waited for the kernel's locks, summed in the kernel (bpf/lockwait.bpf.c): lock contention. */
#ifndef ATTACH_LOCKWAIT_H
#define ATTACH_LOCKWAIT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bpf/lockwait.h"
#include "spec/target.h"

struct lockwait;
struct lockwait_options {
	const struct target *target; /* resolved */
	bool inherit, at_exec;
	enum lockwait_by by;
	uint64_t types; /* bit n: waits with these flags; 0: all */
	uint64_t only_lock; /* 0: all */
};
struct lockwait *lockwait_open(const struct lockwait_options *o); /* NULL: pending error */
void lockwait_turn(struct lockwait *w, bool on);
/* stack: innermost first, n_stack frames; by caller alone. */
typedef void lockwait_take(void *ctx, const struct lockwait_place *p, const struct lockwait_sum *s, const uint64_t *stack, size_t n_stack);
int lockwait_finish(struct lockwait *w, lockwait_take *take, void *ctx); /* off for good; -errno and a pending error */
struct lockwait_loss { uint64_t waits, stacks, left_out; };
struct lockwait_loss lockwait_lost(const struct lockwait *w);
void lockwait_close(struct lockwait *w);
#endif

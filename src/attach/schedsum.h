/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long each task of the machine ran and waited for a CPU, summed in the kernel (bpf/schedsum.bpf.c). */
#ifndef ATTACH_SCHEDSUM_H
#define ATTACH_SCHEDSUM_H
#include <stdbool.h>
#include <stdint.h>
#include "bpf/schedsum.h"

struct schedsum;
struct schedsum *schedsum_open(void); /* NULL: pending error. Nothing is measured before schedsum_start */
void schedsum_start(struct schedsum *s);
typedef void schedsum_take(void *ctx, int tid, const struct schedsum_task *t);
/* The end: off for good. Those that run or wait still have that time in their sums. -errno and a pending error. */
int schedsum_finish(struct schedsum *s, schedsum_take *take, void *ctx);
/* What is missing: tasks without room, and wakeups that the kernel left out. */
struct schedsum_loss { uint64_t tasks, wakeups; };
struct schedsum_loss schedsum_lost(const struct schedsum *s);
void schedsum_close(struct schedsum *s);
#endif

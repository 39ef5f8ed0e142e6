/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long threads waited, and where, summed in the kernel (bpf/offcpu.bpf.c): record --off-cpu. */
#ifndef ATTACH_OFFCPU_H
#define ATTACH_OFFCPU_H
#include <stdbool.h>
#include <stdint.h>
#include "spec/target.h"

struct offcpu;
struct offcpu_options {
	const struct target *target; /* resolved */
	bool inherit;
	bool at_exec; /* the command, from its exec on */
	bool cgroups; /* the cgroup is told too */
	bool kernel; /* the kernel's stack, too */
};
/* NULL: pending error. Nothing is measured before offcpu_turn. */
struct offcpu *offcpu_open(const struct offcpu_options *o);
void offcpu_turn(struct offcpu *o, bool on);

/* One place of one thread: how long it waited there since it was told last, and when the latest of these waits ended (by
 * CLOCK_MONOTONIC).
 * The chain has the innermost first, behind PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER; it is empty where there is no stack. */
struct offcpu_wait { int pid, tid; uint64_t ns, time, cgroup; const uint64_t *chain; size_t n_chain; };
typedef int offcpu_take(void *ctx, const struct offcpu_wait *w);
/* What there is to tell by now. Until one `take` returns non-zero, which is returned. */
int offcpu_drain(struct offcpu *o, offcpu_take *take, void *ctx);
/* The same at the end, off for good: also those that wait still. */
int offcpu_finish(struct offcpu *o, offcpu_take *take, void *ctx);
/* What found no room: waits, with their time as far as it is known, and stacks of waits that are told. */
struct offcpu_loss { uint64_t waits, ns, stacks, left_out /* runs of the program, by the kernel */; };
struct offcpu_loss offcpu_lost(const struct offcpu *o);
void offcpu_close(struct offcpu *o);
#endif

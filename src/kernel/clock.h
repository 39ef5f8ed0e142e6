/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one clock: CLOCK_MONOTONIC, which BPF's ktime and perf events (use_clockid) share. */
#ifndef KERNEL_CLOCK_H
#define KERNEL_CLOCK_H
#include <stdint.h>
#include <time.h>
static inline uint64_t clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}
static inline uint64_t clock_ms(void)
{
	return clock_ns() / 1000000;
}
#endif

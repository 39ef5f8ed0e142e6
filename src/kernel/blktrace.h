/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which block devices the kernel's tracer blk shows: a switch of each, below /sys/block. */
#ifndef KERNEL_BLKTRACE_H
#define KERNEL_BLKTRACE_H
#include <stdbool.h>
#include "base/words.h"
/* The switches that are off. false: none of them is on. -errno, no pending error, when there are none. */
int blktrace_switches(wordlist *off, bool *any_on);
#endif

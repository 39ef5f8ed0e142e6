// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch/unwind.h"
#include <linux/perf_event.h>
#include <stddef.h>

/* perf: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8..r15 */
static const struct unwind_arch x86_64 = {
	.word = 8, .n = 17, .sp = 7, .fp = 6, .ra = 16,
	.perf = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 },
};
static const struct unwind_arch i386 = {
	.word = 4, .n = 9, .sp = 4, .fp = 5, .ra = 8,
	.perf = { 0, 2, 3, 1, 7, 6, 4, 5, 8 },
};

const struct unwind_arch *unwind_arch(uint64_t abi)
{
	return abi == PERF_SAMPLE_REGS_ABI_64 ? &x86_64 : abi == PERF_SAMPLE_REGS_ABI_32 ? &i386 : NULL;
}

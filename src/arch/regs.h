/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which user registers a sample must carry so that its stack can be unwound; 0 where sonde cannot. */
#ifndef ARCH_REGS_H
#define ARCH_REGS_H
#include <stdint.h>
static inline uint64_t arch_unwind_regs(void)
{
#if defined(__x86_64__)
	return 0xff0fff; /* all of perf's x86 numbering but ds, es, fs and gs */
#else
	return 0;
#endif
}
#endif

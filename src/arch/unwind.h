/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which register of a perf sample is which in DWARF. */
#ifndef ARCH_UNWIND_H
#define ARCH_UNWIND_H
#include <stdint.h>

enum { UNWIND_REGS = 17 };
struct unwind_arch {
	uint8_t word; /* bytes of an address */
	uint8_t n; /* DWARF registers that are followed; the last is the return address */
	uint8_t sp, fp, ra; /* DWARF numbers */
	uint8_t perf[UNWIND_REGS]; /* DWARF number to bit in the sample's register mask */
};
/* abi: PERF_SAMPLE_REGS_ABI_*. NULL: registers of that kind are not known here. */
const struct unwind_arch *unwind_arch(uint64_t abi);
#endif

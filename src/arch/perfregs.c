// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch/perfregs.h"
#include <stddef.h>

const char *arch_perf_reg_name(int bit)
{
	static const char *const x86[] = { "AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS",
		"ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15" };
	return bit >= 0 && (size_t)bit < sizeof(x86) / sizeof(x86[0]) ? x86[bit] : NULL;
}

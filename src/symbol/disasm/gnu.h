/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction of libcapstone in objdump's words, in both of its styles. */
#ifndef SYMBOL_DISASM_GNU_H
#define SYMBOL_DISASM_GNU_H
#include <capstone/capstone.h>
#include "symbol/disasm/disasm.h"

struct gnu {
	bool intel, is32;
	csh handle;
	const char *(*reg_name)(csh, unsigned);
};
void gnu_insn(const struct gnu *g, const cs_insn *i, struct instruction *out);
/* What it does, in out->mem and out->flow. */
void gnu_flow(const cs_insn *i, struct instruction *out);
#endif

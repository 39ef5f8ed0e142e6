/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of this room share. */
#ifndef SYMBOL_DISASM_INNER_H
#define SYMBOL_DISASM_INNER_H
#include "symbol/disasm/disasm.h"

/* -ENOENT without a pending error: the library is not there. */
int capstone_run(const struct disasm_options *o, const struct disasm_code *c, insns *out);
/* -errno and a pending error. */
int objdump_run(const struct disasm_options *o, const struct disasm_code *c, insns *out);
/* What nobody knows: n bytes (0: one), as numbers. */
void insn_bytes(struct instruction *i, uint64_t addr, const uint8_t *bytes, int n);
#endif

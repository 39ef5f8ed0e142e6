/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine code as text: by libcapstone where that can be loaded, else by the program objdump. Both say it as objdump does, so
 * that what knows one reads the other. Only x86, of 64 and of 32 bits. */
#ifndef SYMBOL_DISASM_DISASM_H
#define SYMBOL_DISASM_DISASM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/vec.h"

enum insn_kind { INSN_OTHER, INSN_JUMP, INSN_BRANCH /* a conditional jump */, INSN_CALL, INSN_RET };
enum { INSN_TEXT = 160, INSN_NO_REG = -1 };

/* An operand in memory. Registers by their number in DWARF; INSN_NO_REG: none, or one that DWARF has no number for. */
struct insn_memory {
	bool there, rip;
	bool load, store;
	bool fs; /* of the thread (%fs, the kernel's %gs) */
	int8_t base, index;
	uint8_t scale, size; /* size: bytes that are accessed; 0: not known */
	int64_t disp;
};
/* Enough of the other operands to follow values through registers. */
struct insn_flow {
	int8_t dst, src; /* INSN_NO_REG: none, or not a whole general register */
	bool move, lea, adds_constant; /* dst = src; dst = the address of memory; dst += constant */
	bool whole; /* of move, lea, adds_constant: all of the register, and as much of where it comes from */
	uint16_t writes; /* a bit for each register that changes, in whole or in part; what a call changes is not among them */
	int64_t constant;
};
struct instruction {
	uint64_t addr, target; /* target: of a direct jump or call */
	uint64_t data; /* what %rip and a constant make */
	uint8_t len;
	enum insn_kind kind;
	bool has_target, has_data;
	struct insn_memory mem;
	struct insn_flow flow;
	char text[INSN_TEXT]; /* without names: "je     1269", "mov    0x2ee3(%rip),%rax" */
};
typedef VEC(struct instruction) insns;

struct disasm_options {
	bool intel, is32;
	const char *objdump; /* a program: it is used, and not libcapstone; NULL: what there is */
	const char *style; /* further words of -M, for objdump alone; NULL: none */
};
/* Where the code is: bytes in memory, and, for objdump, the ELF file that has them at those addresses (NULL: there is none). */
struct disasm_code {
	const uint8_t *bytes;
	size_t n;
	uint64_t addr;
	const char *file;
};
/* Takes all of it apart; what is no instruction is ".byte". 0; or -errno with a pending error: there is nothing that could. */
int disasm_run(const struct disasm_options *o, const struct disasm_code *c, insns *out);
/* Is libcapstone there? */
bool capstone_there(void);
#endif

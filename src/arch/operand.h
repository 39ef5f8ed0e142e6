/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembler operands, as the compiler leaves them in markers (USDT): "%edi", "-8(%rbp)", "$5". */
#ifndef ARCH_OPERAND_H
#define ARCH_OPERAND_H
#include <stdint.h>

enum operand_kind { OPERAND_REG, OPERAND_MEMORY, OPERAND_CONST, OPERAND_SYMBOL /* symbol+off(%rip) */ };
struct operand {
	enum operand_kind kind;
	const char *reg; /* as probes name it: "%di" */
	int64_t num; /* offset or constant */
	char symbol[128];
};
/* 0, or -ENOTSUP for what no probe can fetch (scaled indices, segments, vector registers). */
int arch_operand_parse(const char *text, struct operand *o);
#endif

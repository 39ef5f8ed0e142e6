/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long an instruction is: all that is needed to show its bytes. */
#ifndef ARCH_INSN_H
#define ARCH_INSN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INSN_MAX = 15 };
/* The length of the x86-64 instruction that begins at code; 0: there is none, or n bytes do not hold all of it. */
int insn_length(const uint8_t *code, size_t n);
/* May a uprobe go there? false: the kernel runs no copies of such instructions: with lock or a segment before them, or of vectors
 * (VEX, EVEX). */
bool insn_copied(const uint8_t *code, size_t n);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF register numbers of this machine, named as kprobe_events and uprobe_events name them, and
 * where a function finds its arguments. */
#ifndef ARCH_DWARF_REGS_H
#define ARCH_DWARF_REGS_H
#include <stdint.h>

#if defined(__x86_64__)
enum { ARCH_DWARF_REGS = 16, ARCH_SP = 7, ARCH_FP = 6, ARCH_ENTRY_CFA = 8 /* CFA - SP at a function's entry */ };
static const char *const arch_dwarf_regs[ARCH_DWARF_REGS] = {
	"%ax", "%dx", "%cx", "%bx", "%si", "%di", "%bp", "%sp",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};
enum { ARCH_ARG_REGS = 6 };
static const int arch_arg_regs[ARCH_ARG_REGS] = { 5, 4, 1, 2, 8, 9 }; /* di si dx cx r8 r9 */
enum { ARCH_VECTOR = 17 }; /* the first vector register, for floating point */
#define ARCH_VECTOR_NAME "%xmm0"
#elif defined(__aarch64__)
enum { ARCH_DWARF_REGS = 32, ARCH_SP = 31, ARCH_FP = 29, ARCH_ENTRY_CFA = 0 };
static const char *const arch_dwarf_regs[ARCH_DWARF_REGS] = {
	"%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7", "%x8", "%x9", "%x10", "%x11", "%x12", "%x13",
	"%x14", "%x15", "%x16", "%x17", "%x18", "%x19", "%x20", "%x21", "%x22", "%x23", "%x24", "%x25", "%x26",
	"%x27", "%x28", "%x29", "%x30", "%sp",
};
enum { ARCH_ARG_REGS = 8 };
static const int arch_arg_regs[ARCH_ARG_REGS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
enum { ARCH_VECTOR = 64 };
#define ARCH_VECTOR_NAME "%v0"
#else
#error "name the registers of this machine here"
#endif
#endif

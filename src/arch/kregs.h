/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers that a BPF program at a kprobe or uprobe is called with: where each is in them. */
#ifndef ARCH_KREGS_H
#define ARCH_KREGS_H
#include <stddef.h>
#include <string.h>
#include <asm/ptrace.h>

struct arch_kreg { const char *name; int dwarf; int at; };
#if defined(__x86_64__)
static const struct arch_kreg arch_kregs[] = {
	{ "ax", 0, offsetof(struct pt_regs, rax) }, { "dx", 1, offsetof(struct pt_regs, rdx) }, { "cx", 2, offsetof(struct pt_regs, rcx) },
	{ "bx", 3, offsetof(struct pt_regs, rbx) }, { "si", 4, offsetof(struct pt_regs, rsi) }, { "di", 5, offsetof(struct pt_regs, rdi) },
	{ "bp", 6, offsetof(struct pt_regs, rbp) }, { "sp", 7, offsetof(struct pt_regs, rsp) }, { "r8", 8, offsetof(struct pt_regs, r8) },
	{ "r9", 9, offsetof(struct pt_regs, r9) }, { "r10", 10, offsetof(struct pt_regs, r10) }, { "r11", 11, offsetof(struct pt_regs, r11) },
	{ "r12", 12, offsetof(struct pt_regs, r12) }, { "r13", 13, offsetof(struct pt_regs, r13) }, { "r14", 14, offsetof(struct pt_regs, r14) },
	{ "r15", 15, offsetof(struct pt_regs, r15) }, { "ip", 16, offsetof(struct pt_regs, rip) }, { "orig_ax", -1, offsetof(struct pt_regs, orig_rax) },
	{ "cs", -1, offsetof(struct pt_regs, cs) }, { "flags", -1, offsetof(struct pt_regs, eflags) }, { "ss", -1, offsetof(struct pt_regs, ss) },
};
enum { ARCH_KREGS = sizeof(arch_kregs) / sizeof(arch_kregs[0]), ARCH_IP = 16, ARCH_RESULT = 0 };
#elif defined(__aarch64__)
#define ARCH_X(n) { "r" #n, n, n * 8 }
static const struct arch_kreg arch_kregs[] = {
	ARCH_X(0), ARCH_X(1), ARCH_X(2), ARCH_X(3), ARCH_X(4), ARCH_X(5), ARCH_X(6), ARCH_X(7), ARCH_X(8), ARCH_X(9), ARCH_X(10), ARCH_X(11),
	ARCH_X(12), ARCH_X(13), ARCH_X(14), ARCH_X(15), ARCH_X(16), ARCH_X(17), ARCH_X(18), ARCH_X(19), ARCH_X(20), ARCH_X(21), ARCH_X(22),
	ARCH_X(23), ARCH_X(24), ARCH_X(25), ARCH_X(26), ARCH_X(27), ARCH_X(28), ARCH_X(29), ARCH_X(30), { "sp", 31, 31 * 8 },
	{ "pc", 32, 32 * 8 }, { "pstate", -1, 33 * 8 },
};
enum { ARCH_KREGS = sizeof(arch_kregs) / sizeof(arch_kregs[0]), ARCH_IP = 32, ARCH_RESULT = 0 };
#endif

/* -1: there is none. */
static inline int arch_kreg_at(int dwarf)
{
	for (int i = 0; i < ARCH_KREGS; i++)
		if (arch_kregs[i].dwarf == dwarf)
			return arch_kregs[i].at;
	return -1;
}
static inline int arch_kreg_named(const char *name)
{
	for (int i = 0; i < ARCH_KREGS; i++)
		if (!strcmp(arch_kregs[i].name, name))
			return arch_kregs[i].at;
	return -1;
}
#endif

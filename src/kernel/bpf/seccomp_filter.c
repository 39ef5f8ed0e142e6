// SPDX-License-Identifier: GPL-2.0-or-later
/* The program: by architecture, then the chosen numbers as sorted ranges, four instructions each. A
 * number below the range at hand can be in no later one, so the frequent low numbers leave early. */
#include "kernel/bpf/seccomp_filter.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { X32_BIT = 0x40000000, PROGRAM_MAX = 4096 };

static void emit(seccomp_program *p, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k)
{
	*vec_push(p) = (struct sock_filter){ code, jt, jf, k };
}

static bool bit(const uint64_t *set, int words, int n)
{
	return n / 64 < words && (set[n / 64] >> (n % 64) & 1);
}

static void emit_ranges(seccomp_program *p, const uint64_t *set, int words)
{
	for (int lo = 0; lo < words * 64; lo++) {
		if (!bit(set, words, lo))
			continue;
		int hi = lo;
		while (bit(set, words, hi + 1))
			hi++;
		emit(p, BPF_JMP | BPF_JGT | BPF_K, 3, 0, hi);
		emit(p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, lo);
		emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRACE);
		emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
		lo = hi;
	}
	emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

int seccomp_filter_build(seccomp_program *p, const uint64_t *native, const uint64_t *compat, int words)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64);
	size_t far = p->n;
	emit(p, BPF_JMP | BPF_JA, 0, 0, 0); /* to the 32-bit half: further than a conditional jump reaches */
	emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	emit(p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32_BIT);
	emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRACE);
	emit_ranges(p, native, words);
	p->at[far].k = p->n - far - 1;
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_I386);
	emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
	emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	emit_ranges(p, compat, words);
	return p->n > PROGRAM_MAX ? -E2BIG : 0;
}

int seccomp_filter_install(const seccomp_program *p)
{
	struct sock_fprog prog = { .len = p->n, .filter = p->at };
	unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW; /* tracing must not switch CPU mitigations on */
	if (!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog))
		return 0;
	if (errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog) ? -errno : 0;
}

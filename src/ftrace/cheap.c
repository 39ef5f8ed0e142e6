// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/cheap.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "arch/insn.h"
#include "base/error.h"

enum { FUNCTION_MAX = 1 << 20, STEPS = 6 };
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* What the kernel does by itself (arch/x86/kernel/uprobes.c, branch_xol_ops and push_xol_ops): jumps, calls, nops, pushes. */
static bool emulated(const uint8_t *p, size_t n)
{
	bool rex_b = n > 1 && p[0] == 0x41;
	uint8_t op = p[rex_b];
	if (op >= 0x50 && op <= 0x57)
		return true;
	if (rex_b)
		return false;
	if (op == 0x90 || op == 0xe8 || op == 0xe9 || op == 0xeb || (op >= 0x70 && op <= 0x7f))
		return true;
	return n > 1 && op == 0x0f && p[1] >= 0x80 && p[1] <= 0x8f;
}

/* An instruction that changes one register at most and no memory, and goes on behind itself: which register (-1: none).
 * false: it is none of the few that are known here. */
static bool harmless(const uint8_t *p, size_t n, int *changes)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint8_t rex = 0;
	*changes = -1;
	if (n == 4 && !memcmp(p, endbr, 4))
		return true;
	if ((*p & 0xf0) == 0x40)
		rex = *p++, n--;
	if (n < 2)
		return false;
	bool registers = p[1] >> 6 == 3;
	int reg = (p[1] >> 3 & 7) | (rex & 4) << 1, rm = (p[1] & 7) | (rex & 1) << 3;
	switch (*p) {
	case 0x84: case 0x85: case 0x38: case 0x39: case 0x3a: case 0x3b: /* test, cmp */
		return registers;
	case 0x80: case 0x81: case 0x83: /* cmp with a number */
		return registers && (p[1] >> 3 & 7) == 7;
	case 0xf6: case 0xf7: /* test with a number */
		return registers && (p[1] >> 3 & 7) == 0;
	case 0x89: case 0x31: /* mov, xor to rm */
		*changes = rm;
		return registers;
	case 0x8b: case 0x33: case 0x8d: /* mov, xor, lea to reg */
		*changes = reg;
		return registers || *p == 0x8d;
	default: return false;
	}
}

/* The register of "%di", "+8(%si)"; -1: something else, of which nothing is known here. */
static int asked(const char *value)
{
	static const char *const names[16] = { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
	const char *p = strchr(value, '%');
	if (!p || strpbrk(value, "$@"))
		return -1;
	size_t n = strcspn(++p, "):");
	for (int i = 0; i < 16; i++)
		if (strlen(names[i]) == n && !strncmp(p, names[i], n))
			return i;
	return -1;
}

static bool keeps_values(const struct probe_def *d, int changes)
{
	vec_each(&d->args, a) {
		int reg = asked(a->value);
		if (reg < 0 || reg == changes)
			return false;
	}
	return changes != RSP;
}

/* Does a jump within the function lead between its begin and there (or there)? One that cannot be read does. */
static bool jumped_to(const uint8_t *code, size_t n, size_t to)
{
	for (size_t at = 0; at < n;) {
		int len = insn_length(code + at, n - at);
		const uint8_t *p = code + at;
		int64_t target = -1;
		int32_t wide = 0;
		if (len <= 0 && n - at >= 2 && *p == 0x0f && p[1] == 0x0b) /* ud2, which nothing runs past */
			len = 2;
		if (len <= 0)
			return true;
		if (len >= 5)
			memcpy(&wide, p + len - 4, 4);
		int own = len; /* without prefixes */
		while (own > 2 && (*p == 0xf2 || *p == 0x3e))
			p++, own--;
		if (own == 2 && (*p == 0xeb || (*p >= 0x70 && *p <= 0x7f) || (*p >= 0xe0 && *p <= 0xe3)))
			target = (int64_t)at + len + (int8_t)p[1];
		else if ((own == 5 && *p == 0xe9) || (own == 6 && *p == 0x0f && p[1] >= 0x80 && p[1] <= 0x8f))
			target = (int64_t)at + len + wide;
		if (target > 0 && target <= (int64_t)to)
			return true;
		at += (size_t)len;
	}
	return false;
}

static unsigned distance(const struct probe_def *d, const uint8_t *code, size_t n)
{
	size_t at = 0;
	for (int i = 0; i < STEPS && at < n; i++) {
		int changes, len = insn_length(code + at, n - at);
		if (len <= 0)
			return 0;
		if (emulated(code + at, (size_t)len))
			return at && !jumped_to(code, n, at) ? (unsigned)at : 0;
		if (!harmless(code + at, (size_t)len, &changes) || !keeps_values(d, changes))
			return 0;
		at += (size_t)len;
	}
	return 0;
}

/* The function that begins there: its size; 0: none is known to. */
static uint64_t size_at(struct probe_target *t, uint64_t addr)
{
	if (probe_target_symbols(t)) {
		error_clear();
		return 0;
	}
	uint64_t size = 0;
	for (size_t i = 0; i < t->syms.syms.n; i++)
		if (t->syms.syms.at[i].addr == addr && t->syms.syms.at[i].size > size)
			size = t->syms.syms.at[i].size;
	return size;
}

unsigned cheap_move(struct probe_target *t, struct probe_def *d)
{
	if (!d->user || d->ret || d->ref_ctr)
		return 0;
	uint64_t addr, size = probe_target_addr(t, d->offset, &addr) ? 0 : size_at(t, addr);
	if (!size || size > FUNCTION_MAX)
		return 0;
	uint8_t *code = xmalloc(size);
	unsigned by = pread(t->fd, code, size, (off_t)d->offset) == (ssize_t)size ? distance(d, code, size) : 0;
	free(code);
	d->offset += by;
	d->addr += d->addr ? by : 0;
	return by;
}

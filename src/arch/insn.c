// SPDX-License-Identifier: GPL-2.0-or-later
/* An instruction is prefixes, an opcode of one of a few maps, and what the opcode asks for: a ModRM byte (which asks for a
 * SIB byte and a displacement itself) and a constant. The maps below say what each opcode asks for. */
#include "arch/insn.h"
#include <string.h>
#include <stdbool.h>

/* What follows an opcode. */
enum {
	M = 1, /* ModRM */
	B = 2, /* one byte */
	W = 4, /* two bytes */
	Z = 8, /* four, or two behind an operand-size prefix */
	D = 16, /* four, whatever the prefix */
	X = 32, /* no such instruction in 64-bit mode */
};

static const uint8_t one_byte[256] = {
#define ARITHMETIC M, M, M, M, B, Z
	ARITHMETIC, X, X, ARITHMETIC, X, X, /* 00; 0f is the way to the other maps */
	ARITHMETIC, X, X, ARITHMETIC, X, X, /* 10 */
	ARITHMETIC, X, X, ARITHMETIC, X, X, /* 20 */
	ARITHMETIC, X, X, ARITHMETIC, X, X, /* 30 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 40: REX */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 50 */
	X, X, X, M, 0, 0, 0, 0, Z, M | Z, B, M | B, 0, 0, 0, 0, /* 60 */
	B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, /* 70 */
	M | B, M | Z, X, M | B, M, M, M, M, M, M, M, M, M, M, M, M, /* 80 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0, /* 90 */
	0, 0, 0, 0, 0, 0, 0, 0, B, Z, 0, 0, 0, 0, 0, 0, /* a0: the first four have an address */
	B, B, B, B, B, B, B, B, Z, Z, Z, Z, Z, Z, Z, Z, /* b0 */
	M | B, M | B, W, 0, X, X, M | B, M | Z, W | B, 0, W, 0, 0, B, X, 0, /* c0 */
	M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M, /* d0 */
	B, B, B, B, B, B, B, B, D, D, X, B, 0, 0, 0, 0, /* e0 */
	0, 0, 0, 0, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M, /* f0: f6 and f7 may have a constant */
};
static const uint8_t two_byte[256] = {
	M, M, M, M, X, 0, 0, 0, 0, 0, X, 0, X, M, 0, M | B, /* 0f 00 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* 10 */
	M, M, M, M, X, X, X, X, M, M, M, M, M, M, M, M, /* 20 */
	0, 0, 0, 0, 0, 0, X, 0, X, X, X, X, X, X, X, X, /* 30 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* 40 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* 50 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* 60 */
	M | B, M | B, M | B, M | B, M, M, M, 0, M, M, M, M, M, M, M, M, /* 70 */
	D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, /* 80 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* 90 */
	0, 0, 0, M, M | B, M, X, X, 0, 0, 0, M, M | B, M, M, M, /* a0 */
	M, M, M, M, M, M, M, M, M, M, M | B, M, M, M, M, M, /* b0 */
	M, M, M | B, M, M | B, M | B, M | B, M, 0, 0, 0, 0, 0, 0, 0, 0, /* c0 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* d0 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* e0 */
	M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, /* f0 */
};

struct insn {
	const uint8_t *code;
	size_t n, at;
	bool short_operand, short_address, wide; /* 66, 67, REX.W */
	int map; /* 0: one byte; 1: 0f; 2: 0f 38; 3: 0f 3a; more: EVEX's */
	bool vector; /* VEX or EVEX */
};

static int next(struct insn *i)
{
	return i->at < i->n && i->at < INSN_MAX ? i->code[i->at++] : -1;
}

static void skip_prefixes(struct insn *i)
{
	for (; i->at < i->n && i->at < INSN_MAX; i->at++)
		switch (i->code[i->at]) {
		case 0x66: i->short_operand = true; break;
		case 0x67: i->short_address = true; break;
		case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0xf0: case 0xf2: case 0xf3: break;
		default: return;
		}
}

/* REX, VEX, EVEX and escapes; the opcode, or -1. */
static int read_opcode(struct insn *i)
{
	int c = next(i), p;
	if (c >= 0x40 && c <= 0x4f) {
		i->wide = c & 8;
		c = next(i);
	} else if (c == 0xc4 || c == 0xc5 || c == 0x62) {
		p = next(i);
		i->vector = true;
		i->map = c == 0xc5 ? 1 : p & (c == 0xc4 ? 0x1f : 7);
		for (int k = c == 0xc5 ? 0 : c == 0xc4 ? 1 : 2; k > 0 && p >= 0; k--)
			p = next(i);
		return p < 0 || i->map < 1 || i->map > 6 || i->map == 4 ? -1 : next(i);
	}
	if (c != 0x0f)
		return c;
	c = next(i);
	i->map = c == 0x38 ? 2 : c == 0x3a ? 3 : 1;
	return i->map == 1 ? c : next(i);
}

/* ModRM with what hangs on it; the middle bits, or -1. */
static int read_modrm(struct insn *i)
{
	int modrm = next(i), mod = modrm >> 6, rm = modrm & 7, disp = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	if (modrm < 0)
		return -1;
	if (mod != 3 && rm == 4) {
		int sib = next(i);
		if (sib < 0)
			return -1;
		if (mod == 0 && (sib & 7) == 5)
			disp = 4;
	} else if (mod == 0 && rm == 5) {
		disp = 4; /* from the instruction pointer on */
	}
	i->at += disp;
	return modrm >> 3 & 7;
}

static int asks_for(const struct insn *i, int opcode)
{
	if (i->map == 0)
		return one_byte[opcode];
	if (i->map == 1)
		return i->vector && opcode == 0x77 ? 0 : two_byte[opcode] | (i->vector ? M : 0);
	return i->map == 3 ? M | B : M;
}

int insn_length(const uint8_t *code, size_t n)
{
	struct insn i = { .code = code, .n = n };
	skip_prefixes(&i);
	int opcode = read_opcode(&i), middle = 0, what;
	if (opcode < 0 || (what = asks_for(&i, opcode)) & X)
		return 0;
	int operand = i.short_operand && !i.wide ? 2 : 4;
	if (what & M && (middle = read_modrm(&i)) < 0)
		return 0;
	i.at += (what & B ? 1 : 0) + (what & W ? 2 : 0) + (what & D ? 4 : 0);
	if (what & Z)
		i.at += i.map == 0 && i.wide && opcode >= 0xb8 && opcode <= 0xbf ? 8 : operand;
	if (i.map == 0 && (opcode == 0xf6 || opcode == 0xf7) && middle < 2)
		i.at += opcode == 0xf6 ? 1 : operand;
	if (i.map == 0 && opcode >= 0xa0 && opcode <= 0xa3)
		i.at += i.short_address ? 4 : 8;
	return i.at <= n && i.at <= INSN_MAX ? (int)i.at : 0;
}

bool insn_copied(const uint8_t *code, size_t n)
{
	static const uint8_t never[] = { 0x26, 0x2e, 0x36, 0x3e, 0xf0, 0xc4, 0xc5, 0x62 };
	size_t i = 0;
	while (i < n && i < INSN_MAX && (code[i] == 0x66 || code[i] == 0xf2 || code[i] == 0xf3 || code[i] == 0x64 || code[i] == 0x65))
		i++;
	return i >= n || !memchr(never, code[i], sizeof(never));
}

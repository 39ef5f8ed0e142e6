// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/fetch.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "arch/dwarf_regs.h"

const char fetch_no_register[] = "it is in a register that probes cannot read (a vector or floating-point one)";

const char *fetch_reg_name(int reg)
{
	return reg >= 0 && reg < ARCH_DWARF_REGS ? arch_dwarf_regs[reg] : NULL;
}

void fetch_reg(struct fetch *f, int reg, int64_t add, bool memory)
{
	*f = (struct fetch){ .base = FETCH_REG, .reg = reg, .add = add, .memory = memory };
}

void fetch_const(struct fetch *f, uint64_t v)
{
	*f = (struct fetch){ .base = FETCH_CONST, .num = v };
}

void fetch_addr(struct fetch *f, uint64_t addr)
{
	*f = (struct fetch){ .base = FETCH_ADDR, .num = addr, .memory = true };
}

int fetch_cut(struct fetch *f, int off, int bits)
{
	int all = f->bit_size ? f->bit_size : 64;
	if (off < 0 || bits <= 0 || off > 63 || f->memory)
		return -ENOTSUP;
	if (f->base == FETCH_CONST) {
		uint64_t v = (f->num + (uint64_t)f->add) >> off;
		fetch_const(f, bits < 64 ? v & ((1ull << bits) - 1) : v);
		return 0;
	}
	if (off >= all) {
		fetch_const(f, 0);
		return 0;
	}
	if ((f->base != FETCH_REG && !f->n_deref) || f->add)
		return -ENOTSUP;
	f->bit_off += off;
	f->bit_size = bits < all - off ? bits : all - off;
	f->bit_box = 64;
	if (!f->bit_off && f->bit_size == 64)
		f->bit_size = 0;
	return 0;
}

/* "@addr" is the memory at addr: the first load of a fixed address costs no dereference of its own. */
int fetch_load(struct fetch *f)
{
	if (!f->memory)
		return 0;
	if (f->n_deref == FETCH_DEPTH)
		return -E2BIG;
	f->deref[f->n_deref++] = f->add;
	f->add = 0;
	f->memory = false;
	return 0;
}

int fetch_check(const struct fetch *f, const char **why)
{
	*why = NULL;
	if (f->base == FETCH_NONE)
		*why = "it is nowhere";
	else if (f->base == FETCH_REG && !fetch_reg_name(f->reg))
		*why = fetch_no_register;
	else if (!f->memory && f->add && f->base != FETCH_CONST)
		*why = "it is computed from a register, not kept";
	else if (f->base == FETCH_ADDR && !f->memory && !f->n_deref)
		*why = "it is an address, not kept";
	return *why ? -ENOTSUP : 0;
}

/* A constant is cut here. */
static void cut_constant(struct fetch *f, int bits, bool is_signed)
{
	uint64_t v = (f->num + (uint64_t)f->add) >> f->bit_off << (64 - bits);
	fetch_const(f, is_signed ? (uint64_t)((int64_t)v >> (64 - bits)) : v >> (64 - bits));
}

char *fetch_bits_type(struct fetch *f, const char *cast, bool is_signed)
{
	int bits = f->bit_size, wide = 0, end = 0;
	is_signed &= !f->zero_above;
	char letter = is_signed ? 's' : 'u';
	if (cast) {
		letter = *cast;
		if (!strchr("sux", letter) || (cast[1] && (sscanf(cast + 1, "%d%n", &wide, &end) < 1 || cast[1 + end])))
			return NULL;
		if (wide && wide != 8 && wide != 16 && wide != 32 && wide != 64)
			return NULL;
		/* as a cast in C: what is made wider keeps the sign that it has, what is cut gets the new one */
		is_signed = letter == 's' && (is_signed || wide <= bits);
		bits = wide && wide < bits ? wide : bits;
	}
	if (f->base == FETCH_CONST && !f->memory) {
		cut_constant(f, bits, is_signed);
		return xstrdup(is_signed ? "s64" : letter == 'x' ? "x64" : "u64");
	}
	bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
	if (whole && f->memory && f->bit_off % 8 == 0) {
		f->add += f->bit_off / 8;
		f->bit_off = 0;
	}
	if (whole && !f->bit_off) {
		f->bit_size = 0;
		return xasprintf("%c%d", is_signed ? 's' : letter == 'x' ? 'x' : 'u', bits);
	}
	return xasprintf(is_signed ? "b0x%x@%d/%d" : "b%d@%d/%d", bits, f->bit_off, f->bit_box);
}

static void write_base(const struct fetch *f, int64_t first, fetch_addr_name *fn, void *ctx, struct str *out)
{
	if (f->base == FETCH_REG)
		str_add(out, fetch_reg_name(f->reg));
	else if (f->base == FETCH_CONST)
		str_addf(out, "\\%lld", (long long)f->num + f->add);
	else
		fn(ctx, f->num + (uint64_t)first, out);
}

int fetch_write(const struct fetch *f, fetch_addr_name *fn, void *ctx, struct str *out)
{
	struct fetch g = *f;
	const char *why;
	int err = fetch_check(f, &why);
	if (err)
		return err;
	if (g.memory && (err = fetch_load(&g)))
		return err;
	int from = g.base == FETCH_ADDR ? 1 : 0; /* deref[0] is folded into the address */
	for (int i = g.n_deref; i-- > from;)
		str_addf(out, "%s%s%lld(", g.deref[i] < 0 ? "-" : "+", g.user ? "u" : "",
			 (long long)(g.deref[i] < 0 ? -g.deref[i] : g.deref[i]));
	write_base(&g, from ? g.deref[0] : 0, fn, ctx, out);
	for (int i = from; i < g.n_deref; i++)
		str_addc(out, ')');
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/fetch.h"
#include <errno.h>
#include <string.h>
#include "arch/dwarf_regs.h"

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
		*why = "it is in a register that probes cannot read (a vector or floating-point one)";
	else if (!f->memory && f->add && f->base != FETCH_CONST)
		*why = "it is computed from a register, not kept";
	else if (f->base == FETCH_ADDR && !f->memory && !f->n_deref)
		*why = "it is an address, not kept";
	return *why ? -ENOTSUP : 0;
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

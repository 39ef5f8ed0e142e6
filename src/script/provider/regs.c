// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/regs.h"
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <unistd.h>
#include "arch/dwarf_regs.h"
#include "arch/kregs.h"

static int regs_load(struct lower *l, int dwarf)
{
	int at = arch_kreg_at(dwarf);
	return at < 0 ? low_const(l, 0) : low_load(l, (struct script_mem){ l->context, at }, 8, false);
}

static int read_memory(struct lower *l, int address, int64_t off, unsigned size, bool is_signed)
{
	struct script_mem m = low_stack(l, 8);
	bool user = l->point->provider->space == SPACE_USER;
	int at = off ? low_alu_k(l, ALU_ADD, address, off) : address;
	LOW_CALL(l, user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(size), arg_reg(at));
	return low_load(l, m, size, is_signed);
}

int regs_arg(struct lower *l, unsigned n)
{
	if (l->point->narrow)
		return read_memory(l, low_cut(l, regs_load(l, ARCH_SP), 4, false), 4 + 4 * (int64_t)n, 4, false);
	if (n < ARCH_ARG_REGS)
		return regs_load(l, arch_arg_regs[n]);
	return read_memory(l, regs_load(l, ARCH_SP), ARCH_ENTRY_CFA + 8 * (int64_t)(n - ARCH_ARG_REGS), 8, false);
}

int regs_retval(struct lower *l)
{
	int v = regs_load(l, ARCH_RESULT);
	return l->point->narrow ? low_cut(l, v, 4, false) : v;
}

/* A fixed address counts from the place itself, wherever the file is loaded. */
static int base_of(struct lower *l, const struct fetch *f)
{
	if (f->base == FETCH_REG)
		return regs_load(l, f->reg);
	if (f->base == FETCH_CONST)
		return low_const(l, (int64_t)f->num);
	return low_alu_k(l, ALU_ADD, regs_load(l, ARCH_IP), (int64_t)(f->num - l->point->addr));
}

static int cut_bits(struct lower *l, int v, const struct fetch *f, bool is_signed)
{
	v = low_alu_k(l, ALU_SHL, v, 64 - f->bit_off - f->bit_size);
	return low_alu_k(l, is_signed && !f->zero_above ? ALU_SAR : ALU_SHR, v, 64 - f->bit_size);
}

bool regs_of_type(struct point_value *v, const struct script_type *t)
{
	bool word = type_is_word(t);
	v->size = (uint8_t)(word ? type_bytes(t) : 8);
	v->is_signed = type_is_signed(t);
	return word || v->at.memory;
}

int regs_value(struct lower *l, const struct point_value *v)
{
	const struct fetch *f = &v->at;
	int r = base_of(l, f);
	unsigned size = f->bit_size ? (f->bit_box ? (unsigned)f->bit_box / 8 : 8) : v->size;
	for (int i = 0; i < f->n_deref; i++) /* the last of a number's is the number itself */
		r = read_memory(l, r, f->deref[i], f->memory || i + 1 < f->n_deref ? 8 : size, false);
	if (f->memory)
		r = read_memory(l, r, f->add, size, false);
	else if (f->add)
		r = low_alu_k(l, ALU_ADD, r, f->add);
	if (f->bit_size)
		return cut_bits(l, r, f, v->is_signed);
	return v->size < 8 ? low_cut(l, r, v->size, v->is_signed) : r;
}

/* Where it is, of what is no word. */
static int address_of(struct lower *l, const struct fetch *f)
{
	int r = base_of(l, f);
	for (int i = 0; i < f->n_deref; i++)
		r = read_memory(l, r, f->deref[i], 8, false);
	return f->add ? low_alu_k(l, ALU_ADD, r, f->add) : r;
}

int regs_field(struct lower *l, const struct type_field *f)
{
	if (!type_is_word(f->type))
		return address_of(l, &l->point->values[f->at].at);
	return regs_value(l, &l->point->values[f->at]);
}

bool regs_where(const struct probe *p)
{
	return probe_uses(p, "probe") || probe_uses(p, "func");
}

void regs_enter(struct lower *l)
{
	if (l->u->points.n > 1 && regs_where(l->u->probe))
		l->call = LOW_CALL(l, BPF_FUNC_get_attach_cookie, arg_reg(l->context));
}

bool regs_have_cookies(void)
{
	static int known;
	const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_attach_cookie },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	if (!known) {
		int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "sonde_probe", "GPL", code, 3, NULL);
		known = fd < 0 ? -1 : 1;
		if (fd >= 0)
			close(fd);
	}
	return known > 0;
}

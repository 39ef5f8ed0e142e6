// SPDX-License-Identifier: GPL-2.0-or-later
/* What an instruction does with memory and with whole general registers. */
#ifndef SONDE_STATIC
#include "symbol/disasm/gnu.h"

/* By DWARF's numbers. */
static const uint16_t wide[16] = { X86_REG_RAX, X86_REG_RDX, X86_REG_RCX, X86_REG_RBX, X86_REG_RSI, X86_REG_RDI, X86_REG_RBP, X86_REG_RSP,
				   X86_REG_R8, X86_REG_R9, X86_REG_R10, X86_REG_R11, X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15 };
static const uint16_t half[16] = { X86_REG_EAX, X86_REG_EDX, X86_REG_ECX, X86_REG_EBX, X86_REG_ESI, X86_REG_EDI, X86_REG_EBP, X86_REG_ESP,
				   X86_REG_R8D, X86_REG_R9D, X86_REG_R10D, X86_REG_R11D, X86_REG_R12D, X86_REG_R13D, X86_REG_R14D, X86_REG_R15D };
static const uint16_t word[16] = { X86_REG_AX, X86_REG_DX, X86_REG_CX, X86_REG_BX, X86_REG_SI, X86_REG_DI, X86_REG_BP, X86_REG_SP,
				   X86_REG_R8W, X86_REG_R9W, X86_REG_R10W, X86_REG_R11W, X86_REG_R12W, X86_REG_R13W, X86_REG_R14W, X86_REG_R15W };
static const uint16_t byte[16] = { X86_REG_AL, X86_REG_DL, X86_REG_CL, X86_REG_BL, X86_REG_SIL, X86_REG_DIL, X86_REG_BPL, X86_REG_SPL,
				   X86_REG_R8B, X86_REG_R9B, X86_REG_R10B, X86_REG_R11B, X86_REG_R12B, X86_REG_R13B, X86_REG_R14B, X86_REG_R15B };

/* Any part of a register counts as it: what is written is no longer what it was. */
static int number_of(unsigned reg)
{
	for (int i = 0; i < 16; i++)
		if (wide[i] == reg || half[i] == reg || word[i] == reg || byte[i] == reg)
			return i;
	static const uint16_t high[4] = { X86_REG_AH, X86_REG_DH, X86_REG_CH, X86_REG_BH };
	for (int i = 0; i < 4; i++)
		if (high[i] == reg)
			return i;
	return INSN_NO_REG;
}

static void memory(const cs_x86_op *op, struct insn_memory *m)
{
	m->there = true;
	m->rip = op->mem.base == X86_REG_RIP;
	m->fs = op->mem.segment == X86_REG_FS || op->mem.segment == X86_REG_GS;
	m->base = number_of(op->mem.base);
	m->index = number_of(op->mem.index);
	m->scale = op->mem.scale;
	m->size = op->size;
	m->disp = op->mem.disp;
	m->load = op->access & CS_AC_READ;
	m->store = op->access & CS_AC_WRITE;
}

static bool is_add(unsigned id)
{
	return id == X86_INS_ADD || id == X86_INS_SUB;
}

static bool is_move(unsigned id)
{
	return id == X86_INS_MOV || id == X86_INS_MOVABS || id == X86_INS_MOVZX || id == X86_INS_MOVSX || id == X86_INS_MOVSXD;
}

static void two_operands(const cs_insn *i, struct instruction *out)
{
	const cs_x86_op *to = &i->detail->x86.operands[0], *from = &i->detail->x86.operands[1];
	struct insn_flow *f = &out->flow;
	if (to->type != X86_OP_REG || i->id == X86_INS_CMP || i->id == X86_INS_TEST)
		return;
	f->dst = number_of(to->reg);
	if (from->type == X86_OP_REG)
		f->src = number_of(from->reg);
	f->move = is_move(i->id);
	f->whole = to->size == 8 && (from->size == 8 || from->type == X86_OP_IMM || i->id == X86_INS_LEA);
	f->lea = i->id == X86_INS_LEA;
	if (f->lea)
		out->mem.load = out->mem.store = false;
	if (from->type == X86_OP_IMM && is_add(i->id)) {
		f->adds_constant = true;
		f->constant = i->id == X86_INS_SUB ? -from->imm : from->imm;
	}
}

static uint16_t written(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;
	uint16_t set = 0;
	int n;
	for (int k = 0; k < x->op_count; k++)
		if (x->operands[k].type == X86_OP_REG && (x->operands[k].access & CS_AC_WRITE) && (n = number_of(x->operands[k].reg)) >= 0)
			set |= 1u << n;
	for (int k = 0; k < i->detail->regs_write_count; k++)
		if ((n = number_of(i->detail->regs_write[k])) >= 0)
			set |= 1u << n;
	return set;
}

void gnu_flow(const cs_insn *i, struct instruction *out)
{
	const cs_x86 *x = &i->detail->x86;
	out->mem.base = out->mem.index = out->flow.dst = out->flow.src = INSN_NO_REG;
	for (int k = 0; k < x->op_count; k++)
		if (x->operands[k].type == X86_OP_MEM && i->id != X86_INS_NOP)
			memory(&x->operands[k], &out->mem);
	if (x->op_count == 2)
		two_operands(i, out);
	else if (x->op_count && x->operands[0].type == X86_OP_REG && (x->operands[0].access & CS_AC_WRITE))
		out->flow.dst = number_of(x->operands[0].reg);
	out->flow.writes = written(i);
}
#endif

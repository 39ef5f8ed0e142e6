// SPDX-License-Identifier: GPL-2.0-or-later
/* libcapstone's own AT&T text has suffixes where objdump has none, decimal numbers and other gaps. So the text is made here, from
 * what the library tells of each operand (in Intel's order), by the rules of binutils. */
#ifndef SONDE_STATIC
#include "symbol/disasm/gnu.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/str.h"

struct insn_text { char *at, *end; };

static void put(struct insn_text *t, const char *z)
{
	while (*z && t->at + 1 < t->end)
		*t->at++ = *z++;
	*t->at = 0;
}

/* What follows the name begins in column 7, or one blank behind it. */
static void put_gap(struct insn_text *t, const char *start)
{
	do
		put(t, " ");
	while (t->at - start < 7);
}

static void put_hex(struct insn_text *t, uint64_t v)
{
	char buf[24];
	snprintf(buf, sizeof(buf), "0x%" PRIx64, v);
	put(t, buf);
}

static uint64_t of_size(uint64_t v, int size)
{
	return size <= 0 || size >= 8 ? v : v & ((1ull << (8 * size)) - 1);
}

static void put_reg(const struct gnu *g, struct insn_text *t, unsigned reg)
{
	const char *z = g->reg_name(g->handle, reg);
	put(t, g->intel ? "" : "%");
	if (reg == X86_REG_ST0) {
		put(t, "st");
		return;
	}
	put(t, z ? z : "?");
}

static bool is_vector(unsigned reg)
{
	return (reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31) || (reg >= X86_REG_MM0 && reg <= X86_REG_MM7);
}

/* libcapstone 4 takes the index of some AVX-512 instructions for a vector, which only gather and scatter have. */
static unsigned index_of(const struct gnu *g, const cs_insn *i, unsigned reg)
{
	static const uint16_t general[16] = { X86_REG_RAX, X86_REG_RCX, X86_REG_RDX, X86_REG_RBX, X86_REG_RSP, X86_REG_RBP, X86_REG_RSI, X86_REG_RDI,
		X86_REG_R8, X86_REG_R9, X86_REG_R10, X86_REG_R11, X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15 };
	const char *name = is_vector(reg) && !g->is32 && !strstr(i->mnemonic, "gather") && !strstr(i->mnemonic, "scatter") ?
			   g->reg_name(g->handle, reg) : NULL;
	unsigned n = name ? strtoul(name + strcspn(name, "0123456789"), NULL, 10) : 16;
	return n < 16 ? general[n] : reg;
}

/* Does the instruction say how far, though it is nothing: 0x0(%rax)? */
static bool has_displacement(const cs_x86 *x, const x86_op_mem *m)
{
	return m->disp || (x->encoding.modrm_offset && (x->modrm >> 6 == 1 || x->modrm >> 6 == 2)) || (!m->base && !m->index) ||
	       (!m->base && x->encoding.modrm_offset);
}

static void put_displacement(const struct gnu *g, struct insn_text *t, const x86_op_mem *m)
{
	if (m->disp < 0 && (m->base || m->index) && !(g->intel && m->base == X86_REG_RIP)) {
		put(t, "-");
		put_hex(t, -(uint64_t)m->disp);
	} else {
		put_hex(t, of_size(m->disp, g->is32 ? 4 : 8));
	}
}

static void put_scale(struct insn_text *t, const x86_op_mem *m)
{
	t->at += snprintf(t->at, t->end - t->at, "%d", m->scale);
}

/* In 64 bits the others mean nothing: objdump names them as a prefix. */
static bool has_segment(const struct gnu *g, const x86_op_mem *m)
{
	return m->segment && (g->is32 || m->segment == X86_REG_FS || m->segment == X86_REG_GS);
}

static void memory_att(const struct gnu *g, struct insn_text *t, const cs_x86 *x, const x86_op_mem *m)
{
	if (has_segment(g, m)) {
		put_reg(g, t, m->segment);
		put(t, ":");
	}
	if (has_displacement(x, m))
		put_displacement(g, t, m);
	if (!m->base && !m->index)
		return;
	put(t, "(");
	if (m->base)
		put_reg(g, t, m->base);
	if (m->index) {
		put(t, ",");
		put_reg(g, t, m->index);
		put(t, ",");
		put_scale(t, m);
	}
	put(t, ")");
}

static const char *pointer_word(int size)
{
	switch (size) {
	case 1: return "BYTE PTR ";
	case 2: return "WORD PTR ";
	case 4: return "DWORD PTR ";
	case 6: return "FWORD PTR ";
	case 8: return "QWORD PTR ";
	case 10: return "TBYTE PTR ";
	case 16: return "XMMWORD PTR ";
	case 32: return "YMMWORD PTR ";
	case 64: return "ZMMWORD PTR ";
	default: return "";
	}
}

static void memory_intel(const struct gnu *g, struct insn_text *t, const cs_x86 *x, const x86_op_mem *m)
{
	if (has_segment(g, m)) {
		put_reg(g, t, m->segment);
		put(t, ":");
	} else if (!m->base && !m->index) {
		put(t, "ds:");
	}
	if (!m->base && !m->index) {
		put_displacement(g, t, m);
		return;
	}
	put(t, "[");
	if (m->base)
		put_reg(g, t, m->base);
	if (m->index) {
		put(t, m->base ? "+" : "");
		put_reg(g, t, m->index);
		put(t, "*");
		put_scale(t, m);
	}
	if (has_displacement(x, m)) {
		put(t, m->disp < 0 && m->base != X86_REG_RIP ? "" : "+");
		put_displacement(g, t, m);
	}
	put(t, "]");
}

/* ---- the words before the operands ---- */

struct renamed { const char *intel, *att; };
static const char *renamed(const char *name)
{
	static const struct renamed rows[] = {
		{ "cdqe", "cltq" }, { "cwde", "cwtl" }, { "cbw", "cbtw" }, { "cqo", "cqto" }, { "cdq", "cltd" }, { "cwd", "cwtd" },
		{ "movsxd", "movslq" }, { "popfq", "popf" }, { "pushfq", "pushf" }, { "iretd", "iret" },
		{ "retf", "lret" }, { "wait", "fwait" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].intel, name))
			return rows[i].att;
	return name;
}

static const char *size_suffix(int size)
{
	return size == 1 ? "b" : size == 2 ? "w" : size == 4 ? "l" : size == 8 ? "q" : "";
}

static bool one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

/* Instructions whose size only a suffix tells when no register does. */
static bool takes_suffix(const char *name)
{
	static const char *const integer[] = { "mov", "add", "sub", "and", "or", "xor", "cmp", "test", "inc", "dec", "neg", "not", "adc",
		"sbb", "shl", "shr", "sar", "rol", "ror", "rcl", "rcr", "mul", "imul", "div", "idiv", "bt", "bts", "btr", "btc", "nop", "cvtsi2sd",
		"cvtsi2ss", "vcvtsi2sd", "vcvtsi2ss", "vcvtusi2sd", "vcvtusi2ss", "sal", NULL };
	return one_of(name, integer);
}

static const char *x87_suffix(const char *name, int size)
{
	static const char *const whole[] = { "fild", "fist", "fistp", "fisttp", "fiadd", "fisub", "fimul", "fidiv", "fisubr", "fidivr",
					     "ficom", "ficomp", NULL };
	static const char *const real[] = { "fld", "fst", "fstp", "fadd", "fsub", "fmul", "fdiv", "fsubr", "fdivr", "fcom", "fcomp", NULL };
	if (one_of(name, whole))
		return size == 2 ? "s" : size == 4 ? "l" : size == 8 ? "ll" : "";
	if (one_of(name, real))
		return size == 4 ? "s" : size == 8 ? "l" : size == 10 ? "t" : "";
	return "";
}

static const cs_x86_op *memory_of(const cs_x86 *x)
{
	for (int i = 0; i < x->op_count; i++)
		if (x->operands[i].type == X86_OP_MEM)
			return &x->operands[i];
	return NULL;
}

/* A register that tells the size: not a vector of cvtsi2sd, not the %cl of shifts. */
static bool register_tells(const cs_x86 *x, bool shift)
{
	for (int i = 0; i < x->op_count; i++)
		if (x->operands[i].type == X86_OP_REG && !is_vector(x->operands[i].reg) && !(shift && i == 1))
			return true;
	return false;
}

static bool is_shift(const char *name)
{
	static const char *const list[] = { "shl", "shr", "sar", "rol", "ror", "rcl", "rcr", "sal", NULL };
	return one_of(name, list);
}

/* movzx and movsx say both sizes: movzbl. */
static bool put_extension(struct insn_text *t, const char *name, const cs_x86 *x)
{
	if ((strcmp(name, "movzx") && strcmp(name, "movsx")) || x->op_count < 2)
		return false;
	put(t, name[3] == 'z' ? "movz" : "movs");
	put(t, size_suffix(x->operands[1].size));
	put(t, size_suffix(x->operands[0].size));
	return true;
}

static void put_name_att(struct insn_text *t, const char *name, const cs_x86 *x)
{
	const cs_x86_op *m = memory_of(x);
	if (put_extension(t, name, x))
		return;
	const char *z = renamed(name);
	put(t, z);
	if (!m)
		return;
	if (takes_suffix(z) && !register_tells(x, is_shift(z)))
		put(t, size_suffix(m->size));
	put(t, x87_suffix(z, m->size));
}

/* ---- operands ---- */

static bool one_digit(const cs_x86 *x) /* shifts by one have an opcode of their own, and no number */
{
	return x->opcode[0] == 0xd0 || x->opcode[0] == 0xd1;
}

static int immediate_size(const cs_x86 *x, const cs_x86_op *op)
{
	if (x->op_count == 1) /* push, int, ret */
		return x->opcode[0] == 0xc6 ? 1 : 8;
	const cs_x86_op *first = &x->operands[0];
	if (first->type == X86_OP_REG && is_vector(first->reg))
		return 1;
	return first->size > op->size ? first->size : op->size;
}

static void put_operand(const struct gnu *g, struct insn_text *t, const cs_x86 *x, const cs_x86_op *op, bool star, bool bare)
{
	switch (op->type) {
	case X86_OP_REG:
		put(t, star ? "*" : "");
		put_reg(g, t, op->reg);
		break;
	case X86_OP_IMM:
		put(t, g->intel ? "" : "$");
		put_hex(t, of_size(op->imm, immediate_size(x, op)));
		break;
	case X86_OP_MEM:
		put(t, star ? "*" : "");
		if (!g->intel) {
			memory_att(g, t, x, &op->mem);
			break;
		}
		put(t, bare ? "" : pointer_word(op->size));
		memory_intel(g, t, x, &op->mem);
		break;
	default:
		break;
	}
}

static bool put_string_intel(struct insn_text *t, const char *start, const char *stem, const char *word, const char *acc, const char *di,
			     const char *si)
{
	char to[40], from[40];
	snprintf(to, sizeof(to), "%ses:[%.3s]", word, di + 1);
	snprintf(from, sizeof(from), "%sds:[%.3s]", word, si + 1);
	const char *a = to, *b = acc;
	if (!strcmp(stem, "movs"))
		b = from;
	else if (!strcmp(stem, "cmps"))
		a = from, b = to;
	else if (!strcmp(stem, "scas"))
		a = acc, b = to;
	else if (!strcmp(stem, "lods"))
		a = acc, b = from;
	else if (strcmp(stem, "stos"))
		return false;
	put(t, stem);
	put_gap(t, start);
	t->at += snprintf(t->at, t->end - t->at, "%s,%s", a, b);
	return true;
}

/* movs, stos and their like name both registers, with their segments. */
static bool put_string(struct insn_text *t, const char *start, const char *name, const cs_insn *i, const struct gnu *g)
{
	static const char *const both[] = { "movs", "cmps", NULL }, *const to[] = { "stos", "scas", NULL }, *const from[] = { "lods", NULL };
	static const char *const acc[] = { "", "%al", "%ax", "", "%eax", "", "", "", "%rax" };
	const cs_x86 *x = &i->detail->x86;
	size_t n = strlen(name);
	char stem[8] = "";
	if (n != 5 || !strchr("bwdq", name[4]) || !memory_of(x) || x->encoding.modrm_offset)
		return false;
	memcpy(stem, name, 4);
	int size = name[4] == 'b' ? 1 : name[4] == 'w' ? 2 : name[4] == 'd' ? 4 : 8;
	const char *di = g->is32 ? "%es:(%edi)" : "%es:(%rdi)", *si = g->is32 ? "%ds:(%esi)" : "%ds:(%rsi)";
	bool cmp = stem[0] == 'c', scan = stem[1] == 'c';
	if (g->intel)
		return put_string_intel(t, start, stem, pointer_word(size), acc[size] + 1, di + 5, si + 5);
	const char *first = di, *second = acc[size];
	if (one_of(stem, both)) {
		first = cmp ? di : si;
		second = cmp ? si : di;
	} else if (one_of(stem, to)) {
		first = scan ? di : acc[size];
		second = scan ? acc[size] : di;
	} else if (one_of(stem, from)) {
		first = si;
	} else {
		return false;
	}
	put(t, stem);
	put(t, one_of(stem, both) ? size_suffix(size) : "");
	put_gap(t, start);
	t->at += snprintf(t->at, t->end - t->at, "%s,%s", first, second);
	return true;
}

static void put_mask(const struct gnu *g, struct insn_text *t, const cs_x86 *x, int mask)
{
	if (mask < 0)
		return;
	put(t, "{");
	put_reg(g, t, x->operands[mask].reg);
	put(t, "}");
	for (int k = 0; k < x->op_count; k++)
		if (x->operands[k].avx_zero_opmask) {
			put(t, "{z}");
			return;
		}
}

/* The index of the register that masks a vector operation; -1: none does. */
static int mask_of(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;
	if (!strstr(i->op_str, "{k"))
		return -1;
	for (int k = 1; k < x->op_count; k++)
		if (x->operands[k].type == X86_OP_REG && x->operands[k].reg >= X86_REG_K0 && x->operands[k].reg <= X86_REG_K7)
			return k;
	return -1;
}

static void put_operands(const struct gnu *g, struct insn_text *t, const cs_insn *i, const char *name, bool star)
{
	const cs_x86 *x = &i->detail->x86;
	int order[8], n = 0, mask = mask_of(i);
	bool bare = !strcmp(name, "lea");
	for (int k = 0; k < x->op_count && k < 8; k++)
		if (k != mask)
			order[n++] = k;
	bool by_one = n == 2 && one_digit(x) && x->operands[1].type == X86_OP_IMM && is_shift(name);
	if (by_one)
		n = 1;
	for (int k = 0; k < n; k++) {
		int at = order[g->intel ? k : n - 1 - k];
		put(t, k ? "," : "");
		cs_x86_op op = x->operands[at];
		if (op.type == X86_OP_MEM)
			op.mem.index = index_of(g, i, op.mem.index);
		put_operand(g, t, x, &op, star && !g->intel, bare);
		if (at == 0)
			put_mask(g, t, x, mask);
	}
	put(t, by_one && g->intel ? ",1" : "");
}

/* ---- the whole ---- */

static enum insn_kind kind_of(const cs_insn *i)
{
	bool jump = false, call = false, ret = false;
	for (int k = 0; k < i->detail->groups_count; k++) {
		jump |= i->detail->groups[k] == CS_GRP_JUMP;
		call |= i->detail->groups[k] == CS_GRP_CALL;
		ret |= i->detail->groups[k] == CS_GRP_RET || i->detail->groups[k] == CS_GRP_IRET;
	}
	if (call)
		return INSN_CALL;
	if (ret)
		return INSN_RET;
	return !jump ? INSN_OTHER : i->id == X86_INS_JMP || i->id == X86_INS_LJMP ? INSN_JUMP : INSN_BRANCH;
}

/* Prefixes that are there and mean nothing: objdump names them. */
static void put_prefixes(struct insn_text *t, const cs_insn *i, const char *words, const char *name)
{
	const cs_x86 *x = &i->detail->x86;
	int sizes = 0;
	bool cs = false;
	for (int k = 0; k < i->size && strchr("\x66\x2e\x67\xf0\xf2\xf3\x3e\x26\x36\x64\x65", i->bytes[k]) && i->bytes[k]; k++) {
		sizes += i->bytes[k] == 0x66;
		cs |= i->bytes[k] == 0x2e;
	}
	put(t, words);
	if (i->bytes[0] == 0x3e && i->size > 1 && i->bytes[1] == 0xff && !*words)
		put(t, "notrack ");
	if (i->bytes[0] == 0xf3 && i->id == X86_INS_RET && !*words)
		put(t, "repz ");
	for (int k = 0; k < sizes && i->detail->x86.rex && (i->id == X86_INS_CALL || i->id == X86_INS_LEA); k++)
		put(t, "data16 ");
	if (sizes && x->rex && i->id == X86_INS_CALL)
		put(t, "rex.W ");
	if (strcmp(name, "nop"))
		return;
	for (int k = 1; k < sizes; k++)
		put(t, "data16 ");
	if (cs && memory_of(x) && !strstr(words, "cs"))
		put(t, "cs ");
}

/* 66 90 */
static bool is_wide_nop(const cs_insn *i)
{
	return i->id == X86_INS_NOP && i->size == 2 && i->bytes[0] == 0x66;
}

/* ---- the old floating point unit: which of its two registers is said ---- */

static void put_st(const struct gnu *g, struct insn_text *t, int n)
{
	put(t, g->intel ? "st" : "%st");
	if (n >= 0)
		t->at += snprintf(t->at, t->end - t->at, "(%d)", n);
}

/* Where the result goes to st(i), AT&T's assembler has had sub and subr, div and divr the wrong way round since ever. */
static void put_x87_name(const struct gnu *g, struct insn_text *t, const char *name, int opcode, int row)
{
	size_t n = strlen(name);
	bool pops = name[n - 1] == 'p', reversed = n > 4 && name[4] == 'r';
	if (g->intel || row < 4 || opcode < 0xdc) {
		put(t, name);
		return;
	}
	t->at += snprintf(t->at, t->end - t->at, "%.4s%s%s", name, reversed ? "" : "r", pops ? "p" : "");
}

static bool put_x87(const struct gnu *g, struct insn_text *t, const char *name, const cs_insn *i)
{
	int opcode = i->bytes[0], modrm = i->bytes[1], row = modrm >> 3 & 7, n = modrm & 7;
	if (i->size != 2 || opcode < 0xd8 || opcode > 0xdf || modrm < 0xc0 || !i->detail->x86.op_count || i->id == X86_INS_FNSTSW)
		return false;
	bool arithmetic = (opcode == 0xd8 && row != 2 && row != 3) || opcode == 0xdc || (opcode == 0xde && row != 3);
	bool both = arithmetic || opcode == 0xda || opcode == 0xdb || opcode == 0xdf, to_top = opcode != 0xdc && opcode != 0xde;
	char *start = t->at;
	if (arithmetic)
		put_x87_name(g, t, name, opcode, row);
	else
		put(t, !strcmp(name, "fcompi") ? "fcomip" : !strcmp(name, "fucompi") ? "fucomip" : name);
	put_gap(t, start);
	if (!both) {
		put_st(g, t, n);
		return true;
	}
	bool top_first = g->intel ? to_top : !to_top;
	put_st(g, t, top_first ? -1 : n);
	put(t, ",");
	put_st(g, t, top_first ? n : -1);
	return true;
}

/* The name's last word is the instruction, the others are prefixes. */
static const char *split(const char *mnemonic, char *words, size_t n)
{
	const char *last = strrchr(mnemonic, ' ');
	words[0] = 0;
	if (!last)
		return mnemonic;
	snprintf(words, n, "%.*s", (int)(last + 1 - mnemonic), mnemonic);
	return last + 1;
}

static void set_data(const cs_insn *i, struct instruction *out)
{
	const cs_x86_op *m = memory_of(&i->detail->x86);
	if (!m || m->mem.base != X86_REG_RIP)
		return;
	out->has_data = true;
	out->data = out->addr + out->len + m->mem.disp;
}

void gnu_insn(const struct gnu *g, const cs_insn *i, struct instruction *out)
{
	const cs_x86 *x = &i->detail->x86;
	char words[32];
	const char *name = split(i->mnemonic, words, sizeof(words));
	struct insn_text t = { out->text, out->text + sizeof(out->text) };
	*out = (struct instruction){ .addr = i->address, .len = i->size, .kind = kind_of(i) };
	gnu_flow(i, out);
	set_data(i, out);
	put_prefixes(&t, i, words, name);
	if (put_string(&t, out->text, name, i, g) || put_x87(g, &t, name, i))
		return;
	if (is_wide_nop(i)) {
		put(&t, g->intel ? "xchg   ax,ax" : "xchg   %ax,%ax");
		return;
	}
	if (g->intel)
		put(&t, strcmp(name, "wait") ? name : "fwait");
	else
		put_name_att(&t, name, x);
	if (!x->op_count)
		return;
	put_gap(&t, out->text);
	bool leaves = out->kind == INSN_JUMP || out->kind == INSN_CALL || out->kind == INSN_BRANCH;
	if (leaves && x->operands[0].type == X86_OP_IMM) {
		out->has_target = true;
		out->target = of_size(x->operands[0].imm, g->is32 ? 4 : 8);
		snprintf(t.at, t.end - t.at, "%" PRIx64, out->target);
		return;
	}
	put_operands(g, &t, i, name, leaves);
}
#endif

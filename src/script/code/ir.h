/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions between tree and machine: three addresses, as many virtual registers as are wanted, labels. Not SSA: a
 * register may be set at several places, but it is always set before it is read. */
#ifndef SCRIPT_IR_H
#define SCRIPT_IR_H
#include <stdbool.h>
#include <stdint.h>
#include "base/vec.h"
#include "base/str.h"
#include "script/front/source.h"

enum ir_op {
	IR_CONST, /* d = imm */
	IR_MOVE, /* d = a */
	IR_ALU, /* d = a alu b, or imm when b is IR_NO */
	IR_NEG, /* d = -a */
	IR_CUT, /* d = the lowest `size` bytes of a, signed or not */
	IR_LOAD, /* d = *(size)(a + off) */
	IR_STORE, /* *(size)(a + off) = b, or imm when b is IR_NO */
	IR_ADD_TO, /* atomic: *(u64)(a + off) += b */
	IR_SWAP, /* atomic: d = *(u64)(a + off), which becomes b */
	IR_EXCHANGE, /* atomic: d = *(u64)(a + off), which becomes c if it was b */
	IR_FETCH_ADD, /* atomic: d = *(u64)(a + off), to which b is added */
	IR_STACK, /* d = frame pointer + off, of a stack object */
	IR_GLOBAL, /* d = address of the memory that all programs and the reader share, + off */
	IR_CONTEXT, /* d = what the program is called with; only once, first */
	IR_CALL, /* d = helper imm (args) */
	IR_LABEL, /* imm */
	IR_JUMP, /* to label imm */
	IR_BRANCH, /* if a cond b (or k, when b is IR_NO), to label imm */
	IR_EXIT, /* returns imm */
	IR_PARAM, /* d = the function's argument imm, from 1; only first */
};
enum ir_alu { ALU_ADD = 0x00, ALU_SUB = 0x10, ALU_MUL = 0x20, ALU_DIV = 0x30, ALU_OR = 0x40, ALU_AND = 0x50, ALU_SHL = 0x60,
	ALU_SHR = 0x70, ALU_MOD = 0x90, ALU_XOR = 0xa0, ALU_SAR = 0xc0 }; /* as the machine has them */
enum ir_cond { IF_EQ = 0x10, IF_GT = 0x20, IF_GE = 0x30, IF_NE = 0x50, IF_SGT = 0x60, IF_SGE = 0x70, IF_LT = 0xa0, IF_LE = 0xb0,
	IF_SLT = 0xc0, IF_SLE = 0xd0 };
enum { IR_NO = -1, IR_ARGS = 5 };

/* What a helper is called with. */
enum ir_arg_kind { ARG_NONE, ARG_REG, ARG_IMM, ARG_MAP /* n: enum below, or LOAD_MAPS + map */, ARG_STACK /* frame pointer + n */,
	ARG_SUM /* reg + n */, ARG_FUNC /* function n of the unit */ };
struct ir_arg { enum ir_arg_kind kind; int reg; int64_t n; };
/* Maps that are not the script's. */
enum { LOAD_GLOBAL, LOAD_FRAMES, LOAD_RING, LOAD_STACKS, LOAD_CALLS /* of a unit: system calls to points */,
	LOAD_REMAINS /* code/marks.h */, LOAD_SLOTS /* code/slots.h */, LOAD_MAPS };

struct ir_ins {
	enum ir_op op;
	uint8_t size, how; /* how: enum ir_alu, ir_cond */
	bool is_signed;
	int32_t off;
	int d, a, b, c;
	int64_t imm;
	int32_t k; /* BRANCH's constant */
	struct ir_arg arg[IR_ARGS];
	struct span at;
};
struct ir {
	VEC(struct ir_ins) ins;
	int n_regs, n_labels;
	uint32_t stack; /* bytes of stack objects, at the top of the stack */
	unsigned depth; /* of a function: how many call it, one by the other */
};
typedef VEC(struct ir) ir_list;
void ir_release(struct ir *ir);
int ir_reg(struct ir *ir); /* a new one */
int ir_label(struct ir *ir);
struct ir_ins *ir_add(struct ir *ir, enum ir_op op); /* valid until the next; d, a, b are IR_NO */
/* Takes out what can never be reached, which the kernel refuses: what stands behind exit() or return. */
void ir_prune(struct ir *ir);
void ir_print(const struct ir *ir, struct str *out); /* for -d */
#endif

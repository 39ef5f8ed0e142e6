// SPDX-License-Identifier: GPL-2.0-or-later
/* tracepoint:syscalls:*: hundreds of events that the kernel takes long to attach, and longer to take off. So they are
 * one program where all calls begin (or end) that looks at the call's number. Arguments are in the registers that the
 * kernel has saved. 32-bit calls, which the events do not see, have numbers of their own and other registers: they are the calls
 * that the kernel does for them, unless a block asks for arguments that stand elsewhere there (preadv's pos, which takes two).
 * Where programs there would be preempted, and others' runs left out then (bpf/trace_tp.bpf.c), they are those of the events
 * raw_syscalls:sys_enter and sys_exit, whose records have the number and the arguments. */
#include "script/provider/syscalls.h"
#include <bpf/bpf.h>
#include <asm/ptrace.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "kernel/bpf_programs.h"
#include "script/provider/compat.h"
#include "script/provider/format.h"
#include "script/provider/links.h"
#include "script/provider/provider.h"
#include "syscall/decode.h"

enum { USER32_CS = 0x23, AT_ENTER = 0, AT_EXIT = 1, FIRST_ARG = 16 /* in the event's record */ };

static int number_of(const char *name)
{
	int nr = syscall_of_tracepoint(name);
	return nr < SYSCALLS_MAX ? nr : -1;
}

bool syscalls_point(struct run_script *s, const struct attach *a, const char *event, bool args)
{
	bool enter = str_starts(event, "sys_enter_");
	if (!enter && !str_starts(event, "sys_exit_"))
		return false;
	int nr = number_of(event + strlen(enter ? "sys_enter_" : "sys_exit_"));
	if (nr < 0)
		return false;
	char *name = xasprintf("tracepoint:syscalls:%s", event);
	struct point *p = provider_point(s, &provider_syscalls, a, name);
	p->number = (uint64_t)nr;
	p->config = enter ? AT_ENTER : AT_EXIT;
	if (args)
		p->args = format_record(s, "syscalls", event, true);
	free(name);
	return true;
}

static bool together(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b)
{
	(void)s, (void)p;
	return a->config == b->config && !a->args && !b->args;
}

static bool by_event(const struct lower *l)
{
	return l->u->type == BPF_PROG_TYPE_TRACEPOINT;
}

/* One of the registers that user space was left with; 0 where they cannot be read. */
static int saved(struct lower *l, uint32_t off)
{
	struct script_mem m = low_stack(l, 8);
	int regs = low_load(l, (struct script_mem){ l->context, 0 }, 8, false);
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(8), arg_reg(low_alu_k(l, ALU_ADD, regs, off)));
	return low_load(l, m, 8, false);
}

/* COMPAT_STATUS in a 32-bit call, else 0: its number is of another table. Where the kernel's types are not there it is the program that
 * tells, which leaves out the 32-bit calls of 64-bit programs. */
static int is_narrow(struct lower *l)
{
	int at = compat_status_at();
	if (at < 0) {
		int d = low_const(l, COMPAT_STATUS), end = ir_label(l->ir);
		low_branch_k(l, IF_EQ, saved(l, offsetof(struct pt_regs, cs)), USER32_CS, end);
		low_move(l, d, low_const(l, 0));
		low_label(l, end);
		return d;
	}
	struct script_mem m = low_stack(l, 8);
	int task = LOW_CALL(l, BPF_FUNC_get_current_task, { 0 });
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(4), arg_reg(low_alu_k(l, ALU_ADD, task, at)));
	return low_alu_k(l, ALU_AND, low_load(l, m, 4, false), COMPAT_STATUS);
}

/* What i386's calls are here; found out once, since that takes a search for each. */
static const struct native { int nr; bool same_args; } *natives(void)
{
	static struct native all[SYSCALLS_MAX];
	static bool known;
	for (int i = 0; i < SYSCALLS_MAX && !known; i++)
		all[i].nr = syscall_as_native(i, &all[i].same_args);
	known = true;
	return all;
}

bool syscalls_has_32(const struct point *p, int nr32)
{
	const struct native *n = &natives()[nr32];
	return n->nr >= 0 && (uint64_t)n->nr == p->number && (n->same_args || p->config == AT_EXIT || !p->args);
}

/* Both numbers are looked at before the kernel is asked which of them it is, since most calls are none of them. */
static void enter_one(struct lower *l, int nr)
{
	const struct point *p = l->point;
	int maybe = ir_label(l->ir), narrow = ir_label(l->ir), go = ir_label(l->ir);
	low_branch_k(l, IF_EQ, nr, (int32_t)p->number, maybe);
	for (int i = 0; i < SYSCALLS_MAX; i++)
		if (syscalls_has_32(p, i) && (uint64_t)i != p->number)
			low_branch_k(l, IF_EQ, nr, i, maybe);
	low_jump(l, l->end);
	low_label(l, maybe);
	l->narrow = is_narrow(l);
	low_branch_k(l, IF_NE, l->narrow, 0, narrow);
	low_branch_k(l, IF_NE, nr, (int32_t)p->number, l->end);
	low_jump(l, go);
	low_label(l, narrow);
	for (int i = 0; i < SYSCALLS_MAX; i++)
		if (syscalls_has_32(p, i))
			low_branch_k(l, IF_EQ, nr, i, go);
	low_jump(l, l->end);
	low_label(l, go);
}

static void enter(struct lower *l)
{
	bool at_exit = l->point->config == AT_EXIT;
	int nr = at_exit && !by_event(l) ? saved(l, offsetof(struct pt_regs, orig_rax)) : low_load(l, (struct script_mem){ l->context, 8 }, 8, false);
	if (l->u->points.n == 1) {
		enter_one(l, nr);
		return;
	}
	struct script_mem key = low_stack(l, 8);
	low_branch_k(l, IF_GE, nr, SYSCALLS_MAX, l->end);
	low_store(l, key, 4, low_alu(l, ALU_ADD, nr, low_alu_k(l, ALU_MUL, is_narrow(l), SYSCALLS_MAX / COMPAT_STATUS)));
	int entry = LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_CALLS), arg_mem(key));
	low_branch_k(l, IF_EQ, entry, 0, l->end);
	int id = low_load(l, (struct script_mem){ entry, 0 }, 8, false);
	low_branch_k(l, IF_EQ, id, 0, l->end);
	l->call = low_alu_k(l, ALU_SUB, id, 1);
}

/* Argument i as the program gave it: 32 bits of another register in a 32-bit call. */
static int argument(struct lower *l, unsigned i, const struct type_field *f)
{
	static const uint32_t regs[] = { offsetof(struct pt_regs, rdi), offsetof(struct pt_regs, rsi), offsetof(struct pt_regs, rdx),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9) };
	static const uint32_t narrow[] = { offsetof(struct pt_regs, rbx), offsetof(struct pt_regs, rcx), offsetof(struct pt_regs, rdx),
		offsetof(struct pt_regs, rsi), offsetof(struct pt_regs, rdi), offsetof(struct pt_regs, rbp) };
	int d = ir_reg(l->ir), wide = ir_label(l->ir), end = ir_label(l->ir);
	struct script_mem there = { l->context, (int32_t)(FIRST_ARG + 8 * i) };
	low_branch_k(l, IF_EQ, l->narrow, 0, wide);
	int v = by_event(l) ? low_load(l, there, 8, false) : saved(l, narrow[i]);
	low_move(l, d, low_cut(l, v, 4, f->type->is_signed));
	low_jump(l, end);
	low_label(l, wide);
	low_move(l, d, by_event(l) ? low_load(l, there, 8, false) : saved(l, regs[i]));
	low_label(l, end);
	return d;
}

static int field(struct lower *l, const struct type_field *f)
{
	unsigned i = (f->at - FIRST_ARG) / 8;
	if (!strcmp(f->name, "__syscall_nr"))
		return low_const(l, (int64_t)l->point->number);
	if (l->point->config == AT_EXIT)
		return low_load(l, (struct script_mem){ l->context, by_event(l) ? FIRST_ARG : 8 }, 8, false);
	int v = argument(l, i < 6 ? i : 5, f);
	return f->size < 8 ? low_cut(l, v, f->size, f->type->is_signed) : v;
}

/* Without the kernel's types a 32-bit call is known by registers, which the events do not have. */
static void plan(struct run_script *s, struct script_unit *u)
{
	(void)s;
	if (bpf_programs_preempted() && compat_status_at() >= 0)
		u->type = BPF_PROG_TYPE_TRACEPOINT;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	const struct point *p = &s->points.at[u->points.at[0]];
	if (u->type == BPF_PROG_TYPE_TRACEPOINT)
		return links_tracepoint(u, p, "raw_syscalls", p->config == AT_EXIT ? "sys_exit" : "sys_enter");
	int fd = bpf_raw_tracepoint_open(p->config == AT_EXIT ? "sys_exit" : "sys_enter", u->fd);
	if (fd < 0)
		return error_sys(errno, "cannot attach a program to %s", p->name);
	*vec_push(&u->links) = fd;
	return 0;
}

const struct provider provider_syscalls = { "tracepoint", .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .together = together,
	.enter = enter, .field = field, .plan = plan, .attach = attach };

// SPDX-License-Identifier: GPL-2.0-or-later
/* tracepoint:syscalls:*: hundreds of events that the kernel takes long to attach, and longer to take off. So they are
 * one program where all calls begin (or end) that looks at the call's number. Arguments are in the registers that the
 * kernel has saved. Calls of 32-bit programs have other numbers: they are none of these, as with the events themselves.
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

/* A 32-bit call has a number of another table. Where the kernel's types are not there it is the program that tells, which
 * leaves out the 32-bit calls of 64-bit programs. */
static void only_native(struct lower *l)
{
	int at = compat_status_at();
	if (at < 0) {
		low_branch_k(l, IF_EQ, saved(l, offsetof(struct pt_regs, cs)), USER32_CS, l->end);
		return;
	}
	struct script_mem m = low_stack(l, 8);
	int task = LOW_CALL(l, BPF_FUNC_get_current_task, { 0 });
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(4), arg_reg(low_alu_k(l, ALU_ADD, task, at)));
	low_branch_k(l, IF_NE, low_alu_k(l, ALU_AND, low_load(l, m, 4, false), COMPAT_STATUS), 0, l->end);
}

static void enter(struct lower *l)
{
	bool at_exit = l->point->config == AT_EXIT;
	int nr = at_exit && !by_event(l) ? saved(l, offsetof(struct pt_regs, orig_rax)) : low_load(l, (struct script_mem){ l->context, 8 }, 8, false);
	if (l->u->points.n == 1) {
		low_branch_k(l, IF_NE, nr, (int32_t)l->point->number, l->end);
	} else {
		struct script_mem key = low_stack(l, 8);
		low_branch_k(l, IF_GE, nr, SYSCALLS_MAX, l->end);
		low_store(l, key, 4, nr);
		int entry = LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_CALLS), arg_mem(key));
		low_branch_k(l, IF_EQ, entry, 0, l->end);
		int id = low_load(l, (struct script_mem){ entry, 0 }, 4, false);
		low_branch_k(l, IF_EQ, id, 0, l->end);
		l->call = low_alu_k(l, ALU_SUB, id, 1);
	}
	only_native(l);
}

static int field(struct lower *l, const struct type_field *f)
{
	static const uint32_t regs[] = { offsetof(struct pt_regs, rdi), offsetof(struct pt_regs, rsi), offsetof(struct pt_regs, rdx),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9) };
	unsigned i = (f->at - FIRST_ARG) / 8;
	int v;
	if (!strcmp(f->name, "__syscall_nr"))
		return low_const(l, (int64_t)l->point->number);
	if (l->point->config == AT_EXIT)
		return low_load(l, (struct script_mem){ l->context, by_event(l) ? FIRST_ARG : 8 }, 8, false);
	v = by_event(l) ? low_load(l, (struct script_mem){ l->context, (int32_t)(FIRST_ARG + 8 * (i < 6 ? i : 5)) }, 8, false) :
		saved(l, regs[i < 6 ? i : 5]);
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

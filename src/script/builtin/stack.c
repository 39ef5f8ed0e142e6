// SPDX-License-Identifier: GPL-2.0-or-later
/* kstack, ustack: a stack becomes a number. The stacks themselves are the keys of a map, so that the kernel compares
 * them whole: no two that differ ever get the same number. A user stack's word has the process in its upper half. */
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include "script/builtin/builtin.h"

static bool mode(struct checker *c, const struct script_node *n, struct script_type *t)
{
	if (n->kind == NODE_WORD && (!strcmp(n->name, "bpftrace") || !strcmp(n->name, "raw"))) {
		t->raw = !strcmp(n->name, "raw");
		return true;
	}
	if (n->kind == NODE_WORD && (!strcmp(n->name, "perf") || !strcmp(n->name, "build_id"))) {
		check_later(c, n->at, "this form of a stack");
		return false;
	}
	if (!check_constant(c, n, 1, STACK_DEPTH, "how many frames"))
		return false;
	t->depth = (unsigned)n->value;
	return true;
}

static struct script_type *check_stack(struct checker *c, struct script_node *n, enum type_kind kind)
{
	struct script_type *t = arena_get(&c->s->source->memory, sizeof(*t));
	*t = (struct script_type){ .kind = kind, .size = 8, .depth = STACK_DEPTH };
	for (struct script_node *i = n->args; i; i = i->next)
		if (!mode(c, i, t))
			return &type_none;
	/* there the stack begins with the frames of the program itself, and a number would cut it at another place */
	if (kind == TYPE_KSTACK && t->depth < STACK_DEPTH && c->u->type == BPF_PROG_TYPE_RAW_TRACEPOINT)
		return check_later(c, n->at, "a number of frames of the kernel's stack at this kind of probe");
	return t;
}

static struct script_type *check_kstack(struct checker *c, struct script_node *n) { return check_stack(c, n, TYPE_KSTACK); }
static struct script_type *check_ustack(struct checker *c, struct script_node *n) { return check_stack(c, n, TYPE_USTACK); }

static int lower_stack(struct lower *l, struct script_node *n)
{
	bool user = n->type->kind == TYPE_USTACK;
	int id = low_const(l, 0), none = ir_label(l->ir), have = ir_label(l->ir), entry = ir_reg(l->ir);
	struct script_mem key = low_frame(l, sizeof(struct stack_key)), value = low_stack(l, 8);
	l->s->needs_stacks = l->s->needs_names = true;
	low_zero(l, key, sizeof(struct stack_key));
	int got = LOW_CALL(l, BPF_FUNC_get_stack, arg_reg(l->context), arg_mem(mem_at(key, offsetof(struct stack_key, frame))),
			   arg_k(n->type->depth * 8), arg_k(user ? BPF_F_USER_STACK : 0));
	low_branch_k(l, IF_SLE, got, 0, none);
	low_move(l, entry, LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_STACKS), arg_mem(key)));
	low_branch_k(l, IF_NE, entry, 0, have);
	low_store(l, value, 8, low_fetch_add(l, low_global(l, offsetof(struct globals, next_stack)), low_const(l, 1)));
	LOW_CALL(l, BPF_FUNC_map_update_elem, arg_map(LOAD_STACKS), arg_mem(key), arg_mem(value), arg_k(BPF_NOEXIST));
	low_move(l, entry, LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_STACKS), arg_mem(key)));
	low_branch_k(l, IF_NE, entry, 0, have);
	low_add_to(l, low_global(l, offsetof(struct globals, no_stack)), low_const(l, 1));
	low_jump(l, none);
	low_label(l, have);
	low_move(l, id, low_load(l, (struct script_mem){ entry, 0 }, 4, false));
	low_label(l, none);
	if (!user)
		return id;
	int pid = low_alu_k(l, ALU_SHR, LOW_CALL(l, BPF_FUNC_get_current_pid_tgid, { 0 }), 32);
	return low_alu(l, ALU_OR, id, low_alu_k(l, ALU_SHL, pid, 32));
}

static struct script_type *check_ksym(struct checker *c, struct script_node *n)
{
	return check_number(c, n->args, "an address") ? &type_ksym : &type_none;
}

static int lower_ksym(struct lower *l, struct script_node *n)
{
	l->s->needs_names = true;
	return lower_word(l, n->args);
}

const struct builtin builtins_stack[] = {
	{ "kstack", .check = check_kstack, .lower = lower_stack },
	{ "ustack", .check = check_ustack, .lower = lower_stack },
	{ "kstack", true, 0, 2, .check = check_kstack, .lower = lower_stack },
	{ "ustack", true, 0, 2, .check = check_ustack, .lower = lower_stack },
	{ "ksym", true, 1, 1, .check = check_ksym, .lower = lower_ksym },
	{ 0 },
};

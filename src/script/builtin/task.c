// SPDX-License-Identifier: GPL-2.0-or-later
/* Who runs, and where: values that a helper gives as they are. */
#include <linux/bpf.h>
#include "script/builtin/builtin.h"

static struct script_type *number(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_u64;
}

static int helper(struct lower *l, int which)
{
	return LOW_CALL(l, which, { 0 });
}

static int pid(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_alu_k(l, ALU_SHR, helper(l, BPF_FUNC_get_current_pid_tgid), 32);
}

static int tid(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_cut(l, helper(l, BPF_FUNC_get_current_pid_tgid), 4, false);
}

static int uid(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_cut(l, helper(l, BPF_FUNC_get_current_uid_gid), 4, false);
}

static int gid(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_alu_k(l, ALU_SHR, helper(l, BPF_FUNC_get_current_uid_gid), 32);
}

static int cpu(struct lower *l, struct script_node *n)
{
	(void)n;
	return helper(l, BPF_FUNC_get_smp_processor_id);
}

static int curtask(struct lower *l, struct script_node *n)
{
	(void)n;
	return helper(l, BPF_FUNC_get_current_task);
}

static int cgroup(struct lower *l, struct script_node *n)
{
	(void)n;
	return helper(l, BPF_FUNC_get_current_cgroup_id);
}

static int rand_number(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_cut(l, helper(l, BPF_FUNC_get_prandom_u32), 4, false);
}

static struct script_type *username(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_user;
}

static struct script_type *comm(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_comm;
}

static int comm_text(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	(void)n;
	LOW_CALL(l, BPF_FUNC_get_current_comm, arg_mem(dst), arg_k(max < COMM_SIZE ? max : COMM_SIZE));
	return low_const(l, COMM_SIZE);
}

static struct script_type *cpid(struct checker *c, struct script_node *n)
{
	return c->s->cpid ? &type_u64 : check_fail(c, n->at, "there is no command (-c) whose number cpid could be");
}

static int cpid_number(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_const(l, l->s->cpid);
}

const struct builtin builtins_task[] = {
	{ "pid", .check = number, .lower = pid },
	{ "tid", .check = number, .lower = tid },
	{ "uid", .check = number, .lower = uid },
	{ "gid", .check = number, .lower = gid },
	{ "cpu", .check = number, .lower = cpu },
	{ "curtask", .check = number, .lower = curtask },
	{ "cgroup", .check = number, .lower = cgroup },
	{ "rand", .check = number, .lower = rand_number },
	{ "cpid", .check = cpid, .lower = cpid_number },
	{ "username", .check = username, .lower = uid },
	{ "comm", .check = comm, .text = comm_text },
	{ 0 },
};

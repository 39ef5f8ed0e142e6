// SPDX-License-Identifier: GPL-2.0-or-later
/* Who runs, and where: values that a helper gives as they are. */
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel/root.h"
#include "script/builtin/builtin.h"
#include "script/code/able.h"
#include "script/ctype/ctype.h"
#include "script/member.h"
#include "script/provider/provider.h"

enum { FIRST_PID_NAMESPACE = 0xeffffffc /* its inode, PROC_PID_INIT_INO */, PT_REGS_CS = 136 };

static struct script_type *number(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_u64;
}

static int helper(struct lower *l, int which)
{
	return LOW_CALL(l, which, { 0 });
}

/* Both numbers as we see them: in our own PID namespace, unless that of the whole machine is meant. */
static int pid_tgid(struct lower *l, const struct script_node *n)
{
	struct stat st;
	bool whole = n->n_args && n->args->kind == NODE_WORD && !strcmp(n->args->name, "init");
	if (whole || stat(root_own("ns/pid"), &st) || st.st_ino == FIRST_PID_NAMESPACE)
		return helper(l, BPF_FUNC_get_current_pid_tgid);
	struct script_mem m = low_stack(l, sizeof(struct bpf_pidns_info));
	low_store_k(l, m, 8, 0);
	LOW_CALL(l, BPF_FUNC_get_ns_current_pid_tgid, arg_k((int64_t)st.st_dev), arg_k((int64_t)st.st_ino), arg_mem(m),
		 arg_k(sizeof(struct bpf_pidns_info)));
	int tgid = low_load(l, mem_at(m, offsetof(struct bpf_pidns_info, tgid)), 4, false);
	return low_alu(l, ALU_OR, low_alu_k(l, ALU_SHL, tgid, 32), low_load(l, m, 4, false));
}

int lower_pid(struct lower *l)
{
	static const struct script_node plain;
	return low_alu_k(l, ALU_SHR, pid_tgid(l, &plain), 32);
}

static struct script_type *check_pid(struct checker *c, struct script_node *n)
{
	const struct script_node *a = n->args;
	if (a && (a->kind != NODE_WORD || (strcmp(a->name, "init") && strcmp(a->name, "curr_ns"))))
		return check_fail(c, a->at, "%s() takes nothing, curr_ns or init", n->name);
	return &type_u64;
}

static int pid(struct lower *l, struct script_node *n)
{
	return low_alu_k(l, ALU_SHR, pid_tgid(l, n), 32);
}

static int tid(struct lower *l, struct script_node *n)
{
	return low_cut(l, pid_tgid(l, n), 4, false);
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

static struct script_type *check_curtask(struct checker *c, struct script_node *n)
{
	(void)n;
	return ctype_pointer_to(c->s->types, "struct task_struct", SPACE_KERNEL);
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
	bool often = !l->point->provider->own; /* not once in BEGIN, where looking up the member costs more */
	if (often && max >= COMM_SIZE && able(l->s, ABLE_TASK)) {
		struct script_mem from = { helper(l, BPF_FUNC_get_current_task_btf), member_at("task_struct", "comm") };
		for (int32_t i = 0; i < COMM_SIZE; i += 8)
			low_store(l, mem_at(dst, i), 8, low_load(l, mem_at(from, i), 8, false));
	} else {
		LOW_CALL(l, BPF_FUNC_get_current_comm, arg_mem(dst), arg_k(max < COMM_SIZE ? max : COMM_SIZE));
	}
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

static struct script_type *has_cpid(struct checker *c, struct script_node *n)
{
	(void)c, (void)n;
	return &type_bool;
}

static int has_cpid_number(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_const(l, l->s->cpid != 0);
}

static int numa_node(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_cut(l, helper(l, BPF_FUNC_get_numa_node_id), 4, true);
}

static int n_cpus(struct lower *l, struct script_node *n)
{
	(void)n;
	return low_const(l, sysconf(_SC_NPROCESSORS_ONLN));
}

static int jiffies(struct lower *l, struct script_node *n)
{
	(void)n;
	return helper(l, BPF_FUNC_jiffies64);
}

/* ---- what the task has, by the kernel's own types ---- */

static struct script_type *task_given(struct checker *c, struct script_node *n, const char *const *members, struct script_type *t)
{
	if (n->args && !check_number(c, n->args, "a task"))
		return &type_none;
	for (; *members; members++)
		if (c->strict && member_at("task_struct", *members) < 0)
			return check_fail(c, n->at, "%s: this kernel does not tell where task_struct has %s", n->name, *members);
	return t;
}

static struct script_type *check_ppid(struct checker *c, struct script_node *n)
{
	static const char *const members[] = { "real_parent", "tgid", NULL };
	return task_given(c, n, members, &type_u64);
}

static struct script_type *check_pcomm(struct checker *c, struct script_node *n)
{
	static const char *const members[] = { "group_leader", "comm", NULL };
	return task_given(c, n, members, &type_comm);
}

static int other_task(struct lower *l, struct script_node *n, const char *member)
{
	struct script_mem m = low_stack(l, 8);
	int task = n->n_args ? lower_word(l, n->args) : helper(l, BPF_FUNC_get_current_task);
	low_store_k(l, m, 8, 0);
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(8), arg_mem((struct script_mem){ task, member_at("task_struct", member) }));
	return low_load(l, m, 8, false);
}

static int ppid(struct lower *l, struct script_node *n)
{
	struct script_mem m = low_stack(l, 8);
	int parent = other_task(l, n, "real_parent");
	low_store_k(l, m, 8, 0);
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(4), arg_mem((struct script_mem){ parent, member_at("task_struct", "tgid") }));
	return low_load(l, m, 8, false);
}

static int pcomm_text(struct lower *l, struct script_node *n, struct script_mem dst, uint32_t max)
{
	struct script_mem from = { other_task(l, n, "group_leader"), member_at("task_struct", "comm") };
	return LOW_CALL(l, BPF_FUNC_probe_read_kernel_str, arg_mem(dst), arg_k(max < COMM_SIZE ? max : COMM_SIZE), arg_mem(from));
}

/* Where the context begins with the registers: what ran was the program itself, not the kernel for it. */
static struct script_type *check_usermode(struct checker *c, struct script_node *n)
{
	if (c->u->type == BPF_PROG_TYPE_PERF_EVENT || c->u->type == BPF_PROG_TYPE_KPROBE)
		return &type_bool;
	return check_fail(c, n->at, "usermode means nothing at %s", c->point->name);
}

static int usermode(struct lower *l, struct script_node *n)
{
	(void)n;
	int rpl = low_alu_k(l, ALU_AND, low_load(l, (struct script_mem){ l->context, PT_REGS_CS }, 8, false), 3);
	return low_alu_k(l, ALU_SHR, low_alu(l, ALU_SUB, low_const(l, 0), rpl), 63);
}

const struct builtin builtins_task[] = {
	{ "pid", .check = check_pid, .lower = pid },
	{ "tid", .check = check_pid, .lower = tid },
	{ "pid", true, 0, 1, .check = check_pid, .lower = pid },
	{ "tid", true, 0, 1, .check = check_pid, .lower = tid },
	{ "uid", .check = number, .lower = uid },
	{ "gid", .check = number, .lower = gid },
	{ "cpu", .check = number, .lower = cpu },
	{ "curtask", .check = check_curtask, .lower = curtask },
	{ "cgroup", .check = number, .lower = cgroup },
	{ "rand", .check = number, .lower = rand_number },
	{ "cpid", .check = cpid, .lower = cpid_number },
	{ "username", .check = username, .lower = uid },
	{ "comm", .check = comm, .text = comm_text },
	{ "has_cpid", .check = has_cpid, .lower = has_cpid_number },
	{ "numaid", .check = number, .lower = numa_node },
	{ "ncpus", .check = number, .lower = n_cpus },
	{ "jiffies", .check = number, .lower = jiffies },
	{ "ppid", true, 0, 1, .check = check_ppid, .lower = ppid },
	{ "pcomm", true, 0, 1, .check = check_pcomm, .text = pcomm_text },
	{ "usermode", .check = check_usermode, .lower = usermode },
	{ 0 },
};

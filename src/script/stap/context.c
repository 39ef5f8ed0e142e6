// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/stap/context.h"
#include <string.h>
#include "base/error.h"
#include "script/front/parse_inner.h"

#define TASK "((struct task_struct *)curtask)"
#define TASK_A "((struct task_struct *)A)"

static const struct stap_context contexts[] = {
	{ "execname", 0, 0, .tree = "comm" },
	{ "pid", 0, 0, .tree = "pid" },
	{ "tid", 0, 0, .tree = "tid" },
	{ "uid", 0, 0, .tree = "uid" },
	{ "gid", 0, 0, .tree = "gid" },
	{ "euid", 0, 0, .tree = TASK "->cred->euid.val" },
	{ "egid", 0, 0, .tree = TASK "->cred->egid.val" },
	{ "suid", 0, 0, .tree = TASK "->cred->suid.val" },
	{ "ppid", 0, 0, .tree = "ppid" },
	{ "pexecname", 0, 0, .tree = "pcomm" },
	{ "pgrp", 0, 0, .tree = TASK "->signal->pids[2]->numbers[0].nr" },
	{ "sid", 0, 0, .tree = TASK "->signal->pids[3]->numbers[0].nr" },
	{ "cpu", 0, 0, .tree = "cpu" },
	{ "gettimeofday_s", 0, 0, "nsecs", SLOT_REALTIME, 1000000000 },
	{ "gettimeofday_ms", 0, 0, "nsecs", SLOT_REALTIME, 1000000 },
	{ "gettimeofday_us", 0, 0, "nsecs", SLOT_REALTIME, 1000 },
	{ "gettimeofday_ns", 0, 0, "nsecs", SLOT_REALTIME, 1 },
	{ "ktime_get_ns", 0, 0, .tree = "nsecs" },
	{ "get_cycles", 0, 0, .tree = "nsecs" },
	{ "local_clock_ns", 0, 0, .tree = "nsecs" },
	{ "local_clock_us", 0, 0, .tree = "nsecs / 1000" },
	{ "local_clock_ms", 0, 0, .tree = "nsecs / 1000000" },
	{ "local_clock_s", 0, 0, .tree = "nsecs / 1000000000" },
	{ "jiffies", 0, 0, .tree = "jiffies" },
	{ "task_current", 0, 0, .tree = "curtask" },
	{ "pp", 0, 0, .tree = "probe", .form = SLOT_PROBE },
	{ "pn", 0, 0, .tree = "probe", .form = SLOT_NAME },
	{ "ppfunc", 0, 0, .tree = "probe", .form = SLOT_FUNC },
	{ "probefunc", 0, 0, .tree = "probe", .form = SLOT_FUNC },
	{ "probe_func", 0, 0, .tree = "probe", .form = SLOT_FUNC },
	{ "backtrace", 0, 0, "kstack", SLOT_STACK, 'x' },
	{ "callers", 1, 1, "kstack", SLOT_STACK, 'x' },
	{ "print_backtrace", 0, 0, "kstack", SLOT_STACK, 'p' },
	{ "print_syms_of_kernel", 0, 0, "kstack", SLOT_STACK, 'p' },
	{ "sprint_backtrace", 0, 0, "kstack", SLOT_STACK, 's' },
	{ "ubacktrace", 0, 0, "ustack", SLOT_STACK, 'x' },
	{ "ucallers", 1, 1, "ustack", SLOT_STACK, 'x' },
	{ "print_ubacktrace", 0, 0, "ustack", SLOT_STACK, 'p' },
	{ "print_ubacktrace_brief", 0, 0, "ustack", SLOT_STACK, 's' },
	{ "sprint_ubacktrace", 0, 0, "ustack", SLOT_STACK, 's' },
	{ "caller", 0, 0, "kstack", SLOT_STACK, 'c' },
	{ "returnval", 0, 0, .tree = "retval" },
	{ "uaddr", 0, 0, "ustack(1)", SLOT_STACK, 'a' },
	{ "addr", 0, 0, "kstack(6)", SLOT_STACK, 'a' },
	{ "kernel_string", 1, 2, .tree = "str(A)" },
	{ "kernel_string_n", 2, 2, .tree = "str(A, B)" },
	{ "kernel_string2", 2, 2, .tree = "str(A)" },
	{ "kernel_string_quoted", 1, 1, .tree = "str(A)", .form = SLOT_QUOTED },
	{ "user_string", 1, 2, .tree = "str(A)" },
	{ "user_string_warn", 1, 1, .tree = "str(A)" },
	{ "user_string2", 2, 2, .tree = "str(A)" },
	{ "user_string_n", 2, 2, .tree = "str(A, B)" },
	{ "user_string_n_warn", 2, 2, .tree = "str(A, B)" },
	{ "user_string_n2", 3, 3, .tree = "str(A, B)" },
	{ "user_string_quoted", 1, 1, .tree = "str(A)", .form = SLOT_QUOTED },
	{ "user_string_n_quoted", 2, 3, .tree = "str(A, B)", .form = SLOT_QUOTED },
	{ "kernel_int", 1, 1, .tree = "*(int32 *)A" }, { "kernel_long", 1, 1, .tree = "*(int64 *)A" }, { "kernel_pointer", 1, 1, .tree = "*(uint64 *)A" },
	{ "kernel_short", 1, 1, .tree = "*(int16 *)A" }, { "kernel_char", 1, 1, .tree = "*(int8 *)A" },
	{ "user_int", 1, 1, .tree = "*(int32 *)uptr(A)" }, { "user_long", 1, 1, .tree = "*(int64 *)uptr(A)" }, { "user_uint64", 1, 1, .tree = "*(uint64 *)uptr(A)" },
	{ "user_int64", 1, 1, .tree = "*(int64 *)uptr(A)" }, { "user_int32", 1, 1, .tree = "*(int32 *)uptr(A)" }, { "user_uint32", 1, 1, .tree = "*(uint32 *)uptr(A)" },
	{ "user_uint16", 1, 1, .tree = "*(uint16 *)uptr(A)" }, { "user_short", 1, 1, .tree = "*(int16 *)uptr(A)" }, { "user_char", 1, 1, .tree = "*(int8 *)uptr(A)" },
	{ "user_ushort", 1, 1, .tree = "*(uint16 *)uptr(A)" },
	{ "int_arg", 1, 1, .tree = "arg" }, { "uint_arg", 1, 1, .tree = "arg" }, { "long_arg", 1, 1, .tree = "arg" }, { "ulong_arg", 1, 1, .tree = "arg" },
	{ "longlong_arg", 1, 1, .tree = "arg" }, { "ulonglong_arg", 1, 1, .tree = "arg" }, { "pointer_arg", 1, 1, .tree = "arg" },
	{ "s32_arg", 1, 1, .tree = "arg" }, { "s64_arg", 1, 1, .tree = "arg" }, { "u32_arg", 1, 1, .tree = "arg" }, { "u64_arg", 1, 1, .tree = "arg" },
	{ "_cmdline", 0, 0, "buf(uptr(" TASK "->mm->arg_start), " TASK "->mm->arg_end - " TASK "->mm->arg_start)", .form = SLOT_WORDS },
	{ "_address", 1, 1, .tree = "(uint64)A" },
	{ "user_mode", 0, 0, .tree = "usermode" },
	{ "proc_mem_size", 0, 0, .tree = TASK "->mm->total_vm" },
	{ "task_pid", 1, 1, .tree = TASK_A "->tgid" },
	{ "task_tid", 1, 1, .tree = TASK_A "->pid" },
	{ "task_execname", 1, 1, .tree = TASK_A "->comm" },
	{ "task_parent", 0, 1, .tree = TASK_A "->real_parent" },
	{ "task_prio", 1, 1, .tree = TASK_A "->prio" },
	{ "task_uid", 1, 1, .tree = TASK_A "->cred->uid.val" },
	{ "task_euid", 1, 1, .tree = TASK_A "->cred->euid.val" },
	{ "task_gid", 1, 1, .tree = TASK_A "->cred->gid.val" },
	{ "task_state", 1, 1, .tree = TASK_A "->__state" },
	{ "task_cpu", 1, 1, .tree = TASK_A "->thread_info.cpu" },
	{ "task_utime", 0, 1, .tree = TASK_A "->utime" },
	{ "task_stime", 0, 1, .tree = TASK_A "->stime" },
	{ 0 },
};

const struct stap_context *stap_context_find(const char *name)
{
	for (const struct stap_context *c = contexts; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

const struct stap_context *stap_context_next(const struct stap_context *c)
{
	c = c ? c + 1 : contexts;
	return c->name ? c : NULL;
}

/* Puts the arguments in, and says of each node where in the script it comes from. */
static void fill(struct script_source *s, struct script_node **at, struct span span, struct script_node **args, unsigned n)
{
	for (; *at; at = &(*at)->next) {
		struct script_node *k = *at;
		if (k->kind == NODE_WORD && k->name[0] >= 'A' && k->name[0] <= 'C' && !k->name[1] && (unsigned)(k->name[0] - 'A') < n) {
			struct script_node *next = k->next, *with = stap_clone(s, args[k->name[0] - 'A']);
			with->next = next;
			*at = with;
			continue;
		}
		if (k->kind == NODE_WORD && !strcmp(k->name, "A")) /* task_stime(): of who runs */
			k->name = "curtask";
		k->at = span;
		fill(s, &k->a, span, args, n);
		fill(s, &k->b, span, args, n);
		fill(s, &k->c, span, args, n);
		fill(s, &k->args, span, args, n);
	}
}

struct script_node *stap_template(struct stap *st, const char *text, struct span at, struct script_node **args, unsigned n)
{
	struct script_source source = { .name = "tapset", .text = text, .len = strlen(text), .memory = st->source->memory };
	struct script_parser p = { .source = &source };
	struct script_node *tree = lex_begin(&p.lex, &source) ? NULL : parse_expr(&p);
	st->source->memory = source.memory;
	if (!tree) {
		error_clear();
		source_error(st->source, at, "this is not there: %s", text);
		return NULL;
	}
	fill(st->source, &tree, at, args, n);
	return tree;
}

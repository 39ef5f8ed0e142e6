// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/bpf/table.h"
#include <stdlib.h>
#include <string.h>
#include "kernel/bpf_programs.h"
#include "kernel/rights/lent.h"
#include "kernel/tracefs.h"

/* What a record asks for at most: beyond that it takes what is left of its block. Asking for more wastes the
 * rest of a block each time. */
enum { ROOM_MAX = 20480 };

/* Calls whose registers are gone at exit. */
static const struct { const char *name; uint8_t flags; } at_enter[] = {
	{ "execve", DEF_ARGS_AT_ENTER | DEF_EXEC }, { "execveat", DEF_ARGS_AT_ENTER | DEF_EXEC },
	{ "exit", DEF_ARGS_AT_ENTER | DEF_NORETURN }, { "exit_group", DEF_ARGS_AT_ENTER | DEF_NORETURN },
	{ "rt_sigreturn", DEF_ARGS_AT_ENTER }, { "sigreturn", DEF_ARGS_AT_ENTER },
};

/* The longest that a row's copies can get. */
static uint32_t row_max(const struct copy_row *r, const struct engine_options *o)
{
	uint32_t head = sizeof(struct piece), limit = o->string_limit < PIECE_MAX ? o->string_limit : PIECE_MAX;
	uint32_t data = r->flags & COPY_DATA && !(r->flags & COPY_NETLINK) ? limit : PIECE_MAX;
	uint32_t text = o->path_limit && o->path_limit < PIECE_MAX ? o->path_limit : PIECE_MAX;
	switch (r->kind) {
	case COPY_STRING: return head + text + 8;
	case COPY_FIXED: return head + r->size + 8;
	case COPY_LEN_ARG:
	case COPY_LEN_RET:
	case COPY_LEN_PTR: return head + data + 8;
	case COPY_DENTS: return head + PIECE_MAX + 8;
	case COPY_SIZED: return head + (r->size ? r->size : PIECE_MAX) + 8;
	case COPY_IOVEC: return 17 * (head + 8) + 256 + 16 * limit;
	case COPY_VIA: return head + r->size + 8;
	case COPY_IOCTL:
	case COPY_FPROG: return 2 * head + PIECE_MAX + 32;
	default: return ROOM_MAX;
	}
}

/* A buffer and nothing else, as in read and write: the program has a short way for it. */
static bool is_quick(const struct copy_row *r)
{
	if (!(r->flags & COPY_DATA) || r->flags & (COPY_BITS | COPY_NETLINK) || r->size > 1 || r->only_mask || r->arg > 3 || r->len_arg > 3)
		return false;
	return (r->kind == COPY_LEN_ARG && r->when == COPY_ENTER) || (r->kind == COPY_LEN_RET && r->when == COPY_EXIT);
}

enum { ENVIRON_COUNTED = 128 };

static void fill_plan(struct call_plan *d, const struct copy_plan *plan, const struct engine_options *o)
{
	uint32_t max = sizeof(struct rec_call);
	for (int i = 0; plan && i < COPY_ROWS && plan->row[i].kind != COPY_NONE; i++) {
		struct copy_row r = plan->row[i];
		if (r.flags & COPY_ENVIRON && !o->environ) { /* not the strings: the pointers are counted */
			r.kind = COPY_FIXED;
			r.size = ENVIRON_COUNTED * (r.flags & COPY_COMPAT_WORDS ? 4 : 8);
		}
		d->plan.row[d->rows++] = r;
		if (r.when & COPY_ENTER)
			d->flags |= DEF_ENTER;
		if (r.when & COPY_EXIT)
			d->flags |= DEF_EXIT;
		max += row_max(&r, o) * (r.when == COPY_BOTH ? 2 : 1);
	}
	if (d->rows)
		max += PIECE_MAX + 2 * sizeof(struct piece); /* the copier wants room for a whole piece */
	if (o->kernel_graph)
		max += STACK_MAX * 8 + 64;
	if (o->user_graph)
		max += STACK_COPY + STACK_MAX * 8 + 1024;
	if (max < RECORD_MIN)
		max = RECORD_MIN;
	d->max = max < ROOM_MAX ? max : ROOM_MAX;
	if (plan && d->rows == 1 && is_quick(&d->plan.row[0])) {
		d->flags |= d->plan.row[0].when == COPY_ENTER ? DEF_QUICK_ENTER : DEF_QUICK_EXIT;
		if (o->string_limit <= QUICK_MAX && !o->user_graph && !o->kernel_graph)
			d->max = RECORD_MIN;
	}
}

static void fill_tests(struct call_plan *d, enum sys_abi abi, int nr, const struct engine_options *o)
{
	int n = 0;
	for (unsigned i = 0; i < o->n_where && n < TESTS; i++) {
		const struct engine_where *w = &o->where[i];
		if (w->nr >= 0 && (w->nr != nr || w->abi != abi))
			continue;
		d->test[n++] = (struct test){ .on = 1, .arg = w->arg, .op = w->op, .is_signed = w->is_signed, .value = w->value };
		d->flags |= DEF_TESTS;
	}
}

/* false: it need not be in the table. */
static bool make_def(struct call_plan *d, enum sys_abi abi, int nr, const struct engine_options *o)
{
	const struct syscall_row *row = syscall_find(abi, nr);
	*d = (struct call_plan){ .nargs = row ? syscall_n_args(row) : 6, .fds = row ? syscall_fds(row) : 0,
				.on = !o->no_calls && engine_takes(o, abi, nr) };
	for (size_t k = 0; row && k < sizeof(at_enter) / sizeof(at_enter[0]); k++)
		if (!strcmp(syscall_name(row), at_enter[k].name))
			d->flags |= at_enter[k].flags;
	if (!d->on && !(d->flags & DEF_EXEC))
		return false;
	fill_plan(d, row ? syscall_plan(row) : NULL, o);
	d->local = row ? syscall_socket(row) : 0;
	d->silent = o->calls && !sysset_has(o->calls, abi, nr);
	if (!o->silent || !sysset_has(o->silent, abi, nr))
		fill_tests(d, abi, nr, o);
	return true;
}

void bpf_table_fill(struct call_plan *defs, const struct engine_options *o)
{
	struct call_plan d;
	for (int i = 0; i < 2 * CALLS; i++)
		if (make_def(&d, i < CALLS ? ABI_NATIVE : ABI_32, i & (CALLS - 1), o))
			defs[i] = d;
}

void bpf_table_traits(const struct engine_options *o, uint32_t *flags, uint32_t *kinds)
{
	struct call_plan d;
	*flags = *kinds = 0;
	for (int i = 0; i < 2 * CALLS; i++) {
		if (!make_def(&d, i < CALLS ? ABI_NATIVE : ABI_32, i & (CALLS - 1), o) || !d.on)
			continue;
		*flags |= d.flags;
		for (int k = 0; k < d.rows; k++)
			*kinds |= 1u << d.plan.row[k].kind;
	}
}

/* A call that programs make all the time is cheaper through sys_enter and sys_exit. */
static const char *const frequent[] = {
	"read", "write", "futex", "poll", "ppoll", "epoll_wait", "epoll_pwait", "select", "pselect6", "recvmsg", "sendmsg",
	"recvfrom", "sendto", "readv", "writev", "pread64", "pwrite64", "close", "openat", "open", "fstat", "stat", "lstat",
	"newfstatat", "statx", "lseek", "mmap", "munmap", "mprotect", "brk", "ioctl", "fcntl", "getpid", "gettid", "getppid",
	"clock_gettime", "gettimeofday", "nanosleep", "clock_nanosleep", "sched_yield", "rt_sigprocmask", "rt_sigaction",
	"execve", "execveat" /* its end is told as that of execve */, "exit", "exit_group", "rt_sigreturn", "clone", "clone3", "fork", "vfork",
	NULL,
};

/* Not every call's tracepoint has the call's name (newuname), some have none (_sysctl). */
static bool has_tracepoint(const char *call)
{
	char *name = xasprintf("sys_enter_%s", call);
	bool has = tracefs_event_id("syscalls", name) >= 0;
	free(name);
	return has;
}

const char *bpf_table_rare(const struct engine_options *o)
{
	const struct syscall_row *one = NULL;
	/* with lent rights the end of every exec must be seen: see own_only; and not what the kernel leaves out */
	if (o->compat || o->calls->asks_compat || lent() || bpf_programs_preempted())
		return NULL;
	for (int nr = 0; nr < CALLS; nr++) {
		if (!sysset_has(o->calls, ABI_NATIVE, nr))
			continue;
		const struct syscall_row *row = syscall_find(ABI_NATIVE, nr);
		if (one || !row)
			return NULL;
		one = row;
	}
	for (int i = 0; one && frequent[i]; i++)
		if (!strcmp(syscall_name(one), frequent[i]))
			return NULL;
	return one && has_tracepoint(syscall_name(one)) ? syscall_name(one) : NULL;
}

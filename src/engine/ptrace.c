// SPDX-License-Identifier: GPL-2.0-or-later
/* Engine 3: ptrace, for users with no rights beyond their own programs.
 *
 * A command that we start gets a seccomp filter first, so that only the chosen calls stop: once at the
 * filter (arguments and the memory the kernel will read are copied there) and once at the call's exit.
 * Where every call is wanted, or a running process is attached to, plain syscall stops do the same job
 * without a filter. A thread in a call is `in_call`; everything else about it is derived from stops.
 *
 * With a filter the target cannot outlive its tracer (its filtered calls would fail with ENOSYS), so
 * PTRACE_O_EXITKILL is set; without one it goes on when sonde dies. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "arch/ptraceregs.h"
#include "base/error.h"
#include "base/signals.h"
#include "base/file.h"
#include "base/map.h"
#include "engine/copier.h"
#include "engine/engines.h"
#include "engine/midway.h"
#include "engine/ptrace_attach.h"
#include "engine/targets.h"
#include "engine/where.h"
#include "kernel/clock.h"
#include "kernel/task/process.h"
#include "kernel/root.h"
#include "kernel/bpf/seccomp_filter.h"
#include "syscall/multiplex.h"

enum { STACK_COPY = 16384 }; /* for unwinding */
enum { ANNOUNCE_NS = 20 * 1000 * 1000, LET_GO_NS = 2000000000, SYSCALL_STOP = SIGTRAP | 0x80 };
enum { OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC,
       FOLLOW = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE };

struct tracee {
	int tid, pid;
	char comm[16];
	int ppid; /* in an exec that has succeeded: its parent, else 0 */
	char parent[16], old_comm[16]; /* ... the parent's name, and its own until then */
	bool quiet; /* our own child before its exec: nothing is shown */
	bool in_call, announced;
	bool filtered; /* not selected: seen but not given out */
	enum sys_abi abi;
	int nr;
	uint64_t args[6], enter_time;
	struct copier copy;
	const struct copy_plan *plan;
	struct midway was; /* what it was in when we came; nr -1: nothing, or that is over */
	bool opening; /* in the exec that makes our child the command */
	struct tamper tamper; /* -e inject= */
	uint64_t wake_at; /* it stands still until then; 0: it does not */
	int wake_sig;
	bool free; /* let go of, or gone */
};

struct engine {
	const struct engine_options *o;
	struct copier_limits limits;
	struct u64map tracees;
	bool filter; /* a seccomp filter is in force */
	bool stopping;
	int parked; /* a thread whose stop was given out and that runs on at the next next(); 0: none */
	int parked_sig;
	uint64_t regs[PTRACE_REGS]; /* --call-graph: of the call given last */
	uint8_t *stack;
	unsigned asleep; /* threads that stand still for a time */
	uint64_t away_since; /* when it came, until that is told; 0: it did not */
	int ended, ended_status; /* a thread that died in a call: the call was given, its end comes next; 0: none */
	struct engine_stats stats;
};

/* What prepare() made for the child that workload_fork() is about to start. */
static struct { seccomp_program program; bool use; } planned;

static int install_filter(void *ctx)
{
	return seccomp_filter_install(ctx);
}

static int prepare(const struct engine_options *o, struct workload_options *w)
{
	struct sysset stops;
	planned.use = o->calls && !o->no_follow && !o->injects && engine_command(o); /* signals go with syscall stops only */
	if (!planned.use)
		return 0;
	stops = *o->calls;
	if (o->silent)
		sysset_add(&stops, o->silent);
	sysset_add_named(&stops, "prctl"); /* which gives threads their names */
	vec_clear(&planned.program);
	if (seccomp_filter_build(&planned.program, stops.native, stops.compat, 16)) {
		planned.use = false; /* too scattered a choice: plain stops show the same, only slower */
		return 0;
	}
	w->in_child = install_filter;
	w->ctx = &planned.program;
	return 0;
}

static struct tracee *tracee_get(struct engine *g, int tid)
{
	struct tracee *t = u64map_get(&g->tracees, tid);
	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	t->tid = tid;
	t->was.nr = -1;
	t->pid = ptrace_tgid(tid);
	str_init(&t->copy.arena);
	process_comm(t->tid, t->comm);
	u64map_set(&g->tracees, tid, t);
	return t;
}

static void tracee_drop(struct engine *g, struct tracee *t)
{
	u64map_del(&g->tracees, t->tid);
	g->asleep -= t->wake_at != 0;
	copier_release(&t->copy);
	tamper_release(&t->tamper);
	free(t);
}

static int options_for(const struct engine *g)
{
	return OPTIONS | (g->o->no_follow ? 0 : FOLLOW) |
	       (g->filter ? PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL : 0);
}

static int seize(struct engine *g, int tid, bool interrupt)
{
	if (ptrace(PTRACE_SEIZE, tid, 0, options_for(g)))
		return ptrace_explain(errno, tid);
	struct tracee *t = tracee_get(g, tid);
	if (!midway_read(&t->was, tid, NULL))
		t->was.nr = -1;
	if (interrupt && ptrace(PTRACE_INTERRUPT, tid, 0, 0))
		return error_sys(errno, "cannot stop thread %d", tid);
	return 0;
}

/* Threads may be born while we attach: go round until a round finds none that is new. */
static int seize_process(struct engine *g, int pid)
{
	for (bool found = true; found;) {
		intlist tids = { 0 };
		int err = ptrace_threads(pid, &tids);
		found = false;
		for (size_t i = 0; !err && i < tids.n; i++) {
			if (u64map_get(&g->tracees, tids.at[i]) || task_has_ended(tids.at[i])) /* a leader may, before its threads */
				continue;
			err = seize(g, tids.at[i], true);
			if (err == -ESRCH && tids.at[i] != pid) { /* that thread ended meanwhile */
				error_clear();
				err = 0;
			}
			found = true;
		}
		vec_release(&tids);
		if (err)
			return err;
	}
	return 0;
}

static int attach(struct engine *g)
{
	int err = 0;
	for (size_t i = 0; !err && i < g->o->pids.n; i++)
		err = seize_process(g, g->o->pids.at[i]);
	for (size_t i = 0; !err && i < g->o->tids.n; i++)
		err = seize(g, g->o->tids.at[i], true);
	if (!err && engine_command(g->o) && g->o->workload->pid) {
		g->filter = planned.use;
		err = seize(g, g->o->workload->pid, !g->filter);
		if (!err) {
			tracee_get(g, g->o->workload->pid)->quiet = true;
			g->o->workload->traced = true;
		}
	}
	return err;
}

static void engine_close(struct engine *g);

static struct engine *engine_open(const struct engine_options *o)
{
	struct engine *g = xcalloc(1, sizeof(*g));
	g->o = o;
	g->limits = (struct copier_limits){ o->path_limit, o->string_limit, o->environ };
	signals_block();
	signals_hold_stop(true);
	if (attach(g)) {
		g->stopping = true;
		engine_close(g);
		return NULL;
	}
	return g;
}

/* Lets a stopped thread run on to its next interesting stop; one that is to be delayed, later. */
static void resume(struct engine *g, struct tracee *t, int sig)
{
	bool calls = (!g->filter || t->in_call) && !g->stopping;
	uint64_t delay = g->stopping ? 0 : t->tamper.delay;
	if (!sig)
		sig = t->tamper.sig;
	t->tamper.sig = 0;
	t->tamper.delay = 0;
	if (delay) {
		t->wake_at = clock_ns() + delay;
		t->wake_sig = sig;
		g->asleep++;
		return;
	}
	ptrace(calls ? PTRACE_SYSCALL : PTRACE_CONT, t->tid, 0, sig);
}

/* Those whose time has come run on. How many ms until the next one, at most max. */
static int wake(struct engine *g, int max)
{
	uint64_t now = clock_ns();
	size_t cursor = 0;
	void *v;
	while (g->asleep && u64map_next(&g->tracees, &cursor, NULL, &v)) {
		struct tracee *t = v;
		if (!t->wake_at)
			continue;
		if (t->wake_at > now) {
			int ms = (t->wake_at - now) / 1000000 + 1;
			max = ms < max ? ms : max;
			continue;
		}
		t->wake_at = 0;
		g->asleep--;
		resume(g, t, t->wake_sig);
	}
	return max;
}

/* ---- from stops to events ---- */

static void fill(const struct tracee *t, struct sysevent *e, enum sys_type type)
{
	memset(e, 0, sizeof(*e));
	e->type = type;
	e->pid = t->pid;
	e->tid = t->tid;
	e->cpu = -1;
	e->nr = -1;
	e->time = clock_ns();
	memcpy(e->comm, t->comm, sizeof(e->comm));
}

static void fill_call(struct tracee *t, struct sysevent *e, enum sys_type type)
{
	fill(t, e, type);
	e->abi = t->abi;
	e->nr = t->nr;
	e->enter_time = t->enter_time;
	memcpy(e->args, t->args, sizeof(e->args));
	e->args_known = true;
	e->seen_enter = t->announced;
	e->tampered = t->tamper.done;
	e->copied = copier_list(&t->copy, &e->n_copied);
}

/* --call-graph: the thread stands still, so its stack can be read; the unwinder takes frame pointers where there is
 * nothing better. */
static void fill_stack(struct engine *g, const struct tracee *t, struct sysevent *e)
{
	if (!g->o->user_graph || t->filtered || ptrace_regs(t->tid, g->regs))
		return;
	if (!g->stack)
		g->stack = xmalloc(STACK_COPY);
	/* a copy over pages ends at the first that is not there: the stack's bottom */
	uint64_t sp = g->regs[PTRACE_REG_SP], room = 4096 - sp % 4096;
	size_t have = 0;
	while (have < STACK_COPY) {
		size_t n = room < STACK_COPY - have ? room : STACK_COPY - have;
		struct iovec to = { g->stack + have, n }, from = { (void *)(uintptr_t)(sp + have), n };
		if (process_vm_readv(t->tid, &to, 1, &from, 1, 0) != (ssize_t)n)
			break;
		have += n;
		room = 4096;
	}
	e->uregs = g->regs;
	e->ustack_data = g->stack;
	e->ustack_len = have;
}

static enum sys_abi abi_of(uint32_t arch, uint64_t nr)
{
	enum { I386 = 0x40000003, X32_BIT = 0x40000000 };
	return arch == I386 ? ABI_32 : nr & X32_BIT ? ABI_X32 : ABI_NATIVE;
}

static bool is_exec(const struct tracee *t)
{
	const char *name = t->abi <= ABI_X32 && syscall_find(t->abi, t->nr) ? syscall_name(syscall_find(t->abi, t->nr)) : "";
	return !strcmp(name, "execve") || !strcmp(name, "execveat");
}

static bool never_returns(const struct tracee *t)
{
	const struct syscall_row *r = syscall_find(t->abi, t->nr);
	return r && (!strcmp(syscall_name(r), "exit") || !strcmp(syscall_name(r), "exit_group"));
}

static bool named(const struct engine *g, const struct tracee *t) /* --comm */
{
	return !g->o->comm || !strcmp(g->o->comm, t->comm);
}

static bool selected(const struct engine *g, const struct tracee *t)
{
	if (g->o->no_calls || t->quiet || (!named(g, t) && !is_exec(t))) /* which gives it another name */
		return false;
	return engine_takes(g->o, t->abi, t->nr);
}

/* i386's socketcall and ipc as what they are, so that the real call's memory is copied. */
static void unwrap(struct tracee *t)
{
	uint32_t words[MULTIPLEX_WORDS];
	uint64_t at = multiplex_words_at(t->abi, t->nr, t->args);
	struct iovec to = { words, sizeof(words) }, from = { (void *)(uintptr_t)at, sizeof(words) };
	bool have = at && process_vm_readv(t->tid, &to, 1, &from, 1, 0) == sizeof(words);
	multiplex_call(t->abi, &t->nr, t->args, have ? words : NULL);
}

/* A call that attaching interrupted goes on under another name. */
static void unrestart(struct tracee *t)
{
	const struct syscall_row *r = t->was.nr >= 0 ? syscall_find(t->abi, t->nr) : NULL;
	if (r && t->was.abi == t->abi && !strcmp(syscall_name(r), "restart_syscall")) {
		t->nr = t->was.nr;
		memcpy(t->args, t->was.args, sizeof(t->args));
	}
	t->was.nr = -1;
}

/* -e inject=. The command's first exec is ours. */
static void tamper(struct engine *g, struct tracee *t)
{
	struct sysevent e;
	t->tamper.done = 0;
	t->tamper.rule = NULL;
	if (!g->o->injects || t->opening || (g->o->silent && g->o->calls && !sysset_has(g->o->calls, t->abi, t->nr)))
		return;
	if (g->o->injectable) {
		fill_call(t, &e, SYS_UNFINISHED);
		if (!g->o->injectable(g->o->injectable_ctx, &e))
			return;
	}
	if (!tamper_enter(&t->tamper, g->o->injects, t->tid, t->abi, t->nr, t->args))
		return;
	copier_reset(&t->copy); /* other bytes are there now */
	copier_take(&t->copy, t->tid, t->plan, t->args, 0, false, t->abi != ABI_32, &g->limits);
}

static bool call_entered(struct engine *g, struct tracee *t, uint32_t arch, uint64_t nr, const uint64_t *args,
			 struct sysevent *e)
{
	t->in_call = true;
	t->announced = false;
	t->abi = abi_of(arch, nr);
	t->nr = t->abi == ABI_X32 ? nr & ~0x40000000ull : nr;
	memcpy(t->args, args, sizeof(t->args));
	unrestart(t);
	unwrap(t);
	copier_reset(&t->copy);
	t->ppid = 0;
	t->opening = t->quiet && is_exec(t);
	if (t->opening)
		t->quiet = false;
	t->filtered = !selected(g, t);
	if (t->filtered)
		return false;
	const struct syscall_row *row = syscall_find(t->abi, t->nr);
	t->plan = row ? syscall_plan(row) : NULL;
	copier_take(&t->copy, t->tid, t->plan, t->args, 0, false, t->abi != ABI_32, &g->limits);
	t->enter_time = clock_ns();
	tamper(g, t);
	if (!never_returns(t) || t->tamper.done & TAMPER_RESULT || !where_holds(g->o, t->abi, t->nr, t->args, 0, false))
		return false;
	fill_call(t, e, SYS_CALL);
	fill_stack(g, t, e);
	e->no_return = true;
	t->in_call = false;
	return true;
}

/* The thread stands still, so its descriptor is what the call has made of it. */
static void fill_local(const struct tracee *t, int64_t ret, struct sysevent *e)
{
	const struct syscall_row *row = syscall_find(t->abi, t->nr);
	unsigned whose = row && (ret >= 0 || ret == -EINPROGRESS) ? syscall_socket(row) : 0;
	if (!whose || (whose == SOCKET_TO && !t->args[4]))
		return;
	e->local.fd = whose == SOCKET_RESULT ? (int)ret : (int)t->args[0];
	e->local.len = process_socket(t->pid, e->local.fd, e->local.addr, sizeof(e->local.addr));
}

/* What it is called now, or was when the call began. */
static bool is_named(const struct engine *g, const struct tracee *t)
{
	return named(g, t) || (t->ppid && !strcmp(g->o->comm, t->old_comm)) || !is_exec(t);
}

static void note_name(struct tracee *t)
{
	const struct syscall_row *r = (uint32_t)t->args[0] == PR_SET_NAME ? syscall_find(t->abi, t->nr) : NULL;
	if (r && !strcmp(syscall_name(r), "prctl"))
		process_comm(t->tid, t->comm);
}

static void fill_exec(struct tracee *t, struct sysevent *e)
{
	e->ppid = t->ppid;
	memcpy(e->parent, t->parent, sizeof(e->parent));
	if (strcmp(t->old_comm, t->comm))
		memcpy(e->old_comm, t->old_comm, sizeof(e->old_comm));
	t->ppid = 0;
}

static bool call_left(struct engine *g, struct tracee *t, int64_t ret, struct sysevent *e)
{
	bool known = t->in_call;
	t->in_call = false;
	if (known && !ret)
		note_name(t);
	ret = tamper_exit(&t->tamper, t->tid, t->args, ret);
	if (!known || t->filtered || !where_holds(g->o, t->abi, t->nr, t->args, ret, true) || !is_named(g, t))
		return false;
	copier_take(&t->copy, t->tid, t->plan, t->args, ret, true, t->abi != ABI_32, &g->limits);
	fill_call(t, e, t->announced ? SYS_RESUMED : SYS_CALL);
	fill_stack(g, t, e);
	e->ret = ret;
	fill_local(t, ret, e);
	if (t->ppid)
		fill_exec(t, e);
	return true;
}

static bool on_syscall(struct engine *g, struct tracee *t, struct sysevent *e)
{
	struct __ptrace_syscall_info i = { 0 };
	if (ptrace(PTRACE_GET_SYSCALL_INFO, t->tid, sizeof(i), &i) <= 0)
		return false;
	uint64_t args[6];
	t->copy.sp = i.stack_pointer;
	switch (i.op) {
	case PTRACE_SYSCALL_INFO_ENTRY:
		memcpy(args, i.entry.args, sizeof(args));
		return call_entered(g, t, i.arch, i.entry.nr, args, e);
	case PTRACE_SYSCALL_INFO_SECCOMP:
		memcpy(args, i.seccomp.args, sizeof(args));
		return call_entered(g, t, i.arch, i.seccomp.nr, args, e);
	case PTRACE_SYSCALL_INFO_EXIT:
		return call_left(g, t, i.exit.rval, e);
	default:
		return false;
	}
}

static bool on_signal(struct engine *g, struct tracee *t, int sig, struct sysevent *e)
{
	siginfo_t si = { 0 };
	if (t->quiet || !named(g, t))
		return false;
	fill(t, e, SYS_SIGNAL);
	e->sig = sig;
	e->stops = is_stop(sig) && ptrace_default(t->tid, sig);
	if (!ptrace(PTRACE_GETSIGINFO, t->tid, 0, &si)) {
		e->sig_code = si.si_code;
		e->sig_pid = si.si_pid;
		e->sig_uid = si.si_uid;
		e->sig_status = si.si_status;
		sysevent_child_times(e, &si);
		if (sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGTRAP)
			e->sig_addr = (uintptr_t)si.si_addr;
	}
	return true;
}

static bool on_birth(struct engine *g, struct tracee *t, struct sysevent *e)
{
	unsigned long tid = 0;
	if (ptrace(PTRACE_GETEVENTMSG, t->tid, 0, &tid) || !tid)
		return false;
	struct tracee *child = tracee_get(g, tid);
	fill(t, e, SYS_FORK);
	e->child_tid = tid;
	e->child_pid = child->pid;
	return named(g, t);
}

/* Of all threads only the caller survives an exec, and it takes the leader's number. */
static bool on_exec(struct engine *g, struct tracee *t, struct sysevent *e)
{
	unsigned long old = 0;
	ptrace(PTRACE_GETEVENTMSG, t->tid, 0, &old);
	struct tracee *caller = old && (int)old != t->tid ? u64map_get(&g->tracees, old) : NULL;
	if (caller) {
		int tid = t->tid, pid = t->pid;
		u64map_del(&g->tracees, old);
		struct copier mine = t->copy;
		tamper_release(&t->tamper);
		*t = *caller;
		t->tid = tid;
		t->pid = pid;
		copier_release(&mine);
		free(caller);
	}
	memcpy(t->old_comm, t->comm, sizeof(t->comm));
	process_comm(t->tid, t->comm);
	t->ppid = process_parent(t->pid);
	memset(t->parent, 0, sizeof(t->parent));
	process_comm(t->ppid, t->parent);
	if (t->quiet) { /* our own child's exec, which the filter does not stop at */
		t->quiet = false;
		return false;
	}
	fill(t, e, SYS_EXEC);
	e->old_tid = caller ? (int)old : 0;
	e->ppid = t->ppid;
	memcpy(e->parent, t->parent, sizeof(e->parent));
	return named(g, t);
}

static void tell_owner(struct engine *g, int tid, int status)
{
	struct workload *w = g->o->workload;
	if (w && tid == w->pid) { /* reaped here */
		w->status = status;
		w->reaped = true;
	}
}

/* The call that it died in comes first, as one that never returned. */
static bool died_in_call(struct engine *g, struct tracee *t, int status, struct sysevent *e)
{
	if (!t->in_call || t->filtered || t->quiet || !named(g, t) || g->stopping || g->o->n_where)
		return false;
	fill_call(t, e, t->announced ? SYS_RESUMED : SYS_CALL);
	e->no_return = true;
	t->in_call = false;
	g->ended = t->tid;
	g->ended_status = status;
	return true;
}

static bool on_end(struct engine *g, struct tracee *t, int status, struct sysevent *e)
{
	bool shown = !t->quiet && named(g, t);
	tell_owner(g, t->tid, status);
	if (died_in_call(g, t, status, e))
		return true;
	fill(t, e, SYS_EXIT);
	e->group_exit = t->tid == t->pid;
	if (WIFSIGNALED(status)) {
		e->sig = WTERMSIG(status);
		e->core_dumped = WCOREDUMP(status);
	} else {
		e->exit_code = WEXITSTATUS(status);
	}
	tracee_drop(g, t);
	return shown;
}

/* The second half of a death in a call. */
static bool give_end(struct engine *g, struct sysevent *e)
{
	struct tracee *t = g->ended ? u64map_get(&g->tracees, g->ended) : NULL;
	g->ended = 0;
	return t && on_end(g, t, g->ended_status, e);
}

/* One wait status. True: *e was filled; the thread runs on at the next call (park). */
static bool on_stop(struct engine *g, struct tracee *t, int status, struct sysevent *e)
{
	int sig = WSTOPSIG(status), event = status >> 16, inject = 0;
	bool given = false;
	switch (event) {
	case PTRACE_EVENT_SECCOMP: given = on_syscall(g, t, e); break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE: given = on_birth(g, t, e); break;
	case PTRACE_EVENT_EXEC: given = on_exec(g, t, e); break;
	case PTRACE_EVENT_STOP:
		if (sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU) {
			ptrace(PTRACE_LISTEN, t->tid, 0, 0); /* stopped by job control: stays so */
			return false;
		}
		break;
	default:
		if (sig == SYSCALL_STOP) {
			given = on_syscall(g, t, e);
		} else {
			given = on_signal(g, t, sig, e);
			inject = sig;
		}
	}
	if (!given) {
		resume(g, t, inject);
		return false;
	}
	g->parked = t->tid; /* its memory stays as it is until the event has been printed */
	g->parked_sig = inject;
	return true;
}

static void unpark(struct engine *g)
{
	struct tracee *t = g->parked ? u64map_get(&g->tracees, g->parked) : NULL;
	g->parked = 0;
	if (t)
		resume(g, t, g->parked_sig);
}

/* Calls that have been under way for a while are shown as such when nothing else happens. */
static bool announce(struct engine *g, struct sysevent *e, uint64_t age)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&g->tracees, &cursor, NULL, &v)) {
		struct tracee *t = v;
		if (!t->in_call || t->announced || t->filtered || !named(g, t) || clock_ns() - t->enter_time < age)
			continue;
		fill_call(t, e, SYS_UNFINISHED);
		e->time = t->enter_time;
		t->announced = true;
		return true;
	}
	return false;
}

static int wait_stop(struct engine *g, struct sysevent *e)
{
	int status, tid = waitpid(-1, &status, __WALL | WNOHANG);
	if (tid <= 0)
		return tid < 0 && errno == ECHILD ? -ENODATA : 0;
	struct tracee *t = u64map_get(&g->tracees, tid);
	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		if (t)
			return on_end(g, t, status, e) ? 1 : 2;
		if (g->o->workload && tid == g->o->workload->pid) {
			g->o->workload->status = status;
			g->o->workload->reaped = true;
		}
		return 2;
	}
	if (!t) /* a child's first stop can come before its parent's fork event */
		t = tracee_get(g, tid);
	return on_stop(g, t, status, e) ? 1 : 2;
}

static int next_while_stopping(struct engine *g, struct sysevent *e)
{
	if (!announce(g, e, 0))
		return -ENODATA;
	g->stats.events++;
	return 1;
}

/* ---- letting go ---- */

/* A child that the kernel attached to us at its birth stands still, and may not have been seen yet: it must go, too. */
static bool has_unseen_child(struct engine *g, int tid, int status)
{
	unsigned long kid = 0;
	int event = status >> 16;
	if (event != PTRACE_EVENT_FORK && event != PTRACE_EVENT_VFORK && event != PTRACE_EVENT_CLONE)
		return false;
	if (ptrace(PTRACE_GETEVENTMSG, tid, 0, &kid) || !kid || u64map_get(&g->tracees, kid))
		return false;
	tracee_get(g, kid);
	return true;
}

/* A stop or an end that was waited for. How many fewer are left: one, none, or with a child that is new one more. */
static int let_go(struct engine *g, int tid, int status)
{
	struct tracee *t = u64map_get(&g->tracees, tid);
	int fewer = 0;
	if (WIFSTOPPED(status)) { /* a signal on its way must arrive */
		bool delivery = !(status >> 16) && WSTOPSIG(status) != SYSCALL_STOP;
		fewer -= has_unseen_child(g, tid, status);
		ptrace(PTRACE_DETACH, tid, 0, delivery ? WSTOPSIG(status) : 0);
	} else {
		tell_owner(g, tid, status);
	}
	if (!t || t->free)
		return fewer;
	t->free = true;
	return fewer + 1;
}

/* All are to stop before anyone is waited for: a parent in vfork stops only when its child, which may be one of them,
 * has gone on. Whom we leave behind all the same the kernel lets go when we end. */
static void let_all_go(struct engine *g)
{
	uint64_t until = clock_ns() + LET_GO_NS;
	size_t cursor = 0, left = 0;
	int status, tid = 0;
	void *v;
	while (u64map_next(&g->tracees, &cursor, NULL, &v)) {
		struct tracee *t = v;
		if (t->wake_at)
			t->free = !ptrace(PTRACE_DETACH, t->tid, 0, t->wake_sig);
		if (!t->free)
			t->free = ptrace(PTRACE_INTERRUPT, t->tid, 0, 0); /* it is gone */
		left += !t->free;
	}
	while (left && tid >= 0 && clock_ns() < until && !signals_again()) {
		tid = waitpid(-1, &status, __WALL | WNOHANG);
		if (tid > 0)
			left -= let_go(g, tid, status);
		else if (!tid)
			signals_wait(20);
	}
}

/* ---- Ctrl-Z ---- */

struct left_task { int id; unsigned long long birth; };
typedef VEC(struct left_task) left_list;

static void note_left(left_list *l, int id)
{
	vec_each(l, t)
		if (t->id == id)
			return;
	*vec_push(l) = (struct left_task){ id, task_birth(id) };
}

/* Who they are is noted; who could not be let go in time (a parent in vfork) stays, and waits for us. */
static void leave_all(struct engine *g, left_list *left)
{
	intlist tids = { 0 };
	size_t cursor = 0;
	void *v;
	let_all_go(g);
	while (u64map_next(&g->tracees, &cursor, NULL, &v)) {
		struct tracee *t = v;
		*vec_push(&tids) = t->tid;
		note_left(left, g->o->tids.n ? t->tid : t->pid);
	}
	vec_each(&tids, tid) {
		struct tracee *t = u64map_get(&g->tracees, *tid);
		if (t->free)
			tracee_drop(g, t);
	}
	vec_release(&tids);
}

/* Those that are still there, with the threads they have now; what they started meanwhile is not followed, nor who has got a
 * number of theirs. */
static void come_back(struct engine *g, const left_list *left)
{
	bool by_thread = g->o->tids.n;
	int status;
	vec_each(left, l) {
		if (!l->birth || task_birth(l->id) != l->birth || task_has_ended(l->id))
			continue;
		if (!(by_thread ? seize(g, l->id, true) : seize_process(g, l->id)))
			continue;
		if (!task_has_ended(l->id)) /* somebody else traces it now */
			warn("%s %d is not traced any more: %s", by_thread ? "thread" : "process", l->id, error_message());
		error_clear();
	}
	struct workload *w = g->o->workload;
	if (w && w->traced && !u64map_get(&g->tracees, w->pid) && waitpid(w->pid, &status, __WALL | WNOHANG) == w->pid)
		tell_owner(g, w->pid, status);
}

/* Programs would wait for us at their next call: they run without us as long as we are stopped. With a filter they cannot,
 * nor in the midst of what is done to a call: there they wait. */
static void stand_aside(struct engine *g)
{
	left_list left = { 0 };
	bool lets_go = !g->filter && !g->o->injects;
	g->away_since = lets_go ? clock_ns() : 0;
	if (lets_go)
		leave_all(g, &left);
	signals_stand_still();
	if (lets_go)
		come_back(g, &left);
	vec_release(&left);
}

static int engine_next(struct engine *g, struct sysevent *e, int timeout_ms)
{
	unpark(g);
	if (give_end(g, e)) {
		g->stats.events++;
		return 1;
	}
	if (g->stopping)
		return next_while_stopping(g, e);
	if (signals_stop_held())
		stand_aside(g);
	if (g->away_since) {
		sysevent_gap(e, g->away_since, clock_ns());
		g->away_since = 0;
		return 1;
	}
	if (g->asleep)
		wake(g, 0);
	for (;;) {
		if (!g->tracees.n)
			return -ENODATA;
		if (signals_stop_held())
			return 0; /* and is seen to when we are asked next */
		int got = wait_stop(g, e);
		if (got == 1)
			g->stats.events++;
		if (got == 1 || got == -ENODATA)
			return got;
		if (got)
			continue;
		int slice = wake(g, timeout_ms >= 0 && timeout_ms < 20 ? timeout_ms : 20);
		int sig = signals_wait(slice);
		if (sig == SIGCHLD)
			continue;
		if (!g->o->quiet_switch && announce(g, e, ANNOUNCE_NS)) {
			g->stats.events++;
			return 1;
		}
		if (sig || timeout_ms >= 0)
			return 0;
	}
}

/* ---- the end ---- */

/* A call that a filter gives to the tracer fails when there is none: whoever is left behind must not go on like that. */
static void kill_filtered(struct engine *g)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&g->tracees, &cursor, NULL, &v))
		kill(((struct tracee *)v)->pid, SIGKILL);
	warn("what was traced and had not ended was killed: the calls that -e chose fail without --engine=ptrace");
}

/* A filtered target needs its tracer to the end: serve its stops and show nothing. What the command has started gets
 * another second. */
static void serve_silently(struct engine *g)
{
	struct sysevent e;
	uint64_t until = UINT64_MAX;
	while (g->tracees.n) {
		unpark(g);
		if (signals_stop_held())
			stand_aside(g);
		int got = wait_stop(g, &e);
		if (got == -ENODATA)
			return;
		if (got)
			continue;
		if (until == UINT64_MAX && g->o->leave && g->o->leave(g->o->leave_ctx))
			until = clock_ns() + (signals_again() ? 0 : 1000000000);
		if (until && clock_ns() >= until) {
			kill_filtered(g);
			until = 0;
		}
		signals_wait(20);
	}
}

static bool engine_busy(struct engine *g)
{
	return g->tracees.n;
}

static void engine_stop(struct engine *g)
{
	unpark(g);
	g->stopping = true;
}

static void engine_close(struct engine *g)
{
	size_t cursor = 0;
	void *v;
	if (!g)
		return;
	unpark(g);
	g->stopping = true;
	if (g->filter)
		serve_silently(g);
	let_all_go(g);
	while (u64map_next(&g->tracees, &cursor, NULL, &v)) {
		struct tracee *t = v;
		copier_release(&t->copy);
		tamper_release(&t->tamper);
		free(t);
	}
	if (g->o->workload)
		g->o->workload->traced = false;
	signals_unblock();
	signals_hold_stop(false);
	u64map_release(&g->tracees);
	vec_release(&planned.program);
	free(g->stack);
	free(g);
}

static void engine_stats(struct engine *g, struct engine_stats *s)
{
	*s = g->stats;
}

static bool usable(const struct engine_options *o, struct str *why)
{
	if (o && o->cpus.n && !o->all) {
		str_add(why, "ptrace cannot tell on which CPU a call ran\n--engine=bpf and perf can");
		return false;
	}
	if (o && (o->all || o->has_uid || o->cgroup || o->cpus.n)) {
		str_add(why, "ptrace follows chosen programs, not the whole machine\nname a command, or -p PID");
		return false;
	}
	if (o && o->kernel_graph) {
		str_add(why, "ptrace cannot see kernel stacks");
		return false;
	}
	return ptrace_allowed(why);
}

const struct engine_ops engine_ptrace = {
	.name = "ptrace",
	.what = "ptrace with a seccomp filter: own programs, no rights needed",
	.can = ENGINE_SEES_MEMORY | ENGINE_WHOLE_DATA | ENGINE_STOPS | ENGINE_INJECTS,
	.usable = usable,
	.prepare = prepare,
	.open = engine_open,
	.next = engine_next,
	.busy = engine_busy,
	.stop = engine_stop,
	.close = engine_close,
	.stats = engine_stats,
};

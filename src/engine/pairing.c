// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/pairing.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/map.h"
#include "engine/midway.h"
#include "engine/taskfilter.h"
#include "engine/where.h"
#include "kernel/clock.h"
#include "kernel/task/process.h"
#include "kernel/root.h"

enum { PATHS = 4 };

struct caller { /* a thread */
	int pid, tid;
	char comm[16];
	enum sys_abi abi;
	bool abi_known, in_call, filtered;
	bool misnamed; /* in an exec, and its name is not that of --comm: it may get it */
	int ppid, exec_ppid; /* exec_ppid: it is in an exec that has succeeded, and the parent is known; 0: not */
	char parent[16], old_comm[16]; /* the parent's name then, and its own until then */
	enum { UNASKED, PASSES, STAYS_OUT } by_task; /* -u, -G */
	bool told; /* as SYS_UNFINISHED */
	struct midway *midway; /* the call that it was in when we came; NULL: in another, or none */
	int nr;
	int fatal; /* what it will end with: a signal, or -(exit code) - 1; 0 unknown */
	int sent; /* the last signal that a traced sender gave it and it has not handled: the kernel delivers SIGKILL for a fatal one */
	uint64_t args[6], enter_time;
	struct { char *text; uint64_t user; } path[PATHS]; /* in the order they came */
	unsigned n_paths;
};

struct pairing {
	const struct engine_options *o;
	bool live, no_strangers;
	uint64_t began; /* live: when */
	int quiet; /* the command's tid until it calls exec; 0: none */
	struct u64map callers;
	struct u64map ends; /* pid -> what an exit_group, or a signal, gave to all threads of a process (as in fatal) */
	size_t cursor; /* of pairing_unfinished */
	struct copied copies[PATHS];
};

struct pairing *pairing_new(const struct engine_options *o, bool live)
{
	struct pairing *p = xcalloc(1, sizeof(*p));
	p->o = o;
	p->live = live;
	p->began = live ? clock_ns() : 0;
	p->quiet = live && o->workload ? o->workload->pid : 0;
	return p;
}

static void clear_paths(struct caller *c)
{
	while (c->n_paths)
		free(c->path[--c->n_paths].text);
}

static void forget_midway(struct caller *c)
{
	if (c->midway)
		midway_release(c->midway);
	free(c->midway);
	c->midway = NULL;
}

static void caller_free(struct caller *c)
{
	clear_paths(c);
	forget_midway(c);
	free(c);
}

void pairing_free(struct pairing *p)
{
	size_t cursor = 0;
	void *v;
	if (!p)
		return;
	while (u64map_next(&p->callers, &cursor, NULL, &v))
		caller_free(v);
	u64map_release(&p->callers);
	u64map_release(&p->ends);
	free(p);
}

static void set_comm(struct caller *c, const char *name, size_t n)
{
	n = strnlen(name, n < sizeof(c->comm) ? n : sizeof(c->comm) - 1);
	memset(c->comm, 0, sizeof(c->comm));
	memcpy(c->comm, name, n < sizeof(c->comm) ? n : sizeof(c->comm) - 1);
}

static struct caller *get(struct pairing *p, int pid, int tid)
{
	struct caller *c = u64map_get(&p->callers, (uint32_t)tid);
	if (!c) {
		c = xcalloc(1, sizeof(*c));
		c->tid = tid;
		if (p->live)
			process_comm(tid, c->comm);
		u64map_set(&p->callers, (uint32_t)tid, c);
	}
	c->pid = pid;
	return c;
}

/* The tracepoint does not say which abi a call used; the mode that the thread runs in does, or the program's ELF
 * class, nearly always (64-bit code can call int 0x80). */
static void find_abi(struct pairing *p, struct caller *c, const struct pairing_at *at)
{
	if (at->bits) {
		c->abi = at->bits == PERF_SAMPLE_REGS_ABI_32 ? ABI_32 : ABI_NATIVE;
		return;
	}
	if (c->abi_known)
		return;
	c->abi = p->live ? program_abi(c->pid) : ABI_NATIVE;
	c->abi_known = true;
}

/* Asked when it is first seen, of its cgroup also after an exec (which leaves the real user alone); children are what their parents are. Who is gone stays what it was. */
static void ask_task_filter(const struct pairing *p, struct caller *c)
{
	bool yes;
	if (p->live && task_filter_needed(p->o) && task_filter_ask(p->o, c->tid, &yes))
		c->by_task = yes ? PASSES : STAYS_OUT;
	else if (c->by_task == UNASKED)
		c->by_task = p->live && task_filter_needed(p->o) ? STAYS_OUT : PASSES;
}

static bool named(const struct pairing *p, const struct caller *c) /* --comm */
{
	return !p->o->comm || !strcmp(p->o->comm, c->comm);
}

static bool passes(const struct pairing *p, struct caller *c)
{
	if (c->by_task == UNASKED)
		ask_task_filter(p, c);
	return c->by_task == PASSES;
}

static bool wanted(const struct pairing *p, struct caller *c)
{
	return passes(p, c) && named(p, c);
}

static bool is_one_of(const struct caller *c, const char *a, const char *b)
{
	const struct syscall_row *r = syscall_find(c->abi, c->nr);
	return r && (!strcmp(syscall_name(r), a) || !strcmp(syscall_name(r), b));
}

/* An exec gives another name: whether that is the one asked for is known at its end. */
static bool chosen(const struct pairing *p, struct caller *c)
{
	c->misnamed = !named(p, c);
	if (p->o->no_calls || !engine_takes(p->o, c->abi, c->nr) || !passes(p, c))
		return false;
	return !c->misnamed || is_one_of(c, "execve", "execveat");
}

static void fill(const struct caller *c, struct sysevent *e, enum sys_type type, const struct pairing_at *at)
{
	memset(e, 0, sizeof(*e));
	e->type = type;
	e->pid = c->pid;
	e->tid = c->tid;
	e->cpu = at->cpu;
	e->nr = -1;
	e->time = at->time;
	memcpy(e->comm, c->comm, sizeof(e->comm));
}

/* The compiler decides which name renameat2(getname(a), getname(b)) looks up first (gcc on x86 the last), and of
 * mount's strings only the second one is looked up. */
static bool order_unknown(const struct syscall_row *row)
{
	static const char *const names[] = { "rename", "link", "symlink", "mount", "pivot_root", "move_mount" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_starts(syscall_name(row), names[i]))
			return true;
	return false;
}

/* Which of the paths that the kernel looked up is this argument: by its address, else the first one. */
static int find_path(const struct caller *c, const struct syscall_row *row, uint64_t addr, bool first)
{
	for (unsigned i = 0; i < c->n_paths; i++)
		if (addr && c->path[i].user == addr)
			return i;
	return first && c->n_paths && !c->path[0].user && !order_unknown(row) ? 0 : -1;
}

static void fill_paths(struct pairing *p, const struct caller *c, struct sysevent *e)
{
	const struct syscall_row *row = syscall_find(c->abi, c->nr);
	const struct copy_plan *plan = row ? syscall_plan(row) : NULL;
	bool first = true;
	unsigned n = 0;
	for (int i = 0; plan && i < COPY_ROWS && plan->row[i].kind && n < PATHS; i++) {
		const struct copy_row *r = &plan->row[i];
		if (r->kind != COPY_STRING)
			continue;
		int k = find_path(c, row, c->args[r->arg], first);
		first = false;
		if (k >= 0)
			p->copies[n++] = (struct copied){ .arg = r->arg, .row = i, .addr = c->args[r->arg],
							  .len = strlen(c->path[k].text) + 1, .data = (uint8_t *)c->path[k].text };
	}
	e->copied = p->copies;
	e->n_copied = n;
}

/* What the exec has told, if it was one and has succeeded. */
static void fill_exec(const struct caller *c, struct sysevent *e)
{
	if (!c->exec_ppid)
		return;
	e->ppid = c->exec_ppid;
	memcpy(e->parent, c->parent, sizeof(e->parent));
	if (e->type != SYS_EXEC && c->enter_time && strcmp(c->old_comm, c->comm))
		memcpy(e->old_comm, c->old_comm, sizeof(e->old_comm));
}

/* Whose child it is. One that was seen to fork it and lives still; else /proc is asked, as long as it is there. */
static void find_parent(struct pairing *p, struct caller *c)
{
	const struct caller *leader = c->pid == c->tid ? c : u64map_get(&p->callers, (uint32_t)c->pid);
	const struct caller *parent = leader && leader->ppid ? u64map_get(&p->callers, (uint32_t)leader->ppid) : NULL;
	memset(c->parent, 0, sizeof(c->parent));
	c->exec_ppid = parent ? parent->pid : 0;
	if (parent)
		memcpy(c->parent, parent->comm, sizeof(c->parent));
	if (parent || !p->live)
		return;
	bool ours = p->o->workload && p->o->workload->pid == c->pid;
	c->exec_ppid = ours ? getpid() : process_parent(c->pid);
	process_comm(c->exec_ppid, c->parent);
}

static void fill_call(struct pairing *p, struct caller *c, struct sysevent *e, enum sys_type type, const struct pairing_at *at)
{
	fill(c, e, type, at);
	e->abi = c->abi;
	e->nr = c->nr;
	e->enter_time = c->enter_time;
	e->args_known = true;
	memcpy(e->args, c->args, sizeof(e->args));
	e->seen_enter = c->told;
	if (c->midway)
		e->copied = copier_list(&c->midway->copy, &e->n_copied);
	else
		fill_paths(p, c, e);
}

static bool never_returns(const struct caller *c)
{
	return is_one_of(c, "exit", "exit_group");
}

static bool makes_tasks(const struct caller *c)
{
	return is_one_of(c, "clone", "clone3") || is_one_of(c, "fork", "vfork");
}

static void end_all(struct pairing *p, int pid, int fatal)
{
	u64map_set(&p->ends, (uint32_t)pid, (void *)(intptr_t)fatal);
}

bool pairing_enter(struct pairing *p, const struct pairing_at *at, int64_t nr, const uint64_t args[6], struct sysevent *e)
{
	struct caller *c = get(p, at->pid, at->tid);
	memcpy(c->args, args, sizeof(c->args));
	c->nr = nr;
	find_abi(p, c, at);
	c->enter_time = at->time;
	c->in_call = true;
	c->told = false;
	c->exec_ppid = 0;
	memcpy(c->old_comm, c->comm, sizeof(c->comm));
	clear_paths(c);
	forget_midway(c);
	if (p->quiet == c->tid && is_one_of(c, "execve", "execveat"))
		p->quiet = 0;
	if (never_returns(c))
		c->fatal = -(int)(args[0] & 0xff) - 1;
	if (is_one_of(c, "exit_group", "exit_group")) /* for all threads */
		end_all(p, c->pid, c->fatal);
	c->filtered = p->quiet == c->tid || !chosen(p, c);
	if (c->filtered || !never_returns(c) || !where_holds(p->o, c->abi, c->nr, c->args, 0, false))
		return false;
	fill_call(p, c, e, SYS_CALL, at);
	e->no_return = true;
	c->in_call = false;
	return true;
}

/* It has become another user: who asks /proc would come too late. */
static void note_user(const struct pairing *p, struct caller *c)
{
	const struct syscall_row *row = task_filter_needed(p->o) && p->o->has_uid ? syscall_find(c->abi, c->nr) : NULL;
	if (!row || !task_filter_changes_user(syscall_name(row)) || (uint32_t)c->args[0] == UINT32_MAX)
		return;
	if ((uint32_t)c->args[0] != p->o->uid)
		c->by_task = STAYS_OUT;
	else if (!p->o->cgroup || p->o->all)
		c->by_task = PASSES;
	else
		ask_task_filter(p, c);
}

bool pairing_exit(struct pairing *p, const struct pairing_at *at, int64_t nr, int64_t ret, struct sysevent *e)
{
	struct caller *c = get(p, at->pid, at->tid);
	/* an exec returns as the new program: its number may be of the other abi */
	bool known = c->in_call && (c->nr == nr || (!ret && is_one_of(c, "execve", "execveat")) ||
				    (nr == -1 && is_one_of(c, "rt_sigreturn", "sigreturn"))); /* which has put the old number back */
	if (known)
		nr = c->nr;
	c->in_call = false;
	if (known && !ret)
		note_user(p, c);
	if (nr < 0 || p->quiet == c->tid || (known && (c->filtered || (c->misnamed && !named(p, c)))))
		return false;
	if (!known) { /* under way when the trace began */
		c->nr = nr;
		find_abi(p, c, at);
		if (!chosen(p, c) || (!ret && makes_tasks(c))) /* a child's first return is no call of its own */
			return false;
		fill(c, e, SYS_RESUMED, at);
		e->nr = c->nr;
		e->abi = c->abi;
	} else if (where_holds(p->o, c->abi, c->nr, c->args, ret, true)) {
		fill_call(p, c, e, c->told || !c->enter_time ? SYS_RESUMED : SYS_CALL, at);
		fill_exec(c, e);
	} else {
		return false;
	}
	e->ret = ret;
	return true;
}

static const char harmless[] = { SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, 0 }; /* by default */

bool pairing_signal(struct pairing *p, const struct pairing_at *at, int sig, int code, bool default_action, struct sysevent *e)
{
	struct caller *c = get(p, at->pid, at->tid);
	if (sig == SIGKILL) { /* also how the kernel ends the other threads, or carries out another signal */
		if (!c->fatal)
			c->fatal = SIGKILL;
		return false;
	}
	if (c->sent == sig)
		c->sent = 0;
	if (default_action && !strchr(harmless, sig)) {
		c->fatal = sig;
		end_all(p, c->pid, sig);
	}
	if (!wanted(p, c))
		return false;
	fill(c, e, SYS_SIGNAL, at);
	e->sig = sig;
	e->sig_code = code;
	e->sig_bare = true;
	e->stops = default_action && is_stop(sig);
	return true;
}

static int32_t half(const void *p, size_t at)
{
	int32_t v;
	memcpy(&v, (const char *)p + at, 4);
	return v;
}

enum { SENT, IGNORED }; /* signal_generate's result: two of the kernel's TRACE_SIGNAL_* */

/* signal_generate: told by the sender, about another thread. */
static bool on_generated(struct pairing *p, const struct pairing_at *at, const void *raw, struct sysevent *e)
{
	int sig = half(raw, 8), code = half(raw, 16), tid = half(raw, 36), result = half(raw, 44);
	struct caller *c = u64map_get(&p->callers, (uint32_t)tid);
	if (c && result == SENT && !strchr(harmless, sig))
		c->sent = sig;
	if (!c || result != IGNORED || p->quiet == tid || !wanted(p, c))
		return false;
	fill(c, e, SYS_SIGNAL, at);
	e->sig = sig;
	e->sig_code = code;
	e->sig_bare = true;
	return true;
}

/* The wait status of a process that has ended but is still there for its parent, or is on its way there: the kernel has noted
 * the status before it tells of the end, and is a zombie only later. (In one that is stopped that number is a signal.) */
static bool ended_with(const struct pairing *p, int pid, int *status)
{
	struct str s = STR_INIT;
	const struct workload *w = p->o->workload;
	bool known = false;
	if (p->live && w && w->pid == pid && w->reaped) {
		*status = w->status;
		return true;
	}
	if (p->live && !file_read(root_path(ROOT_PROC, "%d/stat", pid), &s, 4096)) {
		const char *state = strrchr(s.buf, ')'), *last = strrchr(s.buf, ' ');
		*status = state && last && state[1] == ' ' && state[2] && !strchr("Tt", state[2]) ? atoi(last) : 0;
		known = *status || (state && state[1] == ' ' && state[2] && strchr("ZX", state[2]));
	}
	str_release(&s);
	return known;
}

static bool in_exec(const struct caller *c)
{
	return c->in_call && is_one_of(c, "execve", "execveat");
}

/* Does another thread of its process exec? Then the kernel has ended this one for it. */
static bool outlived(const struct pairing *p, const struct caller *c)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&p->callers, &cursor, NULL, &v)) {
		const struct caller *o = v;
		if (o != c && o->pid == c->pid && in_exec(o))
			return true;
	}
	return false;
}

/* What the thread ended with, as far as it can be known: its own exit, its process's, what the parent will be told. */
static void find_end(struct pairing *p, const struct caller *c, struct sysevent *e)
{
	int fatal = c->fatal, all = (intptr_t)u64map_get(&p->ends, (uint32_t)c->pid), status;
	if ((!fatal || fatal == SIGKILL) && all)
		fatal = all;
	if ((!fatal || fatal == SIGKILL) && outlived(p, c))
		fatal = -1;
	if ((!fatal || fatal == SIGKILL) && ended_with(p, c->pid, &status))
		fatal = status & 0x7f ? status & 0x7f : -(status >> 8 & 0xff) - 1;
	else if (fatal == SIGKILL && c->sent)
		fatal = c->sent;
	if (!fatal)
		e->exit_code = -1; /* unknown */
	else if (fatal > 0)
		e->sig = fatal;
	else
		e->exit_code = -fatal - 1;
}

void pairing_path(struct pairing *p, const struct pairing_at *at, const char *path, size_t n, uint64_t user)
{
	struct caller *c = get(p, at->pid, at->tid);
	if (!c->in_call || c->n_paths >= PATHS)
		return;
	c->path[c->n_paths].text = xstrndup(path, n);
	c->path[c->n_paths++].user = user;
}

bool pairing_fork(struct pairing *p, const struct pairing_at *at, int child_pid, int child_tid, struct sysevent *e)
{
	if (p->live && p->o->no_follow)
		return false;
	struct caller *parent = get(p, at->pid, at->tid), *child = get(p, child_pid, child_tid);
	memcpy(child->comm, parent->comm, sizeof(child->comm));
	if (parent->by_task == UNASKED)
		ask_task_filter(p, parent);
	child->by_task = parent->by_task;
	child->abi = parent->abi;
	child->abi_known = parent->abi_known;
	child->in_call = false;
	child->fatal = 0;
	child->ppid = child_pid != parent->pid ? parent->pid : 0;
	child->exec_ppid = 0;
	if (child_pid == child_tid)
		u64map_del(&p->ends, (uint32_t)child_pid); /* a number used before */
	if (!wanted(p, parent))
		return false;
	fill(parent, e, SYS_FORK, at);
	e->child_pid = child_pid;
	e->child_tid = child_tid;
	return true;
}

bool pairing_end(struct pairing *p, const struct pairing_at *at, struct sysevent *e)
{
	struct caller *c = get(p, at->pid, at->tid);
	bool leader = c->pid == c->tid, shown = wanted(p, c) && !(leader && outlived(p, c)); /* another takes its number and goes on */
	fill(c, e, SYS_EXIT, at);
	e->group_exit = leader;
	find_end(p, c, e);
	u64map_del(&p->callers, (uint32_t)c->tid);
	caller_free(c);
	return shown;
}

/* A thread that execs becomes the leader of its process, call and all. Returns the number it had, 0 for a leader. */
static int take_over(struct pairing *p, struct caller *leader)
{
	size_t cursor = 0;
	void *v;
	while (!in_exec(leader) && u64map_next(&p->callers, &cursor, NULL, &v)) {
		struct caller *c = v;
		int tid = c->tid;
		if (c == leader || c->pid != leader->pid || !in_exec(c))
			continue;
		clear_paths(leader);
		forget_midway(leader);
		u64map_del(&p->callers, (uint32_t)tid);
		c->tid = leader->tid;
		c->ppid = leader->ppid;
		*leader = *c;
		free(c);
		return tid;
	}
	return 0;
}

bool pairing_comm(struct pairing *p, const struct pairing_at *at, const char *comm, size_t n, bool exec, struct sysevent *e)
{
	struct caller *c = get(p, at->pid, at->tid);
	int old = exec ? take_over(p, c) : 0;
	set_comm(c, comm, n);
	if (!exec)
		return false;
	c->abi_known = false;
	c->fatal = 0;
	find_parent(p, c);
	if (p->o->cgroup)
		ask_task_filter(p, c);
	u64map_del(&p->ends, (uint32_t)c->pid);
	if (p->quiet == c->tid) { /* the execve itself was not chosen */
		p->quiet = 0;
		return false;
	}
	if (!wanted(p, c))
		return false;
	fill(c, e, SYS_EXEC, at);
	e->old_tid = old;
	fill_exec(c, e);
	return true;
}

static void tell(struct pairing *p, struct caller *c, struct sysevent *e)
{
	fill_call(p, c, e, SYS_UNFINISHED, &(struct pairing_at){ c->pid, c->tid, -1, c->enter_time ? c->enter_time : p->began, 0 });
	c->told = true;
}

bool pairing_unfinished(struct pairing *p, struct sysevent *e)
{
	void *v;
	while (u64map_next(&p->callers, &p->cursor, NULL, &v)) {
		struct caller *c = v;
		if (!c->in_call || c->filtered || c->misnamed || c->told)
			continue;
		tell(p, c, e);
		return true;
	}
	return false;
}

bool pairing_waiting(struct pairing *p, uint64_t then, struct sysevent *e)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&p->callers, &cursor, NULL, &v)) {
		struct caller *c = v;
		if (!c->in_call || c->filtered || c->misnamed || c->told || c->enter_time > then)
			continue;
		tell(p, c, e);
		return true;
	}
	return false;
}

void pairing_know(struct pairing *p, int pid, int tid)
{
	bool again = u64map_get(&p->callers, (uint32_t)tid);
	struct caller *c = get(p, pid, tid);
	struct copier_limits limits = { p->o->path_limit, p->o->string_limit, p->o->environ };
	struct midway m = { 0 };
	bool in = !p->o->no_calls && midway_read(&m, tid, again ? NULL : &limits);
	if (!again && in) {
		c->midway = xcalloc(1, sizeof(m));
		*c->midway = m;
		c->abi = m.abi;
		c->nr = m.nr;
		memcpy(c->args, m.args, sizeof(c->args));
		c->filtered = !chosen(p, c);
		return;
	}
	/* from now on its end will be seen */
	c->in_call = in && c->midway && c->midway->nr == m.nr && !memcmp(c->args, m.args, sizeof(c->args));
	if (!c->in_call)
		forget_midway(c);
	midway_release(&m);
}

void pairing_know_command(struct pairing *p, int pid)
{
	if (task_filter_needed(p->o))
		ask_task_filter(p, get(p, pid, pid));
}

void pairing_ignore_strangers(struct pairing *p)
{
	p->no_strangers = true;
}

static bool is_stranger(const struct pairing *p, int tid)
{
	return p->no_strangers && !u64map_get(&p->callers, (uint32_t)tid);
}

bool pairing_busy(const struct pairing *p)
{
	size_t cursor = 0;
	uint64_t tid;
	void *v;
	while (u64map_next(&p->callers, &cursor, &tid, &v))
		if (file_exists(root_path(ROOT_PROC, "%d", (int)tid)))
			return true;
	return false;
}

/* ---- whole records ---- */

static int64_t word(const void *p, size_t at)
{
	int64_t v;
	memcpy(&v, (const char *)p + at, 8);
	return v;
}

static void on_path(struct pairing *p, const struct pairing_at *at, const void *raw, size_t size, const struct pairing_fields *f)
{
	if (!f->path || f->path + 4ul > size)
		return;
	uint32_t loc = half(raw, f->path), start = loc & 0xffff, len = loc >> 16;
	uint64_t user = f->user && f->user + 8ul <= size ? (uint64_t)word(raw, f->user) : 0;
	if (start < size)
		pairing_path(p, at, (const char *)raw + start, len < size - start ? len : size - start, user);
}

bool pairing_sample(struct pairing *p, enum pairing_source from, const struct pairing_at *at, const void *raw, size_t size,
		    const struct pairing_fields *where, struct sysevent *e)
{
	uint64_t args[6];
	if (from != PAIR_GENERATED && is_stranger(p, at->tid))
		return false;
	switch (from) {
	case PAIR_ENTER:
		if (size < 64)
			return false;
		memcpy(args, (const char *)raw + 16, sizeof(args));
		return pairing_enter(p, at, word(raw, 8), args, e);
	case PAIR_EXIT:
		return size >= 24 && pairing_exit(p, at, word(raw, 8), word(raw, 16), e);
	case PAIR_SIGNAL:
		return size >= 32 && pairing_signal(p, at, half(raw, 8), half(raw, 16), !word(raw, 24), e);
	case PAIR_GENERATED:
		return size >= 48 && on_generated(p, at, raw, e);
	case PAIR_PATH:
		on_path(p, at, raw, size, where);
		return false;
	default:
		return false;
	}
}

bool pairing_task(struct pairing *p, const struct perf_event_header *h, uint64_t time, struct sysevent *e)
{
	size_t body = h->size - sizeof(*h);
	const void *b = h + 1; /* FORK and EXIT: pid, ppid, tid, ptid; COMM: pid, tid, name */
	if (body < 16)
		return false;
	struct pairing_at self = { half(b, 0), half(b, 8), -1, time, 0 }, parent = { half(b, 4), half(b, 12), -1, time, 0 };
	if (h->type == PERF_RECORD_COMM)
		self.tid = half(b, 4);
	if (is_stranger(p, h->type == PERF_RECORD_FORK ? parent.tid : self.tid))
		return false;
	switch (h->type) {
	case PERF_RECORD_FORK: return pairing_fork(p, &parent, half(b, 0), half(b, 8), e);
	case PERF_RECORD_EXIT: return pairing_end(p, &self, e);
	case PERF_RECORD_COMM:
		return pairing_comm(p, &self, (const char *)b + 8, body - 8, h->misc & PERF_RECORD_MISC_COMM_EXEC, e);
	default: return false;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/targets.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

enum { KERNEL_THREAD = 0x00200000 }; /* PF_KTHREAD, include/linux/sched.h */

struct task_look { char state; unsigned flags; unsigned long long birth; };

/* "12 (name) S ppid pgrp session tty tpgid flags ...": a name may hold anything, so from its last parenthesis on. */
static bool look(int tid, struct task_look *l)
{
	struct str s = STR_INIT;
	const char *rest = file_read(root_path(ROOT_PROC, "%d/stat", tid), &s, 4096) ? NULL : strrchr(s.buf, ')');
	bool known = rest && sscanf(rest, ") %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &l->state,
				    &l->flags, &l->birth) == 3;
	str_release(&s);
	return known;
}

unsigned long long task_birth(int tid)
{
	struct task_look l;
	return look(tid, &l) ? l.birth : 0;
}

bool task_has_ended(int tid)
{
	struct task_look l;
	return look(tid, &l) && strchr("ZX", l.state);
}

/* A leader that has ended stays for as long as its threads live. */
static bool has_threads(int pid)
{
	int n = 0;
	DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
	for (struct dirent *e; d && (e = readdir(d));)
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n > 1;
}

static int check(int tid, bool whole, bool others)
{
	struct task_look l;
	const char *what = whole ? "process" : "thread";
	if (tid == getpid()) {
		error_set(EINVAL, "sonde cannot trace itself (%s %d)", what, tid);
		return error_hint("pgrep -a NAME finds a process by its name; a second sonde can trace this one");
	}
	if (!look(tid, &l))
		return 0; /* gone: the engine says so */
	if (strchr("ZX", l.state) && !(whole && has_threads(tid))) {
		error_set(ESRCH, "%s %d has ended, only its parent has not taken note of it yet", what, tid);
		return error_hint("pgrep -a NAME finds a process by its name");
	}
	if (l.flags & KERNEL_THREAD && !others) {
		error_set(EINVAL, "%s %d is a thread of the kernel: it makes no system calls", what, tid);
		return error_hint("other events are shown with --event NAME; sonde list has their names");
	}
	return 0;
}

/* One that has ended shows nothing any more. /proc may hide others' processes, a signal's way to them does not. */
int trace_target_seen(int tid)
{
	if (lent_may_see(tid) || task_has_ended(tid) || (kill(tid, 0) && errno == ESRCH))
		return 0;
	return lent_refuse(tid);
}

static int all_seen(const struct engine_options *o)
{
	int err = 0;
	for (size_t i = 0; !err && i < o->pids.n; i++)
		err = trace_target_seen(o->pids.at[i]);
	for (size_t i = 0; !err && i < o->tids.n; i++)
		err = trace_target_seen(o->tids.at[i]);
	return err;
}

static int refuse_all(void)
{
	error_set(EPERM, "the calls of every process are not yours to see");
	error_hint("the capabilities of sonde's file are for your own programs: a command, -p or -t; record -a and stat -a work");
	return error_hint("sudo sonde ... traces every process");
}

int trace_targets_check(const struct engine_options *o, bool others)
{
	int err = 0;
	for (size_t i = 0; !err && i < o->pids.n; i++)
		err = check(o->pids.at[i], true, others);
	for (size_t i = 0; !err && i < o->tids.n; i++)
		err = check(o->tids.at[i], false, others);
	if (!err && lent() && o->all)
		return refuse_all();
	return err ? err : all_seen(o);
}

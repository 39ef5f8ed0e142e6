// SPDX-License-Identifier: GPL-2.0-or-later
/* The child waits in read(go); sonde's end of that pipe closing without a byte means "never mind".
 * The other pipe carries errno back and closes by itself when exec succeeds. */
#include "kernel/workload.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/signals.h"
#include "base/str.h"
#include "base/user.h"
#include "kernel/root.h"
#include "kernel/rights/lent.h"
#include "kernel/settings.h"

static int find_user(const char *text, struct account *u)
{
	if (user_find(text, u))
		return error_code();
	if (!geteuid() || u->uid == getuid())
		return 0;
	user_release(u);
	error_set(EPERM, "cannot run the command as %s", text);
	return error_hint("only root may run it as another user: sudo sonde ...");
}

static int become(const struct account *u)
{
	if (geteuid())
		return 0;
	int err = user_take_groups(u);
	if (!err && (setgid(u->gid) || setuid(u->uid)))
		err = -errno;
	return err;
}

/* Descriptors that sonde inherited are the user's to pass on; all of sonde's own are close-on-exec. */
static void run_child(int go, int err_fd, const char *path, char **argv, const struct workload_options *o, const struct account *u)
{
	char c;
	int err = 0;
	ssize_t n;
	signals_restore();
	while ((n = read(go, &c, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0);
	if (u->name && (err = -become(u)))
		goto report;
	if (o && o->ptrace_me && ptrace(PTRACE_TRACEME, 0, 0, 0)) {
		err = errno;
		goto report;
	}
	if (o && o->in_child && (err = abs(o->in_child(o->ctx))))
		goto report;
	execv(path, argv);
	err = errno;
	if (err == ENOEXEC) { /* a script without #!: what a shell would do */
		execvp(argv[0], argv);
		err = errno;
	}
report:
	if (write(err_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

/* The file that execvp would run, found before anything is traced, so that a trace shows one execve
 * and not one for each folder of $PATH. */
char *workload_find(const char *name)
{
	const char *p = getenv("PATH");
	if (strchr(name, '/'))
		return access(name, F_OK) && errno == ENOENT ? NULL : xstrdup(name);
	if (!*name)
		return xstrdup(name);
	for (p = p ? p : "/usr/local/bin:/usr/bin:/bin"; p;) {
		size_t n = strcspn(p, ":");
		char *path = n ? xasprintf("%.*s/%s", (int)n, p, name) : xasprintf("./%s", name);
		struct stat st;
		if (!stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK))
			return path;
		free(path);
		p = p[n] ? p + n + 1 : NULL;
	}
	return NULL;
}

static int explain_exec(const struct workload *w, int err)
{
	error_sys(err, "cannot run the command '%s'", w->name);
	if (err == ENOENT)
		error_hint(strchr(w->name, '/') ? "the file, or the interpreter that it names, is not there; options of sonde stand before the command" :
			   "no such program in $PATH; options of sonde stand before the command");
	else if (err == EACCES)
		error_hint("it is not an executable file for this user");
	else if (err == ENOEXEC)
		error_hint("it is neither a binary for this machine nor a script that starts with #!");
	return -err;
}

/* Both pipes, or none. */
static int make_pipes(int go[2], int err[2])
{
	if (!pipe2(go, O_CLOEXEC)) {
		if (!pipe2(err, O_CLOEXEC))
			return 0;
		int e = errno;
		close(go[0]);
		close(go[1]);
		errno = e;
	}
	int e = errno;
	error_sys(e, "cannot make a pipe");
	return e == EMFILE ? files_limit_hint() : -e;
}

int workload_fork(struct workload *w, char **argv, const struct workload_options *o)
{
	int go[2], err[2], ret;
	struct account u = { 0 };
	memset(w, 0, sizeof(*w));
	w->go = w->err = -1;
	w->name = argv[0];
	if (o && o->user && find_user(o->user, &u))
		return error_code();
	char *path = workload_find(argv[0]);
	ret = path ? make_pipes(go, err) : explain_exec(w, ENOENT);
	if (ret)
		goto out;
	fflush(NULL);
	w->pid = lent_fork();
	if (!w->pid) {
		close(go[1]);
		close(err[0]);
		run_child(go[0], err[1], path, argv, o, &u);
	}
	if (w->pid < 0) {
		ret = error_sys(errno, "cannot start a process");
		if (ret == -EAGAIN)
			error_hint("the limit on this user's processes was met (ulimit -u), or that of the cgroup or the machine");
		w->pid = 0;
		close(go[1]);
		close(err[0]);
	} else {
		w->go = go[1];
		w->err = err[0];
	}
	close(go[0]);
	close(err[1]);
out:
	free(path);
	user_release(&u);
	return ret;
}

int workload_go(struct workload *w)
{
	if (write(w->go, "x", 1) != 1 && errno != EPIPE) /* that: it was killed while it waited, as its status will tell */
		return error_sys(errno, "cannot start the command");
	close(w->go);
	w->go = -1;
	return 0;
}

/* What came through the error pipe: nothing and the end of it means that exec closed it. */
static int take_exec_result(struct workload *w)
{
	int err = 0;
	ssize_t n;
	while ((n = read(w->err, &err, sizeof(err))) < 0 && errno == EINTR)
		;
	close(w->err);
	w->err = -1;
	return n == sizeof(err) ? explain_exec(w, err) : 0;
}

int workload_started(struct workload *w)
{
	struct pollfd p = { w->err, POLLIN, 0 };
	if (w->err < 0)
		return 1;
	if (poll(&p, 1, 0) <= 0)
		return 0;
	int err = take_exec_result(w);
	return err ? err : 1;
}

int workload_start(struct workload *w)
{
	int err = workload_go(w);
	return err ? err : take_exec_result(w);
}

/* A command that is traced with ptrace has stops of its own to wait for: they are its tracer's, and must not be taken
 * from it here. So look first, and take only the end. */
static bool not_yet(const struct workload *w)
{
	siginfo_t i = { 0 };
	if (waitid(P_PID, w->pid, &i, WEXITED | WNOHANG | WNOWAIT))
		return false;
	return i.si_pid != w->pid || (i.si_code != CLD_EXITED && i.si_code != CLD_KILLED && i.si_code != CLD_DUMPED);
}

static int reap(struct workload *w, int flags)
{
	int status;
	if (!w->pid || w->reaped)
		return 1;
	if ((flags & WNOHANG) && not_yet(w))
		return 0;
	int got = waitpid(w->pid, &status, flags);
	if (got == w->pid && !WIFSTOPPED(status)) {
		w->status = status;
		w->reaped = true;
	} else if (got < 0 && errno == ECHILD) {
		w->reaped = true;
	}
	return w->reaped;
}

int workload_poll(struct workload *w)
{
	if (w->traced)
		return w->reaped;
	return reap(w, WNOHANG);
}

static void wait_for(struct workload *w)
{
	while (!reap(w, 0))
		;
}

void workload_kill(struct workload *w, int sig)
{
	if (w->pid && !w->reaped)
		kill(w->pid, sig);
}

bool workload_ignores(const struct workload *w, int sig)
{
	struct str s = STR_INIT;
	uint64_t set = 0;
	if (w->pid && !w->reaped && !file_read(root_path(ROOT_PROC, "%d/status", w->pid), &s, 1 << 16)) {
		const char *line = strstr(s.buf, "\nSigIgn:");
		set = line ? strtoull(line + strlen("\nSigIgn:"), NULL, 16) : 0;
	}
	str_release(&s);
	return set >> (sig - 1) & 1;
}

void workload_release(struct workload *w)
{
	if (w->go >= 0 && w->pid) { /* never started: it leaves by itself when the pipe closes */
		close(w->go);
		w->go = -1;
		wait_for(w);
	}
	if (w->err >= 0 && w->pid)
		close(w->err);
	w->err = -1;
}

int workload_exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

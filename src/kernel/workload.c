// SPDX-License-Identifier: GPL-2.0-or-later
/* The child waits in read(go); sonde's end of that pipe closing without a byte means "never mind".
 * The other pipe carries errno back and closes by itself when exec succeeds. */
#include "kernel/workload.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
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
#include "base/str.h"
#include "kernel/settings.h"

static int wake[2] = { -1, -1 };
static volatile sig_atomic_t which;
static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
static struct { bool armed; sigset_t mask; struct sigaction old[4], pipe, size; } before;

/* SIGPIPE and SIGXFSZ are ignored early on (a write that fails is told instead); what the user gave us must be noted before that. */
__attribute__((constructor)) static void note_signals(void)
{
	sigprocmask(SIG_SETMASK, NULL, &before.mask);
	sigaction(SIGPIPE, NULL, &before.pipe);
	sigaction(SIGXFSZ, NULL, &before.size);
}

static void on_signal(int sig)
{
	int keep = errno;
	if (sig != SIGCHLD)
		which = sig;
	if (write(wake[1], "", 1) < 0) { /* full is as good as written */
	}
	errno = keep;
}

void signals_arm(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	if (before.armed)
		return;
	if (pipe2(wake, O_CLOEXEC | O_NONBLOCK))
		return;
	before.armed = true;
	for (size_t i = 0; i < 4; i++) {
		sigaction(stops[i], NULL, &before.old[i]);
		if (stops[i] != SIGCHLD && before.old[i].sa_handler == SIG_IGN)
			continue; /* nohup stays nohup */
		sigaction(stops[i], &sa, NULL);
	}
}

bool signals_stop(void)
{
	return which != 0;
}

int signals_which(void)
{
	return which;
}

int signals_fd(void)
{
	return wake[0];
}

void signals_drain(void)
{
	char b[64];
	while (read(wake[0], b, sizeof(b)) > 0)
		;
}

static void stop_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		if (!before.armed || before.old[i].sa_handler != SIG_IGN || stops[i] == SIGCHLD)
			sigaddset(set, stops[i]);
}

void signals_block(void)
{
	sigset_t set;
	stop_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int signals_wait(int timeout_ms)
{
	struct timespec t = { timeout_ms / 1000, timeout_ms % 1000 * 1000000l };
	sigset_t set;
	stop_set(&set);
	int sig = sigtimedwait(&set, NULL, &t);
	if (sig <= 0)
		return 0;
	if (sig != SIGCHLD)
		which = sig;
	return sig;
}

/* Gives the child the dispositions and the mask that sonde itself was started with. */
static void restore_signals(void)
{
	for (size_t i = 0; before.armed && i < 4; i++)
		sigaction(stops[i], &before.old[i], NULL);
	sigaction(SIGPIPE, &before.pipe, NULL);
	sigaction(SIGXFSZ, &before.size, NULL);
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
}

struct identity { uid_t uid; gid_t gid; const char *name; };

static int find_user(const char *user, struct identity *id)
{
	uint64_t n;
	struct passwd *pw = parse_u64(user, &n) ? getpwnam(user) : n < UINT32_MAX ? getpwuid((uid_t)n) : NULL;
	if (!pw) {
		error_set(ENOENT, "there is no user '%s'", user);
		return error_hint("-u takes a name or a number from /etc/passwd");
	}
	if (geteuid() && pw->pw_uid != getuid()) {
		error_set(EPERM, "cannot run the command as %s", user);
		return error_hint("only root may run it as another user: sudo sonde ...");
	}
	id->uid = pw->pw_uid;
	id->gid = pw->pw_gid;
	id->name = xstrdup(pw->pw_name);
	return 0;
}

static int become(const struct identity *id)
{
	if (geteuid())
		return 0;
	if (initgroups(id->name, id->gid) || setgid(id->gid) || setuid(id->uid))
		return -errno;
	return 0;
}

/* Descriptors that sonde inherited are the user's to pass on; all of sonde's own are close-on-exec. */
static void run_child(int go, int err_fd, const char *path, char **argv, const struct workload_options *o, const struct identity *id)
{
	char c;
	int err = 0;
	ssize_t n;
	restore_signals();
	while ((n = read(go, &c, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0);
	if (id->name && (err = -become(id)))
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
	struct identity id = { 0 };
	memset(w, 0, sizeof(*w));
	w->go = w->err = -1;
	w->name = argv[0];
	if (o && o->user && find_user(o->user, &id))
		return error_code();
	char *path = workload_find(argv[0]);
	ret = path ? make_pipes(go, err) : explain_exec(w, ENOENT);
	if (ret)
		goto out;
	fflush(NULL);
	w->pid = fork();
	if (!w->pid) {
		close(go[1]);
		close(err[0]);
		run_child(go[0], err[1], path, argv, o, &id);
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
	free((char *)id.name);
	return ret;
}

int workload_go(struct workload *w)
{
	if (write(w->go, "x", 1) != 1)
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

int workload_wait(struct workload *w)
{
	while (!reap(w, 0))
		;
	return 0;
}

void workload_kill(struct workload *w, int sig)
{
	if (w->pid && !w->reaped)
		kill(w->pid, sig);
}

void workload_release(struct workload *w)
{
	if (w->go >= 0 && w->pid) { /* never started: it leaves by itself when the pipe closes */
		close(w->go);
		w->go = -1;
		workload_wait(w);
	}
	if (w->err >= 0 && w->pid)
		close(w->err);
	w->err = -1;
}

int workload_exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The calls that end otherwise than they began, each by its name: alone CALL. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *args[] = { "true", "one", "two", NULL }, *env[] = { "A=b", NULL };

static void on_signal(int sig)
{
	(void)sig;
}

static void twice_at(int fd, const char *path, int flags)
{
	syscall(SYS_execveat, AT_FDCWD, "/nonexistent", args, env, 0);
	syscall(SYS_execveat, fd, path, args, env, flags);
}

static void wait_for(pid_t pid)
{
	if (!pid)
		_exit(3);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *call = argc > 1 ? argv[1] : "";
	if (!strcmp(call, "execve")) {
		execve("/nonexistent", args, env);
		execve("/bin/true", args, env);
	} else if (!strcmp(call, "execveat")) {
		if (argc > 2)
			twice_at(open("/bin/true", O_PATH), "", AT_EMPTY_PATH);
		else
			twice_at(AT_FDCWD, "/bin/true", 0);
	} else if (!strcmp(call, "fork")) {
		wait_for(syscall(SYS_fork));
	} else if (!strcmp(call, "vfork")) {
		pid_t pid = vfork();
		if (!pid)
			_exit(3);
		wait_for(pid);
	} else if (!strcmp(call, "clone")) {
		wait_for(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0));
	} else if (!strcmp(call, "rt_sigreturn")) {
		signal(SIGUSR1, on_signal);
		raise(SIGUSR1);
		raise(SIGUSR1);
	} else if (!strcmp(call, "exit")) {
		syscall(SYS_exit, 5);
	}
	return 4;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* hijack SET-UID-PROGRAM FILE PROGRAM SONDE ARGUMENTS...: starts sonde, stops it as soon as it has forked its command, and makes that
 * child, which waits for its go and is this user's, exec SET-UID-PROGRAM FILE PROGRAM. Then sonde may go on, and FILE is
 * made when it has ended, or has had a second. Exit status 77: it did not come to that. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* What /proc says of a process, one line of it; "" when nothing. */
static void tells(pid_t pid, const char *file, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
	text[n > 0 ? n : 0] = 0;
	if (fd >= 0)
		close(fd);
}

static pid_t child_of(pid_t pid)
{
	char file[64], text[64];
	snprintf(file, sizeof(file), "task/%d/children", pid);
	tells(pid, file, text, sizeof(text));
	return atoi(text);
}

static void put(pid_t pid, unsigned long at, const void *data, size_t n)
{
	for (size_t i = 0; i < n; i += sizeof(long)) {
		long word = 0;
		memcpy(&word, (const char *)data + i, n - i < sizeof(long) ? n - i : sizeof(long));
		ptrace(PTRACE_POKEDATA, pid, at + i, word);
	}
}

/* The call that it stands in, behind the instruction, becomes another one. */
static void call(pid_t pid, const struct user_regs_struct *r, long nr, unsigned long a, unsigned long b, unsigned long c)
{
	struct user_regs_struct n = *r;
	n.rip -= 2;
	n.rax = (unsigned long)nr;
	n.orig_rax = -1ul;
	n.rdi = a;
	n.rsi = b;
	n.rdx = c;
	ptrace(PTRACE_SETREGS, pid, 0, &n);
}

/* Its descriptors stay open, or sonde would see in the pipe that it has gone. */
static int take_over(pid_t pid, char **words)
{
	struct user_regs_struct r;
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) || ptrace(PTRACE_INTERRUPT, pid, 0, 0) || waitpid(pid, NULL, __WALL) != pid)
		return -1;
	if (ptrace(PTRACE_GETREGS, pid, 0, &r) || r.orig_rax != SYS_read)
		return -1;
	unsigned long at = (r.rsp - 65536) & ~15ul, list[4] = { at + 1024, at + 2048, at + 3072, 0 };
	put(pid, at, list, sizeof(list));
	for (int i = 0; i < 3; i++)
		put(pid, list[i], words[i], strlen(words[i]) + 1);
	for (int fd = 3; fd < 16; fd++) {
		call(pid, &r, SYS_fcntl, (unsigned long)fd, F_SETFD, 0);
		ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
		waitpid(pid, NULL, __WALL);
	}
	call(pid, &r, SYS_execve, list[0], at, at + 24);
	return ptrace(PTRACE_DETACH, pid, 0, 0) ? -1 : 0;
}

static int in_read(pid_t pid)
{
	char text[64];
	tells(pid, "syscall", text, sizeof(text));
	return !strncmp(text, "0 ", 2);
}

/* Root's now: what it is in cannot be read any more. */
static int has_execed(pid_t pid)
{
	char text[64];
	tells(pid, "syscall", text, sizeof(text));
	return !*text;
}

int main(int argc, char **argv)
{
	pid_t sonde = argc > 5 ? fork() : -1, child = 0;
	if (sonde < 0)
		return 2;
	if (!sonde) {
		execv(argv[4], argv + 4);
		_exit(2);
	}
	while (!(child = child_of(sonde)))
		if (waitpid(sonde, NULL, WNOHANG))
			return 77;
	kill(sonde, SIGSTOP);
	for (int i = 0; i < 5000 && !in_read(child); i++)
		pause_ms(1);
	int taken = !take_over(child, argv + 1);
	for (int i = 0; taken && i < 5000 && !has_execed(child); i++)
		pause_ms(1);
	kill(sonde, SIGCONT);
	int status, ended = 0;
	for (int i = 0; i < 500 && !(ended = waitpid(sonde, &status, WNOHANG)); i++) /* it refuses; else it has attached by then */
		pause_ms(2);
	close(open(argv[2], O_CREAT | O_WRONLY, 0644));
	if (!ended)
		waitpid(sonde, &status, 0);
	return taken ? 0 : 77;
}

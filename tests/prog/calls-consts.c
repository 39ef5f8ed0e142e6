// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls with named constants of all kinds, none of whose values changes from run to run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void files(void)
{
	char b[8];
	struct stat st;
	int fd = open("/dev/null", O_RDWR | O_NONBLOCK), dir = open("/etc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int inside = openat(dir, "hostname", O_RDONLY | O_NOFOLLOW), made = open("made", O_RDWR | O_CREAT | O_EXCL, 0640);
	if (read(fd, b, 1) || write(fd, "x", 1) != 1)
		return;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
	syscall(SYS_fstat, fd, &st);
	lseek(made, 0, SEEK_END);
	fchmodat(AT_FDCWD, "made", 0600, 0);
	syscall(SYS_faccessat, AT_FDCWD, "made", R_OK | W_OK);
	utimensat(AT_FDCWD, "made", (struct timespec[]){ { 0, UTIME_NOW }, { 0, UTIME_OMIT } }, AT_SYMLINK_NOFOLLOW);
	close(made);
	syscall(SYS_unlinkat, AT_FDCWD, "made", 0);
	mknod("made", S_IFIFO | 0600, 0);
	unlink("made");
	close(inside);
	close(dir);
	close(fd);
}

static void memory(void)
{
	void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	mprotect(p, 4096, PROT_NONE);
	madvise(p, 4096, MADV_DONTNEED);
	msync(p, 4096, MS_SYNC | MS_INVALIDATE);
	munmap(p, 8192);
	syscall(SYS_futex, &(int){ 1 }, 128 /* FUTEX_WAIT_PRIVATE */, 0, NULL);
}

static void sockets(void)
{
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), e = epoll_create1(EPOLL_CLOEXEC), v = 1;
	struct sockaddr_un a = { AF_UNIX, "/nowhere/at/all" };
	connect(s, (void *)&a, sizeof(a));
	setsockopt(s, SOL_SOCKET, SO_PASSCRED, &v, sizeof(v));
	sendto(s, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET, .data.u64 = 7 };
	epoll_ctl(e, EPOLL_CTL_ADD, s, &ev);
	struct pollfd p = { s, POLLIN | POLLOUT, 0 };
	poll(&p, 1, 0);
	shutdown(s, SHUT_RDWR);
	close(e);
	close(s);
}

static void processes(void)
{
	sigset_t set;
	struct rlimit r;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN + 2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGUSR2, SIG_DFL);
	kill(getpid(), SIGUSR1);
	getrlimit(RLIMIT_CORE, &r);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 4096, r.rlim_max });
	sched_getscheduler(0);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ 0, 0 }, NULL);
	close(syscall(SYS_pidfd_open, getpid(), 0));
}

int main(int argc, char **argv)
{
	(void)argv;
	files();
	memory();
	if (argc == 1)
		sockets();
	processes();
	return 0;
}

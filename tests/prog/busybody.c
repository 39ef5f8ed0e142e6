/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bit of everything, again and again until a file named stop is there: calls that fail, processes, signals, sleeps, files, pages,
 * locks, connections, moves to another CPU. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		usleep(1000);
		pthread_mutex_unlock(&lock);
		usleep(10);
	}
	return arg;
}

static void contend(void)
{
	pthread_t t[2];
	int n = 0;
	while (n < 2 && !pthread_create(&t[n], NULL, hold, NULL))
		n++;
	while (n)
		pthread_join(t[--n], NULL);
}

static void files(void)
{
	char page[4096] = "page";
	long fd = syscall(SYS_open, "thing.tar.gz", O_RDONLY | O_CREAT, 0600);
	int n, out = open("written", O_RDWR | O_CREAT | O_TRUNC, 0600);
	(void)syscall(SYS_open, "/nothing/there", O_RDONLY, 0);
	(void)ioctl((int)fd, FIONREAD, &n);
	for (int i = 0; i < 8; i++)
		(void)!write(out, page, sizeof(page));
	fsync(out);
	(void)!pread(out, page, sizeof(page), 0);
	char *m = mmap(NULL, 8 * sizeof(page), PROT_READ | PROT_WRITE, MAP_PRIVATE, out, 0);
	if (m != MAP_FAILED) {
		for (int i = 0; i < 8; i++)
			m[i * 4096]++;
		munmap(m, 8 * sizeof(page));
	}
	close(out);
	close((int)fd);
}

static void processes(void)
{
	struct timespec ms = { 0, 1000000 };
	char napper[] = "./napper"; /* on the stack: a child has that page at once */
	pid_t child = fork();
	if (!child) {
		execl(napper, napper, "0.01", (char *)NULL);
		_exit(3);
	}
	waitpid(child, NULL, 0);
	child = fork();
	if (!child)
		for (;;)
			pause();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	kill(getpid(), SIGUSR1);
	syscall(SYS_nanosleep, &ms, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
}

static void connection(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	char buf[100] = "hello";
	int s = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), got;
	if (!bind(s, (struct sockaddr *)&a, sizeof(a)) && !listen(s, 1) && !getsockname(s, (struct sockaddr *)&a, &len) &&
	    !connect(c, (struct sockaddr *)&a, sizeof(a))) {
		got = accept(s, NULL, NULL);
		(void)!write(c, buf, sizeof(buf));
		(void)!read(got, buf, sizeof(buf));
		close(got);
	}
	close(c);
	close(s);
}

static void move(int to)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(to, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

int main(void)
{
	signal(SIGUSR1, SIG_IGN);
	for (int i = 0; access("stop", F_OK); i++) {
		files();
		processes();
		connection();
		contend();
		move(i % 2);
		for (volatile int k = 0; k < 1000000; k++)
			;
	}
	return 0;
}

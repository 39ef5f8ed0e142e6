// SPDX-License-Identifier: GPL-2.0-or-later
/* Ways to end, by the letter given: exec by a thread that is not the leader (x), exit_group by such a thread (g),
 * a child that exits with 9 (c), a fault (s), an ignored signal to itself (i). */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "in_call.h"

static volatile int waiter;

static void *waits(void *arg)
{
	waiter = gettid();
	pause();
	return arg;
}

static void others_pause(void)
{
	while (!waiter)
		usleep(5000);
	in_call_await(waiter, SYS_pause);
	in_call_await(getpid(), SYS_pause);
}

static void *execs(void *arg)
{
	others_pause();
	execl("/bin/true", "true", (char *)NULL);
	return arg;
}

static void *exits(void *arg)
{
	others_pause();
	_exit(5);
	return arg;
}

static void with_threads(void *(*fn)(void *))
{
	pthread_t a, b;
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, fn, NULL);
	pause();
}

int main(int argc, char **argv)
{
	switch (argc > 1 ? argv[1][0] : 0) {
	case 'x': with_threads(execs); break;
	case 'g': with_threads(exits); break;
	case 'c':
		if (!fork())
			_exit(9);
		wait(NULL);
		break;
	case 's': *(volatile int *)8 = 1; break;
	case 'i':
		signal(SIGUSR2, SIG_IGN);
		raise(SIGUSR2);
		break;
	}
	return 0;
}

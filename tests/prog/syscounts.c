// SPDX-License-Identifier: GPL-2.0-or-later
/* 380 getppid: 100 in the first thread, 3 x 50 in others, 5 x 20 in children, 30 after an exec by a thread
 * that is not the first; 7 more by int 0x80, which no tracepoint of the native calls sees. */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void calls32(int n)
{
	while (n--) {
		long r = 64; /* getppid of i386; here it would be semget */
		__asm__ volatile("int $0x80" : "+a"(r) : : "r8", "r9", "r10", "r11", "memory");
	}
}

static void *fifty(void *arg)
{
	calls(50);
	return arg;
}

static void *become(void *arg)
{
	execl("/proc/self/exe", self, "again", (char *)0);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[3], last;
	self = argv[0];
	if (argc > 1) {
		calls(30);
		calls32(7);
		return 0;
	}
	calls(100);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, fifty, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < 5; i++)
		if (!fork()) {
			calls(20);
			_exit(0);
		}
	while (wait(0) > 0)
		;
	pthread_create(&last, 0, become, 0);
	pthread_join(last, 0);
	return 1;
}

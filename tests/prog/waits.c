// SPDX-License-Identifier: GPL-2.0-or-later
/* waits [FIFO]: a thread and a child that wait in functions of their own; each prints "NAME asked measured" in ns, when it is
 * through. With a FIFO it begins when somebody writes to it. "waits many": more different stacks than anybody keeps. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static uint64_t nap(long us)
{
	struct timespec t = { 0, us * 1000 };
	uint64_t before = now();
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	return now() - before;
}

#define WAITER(name) \
	__attribute__((noinline)) static void name(int times, long us) \
	{ \
		uint64_t sum = 0; \
		for (int i = 0; i < times; i++) \
			sum += nap(us); \
		printf(#name " %lld %llu\n", times * us * 1000ll, (unsigned long long)sum); \
		fflush(stdout); \
	}
WAITER(main_waits)
WAITER(thread_waits)
WAITER(child_waits)

static void *thread(void *arg)
{
	thread_waits(20, 5000);
	return arg;
}

__attribute__((noinline)) static void left(int depth, unsigned way);
__attribute__((noinline)) static void right(int depth, unsigned way);
static uint64_t total;
static void fork_way(int depth, unsigned way)
{
	if (!depth)
		total += nap(1);
	else if (way & 1)
		left(depth - 1, way >> 1);
	else
		right(depth - 1, way >> 1);
}
static void left(int depth, unsigned way) { fork_way(depth, way); __asm__ volatile(""); }
static void right(int depth, unsigned way) { fork_way(depth, way); __asm__ volatile(""); }

int main(int argc, char **argv)
{
	pthread_t t;
	char c;
	if (argc > 1 && !strcmp(argv[1], "many")) {
		for (unsigned way = 0; way < 20000; way++)
			fork_way(15, way);
		printf("many %d %llu\n", 20000 * 1000, (unsigned long long)total);
		return 0;
	}
	if (argc > 1) {
		int fd = open(argv[1], O_RDONLY);
		if (fd < 0 || read(fd, &c, 1) != 1)
			return 1;
	}
	pthread_create(&t, NULL, thread, NULL);
	main_waits(10, 20000);
	pthread_join(t, NULL);
	if (!fork()) {
		child_waits(3, 10000);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

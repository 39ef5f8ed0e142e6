// SPDX-License-Identifier: GPL-2.0-or-later
// Work for a profiler: two processes, a thread, recursion, a sort, random numbers from libc, system calls.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) void leaf_a(int n) { for (int i = 0; i < n; i++) sink += i * i; }
__attribute__((noinline)) void leaf_b(int n) { for (int i = 0; i < n; i++) sink ^= i * 3; }
static inline __attribute__((always_inline)) void melted(int n) { for (int i = 0; i < n; i++) sink += i ^ 7; }

__attribute__((noinline)) void descend(int depth, int n)
{
	if (depth > 0) {
		descend(depth - 1, n);
		sink++;
		return;
	}
	leaf_a(n);
	leaf_b(n / 2);
	melted(n / 4);
	sink++;
}

__attribute__((noinline)) int compare(const int *a, const int *b) { return *a - *b; }

__attribute__((noinline)) void quick(int *v, int n)
{
	int last = 0;
	if (n < 2)
		return;
	for (int i = 1; i < n; i++) {
		if (compare(&v[i], &v[0]) >= 0)
			continue;
		int t = v[++last];
		v[last] = v[i];
		v[i] = t;
	}
	int t = v[0];
	v[0] = v[last];
	v[last] = t;
	quick(v, last);
	quick(v + last + 1, n - last - 1);
}

__attribute__((noinline)) void sorter(void)
{
	static __thread int v[2000];
	for (int i = 0; i < 2000; i++)
		v[i] = rand();
	quick(v, 2000);
}

static void *work(void *p)
{
	for (long i = 0; i < (long)p; i++) {
		descend(i % 5, 3000);
		sorter();
		if (i % 50 == 0)
			usleep(10);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 200;
	pthread_t t;
	if (!fork()) { /* before the thread: it might hold rand()'s lock just then, for ever in the child */
		work((void *)(n / 2));
		_exit(0);
	}
	pthread_create(&t, NULL, work, (void *)n);
	work((void *)n);
	for (int i = 0; i < n; i++)
		sink += write(-1, "x", 1);
	pthread_join(t, NULL);
	wait(NULL);
	return 0;
}

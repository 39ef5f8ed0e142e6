// SPDX-License-Identifier: GPL-2.0-or-later
/* For unwinding: recursion with frames of changing size, calls from libc (qsort), a signal handler,
 * code without a frame pointer, the PLT. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile long sink;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static inline int mixed(int x)
{
	for (int i = 0; i < 30; i++)
		x = x * 1103515245 + 12345;
	return x;
}

__attribute__((noinline)) void deep(int n)
{
	volatile char pad[n % 7 * 16 + 8];
	pad[0] = n;
	if (n) {
		deep(n - 1);
	} else {
		int v[300];
		for (int i = 0; i < 300; i++)
			v[i] = mixed(rand());
		qsort(v, 300, sizeof(*v), compare);
		sink += v[5];
	}
	sink += pad[0];
}

static void handler(int sig)
{
	deep(sig % 7);
	sink++; /* no tail call: the handler stays on the stack */
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10000;
	signal(SIGUSR1, handler);
	for (int i = 0; i < rounds; i++) {
		deep(i % 30);
		if (i % 10 == 0)
			raise(SIGUSR1);
		char *p = malloc(i % 5000 + 1);
		memset(p, 1, i % 5000 + 1);
		free(p);
	}
	return sink == 42;
}

// SPDX-License-Identifier: GPL-2.0-or-later
// forks N RATE: N children, RATE of them a second, each of which asks once who its parent is. Prints the rate that it reached.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 500, rate = argc > 2 ? atoi(argv[2]) : 500;
	double start = now();
	alarm(60);
	for (int i = 0; i < n; i++) {
		double wait = start + (double)i / rate - now();
		if (wait > 0)
			nanosleep(&(struct timespec){ .tv_nsec = (long)(wait * 1e9) }, NULL);
		if (!fork()) {
			getppid();
			_exit(0);
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	while (wait(NULL) > 0)
		;
	printf("%.0f\n", n / (now() - start));
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* N pairs of openat and close; prints the seconds they took, as dd does. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 500000;
	struct timespec a, b;
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < n; i++)
		close(open("/etc/hostname", O_RDONLY));
	clock_gettime(CLOCK_MONOTONIC, &b);
	fprintf(stderr, "copied, %.6f s,\n", b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) / 1e9);
	return 0;
}

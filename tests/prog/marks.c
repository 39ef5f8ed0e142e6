// SPDX-License-Identifier: GPL-2.0-or-later
/* marks THREADS N: each thread makes three calls N times, an openat and an access that fail and a write to /dev/null, with its
 * own number and that of the turn in each: whoever mixes them up is found out. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long n;
static int out;

static void *work(void *unused)
{
	char path[64];
	(void)unused;
	for (long i = 0; i < n; i++) {
		int len = snprintf(path, sizeof(path), "/dev/null/%ld:%ld", (long)syscall(SYS_gettid), i);
		if (open(path, O_RDONLY) >= 0 || !access(path, R_OK) || write(out, path + 10, len - 10) != len - 10)
			exit(1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t t[64];
	n = argc > 2 ? atol(argv[2]) : 1000;
	out = open("/dev/null", O_WRONLY);
	for (int i = 0; i < threads && i < 64; i++)
		if (pthread_create(&t[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < threads && i < 64; i++)
		pthread_join(t[i], NULL);
	return 0;
}

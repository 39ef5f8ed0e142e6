// SPDX-License-Identifier: GPL-2.0-or-later
/* waiters N: N threads that all wait in a read, say "up", and go on when standard input has something: each asks once
 * who its parent is. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int gate[2];

static void *body(void *arg)
{
	char c;
	(void)!read(gate[0], &c, 1);
	syscall(SYS_getppid);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100;
	pthread_t *t = calloc(n, sizeof(*t));
	pthread_attr_t a;
	char c;
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	if (pipe(gate))
		return 1;
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &a, body, NULL))
			return 1;
	puts("up");
	fflush(stdout);
	(void)!read(0, &c, 1);
	close(gate[1]);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

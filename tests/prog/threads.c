/* SPDX-License-Identifier: GPL-2.0-or-later */
/* N threads, each makes a few calls; at most 200 live at a time, or all at once with a second word. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *body(void *arg)
{
	for (int i = 0; i < 3; i++)
		syscall(SYS_getppid);
	return arg;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000, batch = argc > 2 ? n : 200;
	pthread_t *t = calloc(batch, sizeof(*t));
	pthread_attr_t a;
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	for (int done = 0; done < n; done += batch) {
		for (int i = 0; i < batch; i++)
			if (pthread_create(&t[i], &a, body, NULL))
				return 1;
		for (int i = 0; i < batch; i++)
			pthread_join(t[i], NULL);
	}
	return 0;
}

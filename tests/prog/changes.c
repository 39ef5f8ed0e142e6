/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that changes while the kernel is in a call, pointers that lead nowhere, names that would move the cursor,
 * an exec from a thread, a death inside a call. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "in_call.h"
static char path[64] = "/etc/hostname";
static volatile int stop;
static void *change(void *arg)
{
	while (!stop)
		path[5] ^= 1;
	return arg;
}
static void *execs(void *arg)
{
	char *const words[] = { "true", NULL };
	execv("/bin/true", words);
	return arg;
}
static void *rings(void *arg)
{
	in_call_await(getpid(), SYS_pause);
	kill(getpid(), SIGALRM);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t;
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "memory")) {
		pthread_create(&t, NULL, change, NULL);
		for (int i = 0; i < 2000; i++)
			close(open(path, O_RDONLY));
		stop = 1;
		pthread_join(t, NULL);
	} else if (!strcmp(what, "pointers")) {
		char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(page + 4096, 4096);
		memcpy(page + 4090, "/nope", 6);
		open(page + 4090, O_RDONLY); /* ends with the page */
		page[4095] = 'x';
		open(page + 4090, O_RDONLY); /* runs into the hole */
		open((char *)1, O_RDONLY);
		open((char *)0xffff800000000000, O_RDONLY);
		write(1, (char *)8, 5);
		syscall(SYS_writev, 1, 16, 3);
		syscall(SYS_execve, 1, 2, 3);
	} else if (!strcmp(what, "names")) {
		open("/tmp/\033[2J\a\n\"quote\"\\\xff\x9b", O_RDONLY);
	} else if (!strcmp(what, "exec")) {
		pthread_create(&t, NULL, execs, NULL);
		pause();
	} else if (!strcmp(what, "dies")) {
		pthread_create(&t, NULL, rings, NULL);
		pause();
	}
	return 0;
}

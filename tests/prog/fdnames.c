// SPDX-License-Identifier: GPL-2.0-or-later
/* Descriptor numbers that change their meaning: each read asks for one byte more than the one before, so a
 * test knows which file a line must name. Second life (argument: a number): what exec closed and what it kept. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char b[16];

static void *thread(void *arg)
{
	int fd = open("d", O_RDONLY);
	(void)!read(fd, b, 6);
	close(fd);
	return arg;
}

static void child(int fd)
{
	close(fd);
	fd = open("e", O_RDONLY);
	(void)!read(fd, b, 7);
	_exit(0);
}

int main(int argc, char **argv)
{
	char number[16];
	pthread_t t;
	if (argc > 1) {
		int fd = atoi(argv[1]);
		(void)!read(fd, b, 9);
		(void)!read(fd + 1, b, 10);
		return 0;
	}
	int a = open("a", O_RDONLY);
	(void)!read(a, b, 1);
	close(a);
	a = open("b", O_RDONLY);
	(void)!read(a, b, 2);
	dup2(a, 50);
	close(a);
	a = open("c", O_RDONLY);
	dup2(a, 50);
	(void)!read(50, b, 3);
	close_range(40, 60, 0);
	(void)!read(50, b, 4);
	fcntl(a, F_DUPFD, 50);
	(void)!read(50, b, 5);
	close(50);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	if (!fork())
		child(a);
	wait(NULL);
	int gone = open("f", O_RDONLY | O_CLOEXEC);
	open("g", O_RDONLY);
	(void)!read(gone, b, 8);
	sprintf(number, "%d", gone);
	execl(argv[0], argv[0], number, (char *)NULL);
	return 1;
}

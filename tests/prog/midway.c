// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocks in several calls at once, each in its own thread: opening the FIFO argv[1], writing to a full pipe, select,
 * ppoll; lets them return when its standard input says so. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

static int full[2], quiet[2];
static const char *fifo;

static void *opens(void *x) { close(open(fifo, O_RDONLY)); return x; }
static void *writes(void *x)
{
	char big[5000] = "what-is-written";
	memset(big + 15, '.', sizeof(big) - 15);
	if (write(full[1], big, sizeof(big)) < 0)
		perror("write");
	return x;
}
static void *selects(void *x)
{
	fd_set in;
	FD_ZERO(&in);
	FD_SET(full[0] + 20, &in); /* a duplicate of quiet[0] */
	FD_SET(quiet[0], &in);
	select(full[0] + 21, &in, NULL, NULL, NULL);
	return x;
}
static void *polls(void *x)
{
	struct pollfd p = { quiet[0], POLLIN };
	struct timespec t = { 7777, 0 };
	ppoll(&p, 1, &t, NULL);
	return x;
}

int main(int argc, char **argv)
{
	void *(*work[])(void *) = { opens, writes, selects, polls };
	pthread_t t[4];
	char b[70000] = { 0 };
	fifo = argv[1];
	if (pipe(full) || pipe(quiet))
		return 1;
	dup2(quiet[0], full[0] + 20);
	fcntl(full[1], F_SETFL, O_NONBLOCK);
	while (write(full[1], b, 1000) > 0)
		;
	fcntl(full[1], F_SETFL, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work[i], NULL);
	read(0, b, 1);
	write(quiet[1], "x", 1);
	close(open(fifo, O_WRONLY));
	while (read(full[0], b, sizeof(b)) == sizeof(b))
		;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}

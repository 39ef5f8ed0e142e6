// SPDX-License-Identifier: GPL-2.0-or-later
/* told FILE MS: writes the signals that ask for an end to FILE, a line each (first "ready"). MS after the first it ends with 7;
 * MS -1: never. Nothing interrupts it, so that each is counted. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void note(int fd, const char *word)
{
	char line[32];
	size_t n = strlen(word);
	memcpy(line, word, n);
	line[n++] = '\n';
	if (write(fd, line, n) != (ssize_t)n)
		_exit(1);
}

int main(int argc, char **argv)
{
	static const struct { int sig; const char *name; } asks[] = {
		{ SIGINT, "INT" }, { SIGTERM, "TERM" }, { SIGHUP, "HUP" }, { SIGQUIT, "QUIT" }, { SIGCONT, "CONT" } };
	struct timespec t = { 0 }, *left = NULL;
	sigset_t set;
	int sig, fd = argc == 3 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0666) : -1, ms = argc == 3 ? atoi(argv[2]) : 0;
	if (fd < 0)
		return 1;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		sigaddset(&set, asks[i].sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	note(fd, "ready");
	while ((sig = sigtimedwait(&set, NULL, left)) > 0 || errno == EINTR) {
		for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
			if (asks[i].sig == sig)
				note(fd, asks[i].name);
		if (ms >= 0 && sig > 0 && sig != SIGCONT) {
			t = (struct timespec){ ms / 1000, ms % 1000 * 1000000l };
			left = &t;
		}
	}
	return 7;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* vforks MS: for ever, children by vfork that sleep so long while their parent cannot even be stopped. */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 10;
	struct timespec t = { ms / 1000, ms % 1000 * 1000000l };
	for (;;) {
		pid_t pid = vfork();
		if (!pid) {
			nanosleep(&t, NULL);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

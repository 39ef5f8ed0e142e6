// SPDX-License-Identifier: GPL-2.0-or-later
// Forks without a pause; each child computes for some milliseconds.
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;

int main(void)
{
	alarm(300);
	for (;;) {
		if (!fork()) {
			for (long i = 0; i < 3000000; i++)
				sink += i;
			_exit(0);
		}
		for (long i = 0; i < 100000; i++)
			sink += i;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Linked statically: runs in an empty root. no_libs TURNS: opens a file that is not there, then so many turns of work; ends
 * with status 7. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline)) void turn(int number)
{
	for (int i = 0; i < 100000; i++)
		sum += i ^ number;
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 1;
	open("/nothing/here", O_RDONLY);
	for (int i = 1; i <= turns; i++)
		turn(i);
	if (write(1, "done\n", 5) != 5)
		return 1;
	return 7;
}

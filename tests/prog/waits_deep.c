/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits in read(), some functions deep. */
#include <unistd.h>

__attribute__((noinline)) static int innermost(int n)
{
	char b[64];
	return (int)read(0, b, sizeof(b)) + n;
}

__attribute__((noinline)) static int around_it(int n)
{
	return innermost(n + 1) + n;
}

int main(int argc, char **argv)
{
	(void)argv;
	return around_it(argc) & 1;
}

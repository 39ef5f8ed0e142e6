// SPDX-License-Identifier: GPL-2.0-or-later
/* One write under three functions of our own. */
#include <unistd.h>

__attribute__((noinline)) static int inner(int n)
{
	return n + (int)write(2, "", 0);
}

__attribute__((noinline)) static int middle(int n)
{
	return inner(n + 1) + 1;
}

__attribute__((noinline)) static int outer(int n)
{
	return middle(n + 1) + 1;
}

int main(void)
{
	return outer(1) == 0;
}

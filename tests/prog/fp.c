/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A write three functions deep. */
#include <unistd.h>
__attribute__((noinline)) void inner(void)
{
	if (write(1, "x\n", 2) != 2)
		_exit(1);
}
__attribute__((noinline)) void outer(void)
{
	inner();
	__asm__ volatile("");
}
int main(void)
{
	outer();
	__asm__ volatile("");
	return 0;
}

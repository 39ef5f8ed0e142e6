// SPDX-License-Identifier: GPL-2.0-or-later
/* Gives the kernel memory that the program itself never touched: a page of the file that is not there yet when the
 * call begins. Every object lies in the middle of half a megabyte of its own, because a fault brings in its
 * neighbours as well. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FAR __attribute__((aligned(1 << 18), used))

struct far_set { unsigned long set[1]; char rest[(1 << 19) - 8]; };
struct far_text { char text[64]; char rest[(1 << 19) - 64]; };
static const FAR struct far_set blocked = { { 1ul << 9 | 1ul << 11 }, "x" };
static const FAR struct far_text word = { "untouched-word", "x" }, path = { "/no/such/untouched-path", "x" },
				 bytes = { "untouched-bytes", "x" }, vector = { "untouched-vector", "x" };

int main(int argc, char **args) /* a file that can be executed but is no program */
{
	char *argv[] = { "touched-word", (char *)word.text, NULL };
	struct iovec v = { (char *)vector.text, 16 };
	int p[2]; /* a pipe copies what it is given; /dev/null does not look at it */
	if (pipe(p))
		return 1;
	syscall(SYS_rt_sigprocmask, 0, blocked.set, NULL, 8);
	access(path.text, R_OK);
	if (argc > 1)
		execve(args[1], argv, NULL);
	if (write(p[1], bytes.text, 15) < 0 || writev(p[1], &v, 1) < 0)
		return 1;
	return 0;
}

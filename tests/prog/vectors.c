// SPDX-License-Identifier: GPL-2.0-or-later
/* Data that come and go in every way there is. With an argument: buffers of 9000 bytes too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char a[20] = "hello", b[40] = "world, this is longer", x[10], y[30], large[9000];
	struct iovec out[3] = { { a, 5 }, { b, 21 }, { NULL, 0 } }, in[2] = { { x, sizeof(x) }, { y, sizeof(y) } };
	struct msghdr m = { .msg_iov = out, .msg_iovlen = 2 }, n = { .msg_iov = in, .msg_iovlen = 2 };
	struct mmsghdr mm[2] = { { m, 0 }, { m, 0 } }, nn[2] = { { n, 0 }, { n, 0 } };
	int s[2], f = open("/dev/null", O_WRONLY);
	(void)argv;
	socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	long sum = writev(s[0], out, 3);
	sum += readv(s[1], in, 2);
	sum += sendmsg(s[0], &m, 0);
	sum += recvmsg(s[1], &n, 0);
	sum += sendmmsg(s[0], mm, 2, 0);
	sum += recvmmsg(s[1], nn, 2, 0, NULL);
	sum += pwrite(f, "abc\n\377", 5, 0);
	sum += write(99, a, 1);
	sum += write(f, a, 0);
	memset(large, 'z', sizeof(large));
	if (argc > 1)
		sum += write(f, large, sizeof(large));
	return sum < 0;
}

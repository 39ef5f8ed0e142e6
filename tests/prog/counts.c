// SPDX-License-Identifier: GPL-2.0-or-later
/* counts FILE [N EVERY]: makes system calls, without end or N of them, and keeps their number in the first eight bytes of
 * FILE. After EVERY of them it stops itself, until somebody sends SIGCONT. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0666) : -1;
	uint64_t most = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX, every = argc > 3 ? strtoull(argv[3], NULL, 10) : UINT64_MAX;
	if (fd < 0 || ftruncate(fd, 4096))
		return 1;
	volatile uint64_t *n = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (n == MAP_FAILED)
		return 1;
	while (*n < most) {
		syscall(SYS_getppid);
		if (++*n % every == 0)
			raise(SIGSTOP);
	}
	return 0;
}

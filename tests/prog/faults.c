// SPDX-License-Identifier: GPL-2.0-or-later
/* faults N: N times 1024 page faults. Work for the kernel with hardly a system call, on whose way other tracers' BPF programs are. */
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	for (int n = argc > 1 ? atoi(argv[1]) : 100; n > 0; n--) {
		volatile char *p = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise((void *)p, 4 << 20, MADV_NOHUGEPAGE);
		for (long at = 0; at < 4 << 20; at += 4096)
			p[at] = 1;
		munmap((void *)p, 4 << 20);
	}
	return 0;
}

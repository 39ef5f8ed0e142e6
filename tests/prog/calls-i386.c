// SPDX-License-Identifier: GPL-2.0-or-later
/* 32-bit system calls out of a 64-bit program: int 0x80, with all memory below 4 GB. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long call32(long nr, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e)
{
	long ret;
	asm volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory", "r8", "r9", "r10", "r11");
	return (int32_t)ret;
}

int main(void)
{
	char *low = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	uint32_t at = (uintptr_t)low, *words = (uint32_t *)(low + 1024);
	if (low == MAP_FAILED)
		return 1;
	strcpy(low, "/etc/passwd");
	int fd = call32(295, -100, at, O_RDONLY, 0, 0); /* openat */
	call32(3, fd, at + 4096, 10, 0, 0); /* read */
	call32(197, fd, at + 8192, 0, 0, 0); /* fstat64 */
	call32(108, fd, at + 8192, 0, 0, 0); /* fstat */
	call32(140, fd, 0, 5, at + 2048, SEEK_SET); /* _llseek */
	words[0] = 0, words[1] = 1000;
	call32(162, at + 1024, 0, 0, 0, 0); /* nanosleep */
	call32(265, 1, at + 2048, 0, 0, 0); /* clock_gettime */
	call32(403, 1, at + 2048, 0, 0, 0); /* clock_gettime64 */
	words[0] = at + 4096, words[1] = 4, words[2] = at + 4100, words[3] = 6;
	int null = call32(295, -100, (uintptr_t)strcpy(low + 512, "/dev/null"), O_WRONLY, 0, 0);
	call32(146, null, at + 1024, 2, 0, 0); /* writev */
	call32(90, at + 1024, 0, 0, 0, 0); /* the first mmap, its arguments in memory: not good ones */
	call32(175, 0, 0, at + 2048, 8, 0); /* rt_sigprocmask */
	call32(191, 3, at + 2048, 0, 0, 0); /* ugetrlimit */
	call32(20, 0, 0, 0, 0, 0); /* getpid */
	call32(6, fd, 0, 0, 0, 0); /* close */
	call32(5, 8, 0, 0, 0, 0); /* open of a bad address */
	words[0] = 77, words[1] = at + 512, words[2] = 16;
	call32(102, 3, at + 1024, 0, 0, 0); /* socketcall: connect of what is no descriptor */
	call32(102, 4, at + 1024, 0, 0, 0); /* and listen */
	return 0;
}

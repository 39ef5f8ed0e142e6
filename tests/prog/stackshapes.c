// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks that unwinders get wrong, each for ROUNDS: recursion deeper than 127 frames that ends in the kernel,
 * code without CFI whose caller uses the frame pointer's register for something else, and vfork, which
 * keeps its return address in a register. Compile with -fomit-frame-pointer. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;
static char buffer[1 << 16];

__attribute__((noinline)) int deep(int n, int fd)
{
	volatile char pad[48];
	pad[n % 48] = (char)n;
	int r = n ? deep(n - 1, fd) : (int)read(fd, buffer, sizeof(buffer));
	sink += pad[n % 48];
	return r + 1;
}

#if defined(__x86_64__)
void bare(long n);
__asm__(".text\n.globl bare\n.type bare, @function\nbare:\n\tpush %rbp\n\tmov %rsp, %rbp\n1:\tdec %rdi\n\tjnz 1b\n"
	"\tpop %rbp\n\tret\n.size bare, . - bare\n");
#else
__attribute__((noinline)) void bare(long n)
{
	while (n--)
		sink++;
}
#endif

__attribute__((noinline)) int without_cfi(void)
{
	bare(40000);
	return (int)sink;
}

__attribute__((noinline)) int spawn(void)
{
	int status = 0;
	pid_t pid = vfork();
	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	return status;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000, fd = open("/dev/zero", O_RDONLY);
	for (int i = 0; i < rounds; i++) {
		sink += (unsigned long)deep(200, fd);
		sink += (unsigned long)without_cfi();
		if (i % 16 == 0)
			sink += (unsigned long)spawn();
	}
	return 0;
}

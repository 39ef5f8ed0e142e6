// SPDX-License-Identifier: GPL-2.0-or-later
/* bt_work PATH: what bpftrace's own tools look at, under a name that nobody else has: opens, stats, syncs, a sleep, a kill,
 * setuid, a write past the page cache, an address that is asked for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct stat st;
	struct addrinfo *found;
	void *block;
	int fd = open(argc > 1 ? argv[1] : "file", O_CREAT | O_WRONLY | O_DIRECT | O_TRUNC, 0600);
	if (fd < 0 || posix_memalign(&block, 4096, 8192))
		return 1;
	memset(block, 0, 8192);
	if (write(fd, block, 8192) != 8192)
		return 1;
	fsync(fd);
	close(fd);
	syscall(SYS_open, "/dev/null/absent", O_RDONLY);
	syscall(SYS_stat, "/etc/hosts", &st);
	syscall(SYS_lstat, "/dev/null/absent", &st);
	syscall(SYS_nanosleep, &(struct timespec){ 0, 1000000 }, NULL);
	kill(getpid(), SIGWINCH);
	if (!getaddrinfo("127.0.0.1", "80", NULL, &found))
		freeaddrinfo(found);
	if (!fork()) {
		if (setuid(65534))
			_exit(1);
		char text[] = "bt_worker\0one\0two words"; /* on the stack, which is there to be read */
		execl("/bin/true", text, text + 10, text + 14, (char *)0);
	}
	return wait(NULL) < 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* bt_kernel WHAT [PATH]: what those of bpftrace's own tools look at that have probes in the kernel, under a name that nobody
 * else has: disk DEVICE, names, slow_names SECONDS, rights, tcp, unreachable ADDRESS, retransmit ADDRESS, unix, oom CGROUP, swap CGROUP. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int fine, const char *what)
{
	if (!fine) {
		perror(what);
		exit(1);
	}
}

static int disk(const char *path)
{
	void *block;
	int fd = open(path, O_RDWR | O_DIRECT);
	check(fd >= 0 && !posix_memalign(&block, 4096, 8192), path);
	check(pwrite(fd, block, 8192, 0) == 8192 && pread(fd, block, 4096, 0) == 4096, path);
	return close(fd);
}

static int names(void)
{
	struct stat st;
	check(!mkdir("bt_folder", 0700) && !mkdir("bt_folder/other", 0700) && !mknod("bt_folder/file", S_IFREG | 0600, 0), "bt_folder");
	check(stat("bt_folder/absent", &st) && !stat("bt_folder/file", &st) && !symlink("file", "bt_folder/link"), "bt_folder");
	check(!rename("bt_folder/file", "bt_folder/file2") && !unlink("bt_folder/file2") && !unlink("bt_folder/link"), "bt_folder");
	return rmdir("bt_folder/other") || rmdir("bt_folder");
}

static int rights(void)
{
	if (!fork()) {
		check(!setuid(65534) && kill(1, 0) && chown("/", 0, 0), "rights");
		_exit(0);
	}
	return wait(NULL) < 0;
}

static int listener(int family, struct sockaddr_storage *at, socklen_t *len)
{
	int s = socket(family, SOCK_STREAM, 0);
	*len = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
	memset(at, 0, sizeof(*at));
	at->ss_family = (sa_family_t)family;
	if (family == AF_INET)
		((struct sockaddr_in *)at)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		((struct sockaddr_in6 *)at)->sin6_addr = in6addr_loopback;
	check(s >= 0 && !bind(s, (struct sockaddr *)at, *len) && !listen(s, 7) && !getsockname(s, (struct sockaddr *)at, len), "listen");
	return s;
}

/* The client sends 5,000 bytes and ends first. */
static int tcp(int family)
{
	struct sockaddr_storage at;
	socklen_t len;
	char text[5000] = "";
	int s = listener(family, &at, &len);
	if (!fork()) {
		int c = socket(family, SOCK_STREAM, 0);
		check(!connect(c, (struct sockaddr *)&at, len) && write(c, text, sizeof(text)) == sizeof(text) && !shutdown(c, SHUT_WR), "connect");
		check(read(c, text, 1) == 0, "the end");
		_exit(0);
	}
	int fd = accept(s, NULL, NULL);
	check(fd >= 0, "accept");
	while (read(fd, text, sizeof(text)) > 0)
		;
	return close(fd) || close(s) || wait(NULL) < 0;
}

/* Until the kernel has given up asking who that is, and drops what was for it. */
static int unreachable(const char *address)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(4242), .sin_addr.s_addr = inet_addr(address) };
	int s = socket(AF_INET, SOCK_STREAM, 0);
	check(s >= 0 && connect(s, (struct sockaddr *)&at, sizeof(at)) < 0 && errno == EHOSTUNREACH, "connect");
	return close(s);
}

/* Until the kernel has said it once more: nobody answers there. */
static int retransmit(const char *address)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(4242), .sin_addr.s_addr = inet_addr(address) };
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);
	int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	check(s >= 0 && connect(s, (struct sockaddr *)&at, sizeof(at)) < 0 && errno == EINPROGRESS, "connect");
	while (!info.tcpi_retransmits) {
		usleep(10000);
		check(!getsockopt(s, IPPROTO_TCP, TCP_INFO, &info, &len) && info.tcpi_state == TCP_SYN_SENT, "what TCP says");
	}
	return close(s);
}

static int unix_socket(void)
{
	int fd[2];
	char text[32];
	check(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd), "socketpair");
	check(write(fd[0], "a message\n", 10) == 10 && read(fd[1], text, sizeof(text)) == 10, "the message");
	return close(fd[0]) || close(fd[1]);
}

/* More memory than the group may have, seen twice; in the child, which the kernel may kill. */
static int memory(const char *group, size_t size)
{
	if (!fork()) {
		FILE *f = fopen(group, "w");
		check(f && fprintf(f, "%d\n", getpid()) > 0 && !fclose(f), group);
		volatile char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		check(p != MAP_FAILED, "mmap");
		for (int i = 0; i < 2; i++)
			for (size_t at = 0; at < size; at += 4096)
				p[at]++;
		_exit(0);
	}
	return wait(NULL) < 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : "";
	if (!strcmp(what, "disk"))
		return disk(path);
	if (!strcmp(what, "names"))
		return names();
	if (!strcmp(what, "slow_names")) /* so that some seconds pass behind it */
		return names() || sleep((unsigned)atoi(path));
	if (!strcmp(what, "rights"))
		return rights();
	if (!strcmp(what, "tcp"))
		return tcp(AF_INET) || tcp(AF_INET6);
	if (!strcmp(what, "unreachable"))
		return unreachable(path);
	if (!strcmp(what, "retransmit"))
		return retransmit(path);
	if (!strcmp(what, "unix"))
		return unix_socket();
	if (!strcmp(what, "oom"))
		return memory(path, 64 << 20);
	return strcmp(what, "swap") || memory(path, 16 << 20);
}

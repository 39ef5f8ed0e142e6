// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/task/process.h"
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"

bool process_comm(int tid, char comm[16])
{
	struct str s = STR_INIT;
	bool there = !file_read(root_path(ROOT_PROC, "%d/comm", tid), &s, 64) && s.len;
	if (there) {
		memset(comm, 0, 16);
		memcpy(comm, s.buf, s.len - 1 < 15 ? s.len - 1 : 15); /* a newline ends it */
	}
	str_release(&s);
	return there;
}

int process_parent(int pid)
{
	struct str s = STR_INIT;
	int parent = 0;
	if (!file_read(root_path(ROOT_PROC, "%d/stat", pid), &s, 4096)) {
		const char *state = strrchr(s.buf, ')'); /* the name in front of it may be anything */
		parent = state && strlen(state) > 4 ? atoi(state + 4) : 0;
	}
	str_release(&s);
	return parent;
}

int process_of(int tid)
{
	struct str s = STR_INIT;
	const char *line = file_read(root_path(ROOT_PROC, "%d/status", tid), &s, 16384) || !s.len ? NULL : strstr(s.buf, "\nTgid:");
	int process = line ? atoi(line + 6) : 0;
	str_release(&s);
	return process;
}

unsigned process_socket(int pid, int fd, void *addr, unsigned size)
{
	union { struct sockaddr any; struct sockaddr_in four; struct sockaddr_in6 six; struct sockaddr_storage room; } a = { 0 };
	socklen_t n = sizeof(a);
	int process = syscall(SYS_pidfd_open, pid, 0), copy = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	bool known = copy >= 0 && !getsockname(copy, &a.any, &n);
	if (copy >= 0)
		close(copy);
	if (process >= 0)
		close(process);
	bool four = known && a.any.sa_family == AF_INET && a.four.sin_port, six = known && a.any.sa_family == AF_INET6 && a.six.sin6_port;
	if ((!four && !six) || n > size)
		return 0;
	memcpy(addr, &a, n);
	return n;
}

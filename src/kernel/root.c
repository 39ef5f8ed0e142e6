// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/root.h"
#include "base/str.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *root_fake_dir(void)
{
	static const char *dir;
	static bool asked;
	if (!asked) {
		/* secure_getenv: a file capability on sonde must not let a user feed it made-up trees */
		dir = secure_getenv("SONDE_KERNEL_ROOT");
		if (dir && *dir != '/')
			dir = NULL;
		asked = true;
	}
	return dir;
}

bool root_is_fake(void)
{
	return root_fake_dir() != NULL;
}

enum { BUFFERS = 8, SIZE = 4352 };

static char *next_buffer(void)
{
	static _Thread_local char ring[BUFFERS][SIZE];
	static _Thread_local unsigned turn;
	return ring[turn++ % BUFFERS];
}

const char *root_path(enum root r, const char *fmt, ...)
{
	static const char *const top[] = {
		[ROOT_PROC] = "/proc", [ROOT_SYS] = "/sys", [ROOT_TRACEFS] = "/sys/kernel/tracing" };
	char *b = next_buffer();
	const char *fake = root_fake_dir(), *base = top[r];
	va_list ap;
	if (!fake && r == ROOT_TRACEFS && access("/sys/kernel/tracing/events", F_OK) &&
	    !access("/sys/kernel/debug/tracing/events", F_OK))
		base = "/sys/kernel/debug/tracing";
	int n = snprintf(b, SIZE, "%s%s%s", fake ? fake : "", base, *fmt && *fmt != '/' ? "/" : "");
	if (n < 0 || n >= SIZE)
		n = SIZE - 1;
	va_start(ap, fmt);
	vsnprintf(b + n, SIZE - n, fmt, ap);
	va_end(ap);
	return b;
}

const char *root_own(const char *fmt, ...)
{
	char *b = next_buffer();
	int n = snprintf(b, SIZE, "/proc/self/");
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(b + n, SIZE - n, fmt, ap);
	va_end(ap);
	return b;
}

const char *root_split_process(const char *path, int *pid)
{
	int used = 0;
	return sscanf(path, "/proc/%d/root%n", pid, &used) == 1 && used && path[used] == '/' && *pid > 0 ? path + used : NULL;
}

char *self_path(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	return n > 0 ? xstrndup(path, (size_t)n) : NULL;
}

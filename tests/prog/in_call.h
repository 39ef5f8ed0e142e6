/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the traced programs: waits until a thread of this process blocks in a call, however busy the machine is. */
#ifndef IN_CALL_H
#define IN_CALL_H
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One line of /proc/self/task/TID/NAME, "" when there is none. */
static void in_call_line(int tid, const char *name, char *line, int size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/task/%d/%s", tid, name);
	FILE *f = fopen(path, "r");
	if (!f || !fgets(line, size, f))
		line[0] = 0;
	if (f)
		fclose(f);
}

/* Sleeping, so not held by a tracer that has yet to see the call (that would be t). */
static void in_call_await(int tid, int nr)
{
	char line[512], want[16];
	snprintf(want, sizeof(want), "%d ", nr);
	for (;;) {
		in_call_line(tid, "syscall", line, sizeof(line));
		if (!strncmp(line, want, strlen(want))) {
			in_call_line(tid, "stat", line, sizeof(line));
			if (strstr(line, ") S "))
				return;
		}
		usleep(5000);
	}
}
#endif

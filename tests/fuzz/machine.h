/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up machine (doc/TESTING.md) in a folder of its own, which goes when the fuzzer does. */
#ifndef TESTS_FUZZ_MACHINE_H
#define TESTS_FUZZ_MACHINE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/str.h"

static char machine_top[] = "/tmp/sonde-fuzz-XXXXXX";

static inline void machine_put_bytes(const char *path, const char *text, size_t n)
{
	char *whole = xasprintf("%s/%s", machine_top, path);
	for (char *s = whole + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		mkdir(whole, 0755);
		*s = '/';
	}
	FILE *f = fopen(whole, "w");
	if (f) {
		fwrite(text, 1, n, f);
		fclose(f);
	}
	free(whole);
}

static inline void machine_put(const char *path, const char *text)
{
	machine_put_bytes(path, text, strlen(text));
}

static inline void machine_clean(void)
{
	char *cmd = xasprintf("rm -rf %s", machine_top);
	if (system(cmd))
		perror(cmd);
	free(cmd);
}

static inline void machine_make(void)
{
	if (!mkdtemp(machine_top))
		abort();
	setenv("SONDE_KERNEL_ROOT", machine_top, 1);
	atexit(machine_clean);
}

/* Two CPUs, and two tracepoints with their fields. */
static inline void machine_make_tracepoints(void)
{
	machine_make();
	machine_put("sys/kernel/tracing/events/sched/sched_switch/id", "311\n");
	machine_put("sys/kernel/tracing/events/sched/sched_switch/format", "name: sched_switch\nID: 311\nformat:\n"
		"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n");
	machine_put("sys/kernel/tracing/events/syscalls/sys_enter_openat/id", "600\n");
	machine_put("sys/kernel/tracing/events/syscalls/sys_enter_openat/format", "name: sys_enter_openat\nID: 600\nformat:\n"
		"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
		"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n");
	machine_put("sys/kernel/tracing/available_events", "sched:sched_switch\nsyscalls:sys_enter_openat\n");
	machine_put("sys/devices/system/cpu/online", "0-1\n");
}
#endif

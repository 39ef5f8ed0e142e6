// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as a script of SystemTap's, through all stages, on a made-up machine with two tracepoints. Nothing is loaded; begin
 * and end are run, for a bounded number of steps. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/str.h"
#include "script/script.h"
#include "script/stap/run.h"
#include "script/stap/stap.h"

static int null_fd;
static char top[] = "/tmp/sonde-fuzz-XXXXXX";

static void put(const char *path, const char *text)
{
	char *whole = xasprintf("%s/%s", top, path);
	for (char *s = whole + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		mkdir(whole, 0755);
		*s = '/';
	}
	FILE *f = fopen(whole, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
	free(whole);
}

static void clean(void)
{
	char *cmd = xasprintf("rm -rf %s", top);
	if (system(cmd))
		perror(cmd);
	free(cmd);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (!mkdtemp(top))
		abort();
	setenv("SONDE_KERNEL_ROOT", top, 1);
	put("sys/kernel/tracing/events/sched/sched_switch/id", "311\n");
	put("sys/kernel/tracing/events/sched/sched_switch/format", "name: sched_switch\nID: 311\nformat:\n"
		"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n");
	put("sys/kernel/tracing/events/syscalls/sys_enter_openat/id", "600\n");
	put("sys/kernel/tracing/events/syscalls/sys_enter_openat/format", "name: sys_enter_openat\nID: 600\nformat:\n"
		"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
		"\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n");
	put("sys/kernel/tracing/available_events", "sched:sched_switch\nsyscalls:sys_enter_openat\n");
	put("sys/devices/system/cpu/online", "0-1\n");
	null_fd = open("/dev/null", O_WRONLY);
	atexit(clean);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xstrndup((const char *)data, n), number[] = "12", word[] = "word", *params[] = { number, word };
	struct script_source source = { .name = "fuzz", .text = text, .len = strlen(text) };
	struct stap st = { 0 };
	struct stap_run run;
	struct out out;
	struct run_script s = { .stap = &st };
	if (strstr(text, "system")) /* what it would run is nobody's */
		source.len = 0, text[0] = 0;
	int err = script_compile(&s, &source, params, 2);
	if (err && !error_pending())
		abort(); /* a refusal without a sentence */
	error_clear();
	if (!err) {
		out_fd(&out, null_fd, "null");
		stap_run_open(&run, &st, &out);
		run.ip.steps_max = 2000;
		stap_run_begin(&run);
		stap_run_end(&run);
		error_clear();
		stap_run_close(&run);
		(void)out_close(&out);
		error_clear();
	}
	script_forget(&s);
	stap_release(&st);
	arena_release(&source.memory);
	free(text);
	return 0;
}

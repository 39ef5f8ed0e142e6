// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as -e and as --filter, on a made-up machine with a PMU and two tracepoints. The second half of
 * the input, behind a NUL, becomes the PMU's format, alias and tracepoint files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/str.h"
#include "spec/spec.h"
#include "kernel/pmu.h"

static char top[] = "/tmp/sonde-fuzz-XXXXXX";

static void put(const char *path, const char *text, size_t n)
{
	char *whole = xasprintf("%s/%s", top, path);
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
	put("sys/bus/event_source/devices/cpu/type", "4\n", 2);
	put("sys/bus/event_source/devices/cpu/format/event", "config:0-7\n", 11);
	put("sys/kernel/tracing/events/sched/sched_switch/id", "311\n", 4);
	put("sys/kernel/tracing/events/sched/sched_waking/id", "312\n", 4);
	put("sys/kernel/tracing/available_events", "sched:sched_switch\nsched:sched_waking\n", 38);
	put("proc/kallsyms", "ffffffff82000010 D jiffies\n", 27);
	atexit(clean);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	event_list l = { 0 };
	char *text = xstrndup((const char *)data, n);
	size_t used = strlen(text) + 1;
	if (used < n) {
		const char *rest = (const char *)data + used;
		put("sys/bus/event_source/devices/cpu/format/any", rest, n - used);
		put("sys/bus/event_source/devices/cpu/events/own", rest, n - used);
		put("sys/bus/event_source/devices/cpu/cpumask", rest, n - used);
		put("sys/kernel/tracing/events/sched/sched_switch/format", rest, n - used);
		pmus_forget();
	}
	if (!events_parse(&l, text) && !events_parse(&l, "sched:*") && !events_filter(&l, text))
		event_filter_explain(22, vec_last(&l));
	error_clear();
	events_release(&l);
	free(text);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as -e and as --filter, on a made-up machine with a PMU and two tracepoints. The second half of
 * the input, behind a NUL, becomes the PMU's format, alias and tracepoint files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "machine.h"
#include "spec/spec.h"
#include "kernel/pmu.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	machine_make();
	machine_put("sys/bus/event_source/devices/cpu/type", "4\n");
	machine_put("sys/bus/event_source/devices/cpu/format/event", "config:0-7\n");
	machine_put("sys/kernel/tracing/events/sched/sched_switch/id", "311\n");
	machine_put("sys/kernel/tracing/events/sched/sched_waking/id", "312\n");
	machine_put("sys/kernel/tracing/available_events", "sched:sched_switch\nsched:sched_waking\n");
	machine_put("proc/kallsyms", "ffffffff82000010 D jiffies\n");
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
		machine_put_bytes("sys/bus/event_source/devices/cpu/format/any", rest, n - used);
		machine_put_bytes("sys/bus/event_source/devices/cpu/events/own", rest, n - used);
		machine_put_bytes("sys/bus/event_source/devices/cpu/cpumask", rest, n - used);
		machine_put_bytes("sys/kernel/tracing/events/sched/sched_switch/format", rest, n - used);
		pmus_forget();
	}
	if (!events_parse(&l, text) && !events_parse(&l, "sched:*") && !events_filter(&l, text))
		event_filter_explain(22, vec_last(&l));
	error_clear();
	events_release(&l);
	free(text);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From options to attrs, and which of them the BPF program that records system calls can serve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "attach/sampling.h"
#include "attach/sysrecord.h"
#include "base/error.h"
#include "base/str.h"

static char top[] = "/tmp/sonde-sampling-XXXXXX";
static const char *const dirs[] = { "sys", "sys/kernel", "sys/kernel/tracing", "sys/kernel/tracing/events",
	"sys/kernel/tracing/events/raw_syscalls", "sys/kernel/tracing/events/raw_syscalls/sys_enter",
	"sys/kernel/tracing/events/raw_syscalls/sys_exit" };

static int make_tree(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		char *d = xasprintf("%s/%s", top, dirs[i]), *id = xasprintf("%s/id", d);
		assert_int_equal(mkdir(d, 0755), 0);
		FILE *f = i >= 5 ? fopen(id, "w") : NULL;
		if (f) {
			fprintf(f, "%d\n", 400 + (int)i);
			fclose(f);
		}
		free(d);
		free(id);
	}
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	char *cmd = xasprintf("rm -rf %s", top);
	int err = system(cmd);
	free(cmd);
	return err;
}

/* Is the last event of the text one for the program? */
static bool taken(const char *text, const struct sampling *s)
{
	event_list l = { 0 };
	struct target t = { .workload = true };
	if (events_parse(&l, text) || sampling_apply(s, &l, &t))
		fail_msg("%s: %s", text, error_message());
	bool yes = sysrecord_takes(&l, l.n - 1);
	if (yes) { /* and what is written into the file is what the program writes */
		int tracker = sampling_track(s, &l, &t, true);
		assert_int_equal(tracker, l.n - 1);
		assert_int_equal(l.at[tracker - 1].attr.sample_type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW);
		assert_true(l.at[tracker].attr.mmap2 && !l.at[tracker - 1].attr.mmap2);
	}
	events_release(&l);
	return yes;
}

static void texts(void **state)
{
	static const char *const yes[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "raw_syscalls:sys_enter,raw_syscalls:sys_exit",
		"cpu-clock,raw_syscalls:sys_enter", "raw_syscalls:sys_enter/call-graph=no/", "raw_syscalls:sys_enter/period=1/" };
	static const char *const no[] = { "raw_syscalls:sys_enter:u", "raw_syscalls:sys_enter:k", "raw_syscalls:sys_enter:D",
		"raw_syscalls:sys_enter:p", "raw_syscalls:sys_enter:P", "raw_syscalls:sys_enter/period=2/", "raw_syscalls:sys_enter/freq=9/",
		"raw_syscalls:sys_enter/call-graph=fp/", "raw_syscalls:sys_enter/no-inherit/", "raw_syscalls:sys_enter,raw_syscalls:sys_enter",
		"{raw_syscalls:sys_enter,raw_syscalls:sys_exit}", "{cpu-clock,raw_syscalls:sys_enter}:S", "cpu-clock", "dummy" };
	struct sampling s = { .clockid = CLOCK_MONOTONIC };
	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (!taken(yes[i], &s))
			fail_msg("%s is not taken", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (taken(no[i], &s))
			fail_msg("%s is taken", no[i]);
}

static void options(void **state)
{
#define WITH(...) { #__VA_ARGS__, { .clockid = CLOCK_MONOTONIC, __VA_ARGS__ } }
	static const struct { const char *what; struct sampling s; } yes[] = { WITH(.period = 1), WITH(.raw = true),
		WITH(.sample_cpu = true), WITH(.switches = true), WITH(.namespaces = true), WITH(.no_bpf = true),
		WITH(.watermark = 4096), WITH(.running_time = true) },
	no[] = { WITH(.intr_regs = 1), WITH(.user_regs = 1), WITH(.freq = 99), WITH(.freq_max = true), WITH(.period = 2),
		WITH(.call_graph = CALL_GRAPH_FP), WITH(.call_graph = CALL_GRAPH_DWARF), WITH(.call_graph = CALL_GRAPH_LBR),
		WITH(.branch = PERF_SAMPLE_BRANCH_ANY), WITH(.per_thread_counts = true), WITH(.address = true), WITH(.weight = true),
		WITH(.transaction = true), WITH(.phys_address = true), WITH(.data_page = true), WITH(.code_page = true),
		WITH(.no_samples = true), WITH(.all_user = true), WITH(.all_kernel = true), WITH(.cgroups = true),
		WITH(.wake_each = true), WITH(.overwrite = true), { "another clock", { .clockid = CLOCK_BOOTTIME } } };
	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (!taken("raw_syscalls:sys_enter", &yes[i].s))
			fail_msg("not taken with %s", yes[i].what);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (taken("raw_syscalls:sys_enter", &no[i].s))
			fail_msg("taken with %s", no[i].what);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(texts), cmocka_unit_test(options) };
	if (!mkdtemp(top))
		return 1;
	setenv("SONDE_KERNEL_ROOT", top, 1);
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}

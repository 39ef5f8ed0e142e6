// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record_perf.h"
#include <errno.h>
#include <string.h>
#include "base/error.h"

static const struct { const char *name, *why, *hint; } table[] = {
	{ "timestamp", "samples always have a time", NULL },
	{ "period", "samples have a period where it is not the same for all", NULL },
	{ "no-buildid-cache", "sonde puts nothing into the cache unless asked: sonde buildid-cache -a", NULL },
	{ "buildid-all", "all mapped binaries are listed", NULL },
	{ "buildid-mmap", "maps have build-ids where the kernel can", NULL },
	{ "sample-identifier", "samples have one where there are several events", NULL },
	{ "timestamp-boundary", "the header always has the times of the first and last sample", NULL },
	{ "tail-synthesize", "snapshots always have the names and maps they need", NULL },
	{ "proc-map-timeout", "there is no time limit on reading maps", NULL },
	{ "num-thread-synthesize", "one thread reads /proc", NULL },
	{ "aio", "the rings are large enough to write without it", NULL },
	{ "affinity", "the reader goes where there is time for it", NULL },
	{ "mmap-flush", "rings are emptied when a quarter is full", NULL },
	{ "threads", "one thread empties all rings, into one file", NULL },
	{ "vmlinux", "kernel symbols are looked up when a recording is read: sonde report -k FILE", NULL },
	{ "debuginfod", "debuginfo is fetched when a recording is read", NULL },
	{ "kcore", "sonde does not copy the kernel's code",
	  "functions have names without it: from /proc/kallsyms, or a vmlinux given to sonde report with -k" },
	{ "snapshot", "there is no AUX area tracing (Intel PT, ARM SPE) in sonde",
	  "perf record -S does it; for the latest events of others: sonde record --overwrite, and SIGUSR2" },
	{ "aux-sample", "there is no AUX area tracing (Intel PT, ARM SPE) in sonde", "perf record --aux-sample does it" },
	{ "off-cpu", "there is no off-CPU event in sonde",
	  "where programs wait is in the context switches: sonde record -e sched:sched_switch -ag" },
	{ "switch-output-event", "files are not switched by events",
	  "by SIGUSR2, size or time: --switch-output[=100M|30s], or a program that watches for it, with --control" },
	{ "clang-path", "sonde does not compile BPF programs for events", "compile it first; bpftool prog load attaches it" },
	{ "clang-opt", "sonde does not compile BPF programs for events", "compile it first; bpftool prog load attaches it" },
};

static int find(const struct option_row *opt)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].name, opt->long_name))
			return (int)i;
	return -1;
}

int record_needless(const struct option_row *opt, const char *arg, bool unset)
{
	int i = find(opt);
	(void)arg;
	(void)unset;
	if (i >= 0)
		note(1, "--%s changes nothing: %s", opt->long_name, table[i].why);
	return 0;
}

int record_refused(const struct option_row *opt, const char *arg, bool unset)
{
	int i = find(opt);
	(void)arg;
	if (i < 0 || unset)
		return 0;
	error_set(EINVAL, "--%s: %s", opt->long_name, table[i].why);
	return error_hint("%s", table[i].hint);
}

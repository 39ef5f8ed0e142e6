// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "job/inject.h"

static const char *const usage[] = { "sonde inject [-b | --buildid-all | -B] [-s] [-j] [-i FILE] [-o FILE]",
				     "sonde record -o - COMMAND | sonde inject -b | sonde report -i -", NULL };

#define OPTIONS struct inject_options

#define NO_AUX "there is no AUX area tracing (Intel PT, ARM SPE) in sonde"

static const struct option_row rows[] = {
	OPT_FLAG('b', "build-ids", hits, "build-ids of the binaries in which samples and their callers lie"),
	OPT_FLAG(0, "buildid-all", all, "build-ids of all mapped binaries"),
	OPT_FLAG('B', "mmap2-buildids", used_maps, "only maps in which something lies, each with its file's build-id"),
	OPT_FLAG(0, "mmap2-buildid-all", all_maps, "all maps with their files' build-ids"),
	OPT_STRING(0, "known-build-ids", "LIST", known, "these, 'ID path,ID path' or file://NAME, whatever the files have"),
	OPT_FLAG('s', "sched-stat", sched_stat, "join sched_switch and sched_stat_*: where, and how long"),
	OPT_FLAG('j', "jit", jit, "files of the code that JITs made, as their dumps tell, and where it was mapped"),
	OPT_STRING('i', "input", "FILE", input, "the recording (default: standard input)"),
	OPT_STRING('o', "output", "FILE", output, "the new one (default: standard output)"),
	OPT_STRING('k', "vmlinux", "FILE", symbols.vmlinux, "the kernel's file"),
	OPT_FLAG(0, "ignore-vmlinux", symbols.no_vmlinux, "do not look for the kernel's file"),
	OPT_STRING(0, "kallsyms", "FILE", symbols.kallsyms, "the kernel's names come from this text"),
	OPT_FLAG('f', "force", force, "read a recording that another user owns"),
	OPT_VERBOSE("tell each build-id"),
	OPT_REFUSED(0, "itrace", "[OPTS]", NO_AUX, "perf inject --itrace decodes it; its output is a recording that sonde reads"),
	OPT_REFUSED(0, "strip", NULL, NO_AUX, "it goes with perf inject --itrace"),
	OPT_REFUSED(0, "vm-time-correlation", "[OPTS]", NO_AUX, "perf inject --vm-time-correlation does it"),
	OPT_REFUSED(0, "guest-data", "[OPTS]", "sonde does not join a guest's recording with its host's", "perf inject --guest-data does it"),
	OPT_REFUSED(0, "guestmount", "DIR", "sonde does not join a guest's recording with its host's", "perf inject --guestmount does it"),
	OPT_END(),
};

int cmd_inject(int argc, char **argv)
{
	struct inject_options o = { .input = "-", .output = "-" };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n > 0) {
		error_set(EINVAL, "'%s' is too much", argv[0]);
		n = error_hint("the recording is named with -i");
	}
	if (n < 0)
		return options_exit(n, usage);
	o.symbols.force = o.force;
	return inject_run(&o) ? error_print() : 0;
}

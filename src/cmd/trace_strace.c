// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/trace_strace.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "kernel/workload.h"

static const struct { char name; const char *what; } table[] = {
	{ 'f', "threads and children are always followed (--no-inherit: not)" },
	{ 'c', "-s prints a table of the calls instead of lines, -S behind them" },
	{ 'k', "--call-graph shows the stack under each call, by frame pointers or dwarf" },
	{ 'r', "times count from the start of the trace, and each line has the call's duration" },
	{ 'w', "-s has the time from a call's start to its end, waiting included" },
	{ 'x', "control characters are always escaped; --raw shows numbers" },
	{ 'z', "-e status=successful shows only calls that succeeded" },
	{ 'A', "--append, with -o" },
	{ 'E', "env NAME=VALUE before the command sets its environment" },
	{ 'F', "page faults: --event exceptions:page_fault_user; sonde stat -e page-faults counts them, sonde record -e page-faults tells where" },
	{ 'P', "--where 'fd ~ \"*/NAME\" || filename ~ \"*/NAME\"' shows the calls on a file" },
	{ 'Z', "--failure shows only calls that failed" },
};

static const char *what_of(const struct option_row *opt)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].name == opt->short_name)
			return table[i].what;
	return "sonde trace -h lists the options";
}

int trace_needless(const struct option_row *opt, const char *arg, bool unset)
{
	(void)arg;
	(void)unset;
	note(1, "-%c changes nothing: %s", opt->short_name, what_of(opt));
	return 0;
}

int trace_refused(const struct option_row *opt, const char *arg, bool unset)
{
	(void)arg;
	(void)unset;
	error_set(EINVAL, "unknown option -%c", opt->short_name);
	return error_hint("%s", what_of(opt));
}

int trace_hint_strace(const char *threads)
{
	if (threads[strspn(threads, "t")])
		return error_code();
	return error_hint("-t TID names threads; -T shows absolute times, and each line has the call's duration");
}

int trace_check_command(bool summary, const char *command)
{
	uint64_t n;
	char *path;
	if (!summary || !command || parse_u64(command, &n))
		return 0;
	path = workload_find(command);
	free(path);
	if (path)
		return 0;
	error_set(EINVAL, "-s makes a summary and takes no number, and there is no program '%s'", command);
	return error_hint("--string-limit %s shows so much of each string", command);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace stream: record's options, the lines at once. */
#include <errno.h>
#include "base/error.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/live.h"

struct stream_cmd {
	struct ftrace_setup setup; /* first */
	const char *output;
	bool only_command, json, no_disk_guard;
};
#define OPTIONS struct stream_cmd

static const struct option_row rows[] = {
	OPT_TABLE(ftrace_setup_rows),
	OPT_GROUP("how"),
	OPT_FLAG('F', NULL, only_command, "only what the command does (-c: and its children)"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_FLAG(0, "no-disk-guard", no_disk_guard, "write until the disk is full"),
	OPT_FLAG(0, "json", json, "one JSON object a line"),
	OPT_VERBOSE("tell each step"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace stream [-e EVENT] [-p TRACER] [OPTIONS] [--] [COMMAND [ARGS]]", NULL };

int ftrace_cmd_stream(int argc, char **argv)
{
	struct stream_cmd o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n >= 0 && !o.setup.events.n && !o.setup.tracer) {
		error_set(EINVAL, "nothing to trace");
		n = error_hint("-e EVENT shows events, -p TRACER what a tracer tells");
	}
	if (n >= 0 && o.only_command && !n)
		n = error_set(EINVAL, "-F means the command's own doing, and there is no command");
	if (n < 0) {
		code = options_exit(n, usage);
	} else {
		struct ftrace_live j = { .setup = &o.setup, .output = o.output, .json = o.json, .all_tasks = !o.only_command,
			.no_disk_guard = o.no_disk_guard };
		code = ftrace_live_run(&j, n ? argv : NULL);
	}
	ftrace_setup_release(&o.setup);
	return code;
}

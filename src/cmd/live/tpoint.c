// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde tpoint: a tracepoint, live, as perf-tools' command of that name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cmd/commands.h"
#include "cmd/live/oneline.h"
#include "kernel/tracefs.h"

static const char *const usage[] = { "sonde tpoint [OPTIONS] EVENT [FILTER]", "sonde tpoint -l [PATTERN]", NULL };

struct live_tpoint {
	struct oneline line; /* first */
	bool list, stacks, format;
};

#define OPTIONS struct live_tpoint
static const struct option_row rows[] = {
	OPT_GROUP("the tracepoint"),
	OPT_FLAG('l', "list", list, "list the tracepoints, and end"),
	OPT_FLAG('s', "stack", stacks, "the kernel's stack behind each line"),
	OPT_FLAG('v', "format", format, "show the fields, which a filter may use, and end"),
	OPT_TABLE(oneline_rows),
	OPT_END(),
};

static int print_list(const char *pattern)
{
	struct out o;
	int err = tracefs_ready();
	if (!err)
		err = out_open(&o, NULL, false);
	if (err)
		return error_print();
	vec_each(tracefs_all(), e)
		if (!pattern || glob_match(pattern, *e))
			out_printf(&o, "%s\n", *e);
	return out_close(&o) ? error_print() : 0;
}

static int print_formats(const char *pattern)
{
	wordlist names = { 0 };
	struct out o;
	int err = ftrace_events_named(pattern, &names);
	if (!err)
		err = out_open(&o, NULL, false);
	if (err) {
		wordlist_release(&names);
		return error_print();
	}
	vec_each(&names, n) {
		struct str s = STR_INIT;
		char *colon = strchr(*n, ':');
		*colon = 0;
		if (!tracefs_event_format(*n, colon + 1, &s))
			out_str(&o, &s);
		str_release(&s);
	}
	wordlist_release(&names);
	return out_close(&o) ? error_print() : 0;
}

static int trace(struct live_tpoint *c, int n, char **argv)
{
	int err = ftrace_setup_event(&c->line.setup, argv[0]);
	for (size_t i = 0; n > 1 && i < c->line.setup.events.n; i++)
		c->line.setup.events.at[i].filter = xstrdup(argv[1]);
	if (c->stacks)
		wordlist_add(&c->line.setup.options, "stacktrace");
	if (!err)
		err = oneline_check(&c->line);
	return err ? error_print() : oneline_run(&c->line, argv[0], NULL, NULL);
}

int cmd_tpoint(int argc, char **argv)
{
	struct live_tpoint c = { 0 };
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (c.list)
		return print_list(n ? argv[0] : NULL);
	if (!n || n > 2)
		return options_exit(error_set(EINVAL, n ? "'%s' is one word too many" : "the name of a tracepoint is missing", n ? argv[2] : ""), usage);
	int code = c.format ? print_formats(argv[0]) : trace(&c, n, argv);
	ftrace_setup_release(&c.line.setup);
	return code;
}

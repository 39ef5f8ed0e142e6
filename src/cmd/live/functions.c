// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde functrace, sonde funcgraph: calls of the kernel's functions, as perf-tools' commands of those names. */
#include <errno.h>
#include <stdlib.h>
#include "base/error.h"
#include "cmd/commands.h"
#include "cmd/live/oneline.h"

static const char *const functrace_usage[] = { "sonde functrace [OPTIONS] FUNC", NULL };
static const char *const funcgraph_usage[] = { "sonde funcgraph [OPTIONS] FUNC", NULL };

struct live_functions {
	struct oneline line; /* first */
	bool all, on_cpu, no_duration, processes, times, tails;
};

#define OPTIONS struct live_functions
static const struct option_row functrace_rows[] = { OPT_TABLE(oneline_rows), OPT_END() };

static const struct option_row funcgraph_rows[] = {
	OPT_GROUP("the graph"),
	OPT_FLAG('a', "all", all, "all information: -H -P -t"),
	OPT_FLAG('C', "on-cpu", on_cpu, "durations without the time that was slept"),
	OPT_FLAG('D', "no-duration", no_duration, "without durations"),
	OPT_INT('m', "max-depth", "N", line.setup.depth, "so many levels"),
	OPT_FLAG('P', "processes", processes, "names and numbers of processes"),
	OPT_FLAG('t', "times", times, "the time of each line"),
	OPT_FLAG('T', "tails", tails, "the function's name at its end, too"),
	OPT_TABLE(oneline_rows),
	OPT_END(),
};

static int run(struct live_functions *c, int n, char **argv, const char *const *usage)
{
	if (n != 1)
		return options_exit(error_set(EINVAL, n ? "'%s' is one word too many" : "the name of a function is missing", n ? argv[1] : ""), usage);
	if (oneline_check(&c->line))
		return error_print();
	char *what = xasprintf("\"%s\"", argv[0]);
	c->line.functions = true;
	int code = oneline_run(&c->line, what, NULL, NULL);
	free(what);
	return code;
}

int cmd_functrace(int argc, char **argv)
{
	struct live_functions c = { 0 };
	int n = options_parse(&c, argc, argv, functrace_rows, functrace_usage, 0);
	if (n < 0)
		return options_exit(n, functrace_usage);
	c.line.setup.tracer = "function";
	if (n)
		wordlist_add(&c.line.setup.functions, argv[0]);
	int code = run(&c, n, argv, functrace_usage);
	ftrace_setup_release(&c.line.setup);
	return code;
}

int cmd_funcgraph(int argc, char **argv)
{
	struct live_functions c = { 0 };
	int n = options_parse(&c, argc, argv, funcgraph_rows, funcgraph_usage, 0);
	if (n < 0)
		return options_exit(n, funcgraph_usage);
	struct ftrace_setup *s = &c.line.setup;
	const struct { bool on; const char *option; } switches[] = {
		{ c.on_cpu, "nosleep-time" }, { c.no_duration, "nofuncgraph-duration" }, { c.processes || c.all, "funcgraph-proc" },
		{ c.times || c.all, "funcgraph-abstime" }, { c.tails, "funcgraph-tail" },
	};
	s->tracer = "function_graph";
	if (n)
		wordlist_add(&s->graph, argv[0]);
	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++)
		if (switches[i].on)
			wordlist_add(&s->options, switches[i].option);
	c.line.header |= c.all;
	int code = run(&c, n, argv, funcgraph_usage);
	ftrace_setup_release(s);
	return code;
}

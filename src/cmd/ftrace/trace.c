// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace [trace]: perf's options, and -e for events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/perf.h"
#include "cmd/ftrace/verbs.h"
#include "job/ftrace/live.h"

static const char *const usage[] = {
	"sonde ftrace [trace] [-t TRACER] [-T FUNC] [-G FUNC] [-e EVENT] [OPTIONS] [--] [COMMAND [ARGS]]",
#define VERB(name, function, help) "sonde ftrace " name " ...   " help,
#include "cmd/ftrace/verbs.def"
#undef VERB
	"sonde ftrace VERB -h tells more of each",
	NULL,
};

struct trace_cmd_options {
	struct ftrace_perf perf; /* first */
	const char *output;
	bool json, header, list, no_disk_guard;
	const char *pattern;
	int delay, duration;
};

static int on_list(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct trace_cmd_options *o = options;
	(void)opt;
	o->list = !unset;
	o->pattern = arg;
	return 0;
}

static bool no_option(const char *word)
{
	return *word != '-';
}

#define OPTIONS struct trace_cmd_options
static const struct option_row rows[] = {
	OPT_TABLE(ftrace_perf_rows),
	OPT_TABLE(ftrace_perf_trace_rows),
	OPT_GROUP("what to show"),
	OPT_CALL_NEXT('F', "funcs", "[PATTERN]", on_list, no_option, "list the functions that can be traced, and end"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_FLAG(0, "no-disk-guard", no_disk_guard, "write until the disk is full"),
	OPT_FLAG(0, "json", json, "one JSON object a line"),
	OPT_FLAG('H', "header", header, "the kernel's headings first"),
	OPT_MS(0, "delay", delay, "begin so long after the command"),
	OPT_MS(0, "timeout", duration, "end after so long"),
	OPT_VERBOSE("tell each step"),
	OPT_END(),
};

static int list_functions(const char *pattern)
{
	struct ftrace_instance top = { 0 };
	struct str s = STR_INIT;
	struct out o;
	char *save = NULL;
	int err = ftrace_get(&top, "available_filter_functions", &s);
	if (err) {
		ftrace_explain(err, &top, "available_filter_functions", NULL);
		str_release(&s);
		return error_print();
	}
	err = out_open(&o, NULL, false);
	if (!err && s.len)
		for (char *l = strtok_r(s.buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
			size_t n = strcspn(l, " \t");
			char *name = xstrndup(l, n);
			if (!pattern || glob_match(pattern, name))
				out_printf(&o, "%s\n", name);
			free(name);
		}
	str_release(&s);
	return err || out_close(&o) ? error_print() : 0;
}

int ftrace_cmd_trace(int argc, char **argv)
{
	struct trace_cmd_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n >= 0 && o.list)
		code = list_functions(o.pattern ? o.pattern : n ? argv[0] : NULL);
	else if (n < 0 || (n = ftrace_perf_check(&o.perf, n, "function_graph")) < 0)
		code = options_exit(n, usage);
	else {
		struct ftrace_live j = { .setup = &o.perf.setup, .output = o.output, .json = o.json, .header = o.header,
			.all_tasks = o.perf.all, .timeout_ms = o.duration, .delay_ms = o.delay,
			.no_disk_guard = o.no_disk_guard };
		code = ftrace_live_run(&j, n ? argv : NULL);
	}
	ftrace_setup_release(&o.perf.setup);
	return code;
}

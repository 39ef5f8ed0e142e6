// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "perfdata/reader.h"
#include "ui/evlist.h"

static const char *const usage[] = { "sonde evlist [-i FILE] [-F] [-v] [--trace-fields]", "sonde evlist [-i FILE] -g", NULL };

struct evlist_options {
	const char *input;
	struct evlist_page page;
	bool force;
};
#define OPTIONS struct evlist_options

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", input, "the recording (default perf.data); - reads a pipe"),
	OPT_FLAG('F', "freq", page.freq, "the frequency or period of each"),
	OPT_FLAG('g', "group", page.groups, "groups in braces"),
	OPT_FLAG(0, "trace-fields", page.fields, "the fields of tracepoints"),
	OPT_FLAG('f', "force", force, "read a recording that belongs to another user"),
	OPT_VERBOSE("all that was asked of the kernel"),
	OPT_END(),
};

static int show(const struct evlist_options *o)
{
	struct out out;
	struct perfdata *p = perfdata_open(o->input, o->force);
	if (!p)
		return error_code();
	int err = out_open(&out, NULL, false);
	if (!err) {
		/* names in a pipe come as records, which reading takes in */
		struct perfdata_record r;
		while (perfdata_is_pipe(p) && (err = perfdata_next(p, &r)) > 0)
			;
		if (!err)
			evlist_print(&out, p, &o->page);
	}
	int closed = out_close(&out);
	perfdata_close(p);
	return err < 0 ? err : closed;
}

int cmd_evlist(int argc, char **argv)
{
	struct evlist_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	o.page.attrs = verbosity > 0;
	if (n > 0)
		n = error_set(EINVAL, "evlist takes no arguments: '%s'", argv[0]);
	if (n >= 0 && o.page.groups && (o.page.freq || o.page.attrs || o.page.fields))
		n = error_set(EINVAL, "-g goes with no other form: one line is one group there");
	if (n < 0)
		return options_exit(n, usage);
	return show(&o) < 0 ? error_print() : 0;
}

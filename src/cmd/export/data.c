// SPDX-License-Identifier: GPL-2.0-or-later
/* perf's names for two of export's formats. */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/export/write.h"

struct data_cmd {
	struct export_job job;
	const char *json, *ctf;
};
#define OPTIONS struct data_cmd

static const char *const usage[] = { "sonde data convert [-i FILE] --to-json FILE | --to-ctf DIR", NULL };

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", job.in.input, "the recording (perf.data; - is standard input)"),
	OPT_STRING(0, "to-json", "FILE", json, "write JSON there"),
	OPT_STRING(0, "to-ctf", "DIR", ctf, "make that folder, a trace in the Common Trace Format"),
	OPT_FLAG(0, "tod", job.wall_clock, "times of day (CTF has them anyway)"),
	OPT_FLAG('f', "force", job.in.force, "read a recording of another user, write over a file that is there"),
	OPT_VERBOSE("tell more: why names are missing"),
	OPT_IGNORED(0, "all", NULL, "samples are converted, other records are not"),
	OPT_END(),
};

/* perf refuses to write over what is there. */
static int check(const struct data_cmd *c)
{
	if (!c->json == !c->ctf)
		return error_set(EINVAL, c->json ? "--to-json and --to-ctf exclude each other" : "--to-json FILE or --to-ctf DIR is missing");
	if (c->json && strcmp(c->json, "-") && file_exists(c->json) && !c->job.in.force) {
		error_set(EEXIST, "%s is there already", c->json);
		return error_hint("-f writes over it");
	}
	return 0;
}

int cmd_data(int argc, char **argv)
{
	struct data_cmd c = { 0 };
	export_job_init(&c.job);
	bool convert = argc > 1 && !strcmp(argv[1], "convert");
	int n = options_parse(&c, argc - convert, argv + convert, rows, usage, 0);
	if (n >= 0 && (n || !convert)) {
		n = n ? error_set(EINVAL, "data knows convert, not '%s'", argv[convert]) : error_set(EINVAL, "what is to be done with the data?");
		error_hint("sonde data convert --to-json FILE, --to-ctf DIR; sonde export writes more formats");
	}
	if (n < 0)
		return options_exit(n, usage);
	if (check(&c))
		return error_code() == -EINVAL ? options_exit(-EINVAL, usage) : error_print();
	c.job.in.output = c.json ? c.json : c.ctf;
	c.job.format = export_format_find(c.json ? "json" : "ctf");
	return export_job_run(&c.job, usage);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "base/version.h"
#include "cmd/commands.h"
#include "ui/buildinfo.h"

static const char *const usage[] = { "sonde version [--build-options]", NULL };

struct version_options { bool build; };
#define OPTIONS struct version_options

static const struct option_row rows[] = {
	OPT_FLAG(0, "build-options", build, "what sonde was built with, by perf's names"),
	OPT_VERBOSE("the same"),
	OPT_END(),
};

int cmd_version(int argc, char **argv)
{
	struct version_options v = { 0 };
	struct out o;
	int n = options_parse(&v, argc, argv, rows, usage, 0);
	if (n > 0)
		n = error_set(EINVAL, "version takes no arguments: '%s'", argv[0]);
	if (n < 0)
		return options_exit(n, usage);
	if (out_open(&o, NULL, false))
		return error_print();
	out_puts(&o, "sonde " SONDE_VERSION "\n");
	if (v.build || verbosity)
		for (const struct build_feature *f = build_features(); f->name; f++)
			build_feature_print(&o, f);
	return out_close(&o) < 0 ? error_print() : 0;
}

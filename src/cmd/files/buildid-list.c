// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "ui/idlist.h"

static const char *const usage[] = { "sonde buildid-list [-i FILE] [-H] [-k] [-m]", NULL };

struct id_options {
	const char *input;
	bool kernel, modules, hits, force;
};
#define OPTIONS struct id_options

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", input, "the recording (default perf.data), or a binary; - reads a pipe"),
	OPT_FLAG('H', "with-hits", hits, "only files in which samples fell"),
	OPT_FLAG('k', "kernel", kernel, "the running kernel's"),
	OPT_FLAG('m', "kernel-maps", modules, "the running kernel's and its modules', with their addresses"),
	OPT_FLAG('f', "force", force, "read a recording that belongs to another user"),
	OPT_VERBOSE("say more"),
	OPT_END(),
};

int cmd_buildid_list(int argc, char **argv)
{
	struct id_options o = { 0 };
	struct out out;
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n > 0) {
		error_set(EINVAL, "'%s' is too much", argv[0]);
		error_hint("the recording is named with -i");
		n = -EINVAL;
	}
	if (n < 0)
		return options_exit(n, usage);
	out_open(&out, NULL, false);
	int err = o.kernel ? idlist_kernel(&out) : o.modules ? idlist_kernel_maps(&out) : idlist_file(&out, o.input, o.hits, o.force);
	if (out_close(&out) && !err)
		err = error_code();
	return err ? error_print() : 0;
}

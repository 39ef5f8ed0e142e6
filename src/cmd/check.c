// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "ui/buildinfo.h"

static const char *const usage[] = { "sonde check [-q] feature NAME[,NAME]...", NULL };

struct check_options { bool quiet; };
#define OPTIONS struct check_options

static const struct option_row rows[] = {
	OPT_FLAG('q', "quiet", quiet, "say nothing: the exit status tells"),
	OPT_VERBOSE("say more"),
	OPT_END(),
};

static void unknown(const char *word)
{
	struct nearest n;
	error_set(ENOENT, "there is no feature '%s'", word);
	nearest_init(&n, word);
	for (const struct build_feature *f = build_features(); f->name; f++)
		nearest_offer(&n, f->name);
	if (!nearest_hint(&n))
		error_hint("sonde version --build-options lists them");
	error_print();
}

/* 0: all of them are there. */
static int check(const char *list, bool quiet)
{
	wordlist words = { 0 };
	struct out o;
	int code = 0;
	if (out_open(&o, NULL, false))
		return error_print();
	wordlist_split(&words, list, ',');
	vec_each(&words, w) {
		const struct build_feature *f = build_feature_find(*w);
		if (f && !quiet)
			build_feature_print(&o, f);
		if (!f && !quiet) {
			out_flush(&o);
			unknown(*w);
		}
		if (!f || !f->there)
			code = 1;
	}
	wordlist_release(&words);
	return out_close(&o) < 0 ? error_print() : code;
}

int cmd_check(int argc, char **argv)
{
	struct check_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n > 0 && strcmp(argv[0], "feature"))
		n = error_set(EINVAL, "check knows only 'feature', not '%s'", argv[0]);
	if (n > 0)
		n = options_parse(&o, n, argv, rows, usage, 0);
	if (n >= 0 && n != 1)
		n = error_set(EINVAL, "check feature takes one list of names: zlib,libelf");
	return n < 0 ? options_exit(n, usage) : check(argv[0], o.quiet);
}

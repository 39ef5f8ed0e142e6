// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/global.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "base/out.h"
#include "base/str.h"
#include "symbol/file/idcache.h"

#define OPTIONS struct global_options

static const char *const usage[] = { "sonde [--no-pager|-p] [--buildid-dir DIR] [--debug verbose=N] COMMAND [ARGS]", NULL };

/* verbose=N is the number of -v; the other variables are about parts of perf. */
static int on_debug(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	static const char *const others[] = { "ordered-events", "data-convert", "stderr", "perf-event-open", "kmaps" };
	size_t n = strcspn(arg, "=");
	uint64_t level = 1;
	(void)value, (void)opt, (void)unset;
	if (arg[n] && (parse_u64(arg + n + 1, &level) || level > 10))
		return error_set(EINVAL, "--debug: '%s' is no level from 0 to 10", arg + n + 1);
	if (n == strlen("verbose") && !strncmp(arg, "verbose", n)) {
		verbosity = (int)level;
		return 0;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (n == strlen(others[i]) && !strncmp(arg, others[i], n)) {
			if ((int)level > 0 && verbosity < 2)
				verbosity = 2; /* what sonde tells of it, it tells with -vv */
			return 0;
		}
	error_set(EINVAL, "--debug: there is no variable '%.*s'", (int)n, arg);
	return error_hint("verbose, ordered-events, data-convert, stderr, perf-event-open or kmaps");
}

static const struct option_row rows[] = {
	OPT_COUNT('v', NULL, v, "the version"),
	OPT_FLAG(0, "version", version, "the version"),
	OPT_FLAG('p', "paginate", paginate, "all output of the command through the pager"),
	OPT_FLAG(0, "pager", pager, "none at all: --no-pager"),
	OPT_STRING(0, "buildid-dir", "DIR", buildid_dir, "the cache of binaries, instead of ~/.debug"),
	OPT_CALL(0, "debug", "VAR[=N]", on_debug, "verbose=N: as so many -v"),
	OPT_STRING(0, "debug-file", "FILE", debug_file, "what -v tells goes there"),
	OPT_FLAG(0, "list-cmds", list_commands, "the names of the commands"),
	OPT_FLAG(0, "list-opts", list_options, "these options"),
	OPT_REFUSED(0, "exec-path", "[DIR]", "sonde is one program: there are no others beside it", "sonde help lists the commands"),
	OPT_REFUSED(0, "html-path", NULL, "there is no documentation in HTML", "man sonde"),
	OPT_REFUSED(0, "debugfs-dir", "DIR", "tracefs is where the kernel's list of mounts says",
		    "mount -t tracefs nodev /sys/kernel/tracing"),
	OPT_END(),
};

int global_parse(struct global_options *g, int argc, char **argv)
{
	g->pager = true;
	int n = options_parse(g, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n != -ECANCELED)
		return n;
	g->help = true; /* behind another option: its usage was shown */
	return 0;
}

int global_apply(const struct global_options *g)
{
	if (!g->pager)
		out_pager_off();
	if (g->buildid_dir)
		idcache_set_root(g->buildid_dir);
	if (g->debug_file) {
		int fd = file_create(g->debug_file, O_WRONLY, 0600);
		if (fd < 0)
			return fd;
		note_to(fd);
	}
	if (g->paginate && g->pager)
		out_pager_all();
	return 0;
}

int global_list(void)
{
	for (const struct option_row *r = rows; r->kind != OPTION_END; r++)
		if (r->long_name && r->help)
			printf("--%s%s ", !strcmp(r->long_name, "pager") ? "no-" : "", r->long_name);
	putchar('\n');
	return 0;
}

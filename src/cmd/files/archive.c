// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde archive: a recording and every file its names come from, in one file. */
#include "symbol/file/archive.h"
#include <errno.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "session/session.h"

static const char *const usage[] = { "sonde archive [-o FILE] [FILE]", NULL };

struct archive_options {
	const char *input, *output;
	bool quiet, force;
	struct symbols_options symbols;
};
#define OPTIONS struct archive_options

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", input, "the recording (perf.data)"),
	OPT_STRING('o', "output", "FILE", output, "the archive (the recording's name and .sonde)"),
	OPT_STRING('k', "vmlinux", "FILE", symbols.vmlinux, "the kernel's names come from this file"),
	OPT_STRING(0, "kallsyms", "FILE", symbols.kallsyms, "the kernel's names come from this text"),
	OPT_STRING(0, "symfs", "DIR", symbols.symfs, "look for files below this folder"),
	OPT_FLAG('f', "force", force, "read a recording that another user owns"),
	OPT_FLAG('q', "quiet", quiet, "say nothing when it works"),
	OPT_VERBOSE("tell what is packed"),
	OPT_END(),
};

static void say(const char *path, const struct archive_stats *stats)
{
	struct out o;
	struct str name = STR_INIT;
	if (out_open(&o, NULL, false))
		return;
	str_add_safez(&name, path);
	out_printf(&o, "wrote %s: the recording and %u files, %.1f MB packed from %.1f MB\n", name.buf, stats->files,
		   (double)stats->packed / 1e6, (double)stats->bytes / 1e6);
	out_printf(&o, "read it anywhere with: sonde report -i %s\n", name.buf);
	str_release(&name);
	out_close(&o);
}

static int pack(const struct archive_options *o)
{
	struct perfdata *p = perfdata_open(o->input, o->force);
	if (!p)
		return error_print();
	char *made = o->output ? NULL : xasprintf("%s.sonde", o->input);
	struct symbols_options so = o->symbols;
	so.force = o->force;
	struct symbols *syms = symbols_new(&so);
	struct archive_stats stats = { 0 };
	int err = session_resolve_all(p, syms, true); /* what has been looked into is packed */
	if (!err)
		err = archive_write(o->output ?: made, o->input, syms, &stats);
	if (!err && !o->quiet)
		say(o->output ?: made, &stats);
	symbols_free(syms);
	perfdata_close(p);
	free(made);
	return err ? error_print() : 0;
}

int cmd_archive(int argc, char **argv)
{
	struct archive_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n > (o.input ? 0 : 1))
		return options_exit(error_set(EINVAL, "'%s': archive takes one recording", argv[n - 1]), usage);
	o.input = o.input ?: n ? argv[0] : "perf.data";
	if (o.input[0] == '-' && !o.input[1])
		return options_exit(error_set(EINVAL, "archive reads a file, not a pipe: sonde record -o FILE first"), usage);
	return pack(&o);
}

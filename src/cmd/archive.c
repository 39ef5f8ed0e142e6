// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde archive: a recording and every file its names come from, in one file. */
#include "symbol/file/archive.h"
#include <errno.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "session/callchain.h"
#include "session/session.h"

static const char *const usage[] = { "sonde archive [-o FILE] [FILE]", NULL };

/* Resolving every frame loads what is needed and marks it. */
static int mark_needed(struct perfdata *p, struct symbols *syms)
{
	struct session *s = session_new(syms);
	struct chain_ip chain[CALLCHAIN_MAX];
	struct perfdata_record r;
	struct frame f;
	bool truncated;
	int err;
	session_header(s, p);
	while ((err = perfdata_next(p, &r)) > 0) {
		session_feed(s, &r);
		if (r.header->type != PERF_RECORD_SAMPLE)
			continue;
		symbols_resolve(syms, r.pid, r.ip, sample_mode(r.misc), &f);
		int n = callchain_ips(syms, &r, (struct chain_limit){ .max = CALLCHAIN_MAX }, chain, &truncated);
		for (int i = 0; i < n; i++)
			symbols_resolve(syms, r.pid, chain[i].ip, chain[i].mode, &f);
	}
	session_free(s);
	return err;
}

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

int cmd_archive(int argc, char **argv)
{
	const char *input = NULL, *output = NULL;
	bool quiet = false, force = false;
	struct symbols_options so = { 0 };
	const struct option_row rows[] = {
		OPT_STRING('i', "input", "FILE", &input, "the recording (perf.data)"),
		OPT_STRING('o', "output", "FILE", &output, "the archive (the recording's name and .sonde)"),
		OPT_STRING('k', "vmlinux", "FILE", &so.vmlinux, "the kernel's names come from this file"),
		OPT_STRING(0, "kallsyms", "FILE", &so.kallsyms, "the kernel's names come from this text"),
		OPT_STRING(0, "symfs", "DIR", &so.symfs, "look for files below this folder"),
		OPT_FLAG('f', "force", &force, "read a recording that another user owns"),
		OPT_FLAG('q', "quiet", &quiet, "say nothing when it works"),
		OPT_COUNT('v', "verbose", &verbosity, "tell what is packed"),
		OPT_END()
	};
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n > (input ? 0 : 1))
		return options_exit(error_set(EINVAL, "'%s': archive takes one recording", argv[n - 1]), usage);
	input = input ?: n ? argv[0] : "perf.data";
	if (input[0] == '-' && !input[1])
		return options_exit(error_set(EINVAL, "archive reads a file, not a pipe: sonde record -o FILE first"), usage);
	struct perfdata *p = perfdata_open(input, force);
	if (!p)
		return error_print();
	char *made = output ? NULL : xasprintf("%s.sonde", input);
	struct symbols *syms = symbols_new(&so);
	struct archive_stats stats = { 0 };
	int err = mark_needed(p, syms);
	if (!err)
		err = archive_write(output ?: made, input, syms, &stats);
	if (!err && !quiet)
		say(output ?: made, &stats);
	symbols_free(syms);
	perfdata_close(p);
	free(made);
	return err ? error_print() : 0;
}

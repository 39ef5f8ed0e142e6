// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/commands.h"
#include "event/session.h"
#include "perfdata/reader.h"
#include "symbol/debugfile.h"

static const char *const usage[] = { "sonde buildid-list [-i FILE] [-H] [-k]", NULL };

static void print_id(struct out *o, const struct build_id *id, const char *path)
{
	struct str s = STR_INIT;
	char hex[41];
	if (id->n)
		build_id_hex(id, hex);
	else
		hex[0] = 0; /* not in the recording */
	str_addf(&s, "%-40s ", hex);
	str_add_safez(&s, path);
	str_addc(&s, '\n');
	out_str(o, &s);
	str_release(&s);
}

static int kernel_id(struct out *o)
{
	struct build_id id = { .n = 0 };
	struct str s = STR_INIT;
	char hex[41];
	int err = build_id_of_kernel(&id);
	if (err) {
		error_sys(err, "cannot read the build-id of the running kernel");
		return error_hint("/sys/kernel/notes tells it, where the kernel was linked with one");
	}
	build_id_hex(&id, hex);
	str_addf(&s, "%s\n", hex);
	out_str(o, &s);
	str_release(&s);
	return 0;
}

/* The build-id of every file in which a sample fell, and of those in the chains. */
static int by_samples(struct perfdata *p, struct out *o)
{
	static const struct symbols_options plain;
	struct symbols *syms = symbols_new(&plain);
	struct session *s = session_new(syms);
	struct perfdata_record r;
	struct frame f;
	size_t cursor = 0;
	int err;
	session_header(s, p);
	while ((err = perfdata_next(p, &r)) > 0) {
		session_feed(s, &r);
		if (r.header->type != PERF_RECORD_SAMPLE)
			continue;
		symbols_resolve(syms, r.pid, r.ip, session_mode(&r), &f);
		int mode = session_mode(&r);
		for (size_t i = 0; i < r.n_chain; i++) {
			if (r.chain[i] == (uint64_t)PERF_CONTEXT_KERNEL)
				mode = SYM_KERNEL;
			else if (r.chain[i] == (uint64_t)PERF_CONTEXT_USER)
				mode = SYM_USER;
			else if (r.chain[i] < (uint64_t)PERF_CONTEXT_MAX)
				symbols_resolve(syms, r.pid, r.chain[i], mode, &f);
		}
	}
	for (const struct dso *d; !err && (d = symbols_next(syms, &cursor));)
		if (d->hit && !(d->kernel && d->path[0] != '[' && !d->build_id.n)) /* a BPF program is no file */
			print_id(o, &d->build_id, d->path);
	session_free(s);
	symbols_free(syms);
	return err;
}

static int of_file(struct out *o, const char *input, bool hits, bool force)
{
	const struct perfdata_build_id *b;
	struct perfdata *p = perfdata_open(input, force);
	if (!p)
		return error_code();
	size_t n = perfdata_build_ids(p, &b);
	int err = 0;
	if (n && !hits)
		for (size_t i = 0; i < n; i++)
			print_id(o, &b[i].id, b[i].path);
	else
		err = by_samples(p, o);
	perfdata_close(p);
	return err;
}

int cmd_buildid_list(int argc, char **argv)
{
	const char *input = NULL;
	bool kernel = false, hits = false, force = false;
	const struct option_row rows[] = {
		OPT_STRING('i', "input", "FILE", &input, "the recording (default perf.data); - reads a pipe"),
		OPT_FLAG('H', "with-hits", &hits, "only files in which samples fell"),
		OPT_FLAG('k', "kernel", &kernel, "the running kernel's"),
		OPT_FLAG('f', "force", &force, "read a recording that belongs to another user"),
		OPT_COUNT('v', "verbose", &verbosity, "say more"),
		OPT_END(),
	};
	struct out o;
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n > 0) {
		error_set(EINVAL, "'%s' is too much", argv[0]);
		error_hint("the recording is named with -i");
		n = -EINVAL;
	}
	if (n < 0)
		return options_exit(n, usage);
	out_open(&o, NULL, false);
	int err = kernel ? kernel_id(&o) : of_file(&o, input, hits, force);
	if (out_close(&o) && !err)
		err = error_code();
	return err ? error_print() : 0;
}

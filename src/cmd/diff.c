// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/reading_perf.h"
#include "tui/diff/diff.h"
#include "tui/run.h"
#include "ui/report/records.h"

enum { FILES_MAX = 64 };
struct diff_cmd {
	struct diff_options o;
	bool stdio, dump, force, demangle;
	const char *time, *symfs, *vmlinux, *kallsyms, *output;
	struct sample_filter filter; /* cpus, pids, tids of every file */
	wordlist events;
};
#define OPTIONS struct diff_cmd

static const char *const usage[] = { "sonde diff [OPTIONS] [BASELINE [FILE]...]", NULL };

static int on_weights(struct diff_options *o, const char *text)
{
	char *end;
	o->weight_base = strtoll(text, &end, 10);
	if (*end == ',')
		o->weight_new = strtoll(end + 1, &end, 10);
	if (!*end && o->weight_base && o->weight_new)
		return 0;
	error_set(EINVAL, "wdiff takes two weights, not '%s'", text);
	return error_hint("-c wdiff:1,2: the new period twice less the old one");
}

static int on_compute(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct diff_options *o = &((struct diff_cmd *)options)->o;
	static const char *const names[] = { "delta-abs", "delta", "ratio" };
	(void)opt;
	(void)unset;
	for (int i = 0; i < 3; i++)
		if (!strcmp(arg, names[i])) {
			o->compute = i;
			return 0;
		}
	if (str_starts(arg, "wdiff")) {
		o->compute = DIFF_WDIFF;
		return on_weights(o, arg[5] == ':' ? arg + 6 : "");
	}
	error_set(EINVAL, !strcmp(arg, "cycles") ? "cycles of blocks are not compared here" : "'%s' is no way to compare", arg);
	return error_hint("-c delta-abs, delta, ratio or wdiff:W1,W2");
}

static int on_percentage(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct diff_options *o = &((struct diff_cmd *)options)->o;
	(void)opt;
	(void)unset;
	o->relative = !strcmp(arg, "relative");
	return o->relative || !strcmp(arg, "absolute") ? 0 : error_set(EINVAL, "--percentage is relative or absolute, not '%s'", arg);
}

static const struct option_row rows[] = {
	OPT_STRING(0, "output", "FILE", output, "write there"),
	OPT_FLAG(0, "stdio", stdio, "print text"),
	OPT_GROUP("What is compared"),
	OPT_CALL('c', "compute", "HOW", on_compute, "delta-abs (percentages, the largest change first), delta, ratio, wdiff:W1,W2"),
	OPT_INT('o', "order", "N", o.order, "sort by the column of file N; 0: by the baseline (1)"),
	OPT_FLAG('p', "period", o.period, "the periods too"),
	OPT_FLAG('F', "formula", o.formula, "how it was worked out"),
	OPT_FLAG('b', "baseline-only", o.baseline_only, "only what is in the baseline and in another file"),
	OPT_STRING('s', "sort", "KEYS", o.sort, "lines by dso, symbol, comm, pid, cpu, parent, srcline (dso,symbol)"),
	OPT_STRING('t', "field-separator", "CHAR", o.separator, "that between columns"),
	OPT_CALL(0, "percentage", "WORD", on_percentage, "percentages of what is filtered: relative or absolute"),
	OPT_GROUP("Which samples"),
	READING_EVENT_ROW(events),
	OPT_CALL_ON('d', "dsos", "LIST", o.dsos, reading_on_words, "only in these files"),
	OPT_CALL_ON('C', "comms", "LIST", o.comms, reading_on_words, "only of threads with these names"),
	OPT_CALL_ON('S', "symbols", "LIST", o.symbols, reading_on_words, "only in these functions"),
	OPT_STRING(0, "time", "SPANS", time, "only in START,STOP (seconds), N%/K or A%-B%; A:B for the baseline and the next file"),
	OPT_CALL_ON(0, "cpu", "LIST", filter, reading_on_cpus, "only of these CPUs"),
	OPT_CALL_ON(0, "pid", "LIST", filter, reading_on_pids, "only of these processes"),
	OPT_CALL_ON(0, "tid", "LIST", filter, reading_on_tids, "only of these threads"),
	OPT_GROUP("Symbols"),
	OPT_STRING(0, "symfs", "DIR", symfs, "look for files below that folder"),
	OPT_STRING(0, "kallsyms", "FILE", kallsyms, "the kernel's symbol list"),
	OPT_STRING('k', "vmlinux", "FILE", vmlinux, "the kernel's image"),
	OPT_FLAG(0, "demangle", demangle, "C++ and Rust names in readable form (on; --no-demangle turns it off)"),
	OPT_FLAG('f', "force", force, "read files of other owners"),
	OPT_VERBOSE("the files, and files of code by path"),
	OPT_FLAG('q', "quiet", o.quiet, "only the lines"),
	OPT_FLAG('D', "dump-raw-trace", dump, "dump every record: bytes and meaning"),
	OPT_NEEDLESS('m', "modules", NULL, "symbols of modules are always read"),
	OPT_REFUSED(0, "cycles-hist", NULL, "cycles of blocks are not compared here", "sonde report --total-cycles shows those of each recording"),
	OPT_REFUSED(0, "stream", NULL, "streams of branches are not compared here", "sonde report --branch-history shows those of each recording"),
	OPT_END(),
};

/* "A:B" has the times of each file; one alone is for all. */
static int set_filter(const struct diff_cmd *c, struct diff_file *f, int i)
{
	wordlist parts = { 0 };
	int err = reading_events(&f->filter, &c->events, f->data);
	for (size_t k = 0; c->filter.cpus.n && k < perfdata_n_events(f->data); k++)
		if (!(perfdata_event_at(f->data, k)->attr.sample_type & PERF_SAMPLE_CPU)) {
			error_set(ENODATA, "%s: the samples do not tell their CPU, so --cpu cannot choose among them", f->path);
			return error_hint("record with -a, -C or --sample-cpu");
		}
	for (size_t k = 0; k < c->filter.cpus.n; k++)
		*vec_push(&f->filter.cpus) = c->filter.cpus.at[k];
	for (size_t k = 0; k < c->filter.pids.n; k++)
		*vec_push(&f->filter.pids) = c->filter.pids.at[k];
	for (size_t k = 0; k < c->filter.tids.n; k++)
		*vec_push(&f->filter.tids) = c->filter.tids.at[k];
	if (c->time && !err) {
		wordlist_split(&parts, c->time, ':');
		const char *own = parts.n == 1 ? parts.at[0] : (size_t)i < parts.n ? parts.at[i] : NULL;
		err = own ? filter_times_of(&f->filter, own, f->data, f->path, false) : 0;
		wordlist_release(&parts);
	}
	return err;
}

static int open_file(const struct diff_cmd *c, struct diff_file *f, int i)
{
	struct symbols_options so = { .symfs = c->symfs, .vmlinux = c->vmlinux, .kallsyms = c->kallsyms, .no_demangle = !c->demangle, .force = c->force };
	if (!(f->data = perfdata_open(f->path, c->force)))
		return error_code();
	f->syms = symbols_new(&so);
	return set_filter(c, f, i);
}

static bool browses(const struct diff_cmd *c)
{
	return !c->stdio && !c->output && !c->o.quiet && !c->o.separator && tui_possible();
}

static int run(struct diff_cmd *c, struct diff *d, struct out *out)
{
	int err = 0;
	for (int i = 0; i < d->n && !err; i++)
		err = open_file(c, &d->file[i], i);
	for (int i = 0; i < d->n && !err && c->dump; i++)
		err = records_print(d->file[i].data, out, d->file[i].path, false);
	if (!err && !c->dump && browses(c))
		return tui_diff(d, &c->o);
	if (!err && !c->dump)
		err = diff_read(d);
	if (!err && !c->dump)
		diff_print(d, out);
	return err;
}

static void release(struct diff_cmd *c, struct diff *d)
{
	diff_release(d);
	for (int i = 0; i < d->n; i++) {
		symbols_free(d->file[i].syms);
		perfdata_close(d->file[i].data);
	}
	filter_release(&c->filter);
	wordlist_release(&c->events);
	wordlist_release(&c->o.dsos);
	wordlist_release(&c->o.comms);
	wordlist_release(&c->o.symbols);
}

static int check(const struct diff_cmd *c, int n)
{
	if (n > FILES_MAX)
		return error_set(E2BIG, "%d recordings at most", FILES_MAX);
	if (c->o.order < 0 || c->o.order >= n) {
		error_set(EINVAL, "-o %d: the columns are 0 (the baseline) to %d", c->o.order, n - 1);
		return error_hint("the files count from 0");
	}
	return 0;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_cmd c = { .o = { .order = 1 }, .demangle = true };
	struct diff_file file[FILES_MAX] = { 0 };
	struct diff d = { .o = &c.o, .file = file };
	struct out out;
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	d.n = n < 2 ? 2 : n;
	if (check(&c, d.n))
		return options_exit(-EINVAL, usage);
	file[0].path = n < 2 ? "perf.data.old" : argv[0];
	file[1].path = n < 1 ? "perf.data" : argv[n > 1];
	for (int i = 2; i < n; i++)
		file[i].path = argv[i];
	if (c.o.quiet)
		verbosity = 0;
	int err = out_open(&out, c.output, false);
	if (!err && !c.output && !browses(&c))
		out_pager(&out);
	err = err ? err : run(&c, &d, &out);
	int closed = out_close(&out);
	release(&c, &d);
	return err || closed ? error_print() : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/shared/code.h"
#include "cmd/reading_perf.h"
#include "tui/annotate/annotate.h"
#include "tui/run.h"
#include "ui/report/records.h"

struct annotate_cmd {
	struct reading in;
	struct annotate_options page;
	bool stdio, stdio2, tui, gtk, dump;
	wordlist dsos;
};
#define OPTIONS struct annotate_cmd

static const char *const usage[] = { "sonde annotate [OPTIONS] [SYMBOL]", NULL };

static int on_group(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct annotate_options *o = &((struct annotate_cmd *)options)->page;
	(void)opt;
	(void)arg;
	o->group = !unset;
	o->group_given = true;
	return 0;
}

static int on_limit(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct annotate_options *o = &((struct annotate_cmd *)options)->page;
	char *end;
	(void)opt;
	(void)unset;
	o->min_percent = strtod(arg, &end);
	return end == arg || *end || o->min_percent < 0 ? error_set(EINVAL, "'%s' is not a percentage", arg) : 0;
}

#define NO_TYPES "no types of data are told yet"
static const struct option_row rows[] = {
	READING_FILE_ROWS(in),
	OPT_FLAG(0, "stdio", stdio, "print text"),
	OPT_FLAG(0, "stdio2", stdio2, "print text with offsets, arrows and operands by name, as perf's browser shows it"),
	OPT_GROUP("Lines"),
	OPT_STRING('s', "symbol", "SYMBOL", page.choice.symbol, "the function"),
	OPT_FLAG('l', "print-line", page.places, "the source line of hot instructions, and a summary by source line"),
	OPT_FLAG('P', "full-paths", page.full_path, "whole paths"),
	OPT_FLAG('n', "show-nr-samples", page.samples, "numbers of samples, not percentages"),
	OPT_FLAG(0, "show-total-period", page.period, "sums of periods, not percentages"),
	OPT_CALL_ON(0, "percent-type", "WORD", page.type, code_on_percent_type, "what percentages are of: local-period, local-hits, global-period, global-hits"),
	OPT_CALL(0, "percent-limit", "P", on_limit, "leave out functions below P percent of all"),
	OPT_CALL(0, "group", NULL, on_group, "events of a group side by side (on); given, it also makes a group of all where there is none"),
	OPT_FLAG(0, "skip-empty", page.skip_empty, "leave out events of a group that have no samples"),
	OPT_FLAG(0, "skip-missing", page.skip_missing, "say nothing of functions whose code is not to be had"),
	OPT_GROUP("Code and source"),
	CODE_ROWS(page.listing),
	OPT_GROUP("Which samples"),
	OPT_CALL_ON('d', "dsos", "LIST", dsos, reading_on_words, "only in these files"),
	READING_SAMPLE_ROWS(in),
	READING_SWITCH_ROWS(in),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(in),
	OPT_VERBOSE("the samples of each address"),
	OPT_FLAG('q', "quiet", page.quiet, "no warnings"),
	OPT_FLAG('D', "dump-raw-trace", dump, "dump every record: bytes and meaning"),
	OPT_NEEDLESS(0, "tui", NULL, "the browser is what a terminal shows"),
	OPT_IGNORED(0, "gtk", NULL, "there is no window here: the browser is shown in the terminal"),
	OPT_NEEDLESS('m', "modules", NULL, "symbols of modules are always read"),
	OPT_NEEDLESS(0, "addr2line", "FILE", PERF_NO_TOOL),
	OPT_NEEDLESS(0, "demangle-kernel", NULL, "the kernel's Rust names are always readable"),
	OPT_NEEDLESS(0, "stdio-color", "[WORD]", "colours follow the terminal and NO_COLOR"),
	OPT_REFUSED(0, "itrace", "[WHAT]", PERF_NO_AUX, PERF_USE_PERF),
	OPT_REFUSED(0, "data-type", "[NAME]", NO_TYPES, PERF_USE_PERF),
	OPT_REFUSED(0, "type-stat", NULL, NO_TYPES, PERF_USE_PERF),
	OPT_END(),
};

static int run_browser(struct annotate_cmd *c, struct perfdata *p)
{
	int err = reading_filters(&c->in, p);
	if (!err) {
		struct symbols *syms = reading_symbols(&c->in);
		err = tui_annotate(p, syms, &c->page);
		symbols_free(syms);
	}
	return err ? error_print() : 0;
}

static int run(struct perfdata *p, void *options)
{
	struct annotate_cmd *c = options;
	struct out out;
	bool browse = !c->stdio && !c->stdio2 && !c->dump && !c->in.output && !c->in.header && !c->in.header_only &&
		      strcmp(c->in.input, "-") && tui_possible();
	int err = reading_output(&c->in, p, &out);
	if (!err && browse)
		return run_browser(c, p);
	if (!err && !c->in.output)
		out_pager(&out);
	if (!err && c->dump)
		err = records_print(p, &out, c->in.input, false);
	else if (!err && !c->in.header_only)
		err = reading_filters(&c->in, p);
	if (!err && !c->dump && !c->in.header_only) {
		struct symbols *syms = reading_symbols(&c->in);
		err = annotate_page(p, syms, &c->page, &out);
		symbols_free(syms);
	}
	int closed = out_close(&out);
	if (err && c->in.usage)
		return options_exit(err, usage);
	return err || closed ? error_print() : 0;
}

int cmd_annotate(int argc, char **argv)
{
	struct annotate_cmd c = { .page = { .group = true, .listing.source = true } };
	struct annotate_options *o = &c.page;
	reading_init(&c.in);
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n >= 0 && n + (o->choice.symbol != NULL) > 1)
		n = error_set(EINVAL, "one symbol at most, not '%s' too", argv[n - 1]);
	if (n >= 0 && o->listing.prefix_strip && !o->listing.prefix) {
		error_set(EINVAL, "--prefix-strip is for --prefix, which was not given");
		n = error_hint("sonde annotate --prefix=DIR --prefix-strip=N");
	}
	if (n < 0)
		return options_exit(n, usage);
	if (n)
		o->choice.symbol = argv[0];
	if (o->quiet)
		verbosity = 0;
	o->second = c.stdio2;
	o->choice.filter = &c.in.filter;
	o->choice.dsos = c.dsos.n ? &c.dsos : NULL;
	o->choice.symbols = c.in.symbols.n ? &c.in.symbols : NULL;
	int code = reading_run(&c.in, run, &c);
	wordlist_release(&c.dsos);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "kernel/features/features.h"
#include "spec/catalogue.h"
#include "ui/listing.h"

static const char *const usage[] = {
	"sonde list [OPTIONS] [hw|sw|cache|pmu|tracepoint|probe|sdt|subsys|metric|metricgroup|FILE|GLOB]...", NULL };

struct list_options { bool json, desc, long_desc, details, deprecated, raw; const char *output, *unit; };
#define OPTIONS struct list_options

static const struct option_row rows[] = {
	OPT_FLAG('j', "json", json, "write JSON"),
	OPT_STRING('o', "output", "FILE", output, "write there"),
	OPT_FLAG('d', "desc", desc, "with descriptions (as always; --no-desc: without)"),
	OPT_FLAG(0, "long-desc", long_desc, "with the longer ones, where perf's tables have them"),
	OPT_FLAG(0, "deprecated", deprecated, "also events that perf's tables call deprecated"),
	OPT_STRING(0, "unit", "PMU", unit, "of what belongs to a PMU, only this one's"),
	OPT_VERBOSE("with the fields of each tracepoint, and the longer descriptions"),
	OPT_FLAG(0, "details", details, "the same"),
	OPT_FLAG(0, "raw-dump", raw, "names alone, side by side"),
	OPT_NEEDLESS(0, "debug", NULL, "-v tells what there is to tell"),
	OPT_REFUSED(0, "cputype", "TYPE", "a kind of cores is a PMU here", "--unit cpu_core or --unit cpu_atom"),
	OPT_END(),
};

/* A word that stands for nothing: the nearest names, or how to look further. */
static int no_match(const catalogue *all, const char *word)
{
	struct nearest near;
	error_set(ENOENT, "no event matches '%s'", word);
	nearest_init(&near, word);
	vec_each(all, r) {
		nearest_offer(&near, r->name);
		if (r->alias)
			nearest_offer(&near, r->alias);
	}
	nearest_hint(&near);
	return error_hint("sonde list shows all events");
}

/* An empty list is no failure; to people it is told, so that it does not look like one. */
static void tell_none(unsigned kinds, const char *word)
{
	if (*word == '/')
		hint("there are no markers (USDT) in %s; sonde probe -x %s -F lists its functions", word, word);
	else if (kinds == 1u << CATALOGUE_PROBE)
		hint("no probe is set here; sonde probe FUNCTION sets one (sonde probe -x FILE FUNCTION in a program)");
	else
		hint("there are none on this machine");
}

static int list_kinds(struct listing *l, unsigned kinds, const char *word)
{
	catalogue c = { 0 };
	int err = *word == '/' ? catalogue_sdt(&c, word) : catalogue_fill(&c, kinds);
	vec_each(&c, r)
		listing_row(l, r);
	if (!l->shown && !err && !l->json)
		tell_none(kinds, word);
	catalogue_release(&c);
	return err && (kinds & CATALOGUE_TRACEFS) ? err : *word == '/' ? err : 0;
}

static void take_row(void *listing, const struct catalogue_row *r)
{
	listing_row(listing, r);
}

/* Prints what the word stands for; -errno with a pending error. listed: the kinds that words before it have shown. */
static int list_word(struct listing *l, catalogue *all, unsigned *listed, const char *word)
{
	unsigned kinds = catalogue_kinds_of(word), fresh = kinds & ~*listed;
	int err = 0;
	*listed |= kinds;
	if (kinds || *word == '/')
		return kinds && !fresh ? 0 : list_kinds(l, fresh, word);
	if (!all->n)
		err = catalogue_fill(all, CATALOGUE_ALL);
	if (catalogue_choose(all, word, take_row, l)) {
		error_clear();
		return 0;
	}
	if (err && strchr(word, ':')) /* it may be there, but tracefs cannot be read */
		return err;
	int none = no_match(all, word);
	if (err)
		feature_hint(FEATURE_TRACEFS);
	return none;
}

static int list_all(struct listing *l)
{
	catalogue c = { 0 };
	int err = catalogue_fill(&c, CATALOGUE_ALL);
	vec_each(&c, r)
		listing_row(l, r);
	catalogue_release(&c);
	if (err) {
		out_flush(l->out);
		warn("tracepoints are left out: %s", error_message());
		if (*error_hints())
			hint("%s", error_hints());
		error_clear();
	}
	return 0;
}

static int list(struct listing *l, int argc, char **argv)
{
	catalogue all = { 0 };
	unsigned listed = 0;
	int err = 0;
	listing_begin(l);
	if (!argc)
		err = list_all(l);
	for (int i = 0; i < argc && !err; i++)
		if (argc == 1 || strcmp(argv[i], "subsys")) /* `list subsys block:*`: the word only leads in */
			err = list_word(l, &all, &listed, argv[i]);
	listing_end(l);
	catalogue_release(&all);
	return err;
}

int cmd_list(int argc, char **argv)
{
	struct list_options o = { .desc = true };
	struct out out;
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	verbosity += o.details;
	if (out_open(&out, o.output, false) < 0)
		return error_print();
	if (!o.json)
		out_pager(&out);
	struct listing l = { .out = &out, .json = o.json, .no_desc = !o.desc, .fields = verbosity,
			     .long_desc = o.long_desc || verbosity, .deprecated = o.deprecated, .unit = o.unit,
			     .raw = o.raw && !o.json };
	int err = list(&l, n, argv), code = 0;
	if (err) {
		out_flush(&out);
		code = error_print();
	}
	if (out_close(&out) < 0)
		code = error_print();
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/config.h"
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/picture/flame.h"
#include "job/flame.h"

#define OPTIONS struct flame_cmd

static const char *const usage[] = {
	"sonde flame [OPTIONS] [-i FILE] [-o FILE]",
	"sonde flame [OPTIONS] COMMAND [ARGS]",
	"sonde flame [OPTIONS] -p PID | -t TID | -u USER | -a [-- COMMAND]",
	"sonde flame [OPTIONS] --diff BEFORE AFTER",
	NULL,
};

/* ---- options that take more than a value ---- */

static int on_event(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct flame_cmd *c = options;
	(void)opt, (void)unset;
	wordlist_add(&c->event, arg);
	return 0;
}

static int on_by(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	static const struct { const char *name; enum flame_by by; } words[] = {
		{ "comm", FLAME_BY_COMM }, { "thread", FLAME_BY_THREAD }, { "tid", FLAME_BY_THREAD }, { "process", FLAME_BY_PROCESS },
		{ "pid", FLAME_BY_PROCESS }, { "cpu", FLAME_BY_CPU }, { "none", FLAME_BY_NONE },
	};
	struct flame_cmd *c = options;
	(void)opt, (void)unset;
	c->by_given = true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].name, arg)) {
			c->by = words[i].by;
			return 0;
		}
	return error_set(EINVAL, "--by is comm, thread, process, cpu or none, not '%s'", arg);
}

static int on_colours(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	static const char *const words[] = { [FLAME_KINDS] = "kinds", [FLAME_HOT] = "hot", [FLAME_IO] = "io", [FLAME_MEM] = "mem" };
	static const char *const kinds[] = { "java", "js", "perl" }; /* flamegraph.pl's, by kind as well */
	struct flame_cmd *c = options;
	(void)opt, (void)unset;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], arg)) {
			c->colours = i;
			return 0;
		}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i], arg)) {
			c->colours = FLAME_KINDS;
			return 0;
		}
	return error_set(EINVAL, "--colors is kinds, hot, io or mem, not '%s'", arg);
}

static int on_form(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct flame_cmd *c = options;
	(void)opt, (void)unset;
	c->form = flame_form_of(arg);
	return c->form != FLAME_FORM_NONE ? 0 : error_set(EINVAL, "--format is svg, html or folded, not '%s'", arg);
}

static int on_freq(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct flame_cmd *c = options;
	(void)opt, (void)unset;
	c->live.sampling.freq_max = !strcmp(arg, "max");
	if (c->live.sampling.freq_max || (!parse_u64(arg, &c->live.sampling.freq) && c->live.sampling.freq))
		return 0;
	error_set(EINVAL, "-F: '%s' is not a number of samples a second", arg);
	return error_hint("-F 99, -F 999, or -F max");
}

static bool is_method(const char *word)
{
	struct sampling s = { 0 };
	return sampling_call_graph(&s, word);
}

static int on_graph(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct flame_cmd *c = options;
	(void)opt, (void)unset;
	if (!arg || sampling_call_graph(&c->live.sampling, arg))
		return 0;
	error_set(EINVAL, "--call-graph: '%s' is not a way to record call chains", arg);
	return error_hint("fp (frame pointers), dwarf or dwarf,BYTES of stack (8 to 65528), lbr (the CPU's branch records)");
}

/* Below which width of a picture of 1200 pixels, which has 10 on either side. */
static int on_min_width(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	enum { PIXELS = 1180 };
	struct flame_cmd *c = options;
	char *end;
	double v = strtod(arg, &end);
	(void)opt, (void)unset;
	if (end == arg || !(v >= 0) || (*end && strcmp(end, "%")))
		return error_set(EINVAL, "--minwidth: '%s' is no width such as 0.1 or 0.01%%", arg);
	c->min = *end ? v : v * 100 / PIXELS;
	c->all |= !v;
	return 0;
}

/* What scripts that call flamegraph.pl may say as well. */
#define LOOKS "the picture has its own look"
#define FLAMEGRAPH_ROWS \
	OPT_NEEDLESS(0, "hash", NULL, "a name has the same colour in every picture"), \
	OPT_NEEDLESS(0, "cp", NULL, "a name has the same colour in every picture"), \
	OPT_NEEDLESS(0, "random", NULL, "colours tell the kinds of frames"), \
	OPT_NEEDLESS(0, "encoding", "NAME", "pictures are UTF-8"), \
	OPT_NEEDLESS(0, "fonttype", "FONT", LOOKS), \
	OPT_NEEDLESS(0, "fontsize", "N", LOOKS), \
	OPT_NEEDLESS(0, "fontwidth", "N", LOOKS), \
	OPT_NEEDLESS(0, "height", "N", LOOKS), \
	OPT_NEEDLESS(0, "bgcolors", "COLOR", LOOKS), \
	OPT_IGNORED(0, "nametype", "WORD", "tooltips begin with the name itself"), \
	OPT_IGNORED(0, "subtitle", "TEXT", "a picture has one title: --title"), \
	OPT_IGNORED(0, "notes", "TEXT", "a picture has one title: --title"), \
	OPT_REFUSED(0, "negate", NULL, "what grew is always red", "--diff AFTER BEFORE turns it round")

static const struct option_row rows[] = {
	OPT_GROUP("Of what"),
	OPT_STRING('i', "input", "FILE", in.input, "a recording, a trace.dat or folded text (perf.data, or standard input when that is a pipe; - is standard input)"),
	OPT_STRING(0, "folded", "FILE", folded, "folded text: lines 'outer;inner 12'; or what sonde run prints of stacks (- is standard input)"),
	OPT_FLAG(0, "diff", diff, "compare two: widths are those of the second, colours tell what grew and shrank"),
	OPT_FLAG(0, "normalize", normalize, "the first is scaled to the second's total (on; --no-normalize compares the weights as they are)"),
	OPT_FLAG(0, "off-cpu", off_cpu, "where threads waited, and how long"),
	OPT_FLAG(0, "hot-cold", hot_cold, "where they ran and where they waited, in one picture"),
	OPT_GROUP("The file"),
	OPT_STRING('o', "output", "FILE", output, "write there: x.html, x.svg, x.folded (flame.html; - is standard output)"),
	OPT_CALL(0, "format", "FORM", on_form, "svg, html or folded, whatever the name ends in"),
	OPT_GROUP("The picture"),
	OPT_CALL(0, "by", "KEY", on_by, "on the bottom: comm (default), process, thread, cpu or none"),
	OPT_FLAG(0, "reverse", reverse, "callees at the bottom, their callers above"),
	OPT_FLAG(0, "inverted", inverted, "the bottom is on top (icicles)"),
	OPT_FLAG(0, "flamechart", chart, "from left to right goes the time: nothing is sorted"),
	OPT_DOUBLE(0, "min", "PERCENT", min, "cut frames below that share (0.01, and less if more than 5 % would be cut)"),
	OPT_CALL(0, "minwidth", "PIXELS", on_min_width, "the same as flamegraph.pl says it: in pixels of 1200, or N%"),
	OPT_FLAG(0, "all", all, "cut nothing"),
	OPT_STRING(0, "title", "TEXT", title, "the title"),
	OPT_STRING(0, "unit|countname", "TEXT", unit, "what the weights of folded text count (samples)"),
	OPT_INT(0, "width", "PIXELS", width, "of SVG (1200)"),
	OPT_CALL(0, "colors", "WORD", on_colours, "kinds (kernel, user, JIT, inlined; default), hot, io or mem"),
	OPT_GROUP("Which samples"),
	OPT_CALL('e', "event", "EVENT", on_event, "what to sample; of a recording: which of its events"),
	OPT_CALL_ON('c', "comms", "LIST", in.filter, reading_on_comms, "only samples of threads with these names"),
	OPT_STRING('p', "pid", "LIST", pids, "of these processes: those that run, or with -i those in the recording"),
	OPT_STRING('t', "tid", "LIST", tids, "of these threads, likewise"),
	OPT_STRING('C', "cpu", "LIST", cpus, "on these CPUs, likewise"),
	OPT_CALL_ON('S', "symbols", "LIST", in.symbols, reading_on_words, "only samples in these functions"),
	OPT_STRING(0, "time", "SPANS", in.time, "only samples in START,STOP (seconds), N%/K or A%-B%"),
	READING_CHAIN_ROWS(in),
	OPT_GROUP("Recording"),
	OPT_CALL('F', "freq", "N", on_freq, "samples a second (99), or max"),
	OPT_U64(0, "count", "N", live.sampling.period, "a sample at every Nth event"),
	OPT_CALL_NEXT('g', "call-graph", "[METHOD]", on_graph, is_method, "how call chains are taken: fp (default), dwarf, lbr"),
	OPT_FLAG('a', "all-cpus", all_cpus, "everything"),
	OPT_STRING('u', "uid", "USER", user, "only this user's processes; with a command and no -a: run it as that user"),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(in),
	OPT_FLAG('q', "quiet", quiet, "say nothing but errors"),
	OPT_VERBOSE("say more"),
	FLAMEGRAPH_ROWS,
	OPT_END(),
};

/* ---- straight ---- */

static bool is_live(const struct flame_cmd *c, int words)
{
	return !c->in.input && !c->folded && !c->diff && (words || c->pids || c->tids || c->user || c->all_cpus);
}

static int live_events(struct flame_cmd *c, event_list *events)
{
	bool only_waits = c->off_cpu && !c->hot_cold && !c->event.n;
	int err = only_waits ? events_parse(events, "dummy") : 0;
	for (size_t i = 0; i < c->event.n && !err; i++)
		err = events_parse(events, c->event.at[i]);
	if (!err && !events->n)
		err = sampling_default_event(events);
	return err;
}

static int live_target(struct flame_cmd *c, struct target *t, bool command)
{
	int err = c->pids ? target_pids(t, c->pids) : 0;
	if (!err && c->tids)
		err = target_tids(t, c->tids);
	if (!err && c->cpus)
		err = target_cpus(t, c->cpus);
	t->system_wide = c->all_cpus;
	if (c->user && command && !c->all_cpus)
		c->live.command_user = c->user;
	else
		t->user = c->user;
	return err;
}

static int draw_recorded(void *ctx, const char *path)
{
	struct flame_cmd *c = ctx;
	c->in.input = path;
	c->recorded = true;
	int err = flame_draw(c);
	if (!c->nothing)
		return err ? error_print() : 0;
	error_clear();
	if (c->quiet)
		return 0; /* the exit code is the command's */
	warn("nothing was sampled, so there is no picture");
	if (c->off_cpu)
		hint("a thread that waited from before the start to after the end is not seen");
	else
		hint("who sleeps is not on a CPU: --off-cpu draws where threads wait; -F 999 samples more often");
	return 0;
}

static int live(struct flame_cmd *c, char **argv, int n)
{
	struct recorder_options *o = &c->live;
	struct target target = { 0 };
	event_list events = { 0 };
	int code;
	char *words[] = { (char *)"sonde", (char *)"flame", NULL };
	o->argv = n ? argv : words;
	o->command = n ? argv : NULL;
	o->quiet = true;
	o->off_cpu = c->off_cpu || c->hot_cold;
	o->sampling.clockid = CLOCK_MONOTONIC;
	if (o->sampling.call_graph == CALL_GRAPH_NONE)
		sampling_call_graph(&o->sampling, config_get("record.call-graph") ?: "fp");
	if (!o->sampling.freq && !o->sampling.period && !o->sampling.freq_max)
		o->sampling.freq = 99;
	if (live_events(c, &events) || live_target(c, &target, n)) {
		error_print();
		code = EXIT_USAGE;
	} else {
		wordlist_release(&c->event); /* which of the recording: what was asked for is all there is */
		code = flame_record(o, &events, &target, draw_recorded, c);
	}
	events_release(&events);
	target_release(&target);
	return code;
}

/* ---- what there is already ---- */

static int filters(struct flame_cmd *c)
{
	int err = c->pids ? filter_pids(&c->in.filter, c->pids) : 0;
	if (!err && c->tids)
		err = filter_tids(&c->in.filter, c->tids);
	if (!err && c->cpus)
		err = filter_cpus(&c->in.filter, c->cpus);
	return err;
}

/* As one gives it to flamegraph.pl. */
static bool is_text_file(const char *word)
{
	struct stat st;
	return !stat(word, &st) && S_ISREG(st.st_mode) && !(st.st_mode & 0111);
}

static int check(struct flame_cmd *c, char **argv, int n)
{
	if (c->diff && n != 2)
		return error_set(EINVAL, "--diff takes two files, the one before and the one after");
	if (!c->diff && n && (c->in.input || c->folded))
		return error_set(EINVAL, "'%s': a command is recorded, %s is read: one of them", argv[0], c->folded ? "--folded" : "-i");
	if (n == 1 && !c->diff && is_text_file(argv[0])) {
		error_set(EINVAL, "'%s' is a file and no command", argv[0]);
		return error_hint("sonde flame -i %s draws it", argv[0]);
	}
	if (c->in.input && c->folded)
		return error_set(EINVAL, "-i and --folded exclude each other");
	if (!is_live(c, n) && c->event.n > 1)
		return error_set(EINVAL, "--event: one event of a recording is drawn, not %zu", c->event.n);
	if (c->chart && (c->diff || c->reverse))
		return error_set(EINVAL, "--flamechart goes with neither --diff nor --reverse");
	if (c->min < 0 || c->min >= 100)
		return error_set(EINVAL, "--min is a percentage from 0 to 100");
	if (c->width < 200 || c->width > 20000)
		return error_set(EINVAL, "--width is from 200 to 20000 pixels");
	if (c->live.sampling.freq && c->live.sampling.period)
		return error_set(EINVAL, "-F and --count exclude each other");
	if (c->form == FLAME_FORM_NONE)
		c->form = flame_form_of_name(c->output);
	if (c->form == FLAME_FORM_NONE) {
		error_set(EINVAL, "what is %s to be?", c->output);
		return error_hint("a name that ends in .html, .svg or .folded; or --format svg|html|folded");
	}
	return is_live(c, n) ? 0 : filters(c);
}

/* A command has options of its own; behind two files come ours. */
static int parse(struct flame_cmd *c, int argc, char **argv)
{
	int n = options_parse(c, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), more;
	if (n < 2 || !c->diff)
		return n;
	char *before = argv[0], *after = argv[1];
	more = options_parse(c, n - 1, argv + 1, rows, usage, 0);
	argv[0] = before;
	c->in.input = after;
	return more < 0 ? more : 2 + more;
}

int cmd_flame(int argc, char **argv)
{
	struct flame_cmd c = { .output = "flame.html", .normalize = true, .width = 1200 };
	reading_init(&c.in);
	int n = parse(&c, argc, argv), code;
	if (n < 0) {
		code = options_exit(n, usage);
	} else if (check(&c, argv, n)) {
		code = options_exit(-EINVAL, usage);
	} else if (is_live(&c, n)) {
		code = live(&c, argv, n);
	} else {
		c.before_file = c.diff ? argv[0] : NULL;
		code = flame_draw(&c) ? error_print() : 0;
	}
	wordlist_release(&c.event);
	filter_release(&c.in.filter);
	wordlist_release(&c.in.symbols);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/reading_perf.h"
#include "cmd/shared/code.h"
#include "cmd/shared/page.h"
#include "tui/report.h"
#include "tui/run.h"
#include "ui/report/page.h"
#include "ui/report/records.h"
#include "ui/report/tasks.h"

struct report_cmd {
	struct reading in;
	struct report_options page;
	bool tui, stdio, dump, stats, tasks, mmaps; /* what else than the page */
	bool inverted, order_given, branch_given;
	int socket; /* --socket-filter */
	char *next; /* another recording, chosen in the browser; NULL: none */
};
#define OPTIONS struct report_cmd

static const char *const usage[] = { "sonde report [OPTIONS] [SYMBOL]", NULL };

/* ---- options that take more than a value ---- */

static int on_graph(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_cmd *c = options;
	wordlist w = { 0 };
	int numbers = 0, err = 0;
	(void)opt;
	if (unset) {
		c->page.no_graph = true;
		return 0;
	}
	c->page.graph_given = true;
	wordlist_split(&w, arg ? arg : "graph", ',');
	for (size_t i = 0; i < w.n && !err; i++) {
		err = page_graph_word(&c->page, w.at[i], &numbers, &c->order_given);
		if (!err)
			continue;
		error_set(EINVAL, "'%s' is not a way to show call graphs", w.at[i]);
		error_hint("-g takes graph, fractal, flat, folded or none; a least percentage; caller or callee; function, "
			   "address or srcline; percent, period or count: -g graph,0.5,caller");
	}
	wordlist_release(&w);
	return err;
}

static bool is_graph_word(const char *word)
{
	static const char *const words[] = { "graph", "fractal", "flat", "folded", "none", "caller", "callee", "function",
					     "address", "srcline", "percent", "period", "count" };
	if (isdigit((unsigned char)*word) && strchr(word, ','))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_starts(word, words[i]) && (!word[strlen(words[i])] || word[strlen(words[i])] == ','))
			return true;
	return false;
}

static int on_branch(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_cmd *c = options;
	(void)opt;
	(void)arg;
	c->page.branch = !unset;
	c->branch_given = true;
	return 0;
}

static int on_group(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_options *o = &((struct report_cmd *)options)->page;
	(void)opt;
	(void)arg;
	o->group = !unset;
	o->group_given = true;
	return 0;
}

static int on_quantum(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_options *o = &((struct report_cmd *)options)->page;
	static const struct { const char *unit; uint64_t ns; } units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };
	char *end;
	double v = strtod(arg, &end);
	(void)opt;
	(void)unset;
	for (size_t i = 0; end != arg && v > 0 && i < 4; i++)
		if (!strcmp(end, units[i].unit)) {
			o->quantum = v * units[i].ns;
			return 0;
		}
	return error_set(EINVAL, "'%s' is not a time such as 100ms", arg);
}

static int on_socket(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct report_cmd *c = options;
	char *end;
	(void)opt;
	(void)unset;
	c->socket = strtol(arg, &end, 10);
	c->page.socket = &c->socket;
	return end == arg || *end ? error_set(EINVAL, "'%s' is not the number of a socket", arg) : 0;
}

static const struct option_row rows[] = {
	READING_FILE_ROWS(in),
	OPT_FLAG(0, "stdio", stdio, "print text (as always where the output is no terminal)"),
	OPT_FLAG(0, "tui", tui, "browse, as it is done on a terminal"),
	OPT_GROUP("Lines"),
	OPT_STRING('s', "sort", "KEYS", page.sort, "sort by: comm, pid, tid, dso, symbol, parent, cpu, srcline, srcfile, time, cgroup, trace, "
		   "symbol_from, symbol_to, a tracepoint's field; +KEY adds one"),
	OPT_STRING('F', "fields", "COLUMNS", page.fields, "columns: overhead, overhead_children, overhead_sys, overhead_us, sample, period, and keys"),
	OPT_FLAG('n', "show-nr-samples", page.samples, "a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", page.period, "a column with the sum of periods"),
	OPT_FLAG(0, "show-cpu-utilization|showcpuutilization", page.utilization, "columns for kernel and user"),
	OPT_CALL_ON(0, "percent-limit", "P", page, page_on_limit, "leave out what is below P percent"),
	OPT_CALL_ON(0, "percentage", "WORD", page, page_on_percentage, "percentages of what is filtered: relative or absolute"),
	OPT_FLAG(0, "hierarchy", page.hierarchy, "keys as levels below each other"),
	OPT_CALL(0, "group", NULL, on_group, "events of a group side by side (on); given, it also makes a group of all where there is none"),
	OPT_STRING('t', "field-separator", "CHAR", page.separator, "that between columns, and no alignment"),
	OPT_CALL_ON('w', "column-widths", "LIST", page, page_on_widths, "fixed widths of the columns"),
	OPT_CALL(0, "time-quantum", "TIME", on_quantum, "steps of the time key (100ms)"),
	READING_FORM_ROWS(in),
	OPT_FLAG(0, "raw-trace", page.raw_trace, "tracepoints by their fields, not by their own format"),
	OPT_CALL('b', "branch-stack", NULL, on_branch, "count branches instead of samples (on where there are some; --no-branch-stack)"),
	OPT_FLAG(0, "total-cycles", page.cycles, "straight pieces of code by the cycles that they took, from branch records"),
	OPT_FLAG(0, "mem-mode", page.memory, "accesses to memory, by what they cost: -s local_weight,mem,symbol_daddr,dso_daddr,snoop,tlb,..."),
	OPT_FLAG(0, "branch-history", page.history, "the branches that led to each sample, as its call graph"),
	OPT_FLAG(0, "skip-empty", page.skip_empty, "leave out events without samples (on)"),
	OPT_GROUP("Call graphs"),
	OPT_CALL_NEXT('g', "call-graph", "[HOW]", on_graph, is_graph_word,
		      "graph, fractal, flat, folded or none; least percentage; caller or callee; percent, period or count"),
	OPT_CALL_ON(0, "children", NULL, page, page_on_children, "count callees with their callers (on with call chains)"),
	OPT_FLAG('G', "inverted", inverted, "call graphs from the outermost caller on"),
	READING_CHAIN_ROWS(in),
	OPT_STRING('p', "parent", "REGEX", page.parent, "which callers the parent key tells apart"),
	OPT_FLAG('x', "exclude-other", page.exclude_other, "only what has such a caller"),
	OPT_STRING(0, "ignore-callees", "REGEX", page.ignore_callees, "leave out what these functions call"),
	OPT_GROUP("Instructions (a, in the browser)"),
	CODE_ROWS(page.code),
	OPT_CALL_ON(0, "percent-type", "WORD", page.percent_type, code_on_percent_type, "what percentages are of: local-period, local-hits, global-period, global-hits"),
	OPT_GROUP("Which samples"),
	READING_EVENT_ROW(in.event_names),
	READING_SAMPLE_ROWS(in),
	READING_SWITCH_ROWS(in),
	OPT_CALL(0, "socket-filter", "N", on_socket, "only on the CPUs of that socket"),
	OPT_CALL_ON('d', "dsos", "LIST", page.dsos, reading_on_words, "only in these files"),
	OPT_STRING(0, "symbol-filter", "TEXT", page.symbol_filter, "only functions whose name holds that"),
	OPT_FLAG('U', "hide-unresolved", page.hide_unresolved, "only what has a symbol"),
	OPT_GROUP("Header and counts"),
	READING_HEADER_ROWS(in),
	OPT_FLAG(0, "stats", stats, "count the records of each type"),
	OPT_FLAG(0, "tasks", tasks, "the processes, as a tree"),
	OPT_FLAG(0, "mmaps", mmaps, "the processes, and what they had mapped"),
	OPT_FLAG('T', "threads", page.threads, "the counts of each thread, of a recording made with -s"),
	OPT_FLAG('D', "dump-raw-trace", dump, "dump every record: bytes and meaning"),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(in),
	OPT_VERBOSE("files by path, addresses, files in call graphs, why names are missing"),
	OPT_FLAG('q', "quiet", page.quiet, "only the lines"),
	REPORT_PERF_ROWS,
	OPT_END(),
};

/* What is a page by nature is printed, as is all where no cursor can be moved. */
static bool browses(const struct report_cmd *c)
{
	const struct report_options *o = &c->page;
	bool page = c->stdio || c->in.output || c->in.header || c->in.header_only || o->separator || o->threads || o->cycles || o->quiet;
	return !page && !(c->tasks || c->mmaps || c->stats || c->dump) && (!c->in.input || strcmp(c->in.input, "-")) && tui_possible();
}

static int run(struct report_cmd *c, struct perfdata *p, struct out *out)
{
	struct report_options *o = &c->page;
	uint64_t types = recorded_sample_types(p);
	struct report r;
	if (o->history) {
		o->by_address = o->by_line = true;
		o->children = o->branch = false; /* what was run before is no caller */
		o->sort = o->sort ? o->sort : "srcline,symbol,dso";
	}
	o->caller |= c->inverted || (o->children && !c->order_given);
	if (o->history && !(types & PERF_SAMPLE_BRANCH_STACK)) {
		error_set(EINVAL, "--branch-history: the recording has no branches");
		return error_hint("record with sonde record -b -g");
	}
	if (!c->branch_given && !o->history && !o->memory)
		o->branch = types & PERF_SAMPLE_BRANCH_STACK && !(types & PERF_SAMPLE_STACK_USER);
	if (o->branch && !(types & PERF_SAMPLE_BRANCH_STACK)) {
		error_set(EINVAL, "the recording has no branches");
		return error_hint("record with sonde record -b");
	}
	if (o->cycles && !o->branch) {
		error_set(EINVAL, "--total-cycles: the recording has no branches");
		return error_hint("record with sonde record -b");
	}
	if (o->cycles)
		o->sort = o->fields = NULL;
	if (o->memory && o->branch)
		return error_set(EINVAL, "branches (-b) and accesses to memory (--mem-mode) are two reports");
	if (o->memory && !(types & PERF_SAMPLE_DATA_SRC) && !perfdata_is_pipe(p)) {
		error_set(EINVAL, "--mem-mode: the recording does not tell where data was found");
		return error_hint("record with sonde record -d, of an event that tells it: cpu/mem-loads/P, cpu/mem-stores/P, ibs_op//");
	}
	if (!(types & PERF_SAMPLE_CALLCHAIN) || perfdata_is_pipe(p) || o->hierarchy || o->branch || o->memory || o->history)
		o->children = false;
	o->forced_group = o->group_given && perfdata_group_all(p);
	int err = report_prepare(&r, p, o) ?: reading_filters(&c->in, p);
	if (err) {
		c->in.usage = err == -EINVAL;
	} else {
		struct symbols *syms = reading_symbols(&c->in);
		o->input = perfdata_is_pipe(p) ? NULL : c->in.input;
		err = browses(c) ? tui_report(&r, syms, &c->next) : report_page(&r, syms, out);
		symbols_free(syms);
	}
	report_release(&r);
	return err;
}

/* What is about records, not lines; it has the comments of the lines' filters all the same, as perf's. */
static int run_records(struct report_cmd *c, struct perfdata *p, struct out *out)
{
	struct report r;
	int err = report_prepare(&r, p, &c->page);
	if (!err)
		report_comments(&r, out);
	report_release(&r);
	c->in.usage = err == -EINVAL;
	if (err)
		return err;
	return c->tasks || c->mmaps ? tasks_print(p, out, c->mmaps) : records_print(p, out, c->dump ? c->in.input : NULL, c->stats);
}

static int open_and_run(struct perfdata *p, void *options)
{
	struct report_cmd *c = options;
	struct out out;
	int err = reading_output(&c->in, p, &out);
	if (!err && !c->in.output && !browses(c))
		out_pager(&out);
	if (!err && (c->tasks || c->mmaps || c->stats || c->dump))
		err = run_records(c, p, &out);
	else if (!err && !c->in.header_only)
		err = run(c, p, &out);
	int closed = out_close(&out);
	if (err && c->in.usage)
		return options_exit(err, usage);
	return err || closed ? error_print() : 0;
}

/* What the page is told of the reading. */
static void pass_on(struct report_cmd *c)
{
	struct report_options *o = &c->page;
	o->filter = &c->in.filter;
	o->symbols = &c->in.symbols;
	o->time = c->in.time;
	o->header = c->in.header;
	o->nanosecs = c->in.ns;
	o->full_path = c->in.full_path;
	o->max_stack = c->in.max_stack;
	o->inlines = c->in.inlines;
	o->force = c->in.force;
	o->group = o->group && !c->in.event_names.n; /* of those that are chosen each stands for itself */
}

int cmd_report(int argc, char **argv)
{
	struct report_cmd c = { .page = { .code.source = true, .children = true, .group = true, .skip_empty = true, .graph.mode = CHAIN_GRAPH,
					  .graph_percent = 0.5, .quantum = 100000000 } };
	struct report_options *o = &c.page;
	reading_init(&c.in);
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n > 1)
		return options_exit(error_set(EINVAL, "one symbol at most, not '%s' too", argv[1]), usage);
	if (n)
		o->symbol_filter = argv[0];
	if (o->hierarchy && o->fields)
		return options_exit(error_set(EINVAL, "--hierarchy and -F exclude each other"), usage);
	if (o->quiet) {
		verbosity = 0;
		c.in.header = false; /* as in perf */
	}
	pass_on(&c);
	int code = reading_run(&c.in, open_and_run, &c);
	wordlist_release(&o->dsos);
	vec_release(&o->widths);
	return code;
}

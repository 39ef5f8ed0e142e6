// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/shared/code.h"
#include "cmd/shared/page.h"
#include "cmd/shared/sampling.h"
#include "job/top/top.h"
#include "tui/run.h"

struct top_cmd {
	struct top_options o;
	event_list events;
	struct target target;
	wordlist symbols;
	const char *user, *symfs;
	bool all_cpus, branch_any, tui, no_demangle, graph;
};
#define OPTIONS struct top_cmd

static const char *const usage[] = { "sonde top [OPTIONS]", NULL };

static int on_delay(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	char *end;
	double v = strtod(arg, &end);
	(void)opt, (void)unset;
	*(double *)value = v;
	return end != arg && !*end && v >= 0.05 && v <= 86400 ? 0 : error_set(EINVAL, "-d: '%s' is not a number of seconds", arg);
}

/* The size of the stack that belongs to the dwarf before it. */
static bool is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

/* How chains are recorded comes first, how they are shown after it: dwarf,4096,graph,0.5,caller. */
static int on_call_graph(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct top_cmd *c = options;
	struct sampling *s = &c->o.record.sampling;
	wordlist w = { 0 };
	int numbers = 0, err = 0;
	size_t i = 0;
	(void)opt;
	c->graph = !unset;
	s->call_graph = unset ? CALL_GRAPH_NONE : CALL_GRAPH_FP;
	if (unset || !arg)
		return 0;
	wordlist_split(&w, arg, ',');
	if (w.n && sampling_call_graph(s, w.at[0])) {
		struct str how = STR_INIT;
		i = 1;
		str_addf(&how, "%s,%s", w.at[0], w.n > 1 ? w.at[1] : "");
		if (w.n > 1 && is_number(w.at[1]) && sampling_call_graph(s, how.buf))
			i = 2;
		str_release(&how);
	}
	for (; i < w.n && !err; i++) {
		err = page_graph_word(&c->o.page, w.at[i], &numbers, &c->o.order_given);
		if (!err)
			continue;
		error_set(EINVAL, "--call-graph: '%s' is neither a way to record call chains nor one to show them", w.at[i]);
		error_hint("fp, dwarf, dwarf,BYTES or lbr; then graph, fractal, flat, folded; a least percentage; caller or callee; "
			   "percent, period or count: --call-graph dwarf,graph,0.5,caller");
	}
	wordlist_release(&w);
	return err;
}

static bool is_method(const char *word)
{
	return sampling_is_method(word);
}

#define S o.record.sampling
static const struct option_row rows[] = {
	OPT_GROUP("What is sampled"),
	OPT_CALL_ON('e', "event", "EVENT", events, sampling_on_event, "event; see sonde list. Default: cycles, or cpu-clock without a PMU"),
	OPT_CALL_ON(0, "filter", "FILTER", events, sampling_on_filter, "only those of the last -e for which it holds"),
	OPT_CALL_ON('F', "freq", "N|max", S, sampling_on_freq, "samples a second (default 4000)"),
	OPT_CALL_ON('c', "count", "N", S, sampling_on_period, "a sample every N events"),
	OPT_CALL_NEXT('g', NULL, "[METHOD]", on_call_graph, is_method, "call chains: fp by default, or the method that follows"),
	OPT_CALL_OR_NO(0, "call-graph", "HOW", on_call_graph, "fp, dwarf[,BYTES] or lbr; then as report -g has it: graph,0.5,caller"),
	OPT_FLAG('b', "branch-any", branch_any, "taken branches"),
	OPT_CALL_ON('j', "branch-filter", "KINDS", S, sampling_on_branches, "these branches: any,u,k,any_call,any_ret,ind_call,cond,..."),
	OPT_FLAG(0, "namespaces", S.namespaces, "namespaces of processes, for the key cgroup_id"),
	OPT_FLAG(0, "all-cgroups", S.cgroups, "cgroups of processes, for the key cgroup"),
	OPT_FLAG(0, "no-bpf-event", S.no_bpf, "no records about BPF programs"),
	OPT_GROUP("Whom"),
	OPT_FLAG('a', "all-cpus", all_cpus, "everything (the default)"),
	OPT_CALL_ON('p', "pid", "PIDS", target, sampling_on_target, "these processes, until they end"),
	OPT_CALL_ON('t', "tid", "TIDS", target, sampling_on_target, "these threads"),
	OPT_STRING('u', "uid", "USER", user, "only this user's processes"),
	OPT_CALL_ON('C', "cpu", "CPUS", target, sampling_on_target, "everything on these CPUs"),
	OPT_CALL_ON('G', "cgroup", "NAME", target, sampling_on_target, "only that cgroup"),
	OPT_FLAG('i', "no-inherit|inherit", o.record.no_inherit, "not the children"),
	OPT_FLAG('K', "hide_kernel_symbols|hide-kernel-symbols", o.hide_kernel, "no samples in the kernel"),
	OPT_FLAG('U', "hide_user_symbols|hide-user-symbols", o.hide_user, "no samples in programs"),
	OPT_CALL_ON(0, "comms", "LIST", o.filter, reading_on_comms, "only threads with these names"),
	OPT_CALL_ON(0, "dsos", "LIST", o.page.dsos, reading_on_words, "only in these files"),
	OPT_CALL_ON(0, "symbols", "LIST", symbols, reading_on_words, "only in these functions"),
	OPT_STRING(0, "switch-on", "EVENT", o.switches.on, "only samples after one of that event"),
	OPT_STRING(0, "switch-off", "EVENT", o.switches.off, "only samples before one of that event"),
	OPT_FLAG(0, "show-on-off-events", o.switches.show, "these events too"),
	OPT_GROUP("Lines"),
	OPT_STRING('s', "sort", "KEYS", o.page.sort, "sort by: dso, symbol (default), comm, pid, cpu, srcline, cgroup, trace, a tracepoint's field; +KEY adds one"),
	OPT_STRING(0, "fields", "COLUMNS", o.page.fields, "columns: overhead, overhead_children, overhead_sys, overhead_us, sample, period, and keys"),
	OPT_FLAG('n', "show-nr-samples", o.page.samples, "a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", o.page.period, "a column with the sum of periods"),
	OPT_CALL_ON(0, "percent-limit", "P", o.page, page_on_limit, "leave out what is below P percent"),
	OPT_CALL_ON(0, "percentage", "WORD", o.page, page_on_percentage, "percentages of what is filtered: relative or absolute"),
	OPT_U64('f', "count-filter", "N", o.count_filter, "only lines of more than N samples"),
	OPT_CALL_ON('w', "column-widths", "LIST", o.page, page_on_widths, "fixed widths of the columns"),
	OPT_FLAG('H', "hierarchy", o.page.hierarchy, "keys as levels below each other"),
	OPT_CALL_ON(0, "children", NULL, o.page, page_on_children, "count callees with their callers (on with call chains)"),
	OPT_INT(0, "max-stack", "N", o.page.max_stack, "at most N frames of a call chain (127)"),
	OPT_STRING(0, "ignore-callees", "REGEX", o.page.ignore_callees, "leave out what these functions call"),
	OPT_FLAG(0, "raw-trace", o.page.raw_trace, "tracepoints by their fields, not by their own format"),
	OPT_GROUP("The screen"),
	OPT_CALL_ON('d', "delay", "SECONDS", o.delay, on_delay, "between refreshes (2)"),
	OPT_FLAG('z', "zero", o.zero, "start from zero at each refresh, instead of letting old samples fade"),
	OPT_FLAG(0, "stdio", o.stdio, "a table at each refresh (as always where the output is no terminal)"),
	OPT_FLAG(0, "tui", tui, "browse, as it is done on a terminal"),
	OPT_INT('E', "entries", "N", o.entries, "at most N lines of a table (as many as there is room for)"),
	OPT_GROUP("Instructions (a, in the browser)"),
	CODE_ROWS(o.page.code),
	OPT_STRING(0, "sym-annotate", "SYMBOL", o.annotated, "with --stdio: the hot instructions of that function, not lines"),
	OPT_CALL_ON(0, "percent-type", "WORD", o.page.percent_type, code_on_percent_type, "what percentages are of: local-period, local-hits, global-period, global-hits"),
	OPT_GROUP("How"),
	OPT_CALL_ON('m', "mmap-pages", "PAGES|SIZE", o.record.ring_bytes, sampling_on_ring, "size of each CPU's ring; default 8M as root"),
	OPT_INT('r', "realtime", "PRIORITY", o.record.realtime, "read the rings with this SCHED_FIFO priority"),
	OPT_STRING(0, "symfs", "DIR", symfs, "look for files below that folder"),
	OPT_STRING('k', "vmlinux", "FILE", o.symbols.vmlinux, "the kernel's image"),
	OPT_FLAG(0, "ignore-vmlinux", o.symbols.no_vmlinux, "do not look for the kernel's image"),
	OPT_STRING(0, "kallsyms", "FILE", o.symbols.kallsyms, "the kernel's symbol list"),
	OPT_FLAG(0, "no-demangle", no_demangle, "C++ and Rust names as the linker sees them"),
	OPT_FLAG(0, "force", o.symbols.force, "use maps of JITs that other users own"),
	OPT_VERBOSE("files by path, addresses"),
	OPT_NEEDLESS(0, "addr2line", "FILE", "source lines are read from the debug information itself"),
	OPT_NEEDLESS(0, "demangle-kernel", NULL, "the kernel's Rust names are always readable"),
	OPT_NEEDLESS(0, "proc-map-timeout", "MS", "there is no time limit on reading maps"),
	OPT_NEEDLESS(0, "num-thread-synthesize", "N", "one thread reads /proc"),
	OPT_NEEDLESS(0, "group", NULL, "the events of {a,b} are side by side"),
	OPT_REFUSED('D', "dump-symtab", NULL, "the table of symbols is not printed", "nm and /proc/kallsyms have it"),
	OPT_REFUSED(0, "group-sort-idx", "N", "the events of a group are sorted by the first", "the events one by one: -e a -e b, and Tab"),
	OPT_REFUSED(0, "branch-history", NULL, "branches are not joined to call chains live", "sonde record -b -g, then sonde report --branch-history"),
	OPT_REFUSED(0, "overwrite", NULL, "rings that are overwritten lose names and maps", "-m makes the rings larger; losses are counted and shown"),
	OPT_REFUSED(0, "stitch-lbr", NULL, "call chains of branch records are not joined over samples", "--call-graph dwarf has whole stacks"),
	OPT_END(),
};
#undef S

static int check(struct top_cmd *c)
{
	struct top_options *o = &c->o;
	if (sampling_check(&o->record.sampling))
		return error_code();
	if (o->page.hierarchy && o->page.fields)
		return error_set(EINVAL, "--hierarchy and --fields exclude each other");
	if (o->hide_kernel && o->hide_user) {
		error_set(EINVAL, "-K and -U together hide everything");
		return error_hint("-K: programs alone; -U: the kernel alone");
	}
	if (c->branch_any && !o->record.sampling.branch)
		o->record.sampling.branch = PERF_SAMPLE_BRANCH_ANY;
	c->target.system_wide = c->all_cpus;
	c->target.user = c->user;
	if (!target_given(&c->target))
		c->target.system_wide = true;
	return 0;
}

/* What the parts of it are told. */
static void pass_on(struct top_cmd *c)
{
	struct top_options *o = &c->o;
	sampling_set_cgroups(&c->events, &c->target);
	o->events = &c->events;
	o->target = &c->target;
	o->page.filter = &o->filter;
	o->page.symbols = &c->symbols;
	o->page.branch = o->record.sampling.branch != 0;
	o->page.graph_given = c->graph;
	o->symbols.symfs = c->symfs;
	o->symbols.no_demangle = c->no_demangle;
	o->symbols.live = true;
	o->stdio |= !tui_possible();
}

int cmd_top(int argc, char **argv)
{
	static char *words[] = { (char *)"sonde", (char *)"top", NULL };
	struct top_cmd c = { .o = { .delay = 2, .record = { .argv = words, .sampling.clockid = CLOCK_MONOTONIC },
				    .page = { .code.source = true, .children = true, .group = true, .skip_empty = true, .graph.mode = CHAIN_GRAPH, .graph_percent = 0.5,
					      .quantum = 100000000, .max_stack = 127, .inlines = INLINES_UNWOUND } } };
	int n = options_parse(&c, argc, argv, rows, usage, 0), code;
	if (n > 0) {
		error_set(EINVAL, "top starts no command, but is given '%s'", argv[0]);
		n = error_hint("start it, and: sonde top -p PID; or sonde record COMMAND, then sonde report");
	}
	if (!n)
		n = check(&c);
	if (n < 0) {
		code = options_exit(n, usage);
	} else if (!c.events.n && sampling_default_event(&c.events)) {
		code = error_print();
	} else {
		pass_on(&c);
		code = top_run(&c.o);
	}
	events_release(&c.events);
	target_release(&c.target);
	filter_release(&c.o.filter);
	wordlist_release(&c.symbols);
	wordlist_release(&c.o.page.dsos);
	vec_release(&c.o.page.widths);
	return code;
}

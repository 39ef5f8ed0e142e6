// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/ftrace/perf.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "spec/target.h"

#define OPTIONS struct ftrace_perf

static int on_function(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_setup *s = &((struct ftrace_perf *)options)->setup;
	wordlist *l;
	(void)unset;
	switch (opt->short_name) {
	case 'T': l = &s->functions; break;
	case 'N': l = &s->notrace; break;
	case 'G': l = &s->graph; break;
	default: l = &s->nograph; break;
	}
	if (opt->short_name == 'G' || opt->short_name == 'g')
		s->tracer = "function_graph";
	else if (!s->tracer)
		s->tracer = "function";
	wordlist_add(l, arg);
	return 0;
}

static int on_event(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_setup *s = options;
	(void)unset;
	return opt->short_name == 'e' ? ftrace_setup_event(s, arg) : ftrace_setup_filter(s, arg);
}

/* "1M": bytes with a unit, kept in kB. */
static int on_size(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_perf *p = options;
	char *end;
	unsigned long long v = strtoull(arg, &end, 10);
	(void)opt, (void)unset;
	int shift = !*end || *end == 'K' || *end == 'k' ? 10 : *end == 'B' ? 0 : *end == 'M' || *end == 'm' ? 20 : *end == 'G' || *end == 'g' ? 30 : -1;
	if (end == arg || shift < 0 || (*end && end[1]) || !v || v > (1ull << 40) >> shift) {
		error_set(EINVAL, "-m: '%s' is not a size", arg);
		return error_hint("a number and B, K, M or G: -m 4M");
	}
	v <<= shift;
	p->setup.buffer_kb = (int)((v + 1023) / 1024);
	return 0;
}

/* Threads by number; processes are looked up when the command line has been read. */
static int on_pid(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_perf *p = options;
	(void)unset;
	return opt->short_name == 'p' ? intlist_parse(&p->processes, arg, 4 << 20, "-p") :
		intlist_parse(&p->setup.pids, arg, 4 << 20, "--tid");
}

static int on_cpus(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_perf *p = options;
	(void)opt, (void)unset;
	return intlist_parse(&p->cpus, arg, 1 << 14, "-C");
}

static int number_of(const char *word, const char *text, int *out)
{
	uint64_t v;
	if (!text || parse_u64(text, &v) || v > 1 << 30)
		return error_set(EINVAL, "%s wants a number: %s=N", word, word);
	*out = (int)v;
	return 0;
}

static int on_depth(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_perf *p = options;
	(void)opt, (void)unset;
	return number_of("--graph-depth", arg, &p->setup.depth);
}

static int one_option(struct ftrace_setup *s, char *word, bool graph)
{
	static const struct { const char *name; bool graph; const char *options[4]; } known[] = {
		{ "call-graph", false, { "func_stack_trace" } }, { "irq-info", false, { "irq-info" } },
		{ "args", false, { "func-args" } }, { "args", true, { "funcgraph-args" } }, { "retval", true, { "funcgraph-retval" } },
		{ "retval-hex", true, { "funcgraph-retval", "funcgraph-retval-hex" } }, { "retaddr", true, { "funcgraph-retaddr" } },
		{ "nosleep-time", true, { "nosleep-time" } }, { "noirqs", true, { "nofuncgraph-irqs" } },
		{ "verbose", true, { "funcgraph-proc", "funcgraph-abstime", "latency-format" } }, { "tail", true, { "funcgraph-tail" } },
	};
	char *value = strchr(word, '=');
	if (value)
		*value++ = 0;
	if (graph && !strcmp(word, "depth"))
		return number_of(word, value, &s->depth);
	if (graph && !strcmp(word, "thresh"))
		return number_of(word, value, &s->thresh);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].graph == graph && !strcmp(known[i].name, word)) {
			for (int k = 0; k < 4 && known[i].options[k]; k++)
				wordlist_add(&s->options, known[i].options[k]);
			return 0;
		}
	error_set(EINVAL, "%s: there is no '%s'", graph ? "--graph-opts" : "--func-opts", word);
	return error_hint(graph ? "args, retval, retval-hex, retaddr, nosleep-time, noirqs, verbose, tail, thresh=US, depth=N" : "call-graph, irq-info, args");
}

static int on_opts(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_perf *p = options;
	wordlist words = { 0 };
	int err = 0;
	(void)unset;
	wordlist_split(&words, arg, ',');
	for (size_t i = 0; i < words.n && !err; i++)
		err = one_option(&p->setup, words.at[i], !strcmp(opt->long_name, "graph-opts"));
	wordlist_release(&words);
	return err;
}

static int on_option(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_perf *p = options;
	(void)opt, (void)unset;
	wordlist_add(&p->setup.options, arg);
	return 0;
}

const struct option_row ftrace_perf_rows[] = {
	OPT_GROUP("which functions"),
	OPT_CALL('T', "trace-funcs", "FUNC", on_function, "these functions; wildcards allowed, may be given many times"),
	OPT_CALL('N', "notrace-funcs", "FUNC", on_function, "not these"),
	OPT_CALL('G', "graph-funcs", "FUNC", on_function, "graphs of what these call"),
	OPT_CALL('g', "nograph-funcs", "FUNC", on_function, "no graphs of what these call"),
	OPT_CALL('D', "graph-depth", "N", on_depth, "graphs of so many levels: --graph-opts depth=N"),
	OPT_CALL(0, "graph-opts", "OPT,..", on_opts, "args, retval, nosleep-time, noirqs, verbose, tail, thresh=US, depth=N"),
	OPT_GROUP("whom"),
	OPT_CALL('p', "pid", "PID,..", on_pid, "processes that are running"),
	OPT_CALL(0, "tid", "TID,..", on_pid, "threads that are running"),
	OPT_FLAG('a', "all-cpus", all, "the whole machine (as always without a command)"),
	OPT_CALL('C', "cpu", "CPUS", on_cpus, "these CPUs only"),
	OPT_FLAG(0, "inherit", setup.children, "and the children that they fork"),
	OPT_CALL('m', "buffer-size", "SIZE", on_size, "each CPU's buffer: a number and K, M or G"),
	OPT_END(),
};

const struct option_row ftrace_perf_trace_rows[] = {
	OPT_GROUP("what to trace"),
	OPT_STRING('t', "tracer", "TRACER", tracer, "one of the kernel's tracers (sonde ftrace list -t)"),
	OPT_CALL('e', "event", "EVENT", on_event, "events: sched, sched_wakeup, irq:*; '!EVENT': not these"),
	OPT_CALL(0, "filter", "EXPR", on_event, "only those of the last -e for which this holds"),
	OPT_CALL(0, "func-opts", "OPT,..", on_opts, "call-graph, irq-info, args"),
	OPT_CALL('O', "option", "OPTION", on_option, "one of the kernel's trace options (sonde ftrace list -O)"),
	OPT_STRING(0, "clock", "CLOCK", setup.clock, "the clock of the times: local, global, mono, boot, ..."),
	OPT_END(),
};

/* The threads of the processes of -p, and those that they will have. */
static int take_processes(struct ftrace_perf *p)
{
	struct target t = { .pids = p->processes };
	int err = p->processes.n ? target_resolve(&t, 0) : 0;
	for (size_t i = 0; i < t.threads.n && !err; i++)
		*vec_push(&p->setup.pids) = t.threads.at[i].tid;
	p->processes = (intlist){ 0 }; /* the target's now */
	target_release(&t);
	return err;
}

/* "f,ffffffff" */
static char *mask_of(const intlist *cpus)
{
	uint32_t words[(1 << 14) / 32 + 1] = { 0 };
	int top = 0;
	struct str s = STR_INIT;
	vec_each(cpus, c) {
		words[*c / 32] |= 1u << *c % 32;
		top = *c / 32 > top ? *c / 32 : top;
	}
	for (int i = top; i >= 0; i--)
		str_addf(&s, i == top ? "%x" : ",%08x", words[i]);
	return str_detach(&s);
}

int ftrace_perf_check(struct ftrace_perf *p, int n, const char *tracer)
{
	struct ftrace_setup *s = &p->setup;
	static char *mask;
	int err = 0;
	if (p->tracer && (s->graph.n + s->nograph.n == 0 || !strcmp(p->tracer, "function_graph")))
		s->tracer = p->tracer;
	else if (!s->tracer && !s->events.n)
		s->tracer = tracer;
	if (p->all && (p->processes.n || s->pids.n))
		return error_set(EINVAL, "-a is the whole machine, and -p and --tid are not: give one of them");
	err = take_processes(p);
	if (err)
		return err;
	if (p->cpus.n) {
		err = target_cpus_up(&p->cpus);
		free(mask);
		s->cpumask = mask = mask_of(&p->cpus);
	}
	if (p->cpus.n && !s->pids.n)
		p->all = true;
	vec_release(&p->cpus);
	return err ? err : n;
}

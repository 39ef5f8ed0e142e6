// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/reading_perf.h"
#include "ui/missing.h"
#include "ui/script/read.h"

struct script_cmd {
	struct reading in;
	struct script_choice choice;
	struct field_set fields;
	wordlist dsos, stop, graph;
	const char *run, *generate;
	char **args; /* of the script */
	bool hide_chains, json, reltime, deltatime, quiet, latency;
};
#define OPTIONS struct script_cmd

static const char *const usage[] = { "sonde script [OPTIONS]", "sonde script -g python", "sonde script -s FILE.py [ARGS]", NULL };

static int on_fields(void *fields, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return fields_parse(fields, arg);
}

/* Fields that suit decoded traces of instructions and of calls; for other recordings too. */
static int trace_fields(struct script_cmd *c, const char *fields)
{
	c->choice.decoded = c->in.ns = true;
	return fields_parse(&c->fields, fields);
}

static int on_insn_trace(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	if (!arg || !strcmp(arg, "raw"))
		return trace_fields(options, "+insn,-event,-period");
	if (!strcmp(arg, "disasm"))
		error_set(ENOTSUP, "--insn-trace=disasm: instructions are not disassembled here");
	else
		error_set(EINVAL, "--insn-trace: '%s' is not raw", arg);
	return error_hint("--insn-trace prints their bytes, which a disassembler takes: sonde script --insn-trace | xed -F insn: -A -64");
}

static int on_call_trace(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	(void)arg;
	(void)unset;
	return trace_fields(options, strcmp(opt->long_name, "call-trace") ? "-ip,-addr,-event,-period,+callindent,+flags" :
								       "-ip,-addr,-event,-period,+callindent");
}

static const struct option_row rows[] = {
	READING_FILE_ROWS(in),
	OPT_CALL_ON('F', "fields", "LIST", fields, on_fields, "fields to print: a list, or +FIELD and -FIELD; TYPE:LIST for one type of event"),
	READING_SAMPLE_ROWS(in),
	OPT_U64(0, "addr-range", "N", choice.addr_range, "with an address for a function in -S: so many bytes from there on"),
	OPT_CALL_ON(0, "dsos", "LIST", dsos, reading_on_words, "only samples in these files"),
	OPT_CALL_ON(0, "graph-function", "LIST", graph, reading_on_words, "with --call-trace: only these functions, and what they call"),
	READING_SWITCH_ROWS(in),
	OPT_FLAG('G', "hide-call-graph", hide_chains, "do not print call chains"),
	READING_CHAIN_ROWS(in),
	OPT_CALL_ON(0, "stop-bt", "LIST", stop, reading_on_words, "end call chains at these functions"),
	READING_FORM_ROWS(in),
	OPT_CALL(0, "insn-trace", "[raw]", on_insn_trace, "the fields of a trace of instructions: -F +insn,-event,-period --ns"),
	OPT_CALL(0, "call-trace", NULL, on_call_trace, "those of calls: -F -ip,-addr,-event,-period,+callindent --ns"),
	OPT_CALL(0, "call-ret-trace", NULL, on_call_trace, "those of calls and returns: the same, and +flags"),
	OPT_FLAG(0, "per-event-dump", choice.per_event, "a file for each event: perf.data.EVENT.dump"),
	OPT_FLAG(0, "reltime", reltime, "times from the first sample on"),
	OPT_FLAG(0, "deltatime", deltatime, "times since the sample before"),
	OPT_FLAG('L', "Latency", latency, "short thread names and CPU numbers"),
	OPT_FLAG('D', "dump-raw-trace", choice.dump, "dump every record: bytes and meaning"),
	OPT_FLAG('d', "debug-mode", choice.debug, "check that samples come in order of time"),
	OPT_GROUP("Other records"),
	OPT_FLAG(0, "show-task-events", choice.show[SHOW_TASKS], "fork, exec, exit"),
	OPT_FLAG(0, "show-mmap-events", choice.show[SHOW_MMAPS], "mapped files"),
	OPT_FLAG(0, "show-switch-events", choice.show[SHOW_SWITCHES], "context switches"),
	OPT_FLAG(0, "show-namespace-events", choice.show[SHOW_NAMESPACES], "namespaces"),
	OPT_FLAG(0, "show-lost-events", choice.show[SHOW_LOST], "lost records"),
	OPT_FLAG(0, "show-cgroup-events", choice.show[SHOW_CGROUPS], "control groups"),
	OPT_FLAG(0, "show-bpf-events", choice.show[SHOW_BPF], "BPF programs and kernel symbols that come and go"),
	OPT_FLAG(0, "show-round-events", choice.show[SHOW_ROUNDS], "ends of rounds"),
	OPT_FLAG(0, "show-text-poke-events", choice.show[SHOW_TEXT_POKES], "changes of the kernel's code"),
	OPT_GROUP("Header"),
	READING_HEADER_ROWS(in),
	OPT_GROUP("Scripts"),
	OPT_STRING('g', "gen-script", "python", generate, "write a Python script for the recording's events (perf-script.py)"),
	OPT_STRING('s', "script", "FILE.py", run, "run that script on the recording"),
	OPT_FLAG(0, "json", json, "one JSON object per line"),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(in),
	OPT_VERBOSE("tell more: why names are missing"),
	OPT_FLAG('q', "quiet", quiet, "no warnings"),
	SCRIPT_PERF_ROWS,
	OPT_END(),
};

static int run(struct script_cmd *c, struct perfdata *p, struct out *out)
{
	struct script s = { .data = p, .out = out, .fields = c->fields, .inlines = c->in.inlines, .nanosecs = c->in.ns,
		.latency = c->latency, .full_path = c->in.full_path, .stop = &c->stop, .max_stack = c->in.max_stack,
		.script = c->run, .script_args = c->args,
		.time = c->reltime ? TIME_RELATIVE : c->deltatime ? TIME_DELTA : TIME_ABSOLUTE, .text = STR_INIT, .head = { .text = STR_INIT } };
	struct script_reader rd = { .s = &s, .o = &c->choice, .v = c->run ? &script_python : c->json ? &script_json : &script_text };
	c->in.relative = c->reltime;
	int err = reading_filters(&c->in, p);
	if (err)
		return err;
	s.syms = reading_symbols(&c->in);
	s.session = session_new(s.syms);
	session_header(s.session, p);
	s.chains = !c->hide_chains && recorded_has_chains(p);
	err = script_read(&rd);
	if (s.truncated_stacks && !c->quiet)
		note(1, "%llu stacks were cut where the copied memory ended", (unsigned long long)s.truncated_stacks);
	if (rd.no_calls && !c->quiet)
		warn("--graph-function leaves out all %llu samples: none tells that it is a call or a return", (unsigned long long)rd.no_calls);
	if (!c->quiet)
		symbols_say_missing(s.syms, false);
	script_release(&s);
	session_free(s.session);
	symbols_free(s.syms);
	int closed = script_close(&rd);
	return closed && (!err || err == -EPIPE) ? closed : err;
}

static int open_and_run(struct perfdata *p, void *options)
{
	struct script_cmd *c = options;
	struct out out;
	if (c->generate)
		return script_generate(p, c->in.output ?: "perf-script.py") ? error_print() : 0;
	int err = reading_output(&c->in, p, &out);
	if (!err && !c->in.header_only) {
		if (!c->in.output && !c->run)
			out_pager(&out);
		c->choice.input = c->in.input;
		err = run(c, p, &out);
	}
	int closed = out_close(&out);
	if (err && c->in.usage)
		return options_exit(err, usage);
	return (err && err != -EPIPE) || closed ? error_print() : 0;
}

int cmd_script(int argc, char **argv)
{
	struct script_cmd c = { 0 };
	reading_init(&c.in);
	fields_init(&c.fields);
	c.choice.filter = &c.in.filter;
	c.choice.symbols = &c.in.symbols;
	c.choice.dsos = &c.dsos;
	c.choice.graph = &c.graph;
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (c.generate && strcmp(c.generate, "python") && strcmp(c.generate, "py")) {
		error_set(EINVAL, "scripts are written in python, not in '%s'", c.generate);
		error_hint("sonde script -g python");
		return options_exit(-EINVAL, usage);
	}
	if (c.reltime && c.deltatime) {
		error_set(EINVAL, "--reltime and --deltatime exclude each other");
		error_hint("choose one: times from the first sample on, or since the one before");
		return options_exit(-EINVAL, usage);
	}
	c.args = n ? argv : NULL;
	int code = reading_run(&c.in, open_and_run, &c);
	wordlist_release(&c.dsos);
	wordlist_release(&c.stop);
	wordlist_release(&c.graph);
	return code;
}

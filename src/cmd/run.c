// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde run: scripts in bpftrace's language. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "cmd/stap.h"
#include "job/run.h"
#include "job/run_tools.h"
#include "script/dump.h"
#include "script/guard.h"
#include "script/saved/saved.h"

static const char *const usage[] = { "sonde run [OPTIONS] FILE [PARAMETER...]", "sonde run [OPTIONS] -e SCRIPT [PARAMETER...]",
	"sonde run --save FILE SCRIPT [PARAMETER...]", "sonde run -l[v] [PROBE]", NULL };

enum { SCRIPT_MAX = 1 << 20, RING_MB = 4, RING_MB_MAX = 1024, SAMPLE_MOST = 1000000 };

struct run_options {
	struct run_job job;
	bool list;
	const char *expression, *command, *format;
	int ring_mb, sample, max_overhead;
	bool no_limits, tools, info, version, force;
	struct saved saved;
	const char *debug;
};
#define OPTIONS struct run_options

/* What the script says is written when nothing more comes, or as soon as a block of it is full; line and none wait for nothing. */
static int on_buffering(void *options, const struct option_row *opt, const char *mode, bool unset)
{
	struct run_options *o = options;
	(void)opt, (void)unset;
	o->job.unbuffered = strcmp(mode, "full");
	if (!strcmp(mode, "full") || !strcmp(mode, "line") || !strcmp(mode, "none"))
		return 0;
	error_set(EINVAL, "-B %s: there is no such way", mode);
	return error_hint("-B line, -B full or -B none");
}

static const struct option_row rows[] = {
	OPT_STRING('e', "expression", "SCRIPT", expression, "the script itself"),
	OPT_STRING('c', "command", "COMMAND", command, "run this beside it, and end with it; cpid is its number"),
	OPT_INT('p', "pid", "PID", job.pid, "only this process (probes in programs, profile, software, hardware); end with it"),
	OPT_STRING('o', "output", "FILE", job.output, "write there instead of standard output"),
	OPT_STRING('f', "format", "FORMAT", format, "text, or json: an object a line"),
	OPT_STRING(0, "save", "FILE", job.save, "write the script there with what it needs of debug information; sonde run FILE runs it elsewhere"),
	OPT_FLAG(0, "force", force, "run a saved script that belongs to another user"),
	OPT_FLAG('q', "quiet", job.quiet, "nothing but what the script says"),
	OPT_FLAG(0, "dry-run", job.dry, "compile and load, but attach nothing"),
	OPT_INT(0, "ring-size", "MB", ring_mb, "room for what is printed and not yet shown; a power of two (4)"),
	OPT_INT(0, "max-overhead", "PERCENT", max_overhead, "end when the probes take more of one CPU than this (100)"),
	OPT_FLAG(0, "suppress-time-limits", no_limits, "never end because of that"),
	OPT_INT(0, "sample", "N", sample, "let one hit of N through; what is counted is multiplied by N"),
	OPT_FLAG(0, "no-disk-guard", job.no_disk_guard, "write until the disk is full"),
	OPT_FLAG(0, "unsafe", job.unsafe, "allow what changes the machine: system, signal, write_user"),
	OPT_VERBOSE("show why the kernel refuses a program; -vvv: the code made of the script"),
	OPT_FLAG('l', "list", list, "list the probes that the next word means; -lv: with their arguments"),
	OPT_FLAG(0, "tools", tools, "list the scripts that come with sonde, run by their name"),
	OPT_FLAG(0, "refresh", job.refresh, "on a terminal, what an interval prints takes the place of what it printed before"),
	OPT_FLAG(0, "no-warnings", job.no_warnings, "do not warn of what the script says; losses are told all the same"),
	OPT_STRING('d', "debug", "STAGE", debug, "show the script as it is after a stage, and do not run it: ast, ir, code or all"),
	OPT_CALL('B', NULL, "MODE", on_buffering, "when output is written: full, line or none"),
	OPT_FLAG(0, "info", info, "what this machine can do: as sonde doctor"),
	OPT_FLAG('V', "version", version, "sonde's version"),
	OPT_NEEDLESS('I', NULL, "DIR", "headers are not read: constants are built in, types come from the kernel's own"),
	OPT_NEEDLESS(0, "include", "FILE", "headers are not read: constants are built in, types come from the kernel's own"),
	OPT_NEEDLESS(0, "usdt-file-activation", NULL, "semaphores are switched by the kernel"),
	OPT_REFUSED('n', NULL, "PROGRAM", "sonde run takes a script with -e", "sonde run -e shows what a line of DTrace's language is here"),
	OPT_NEEDLESS('k', NULL, NULL, "entries for which a map has no room are always told"),
	OPT_END(),
};

/* Words of a command line, with quotes; the list's last is NULL. */
static int words_of_command(wordlist *w, const char *text)
{
	struct str word = STR_INIT;
	char quote = 0;
	bool any = false;
	for (const char *p = text;; p++) {
		if (!*p || (!quote && strchr(" \t\n", *p))) {
			if (any)
				wordlist_add(w, word.buf);
			str_clear(&word);
			any = false;
			if (!*p)
				break;
		} else if (quote ? *p == quote : *p == '\'' || *p == '"') {
			quote = quote ? 0 : *p;
			any = true;
		} else {
			str_addc(&word, *p);
			any = true;
		}
	}
	str_release(&word);
	if (!w->n || quote)
		return error_set(EINVAL, quote ? "-c: a quote has no end" : "-c: there is no command");
	*vec_push(w) = NULL;
	return 0;
}

/* STAGE of -d: what bpftrace calls its own stages is taken as well. */
static int stage_of(struct run_options *o)
{
	static const struct { const char *name; unsigned bits; } stages[] = { { "ast", DUMP_TREE }, { "parse", DUMP_TREE }, { "types", DUMP_TREE },
		{ "ir", DUMP_IR }, { "codegen", DUMP_IR }, { "codegen-opt", DUMP_IR }, { "code", DUMP_CODE }, { "dis", DUMP_CODE },
		{ "all", DUMP_TREE | DUMP_IR | DUMP_CODE } };
	struct nearest near;
	nearest_init(&near, o->debug);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		nearest_offer(&near, stages[i].name);
		if (!strcmp(stages[i].name, o->debug))
			o->job.dump = stages[i].bits;
	}
	if (o->job.dump)
		return 0;
	error_set(EINVAL, "-d %s: there is no such stage", o->debug);
	return nearest_hint(&near) ? -EINVAL : error_hint("ast, ir, code or all");
}

static int fill(struct run_options *o)
{
	if (o->debug && stage_of(o))
		return error_code();
	if (o->format && strcmp(o->format, "json") && strcmp(o->format, "text")) {
		error_set(EINVAL, "there is no format '%s'", o->format);
		return error_hint("-f text or -f json");
	}
	if (o->job.save && (o->command || o->job.pid || o->debug)) {
		error_set(EINVAL, "--save runs nothing: -c, -p and -d are for the run");
		return error_hint("sonde run --save FILE SCRIPT, and then, there, sonde run -c COMMAND FILE");
	}
	o->job.json = o->format && !strcmp(o->format, "json");
	if (o->ring_mb < 1 || o->ring_mb > RING_MB_MAX || o->ring_mb & (o->ring_mb - 1)) {
		error_set(EINVAL, "--ring-size %d is not a power of two from 1 to %d", o->ring_mb, RING_MB_MAX);
		return error_hint("for example --ring-size 64");
	}
	if (o->max_overhead < 1 || o->sample < 1 || o->sample > SAMPLE_MOST) {
		error_set(EINVAL, "--max-overhead is a percentage from 1 on, --sample a number from 1 to %d", SAMPLE_MOST);
		return error_hint("for example --sample 10, --max-overhead 200");
	}
	o->job.sample = (unsigned)o->sample;
	o->job.max_overhead = o->no_limits ? 0 : (unsigned)o->max_overhead;
	o->job.ring_bytes = (unsigned)o->ring_mb << 20;
	return 0;
}

/* The script: -e, a file, or standard input. */
static int take_script(struct run_options *o, int n, char **words, struct str *text)
{
	int used = !o->expression;
	if (!o->expression && !n) {
		error_set(EINVAL, "there is no script");
		return error_hint("sonde run -e 'BEGIN { printf(\"hello\\n\") }', or sonde run FILE");
	}
	o->job.script.name = o->expression ? "-e" : strcmp(words[0], "-") ? words[0] : "stdin";
	if (o->expression)
		str_add(text, o->expression);
	char *tool = o->expression ? NULL : run_tool_path(words[0]);
	if (!o->expression && !tool && saved_kind(words[0]))
		return saved_take(&o->saved, words[0], o->force, words + 1, (unsigned)(n - 1), &o->job.script);
	int err = o->expression ? 0 : !strcmp(words[0], "-") ? file_read_fd(0, text, SCRIPT_MAX) : file_read(tool ? tool : words[0], text, SCRIPT_MAX);
	free(tool);
	if (err) {
		error_sys(-err, "cannot read the script '%s'", words[0]);
		if (err == -ENOENT)
			run_tools_nearest(words[0]);
		return err;
	}
	o->job.script.text = text->buf;
	o->job.script.length = text->len;
	o->job.script.params = words + used;
	o->job.script.n_params = (unsigned)(n - used);
	return 0;
}

int cmd_run(int argc, char **argv)
{
	struct run_options o = { .saved = SAVED_INIT, .ring_mb = RING_MB, .sample = 1, .max_overhead = GUARD_MOST };
	wordlist command = { 0 };
	struct str text = STR_INIT;
	if (stap_wanted(argc, argv))
		return cmd_stap(argc, argv);
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n < 0)
		return options_exit(n, usage);
	if (o.tools)
		return run_tools_list();
	if (o.version || o.info) {
		char *word[] = { (char *)(o.info ? "doctor" : "version"), NULL };
		return o.info ? cmd_doctor(1, word) : cmd_version(1, word);
	}
	if (o.list)
		return run_job_list(&o.job, n ? argv[0] : NULL, verbosity > 0);
	int err = fill(&o);
	if (!err)
		err = take_script(&o, n, argv, &text);
	if (!err && o.command)
		err = words_of_command(&command, o.command);
	int code = err ? error_print() : run_job_run(&o.job, o.command ? command.at : NULL);
	wordlist_release(&command);
	saved_release(&o.saved);
	str_release(&text);
	return code;
}

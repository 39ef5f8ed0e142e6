// SPDX-License-Identifier: GPL-2.0-or-later
/* SystemTap's command line: sonde run FILE.stp, sonde run -e 'probe ...', or called as stap. */
#include "cmd/stap.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>
#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "job/stap.h"
#include "script/guard.h"
#include "script/saved/saved.h"
#include "script/stap/stap.h"

static const char *const usage[] = { "stap [OPTIONS] FILE.stp [PARAMETER...]", "stap [OPTIONS] -e SCRIPT [PARAMETER...]", NULL };

enum { SCRIPT_MAX = 1 << 20, RING_MB = 16, RING_MB_MAX = 1024 };

struct stap_options {
	struct stap_job job;
	const char *expression, *command, *timeout, *list, *list_variables;
	const char *module;
	char *saved_as; /* of -m */
	int ring_mb, pass, max_overhead;
	bool force, version, no_limits;
	struct saved saved;
	wordlist globals;
};
#define OPTIONS struct stap_options

/* -D NAME=VALUE */
static int on_define(void *value_of, const struct option_row *opt, const char *text, bool unset)
{
	struct stap_options *o = value_of;
	(void)opt, (void)unset;
	const char *value = strchr(text, '=');
	uint64_t v = 0;
	size_t n = value ? (size_t)(value - text) : strlen(text);
	if (!strncmp(text, "STP_NO_OVERLOAD", n) && n == 15) {
		o->no_limits = true;
		return 0;
	}
	if (value && !strncmp(text, "MAXMAPENTRIES", n) && n == 13) {
		if (parse_u64(value + 1, &v) || !v || v > 100000000) {
			error_set(EINVAL, "-D%s is no number of entries", text);
			return error_hint("for example -DMAXMAPENTRIES=100000");
		}
		o->job.max_entries = v;
		return 0;
	}
	note(1, "-D%s changes nothing here", text);
	return 0;
}

/* -G NAME=VALUE */
static int on_global(void *value_of, const struct option_row *opt, const char *text, bool unset)
{
	struct stap_options *o = value_of;
	(void)opt, (void)unset;
	if (!strchr(text, '=') || *text == '=') {
		error_set(EINVAL, "-G %s is not the name of a global and its value", text);
		return error_hint("for example -G limit=10");
	}
	wordlist_add(&o->globals, text);
	return 0;
}

static const struct option_row rows[] = {
	OPT_STRING('e', NULL, "SCRIPT", expression, "the script itself"),
	OPT_STRING('c', NULL, "COMMAND", command, "run this beside it, and end with it; target() is its number"),
	OPT_INT('x', NULL, "PID", job.pid, "target() is this process; end with it"),
	OPT_STRING('o', NULL, "FILE", job.output, "write there instead of standard output"),
	OPT_STRING(0, "save", "FILE", job.save, "write the script there with what it needs of debug information; staprun FILE runs it elsewhere"),
	OPT_FLAG(0, "force", force, "run a saved script that belongs to another user"),
	OPT_STRING('l', NULL, "PROBE", list, "list the places that this means"),
	OPT_STRING('L', NULL, "PROBE", list_variables, "the same with the variables that are there"),
	OPT_STRING('T', NULL, "SECONDS", timeout, "end after that time"),
	OPT_FLAG('g', NULL, job.guru, "guru mode: taken; embedded C is refused nevertheless"),
	OPT_INT('p', NULL, "PASS", pass, "1 to 3: compile only; 4: load too; 5: run (5)"),
	OPT_STRING('m', NULL, "NAME", module, "with -p 4: --save NAME.ko"),
	OPT_CALL('D', NULL, "NAME=VALUE", on_define, "MAXMAPENTRIES=N: room of arrays; STP_NO_OVERLOAD: no overload guard"),
	OPT_CALL('G', NULL, "NAME=VALUE", on_global, "what a global of the script begins with"),
	OPT_INT(0, "max-overhead", "PERCENT", max_overhead, "end when the probes take more of one CPU than this (100)"),
	OPT_FLAG(0, "suppress-time-limits", no_limits, "never end because of that"),
	OPT_INT('s', NULL, "MB", ring_mb, "room for what was hit and is not yet shown; a power of two (16)"),
	OPT_FLAG(0, "no-disk-guard", job.no_disk_guard, "write until the disk is full"),
	OPT_FLAG('V', "version", version, "sonde's version"),
	OPT_VERBOSE("tell what is left out, and why the kernel refuses a program"),
	OPT_NEEDLESS('d', NULL, "MODULE", "the names of the kernel, its modules and of programs are always looked up"),
	OPT_NEEDLESS(0, "all-modules", NULL, "the names of all modules are always known"),
	OPT_NEEDLESS(0, "ldd", NULL, "the libraries of programs are always looked up"),
	OPT_NEEDLESS('k', NULL, NULL, "there are no temporary files to keep"),
	OPT_NEEDLESS('w', NULL, NULL, "only what matters is told"),
	OPT_NEEDLESS('u', NULL, NULL, "what does not matter for the result is left out"),
	OPT_NEEDLESS('I', NULL, "FOLDER", "the tapset is sonde's own"),
	OPT_NEEDLESS('R', NULL, "FOLDER", "there is no runtime to be compiled"),
	OPT_NEEDLESS('b', NULL, NULL, "output is written in blocks"),
	OPT_NEEDLESS('t', NULL, NULL, "-v tells each probe's hits and cost"),
	OPT_REFUSED(0, "sample", "N", "a script of SystemTap's counts by itself, and what it counts cannot be multiplied",
		    "if (randint(10)) next; lets one of ten through, or --sample with a script in bpftrace's language"),
	OPT_REFUSED('F', NULL, NULL, "there is no flight recorder", "sonde run ... -o FILE & writes in the background"),
	OPT_REFUSED('r', NULL, "KERNEL", "a script is compiled for this kernel", "run it where it is needed: sonde needs no compiler there"),
	OPT_REFUSED('a', NULL, "ARCH", "a script is compiled for this machine", "run it where it is needed"),
	OPT_END(),
};

static int fill(struct stap_options *o)
{
	char *end;
	if (o->timeout) {
		double s = strtod(o->timeout, &end);
		if (*end || !(s > 0) || s > 1e6) {
			error_set(EINVAL, "-T %s is no number of seconds", o->timeout);
			return error_hint("for example -T 10");
		}
		o->job.timeout_ms = (unsigned)(s * 1000);
	}
	if (o->ring_mb < 1 || o->ring_mb > RING_MB_MAX || o->ring_mb & (o->ring_mb - 1)) {
		error_set(EINVAL, "-s %d is not a power of two from 1 to %d", o->ring_mb, RING_MB_MAX);
		return error_hint("for example -s 64");
	}
	if (o->pass < 1 || o->pass > 5) {
		error_set(EINVAL, "-p%d: a script has passes 1 to 5", o->pass);
		return error_hint("-p4 compiles and loads; sonde run -p is a process in bpftrace's scripts, and -x PID here");
	}
	if (o->max_overhead < 1) {
		error_set(EINVAL, "--max-overhead is a percentage from 1 on");
		return error_hint("for example --max-overhead 200");
	}
	if (o->module && o->pass == 4 && !o->job.save)
		o->job.save = o->saved_as = xasprintf("%s%s", o->module, str_ends(o->module, ".ko") ? "" : ".ko");
	else if (o->module)
		note(1, "-m changes nothing: no module is made");
	if (o->job.save && (o->command || o->job.pid || o->globals.n)) {
		error_set(EINVAL, "--save runs nothing: -c, -x and -G are for the run");
		return error_hint("sonde run --save FILE SCRIPT, and then, there, staprun -c COMMAND FILE");
	}
	o->job.max_overhead = o->no_limits ? 0 : (unsigned)o->max_overhead;
	o->job.globals = o->globals.at;
	o->job.n_globals = o->globals.n;
	o->job.parse_only = o->pass < 4;
	o->job.dry = o->pass == 4;
	o->job.ring_bytes = (unsigned)o->ring_mb << 20;
	return 0;
}

/* A file that --save made: what was said then holds, unless something else is said now. */
static int take_saved(struct stap_options *o, int n, char **words)
{
	int err = saved_take(&o->saved, words[0], o->force, words + 1, (unsigned)(n - 1), &o->job.script);
	o->job.guru |= o->saved.guru;
	o->job.max_entries = o->job.max_entries ? o->job.max_entries : o->saved.max_entries;
	return err;
}

/* What SystemTap's staprun takes: an ELF file. */
static bool is_module(const char *path)
{
	static const char magic[] = "\177ELF";
	char head[4] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head) && !memcmp(head, magic, sizeof(head));
	if (fd >= 0)
		close(fd);
	return is;
}

static int take_script(struct stap_options *o, int n, char **words, struct str *text)
{
	int used = !o->expression;
	if (!o->expression && !n) {
		error_set(EINVAL, "there is no script");
		return error_hint("stap -e 'probe begin { println(\"hello\") exit() }', or stap FILE.stp");
	}
	if (!o->expression && saved_kind(words[0]))
		return take_saved(o, n, words);
	if (!o->expression && is_module(words[0])) {
		error_set(EINVAL, "%s is a module of the kernel's, made by another stap", words[0]);
		return error_hint("sonde makes none: stap --save FILE SCRIPT, and there staprun FILE");
	}
	o->job.script.name = o->expression ? "-e" : strcmp(words[0], "-") ? words[0] : "stdin";
	if (o->expression)
		str_add(text, o->expression);
	int err = o->expression ? 0 : !strcmp(words[0], "-") ? file_read_fd(0, text, SCRIPT_MAX) : file_read(words[0], text, SCRIPT_MAX);
	if (err)
		return error_sys(-err, "cannot read the script '%s'", words[0]);
	o->job.script.text = text->buf;
	o->job.script.length = text->len;
	o->job.script.params = words + used;
	o->job.script.n_params = (unsigned)(n - used);
	return 0;
}

/* As stap has it: the words are expanded as a shell does, and what only a shell can do (a | b, a > b) is given to one. */
static int command_words(wordlist *out, const char *text)
{
	wordexp_t w = { 0 };
	int rc = wordexp(text, &w, WRDE_NOCMD | WRDE_UNDEF);
	if (rc && rc != WRDE_NOSPACE) {
		wordlist_add(out, "sh");
		wordlist_add(out, "-c");
		wordlist_add(out, text);
		rc = 0;
	} else if (!rc) {
		for (size_t i = 0; i < w.we_wordc; i++)
			wordlist_add(out, w.we_wordv[i]);
		wordfree(&w);
	}
	if (rc || !out->n)
		return error_set(EINVAL, "there is no command in -c '%s'", text);
	*vec_push(out) = NULL;
	return 0;
}

/* The words of the line #!/usr/bin/stap OPTIONS are options too, when the file is given to us by name. Options may stand behind the
 * script, as there; "--" ends them. */
int cmd_stap(int argc, char **argv)
{
	struct stap_options o = { .saved = SAVED_INIT, .ring_mb = RING_MB, .pass = 5, .max_overhead = GUARD_MOST };
	wordlist command = { 0 };
	struct str text = STR_INIT;
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (o.version)
		return cmd_version(1, (char *[]){ (char *)"version", NULL });
	int err = fill(&o);
	if (!err && (o.list || o.list_variables))
		return stap_job_list(o.list_variables ? o.list_variables : o.list, o.list_variables, o.job.output);
	if (!err)
		err = take_script(&o, n, argv, &text);
	if (!err && o.command)
		err = command_words(&command, o.command);
	int code = err ? error_print() : stap_job_run(&o.job, o.command ? command.at : NULL);
	wordlist_release(&command);
	wordlist_release(&o.globals);
	saved_release(&o.saved);
	str_release(&text);
	free(o.saved_as);
	return code;
}

/* Of a script that --save made: what it is written in. The file of an option is none that is run. */
static enum saved_dialect saved_among(int argc, char **argv)
{
	enum saved_dialect d = SAVED_NONE;
	for (int i = 1; i < argc && !d && strcmp(argv[i], "--"); i++)
		if (argv[i][0] != '-' && strcmp(argv[i - 1], "--save") && strcmp(argv[i - 1], "-o"))
			d = saved_kind(argv[i]);
	return d;
}

/* The script decides: -e's text, the name of a file, or what the file has. */
bool stap_wanted(int argc, char **argv)
{
	const char *self = argc ? strrchr(argv[0], '/') : NULL;
	self = self ? self + 1 : argc ? argv[0] : "";
	enum saved_dialect saved = saved_among(argc, argv);
	if (saved)
		return saved == SAVED_STAP;
	if (!strcmp(self, "stap") || !strcmp(self, "staprun"))
		return true;
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i];
		if (!strcmp(w, "--"))
			break;
		if (!strncmp(w, "-e", 2) && w[1] == 'e')
			return stap_is("-e", w[2] ? w + 2 : i + 1 < argc ? argv[i + 1] : "", strlen(w[2] ? w + 2 : i + 1 < argc ? argv[i + 1] : ""));
		if ((w[0] != '-' && str_ends(w, ".stp")) || !strncmp(w, "-L", 2))
			return true;
		if (w[0] != '-' && strchr(w, '/')) {
			struct str text = STR_INIT;
			bool is = !file_read(w, &text, SCRIPT_MAX) && stap_is(w, text.buf, text.len);
			str_release(&text);
			if (is)
				return true;
		}
	}
	return false;
}

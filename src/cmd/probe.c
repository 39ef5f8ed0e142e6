// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde probe: what can be probed, and probes added, listed and removed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "probe/add.h"
#include "probe/functions.h"
#include "probe/source.h"
#include "ui/probeprint.h"

static const char *const usage[] = {
	"sonde probe [-x FILE | -m MODULE] [-n] [-f] ['PROBE' | -a 'PROBE']...",
	"sonde probe [-x FILE | -m MODULE] -D 'PROBE'",
	"sonde probe -l [[GROUP:]EVENT]...  |  -d [GROUP:]EVENT...",
	"sonde probe [-x FILE | -m MODULE] -L FUNC[@SRC][:LINE[-LINE2|+N]] | SRC[:LINE[-LINE2|+N]]",
	"sonde probe [-x FILE | -m MODULE] [--externs] [--range] -V PLACE",
	"sonde probe [-x FILE | -m MODULE] -F [PATTERN]",
	"sonde probe ...  PROBE: [GROUP:][EVENT=]FUNC[@SRC][:LINE|+OFF|%return|;PATTERN] [ARG...], SRC:LINE, %PROVIDER:NAME",
	NULL,
};

struct probe_cmd {
	struct probe_target_options target;
	struct probe_options options;
	wordlist add, define, del, list;
	const char *filter, *lines, *vars;
	struct probe_show_options show;
	bool do_list, do_funcs, dry, quiet, bootconfig, demangle;
};

static int on_word(void *list, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	wordlist_add(list, arg);
	return 0;
}

static int on_list(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct probe_cmd *c = options;
	(void)opt;
	c->do_list = !unset;
	if (arg)
		wordlist_add(&c->list, arg);
	return 0;
}

static int on_funcs(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct probe_cmd *c = options;
	(void)opt;
	c->do_funcs = !unset;
	if (arg)
		c->filter = arg;
	return 0;
}

/* perf keeps definitions in a cache and lists, uses and clears them there. */
static int on_cache(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	(void)options;
	(void)opt;
	(void)arg;
	if (unset)
		return 0;
	error_set(ENOTSUP, "--cache: sonde keeps no cache of definitions");
	error_hint("what it learns from debug information it keeps by itself, by build-id, in the user's cache folder");
	return error_hint("definitions for a machine without debug information: sonde probe -D 'PROBE' prints them");
}

#define OPTIONS struct probe_cmd
static const struct option_row rows[] = {
	OPT_GROUP("Which file"),
	OPT_STRING('x', "exec", "FILE", target.exec, "a program or library (uprobes)"),
	OPT_STRING('m', "module", "MODULE", target.module, "a kernel module: its name, or a .ko file"),
	OPT_STRING('k', "vmlinux", "FILE", target.vmlinux, "the kernel's vmlinux with debug information"),
	OPT_STRING('s', "source", "DIR", target.source, "where the source files are"),
	OPT_STRING(0, "symfs", "DIR", target.symfs, "look for files below DIR"),
	OPT_INT(0, "target-ns", "PID", target.ns_pid, "the file of -x as that process sees it (in a container)"),
	OPT_GROUP("Adding"),
	OPT_CALL_ON('a', "add", "PROBE", add, on_word, "add a probe; may be given many times"),
	OPT_CALL_ON('D', "definition", "PROBE", define, on_word, "print what would be written to the kernel"),
	OPT_FLAG(0, "bootconfig", bootconfig, "with -D: in the form that the kernel reads when it boots"),
	OPT_FLAG('n', "dry-run", dry, "do everything but write to the kernel"),
	OPT_FLAG('f', "force", options.force, "add beside an event of the same name; allow risky probes"),
	OPT_INT(0, "max-probes", "N", options.max_probes, "at most N places for one definition (512; 128 with wildcards)"),
	OPT_FLAG(0, "no-inlines", options.no_inlines, "leave out inlined copies of functions"),
	OPT_GROUP("Asking and removing"),
	OPT_CALL('l', "list", "[EVENT]", on_list, "list the probes; -v adds hit counts"),
	OPT_CALL_ON('d', "del", "EVENT", del, on_word, "remove probes; wildcards allowed"),
	OPT_STRING('L', "line", "LINES", lines, "show the source, with the lines that can be probed"),
	OPT_STRING('V', "vars", "PLACE", vars, "show the variables that are available at a place"),
	OPT_FLAG(0, "externs", show.externs, "with -V: global variables as well"),
	OPT_FLAG(0, "range", show.ranges, "with -V: where each variable is available"),
	OPT_CALL('F', "funcs", "[PATTERN]", on_funcs, "list the functions that can be probed"),
	OPT_STRING(0, "filter", "PATTERN", filter, "only functions or variables that match, with -F and -V"),
	OPT_FLAG(0, "demangle", demangle, "with -F: C++ and Rust names in readable form (on; --no-demangle turns it off)"),
	OPT_FLAG(0, "demangle-kernel", demangle, "the same: names of the kernel are no exception"),
	OPT_CALL(0, "cache", NULL, on_cache, "refused: there is no cache of definitions to be managed"),
	OPT_GROUP("Output"),
	OPT_VERBOSE("tell each step"),
	OPT_FLAG('q', "quiet", quiet, "print nothing but errors"),
	OPT_END(),
};

/* ---- what it does ---- */

static int cmd_add(const struct probe_cmd *c, struct out *o, const wordlist *texts, bool define)
{
	struct probe_target t;
	struct probe_added a = { 0 };
	int err = probe_target_open(&t, &c->target);
	if (err)
		return err;
	err = probe_add(&a, &t, texts, &c->options, c->dry || define);
	if (!err && define)
		err = probe_print_definitions(o, &a.defs, c->bootconfig);
	else if (!err && !c->quiet)
		probe_print_added(o, &a, c->dry);
	probe_added_release(&a);
	probe_target_release(&t);
	return err;
}

static int cmd_remove(struct probe_cmd *c, struct out *o)
{
	wordlist removed = { 0 };
	int err = probe_events_remove(&c->del, c->dry, &removed);
	vec_each(&removed, r)
		if (!c->quiet)
			out_printf(o, "Removed event: %s\n", *r);
	wordlist_release(&removed);
	return err;
}

static int cmd_funcs(struct probe_cmd *c, struct out *o)
{
	struct probe_target t;
	int err = probe_target_open(&t, &c->target);
	if (err)
		return err;
	err = probe_functions_list(&t, c->filter, o);
	probe_target_release(&t);
	return err;
}

static int cmd_show(struct probe_cmd *c, struct out *o)
{
	struct probe_target t;
	int err = probe_target_open(&t, &c->target);
	if (err)
		return err;
	c->show.probe = &c->options;
	c->show.filter = c->filter;
	err = c->lines ? probe_show_lines(&t, c->lines, o) : probe_show_vars(&t, c->vars, &c->show, o);
	probe_target_release(&t);
	return err;
}

/* ---- the command line ---- */

/* `probe /path/to.so ...` and `probe -F /path/to.so`: a first word that is a file names the target. */
static void take_target(struct probe_cmd *c, char **argv, int *n)
{
	struct stat st;
	if (!*n || c->target.exec || c->target.module || argv[0][0] != '/' || stat(argv[0], &st) ||
	    !S_ISREG(st.st_mode))
		return;
	const char *ko = strstr(argv[0], ".ko");
	if (ko && (!ko[3] || ko[3] == '.'))
		c->target.module = argv[0];
	else
		c->target.exec = argv[0];
	memmove(argv, argv + 1, sizeof(*argv) * (size_t)*n);
	(*n)--;
}

/* Words left over make one definition, as perf has it: probe -x LIBC malloc bytes. */
static void take_words(struct probe_cmd *c, char **argv, int n)
{
	struct str s = STR_INIT;
	for (int i = 0; i < n; i++)
		str_addf(&s, "%s%s", i ? " " : "", argv[i]);
	if (n)
		wordlist_add(&c->add, s.buf);
	str_release(&s);
}

static int check_modes(const struct probe_cmd *c)
{
	int modes = c->do_list + c->do_funcs + !!c->lines + !!c->vars + !!c->del.n + !!c->add.n + !!c->define.n;
	if (modes > 1)
		return error_set(EINVAL, "only one of adding, -D, -d, -l, -L, -V and -F can be done at a time");
	if (!modes)
		return error_set(EINVAL, "nothing to do: a probe, -D, -d, -l, -L, -V or -F is wanted");
	if (c->target.ns_pid && !c->target.exec)
		return error_set(EINVAL, "--target-ns says in which process's eyes the file of -x is meant: give -x as well");
	if (c->bootconfig && !c->define.n)
		return error_set(EINVAL, "--bootconfig is a form of what -D prints: give -D as well");
	if (c->target.exec && (c->target.module || c->target.vmlinux))
		return error_set(EINVAL, "-x cannot be combined with -m or -k: a program or the kernel");
	return 0;
}

static int run(struct probe_cmd *c, struct out *o)
{
	if (c->do_list) {
		struct probe_list_options l = { .patterns = &c->list, .target = &c->target, .counts = verbosity > 0 };
		return probe_events_list(o, &l);
	}
	if (c->do_funcs)
		return cmd_funcs(c, o);
	if (c->lines || c->vars)
		return cmd_show(c, o);
	if (c->del.n)
		return cmd_remove(c, o);
	return c->define.n ? cmd_add(c, o, &c->define, true) : cmd_add(c, o, &c->add, false);
}

static void cmd_release(struct probe_cmd *c)
{
	wordlist_release(&c->add);
	wordlist_release(&c->define);
	wordlist_release(&c->del);
	wordlist_release(&c->list);
}

static int parse_command_line(struct probe_cmd *c, int argc, char **argv)
{
	int n = options_parse(c, argc, argv, rows, usage, 0);
	if (n < 0)
		return n;
	c->target.no_demangle = !c->demangle;
	take_target(c, argv, &n);
	if (c->do_list || c->del.n) {
		for (int i = 0; i < n; i++)
			wordlist_add(c->do_list ? &c->list : &c->del, argv[i]);
	} else if (c->do_funcs && n == 1 && !c->filter) {
		c->filter = argv[0];
	} else {
		take_words(c, argv, n);
	}
	return check_modes(c);
}

int cmd_probe(int argc, char **argv)
{
	struct probe_cmd c = { .demangle = true };
	struct out o;
	int err = parse_command_line(&c, argc, argv);
	if (err) {
		cmd_release(&c);
		return options_exit(err, usage);
	}
	err = out_open(&o, NULL, false);
	if (!err) {
		err = run(&c, &o);
		int end = out_close(&o);
		err = err ? err : end;
	}
	cmd_release(&c);
	return err ? error_print() : 0;
}

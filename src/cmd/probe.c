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
#include "probe/events.h"
#include "probe/functions.h"
#include "probe/resolve.h"
#include "probe/source.h"

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
	bool do_list, do_funcs, dry, quiet, bootconfig;
};

static int opt_word(const struct option_row *r, const char *arg, bool unset)
{
	(void)unset;
	wordlist_add(r->value, arg);
	return 0;
}

static int opt_list(const struct option_row *r, const char *arg, bool unset)
{
	struct probe_cmd *c = r->value;
	(void)unset;
	c->do_list = true;
	if (arg)
		wordlist_add(&c->list, arg);
	return 0;
}

static int opt_funcs(const struct option_row *r, const char *arg, bool unset)
{
	struct probe_cmd *c = r->value;
	(void)unset;
	c->do_funcs = true;
	if (arg)
		c->filter = arg;
	return 0;
}

/* perf keeps definitions in a cache and lists, uses and clears them there. */
static int opt_cache(const struct option_row *r, const char *arg, bool unset)
{
	(void)r;
	(void)arg;
	if (unset)
		return 0;
	error_set(ENOTSUP, "--cache: sonde keeps no cache of definitions");
	error_hint("what it learns from debug information it keeps by itself, by build-id, in the user's cache folder");
	return error_hint("definitions for a machine without debug information: sonde probe -D 'PROBE' prints them");
}

/* ---- adding ---- */

static void add_args(struct out *o, const struct probe_spec *s)
{
	struct str text = STR_INIT;
	for (size_t i = 0; i < s->args.n; i++) {
		str_add(&text, i ? " " : " with ");
		str_add_safez(&text, s->args.at[i].text);
	}
	out_str(o, &text);
	str_release(&text);
}

static void show_added(struct out *o, const probe_defs *defs, const struct probe_spec *specs, bool dry)
{
	struct str place = STR_INIT, line = STR_INIT;
	out_printf(o, "%s new event%s:\n", dry ? "Would add" : "Added", defs->n > 1 ? "s" : "");
	vec_each(defs, d) {
		str_clear(&place);
		probe_spec_place(&specs[d->spec], &place);
		str_addf(&line, "  %s:%s", d->group, d->event);
		str_pad(&line, 22, ' ');
		str_add(&line, " (on ");
		str_add_safez(&line, place.buf);
		if (d->target) {
			str_add(&line, " in ");
			str_add_safez(&line, d->target);
		}
		out_str(o, &line);
		add_args(o, &specs[d->spec]);
		out_puts(o, ")\n");
	}
	const struct probe_def *last = vec_last(defs);
	if (!dry)
		out_printf(o, "\nYou can now use it in all sonde tools, such as:\n\n"
			   "\tsonde record -e %s:%s -aR sleep 1\n\n", last->group, last->event);
	str_release(&place);
	str_release(&line);
}

struct specs { VEC(struct probe_spec) list; probe_defs defs; };

static int resolve_one(struct probe_cmd *c, struct probe_target *t, struct specs *sp, const char *text)
{
	struct probe_spec *s = vec_push(&sp->list);
	int err = probe_spec_parse(s, text);
	size_t before = sp->defs.n;
	if (err)
		return err;
	note(1, "definition %zu: %s", sp->list.n - 1, text);
	err = probe_resolve(t, s, &c->options, &sp->defs);
	for (size_t i = before; i < sp->defs.n; i++)
		sp->defs.at[i].spec = (int)sp->list.n - 1;
	if (!err)
		note(1, "found %zu place%s for '%s'", sp->defs.n - before, sp->defs.n - before == 1 ? "" : "s", text);
	return err;
}

static void specs_release(struct specs *sp)
{
	vec_each(&sp->list, s)
		probe_spec_release(s);
	vec_release(&sp->list);
	probe_defs_release(&sp->defs);
}

static int print_definitions(struct out *o, const probe_defs *defs, bool bootconfig)
{
	struct str line = STR_INIT, safe = STR_INIT;
	int err = bootconfig ? probe_bootconfig(defs, &safe) : 0;
	if (bootconfig && !err)
		out_str(o, &safe);
	for (const struct probe_def *d = defs->at; !bootconfig && d < defs->at + defs->n; d++) {
		str_clear(&line);
		probe_def_line(d, &line);
		str_add_safe(&safe, line.buf, line.len);
		str_addc(&safe, '\n');
		out_str(o, &safe);
	}
	str_release(&line);
	str_release(&safe);
	return err;
}

static int cmd_add(struct probe_cmd *c, struct out *o, const wordlist *texts, bool define)
{
	struct probe_target t;
	struct specs sp = { 0 };
	int err = probe_target_open(&t, &c->target);
	if (err)
		return err;
	for (size_t i = 0; i < texts->n && !err; i++)
		err = resolve_one(c, &t, &sp, texts->at[i]);
	if (!err)
		err = probe_events_add(&sp.defs, sp.list.at, c->options.force, c->dry || define);
	if (!err && define)
		err = print_definitions(o, &sp.defs, c->bootconfig);
	else if (!err && !c->quiet)
		show_added(o, &sp.defs, sp.list.at, c->dry);
	specs_release(&sp);
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
	bool demangle = true;
	const struct option_row rows[] = {
		OPT_GROUP("Which file"),
		OPT_STRING('x', "exec", "FILE", &c->target.exec, "a program or library (uprobes)"),
		OPT_STRING('m', "module", "MODULE", &c->target.module, "a kernel module: its name, or a .ko file"),
		OPT_STRING('k', "vmlinux", "FILE", &c->target.vmlinux, "the kernel's vmlinux with debug information"),
		OPT_STRING('s', "source", "DIR", &c->target.source, "where the source files are"),
		OPT_STRING(0, "symfs", "DIR", &c->target.symfs, "look for files below DIR"),
		OPT_INT(0, "target-ns", "PID", &c->target.ns_pid, "the file of -x as that process sees it (in a container)"),
		OPT_GROUP("Adding"),
		OPT_CALL('a', "add", "PROBE", &c->add, opt_word, "add a probe; may be given many times"),
		OPT_CALL('D', "definition", "PROBE", &c->define, opt_word, "print what would be written to the kernel"),
		OPT_FLAG(0, "bootconfig", &c->bootconfig, "with -D: in the form that the kernel reads when it boots"),
		OPT_FLAG('n', "dry-run", &c->dry, "do everything but write to the kernel"),
		OPT_FLAG('f', "force", &c->options.force, "add beside an event of the same name; allow risky probes"),
		OPT_INT(0, "max-probes", "N", &c->options.max_probes, "at most N places for one definition (512; 128 with wildcards)"),
		OPT_FLAG(0, "no-inlines", &c->options.no_inlines, "leave out inlined copies of functions"),
		OPT_GROUP("Asking and removing"),
		OPT_CALL('l', "list", "[EVENT]", c, opt_list, "list the probes; -v adds hit counts"),
		OPT_CALL('d', "del", "EVENT", &c->del, opt_word, "remove probes; wildcards allowed"),
		OPT_STRING('L', "line", "LINES", &c->lines, "show the source, with the lines that can be probed"),
		OPT_STRING('V', "vars", "PLACE", &c->vars, "show the variables that are available at a place"),
		OPT_FLAG(0, "externs", &c->show.externs, "with -V: global variables as well"),
		OPT_FLAG(0, "range", &c->show.ranges, "with -V: where each variable is available"),
		OPT_CALL('F', "funcs", "[PATTERN]", c, opt_funcs, "list the functions that can be probed"),
		OPT_STRING(0, "filter", "PATTERN", &c->filter, "only functions or variables that match, with -F and -V"),
		OPT_FLAG(0, "demangle", &demangle, "with -F: C++ and Rust names in readable form (on; --no-demangle turns it off)"),
		OPT_FLAG(0, "demangle-kernel", &demangle, "the same: names of the kernel are no exception"),
		OPT_CALL(0, "cache", NULL, NULL, opt_cache, "refused: there is no cache of definitions to be managed"),
		OPT_GROUP("Output"),
		OPT_COUNT('v', "verbose", &verbosity, "tell each step"),
		OPT_FLAG('q', "quiet", &c->quiet, "print nothing but errors"),
		OPT_END(),
	};
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return n;
	c->target.no_demangle = !demangle;
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
	struct probe_cmd c = { 0 };
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

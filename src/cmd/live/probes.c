// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde kprobe, sonde uprobe: a probe for as long as one looks at it, in perf-tools' words or by the names of the source. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cmd/commands.h"
#include "cmd/live/oneline.h"
#include "ftrace/undo.h"
#include "job/ftrace/probes.h"
#include "probe/functions.h"

static const char *const kprobe_usage[] = { "sonde kprobe [OPTIONS] 'p:[NAME ]FUNC [ARG...]' | 'r:FUNC [$retval]' | 'FUNC [VARIABLE...]' [FILTER]", NULL };
static const char *const uprobe_usage[] = { "sonde uprobe [OPTIONS] 'p:[NAME ]FILE:FUNC [ARG...]' | 'r:FILE:FUNC [$retval]' | 'FILE:FUNC [VARIABLE...]' [FILTER]",
	"sonde uprobe -l FILE[:PATTERN]", NULL };

struct live_probe {
	struct oneline line; /* first */
	struct own_probe probe;
	const char *filter, *list;
	bool format, stacks;
};

#define OPTIONS struct live_probe
static const struct option_row kprobe_rows[] = {
	OPT_GROUP("the probe"),
	OPT_FLAG('s', "stack", stacks, "the kernel's stack behind each line"),
	OPT_FLAG('v', "format", format, "show the fields of the event, which a filter may use, and end"),
	OPT_NEEDLESS('F', "force", NULL, "sonde asks no list of functions before it probes one"),
	OPT_TABLE(oneline_rows),
	OPT_END(),
};

static const struct option_row uprobe_rows[] = {
	OPT_GROUP("the probe"),
	OPT_STRING('l', "list", "FILE[:PATTERN]", list, "list the functions of a program or library, and end"),
	OPT_FLAG('s', "stack", stacks, "the program's stack behind each line"),
	OPT_FLAG('v', "format", format, "show the fields of the event, which a filter may use, and end"),
	OPT_FLAG(0, "exact", probe.exact, "at the very entry, also where the kernel must single-step, which costs 20 times as much"),
	OPT_NEEDLESS('F', "force", NULL, "sonde knows the functions of a file by itself"),
	OPT_TABLE(oneline_rows),
	OPT_END(),
};

static int prepare(void *ctx, struct ftrace_setup *setup)
{
	struct live_probe *c = ctx;
	int err = own_probe_add(&c->probe, setup, c->filter);
	if (!err && c->stacks) {
		wordlist_add(&setup->options, c->probe.user ? "userstacktrace" : "stacktrace");
		if (c->probe.user)
			wordlist_add(&setup->options, "sym-userobj");
	}
	return err;
}

static int print_format(struct live_probe *c)
{
	struct str s = STR_INIT;
	struct out o;
	int err = undo_start();
	if (!err)
		err = own_probe_add(&c->probe, &c->line.setup, NULL);
	if (!err)
		err = own_probe_format(&c->probe, &s);
	if (!err && !(err = out_open(&o, c->line.output, false))) {
		out_str(&o, &s);
		err = out_close(&o);
	}
	str_release(&s);
	int code = err ? error_print() : 0;
	return undo_run() ? error_print() : code;
}

static int list_functions(const char *text)
{
	struct probe_target t;
	struct out o;
	size_t n = strcspn(text, ":");
	char *word = xstrndup(text, n);
	struct probe_target_options how = { .exec = own_probe_file(word) };
	int err = how.exec ? probe_target_open(&t, &how) : error_code();
	if (!err) {
		if (!(err = out_open(&o, NULL, false))) {
			err = probe_functions_list(&t, text[n] && text[n + 1] ? text + n + 1 : NULL, &o);
			int end = out_close(&o);
			err = err ? err : end;
		}
		probe_target_release(&t);
	}
	free((char *)how.exec);
	free(word);
	return err ? error_print() : 0;
}

/* "readline" or, live and of one with a file, "readline (p:readline /usr/bin/bash)". */
static char *heading(const struct live_probe *c)
{
	size_t n = strcspn(c->probe.place, " \t");
	const char *name = c->probe.name ? c->probe.name : c->probe.place;
	if (c->probe.name)
		n = strlen(name);
	if (!c->probe.user || c->line.duration > 0)
		return xasprintf("%s %.*s", c->probe.user ? "uprobe" : "kprobe", (int)n, name);
	return xasprintf("uprobe %.*s (%c:%.*s %s)", (int)n, name, c->probe.ret ? 'r' : 'p', (int)strcspn(c->probe.place, " \t"), c->probe.place, c->probe.file);
}

/* One word is the definition, a second the filter. Two that are meant as one: FUNC VARIABLE. */
static int take_words(struct live_probe *c, int n, char **argv)
{
	if (!n)
		return error_set(EINVAL, "the definition of a probe is missing");
	if (n > 2) {
		error_set(EINVAL, "'%s' is one word too many", argv[2]);
		return error_hint("a definition with its arguments is one word, in quotes; behind it may stand a filter, in quotes, too");
	}
	c->probe.text = argv[0];
	c->filter = n > 1 ? argv[1] : NULL;
	return 0;
}

static int run(int argc, char **argv, const struct option_row *rows, const char *const *usage, bool user)
{
	struct live_probe c = { .probe.user = user };
	int n = options_parse(&c, argc, argv, rows, usage, 0), code;
	if (n < 0)
		return options_exit(n, usage);
	verbosity += c.format;
	if (c.list)
		return list_functions(c.list);
	int err = take_words(&c, n, argv);
	if (err)
		return options_exit(err, usage);
	err = own_probe_parse(&c.probe);
	if (!err)
		err = oneline_check(&c.line);
	if (err)
		code = error_print();
	else if (c.format)
		code = print_format(&c);
	else {
		char *what = heading(&c);
		code = oneline_run(&c.line, what, prepare, &c);
		free(what);
	}
	own_probe_release(&c.probe);
	ftrace_setup_release(&c.line.setup);
	return code;
}

int cmd_kprobe(int argc, char **argv)
{
	return run(argc, argv, kprobe_rows, kprobe_usage, false);
}

int cmd_uprobe(int argc, char **argv)
{
	return run(argc, argv, uprobe_rows, uprobe_usage, true);
}

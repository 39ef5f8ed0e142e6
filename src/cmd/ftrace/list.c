// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace list: what there is to trace, a line each. */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/out.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"
#include "kernel/tracefs.h"

static const char *const usage[] = { "sonde ftrace list [-e [REGEX] [-F] [-R] [-l]] [-t] [-f [REGEX]] [-o] [-C] [-B]", NULL };

struct ftrace_list {
	bool events, format, full, triggers, filters, tracers, options, clocks, functions, instances, compression;
	const char *event, *function;
};

static int on_regex(void *options, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_list *o = options;
	(void)unset;
	if (opt->short_name == 'e')
		o->events = true, o->event = arg;
	else
		o->functions = true, o->function = arg;
	return 0;
}

static bool no_option(const char *word)
{
	return *word != '-';
}

#define OPTIONS struct ftrace_list
static const struct option_row rows[] = {
	OPT_CALL_NEXT('e', NULL, "[REGEX]", on_regex, no_option, "the events; others' probes and synthetic ones, too"),
	OPT_FLAG('F', NULL, format, "with -e: their fields"),
	OPT_FLAG(0, "full", full, "with -F: and how the kernel prints them"),
	OPT_FLAG('R', NULL, triggers, "with -e: their triggers"),
	OPT_FLAG('l', NULL, filters, "with -e: their filters"),
	OPT_FLAG('t', NULL, tracers, "the tracers"),
	OPT_FLAG('p', NULL, tracers, "the same"),
	OPT_CALL_NEXT('f', NULL, "[REGEX]", on_regex, no_option, "the functions that can be traced"),
	OPT_FLAG('o', NULL, options, "the trace options"),
	OPT_FLAG('O', NULL, options, "the same"),
	OPT_FLAG('C', NULL, clocks, "the clocks; the one in brackets is used"),
	OPT_FLAG('B', NULL, instances, "the instances"),
	OPT_NEEDLESS('P', NULL, NULL, "there are no plugins"),
	OPT_FLAG('c', NULL, compression, "the compressions of a trace.dat"),
	OPT_END(),
};

static int compile(regex_t *re, const char *text)
{
	char why[200];
	int bad = regcomp(re, text ? text : "", REG_EXTENDED | REG_NOSUB);
	if (!bad)
		return 0;
	regerror(bad, re, why, sizeof(why));
	return error_set(EINVAL, "'%s' is not a regular expression: %s", text, why);
}

/* Fields alone, unless all of the format is wanted. */
static void print_format(const char *event, bool full, struct out *o)
{
	struct str s = STR_INIT;
	char *save = NULL;
	if (!file_read(tracefs_path("events/%s/format", event), &s, 1 << 20) && s.len) {
		for (char *l = strtok_r(s.buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
			if (full || strncmp(l, "print fmt:", 10))
				out_printf(o, "%s\n", l);
		out_puts(o, "\n");
	}
	str_release(&s);
}

static void print_file(const char *event, const char *file, const char *unless, struct out *o)
{
	struct str s = STR_INIT;
	char *save = NULL;
	if (!file_read(tracefs_path("events/%s/%s", event, file), &s, 1 << 20) && s.len)
		for (char *l = strtok_r(s.buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
			if (*l != '#' && strcmp(l, unless))
				out_printf(o, "  %s: %s\n", file, l);
	str_release(&s);
}

static int list_events(const struct ftrace_list *l, struct out *o)
{
	regex_t re;
	int err = tracefs_ready();
	if (!err)
		err = compile(&re, l->event);
	if (err)
		return err;
	vec_each(tracefs_all(), e) {
		if (regexec(&re, *e, 0, NULL, 0))
			continue;
		if (!l->format) /* whose format has the name */
			out_printf(o, "%s\n", *e);
		char *path = xstrdup(*e), *colon = strchr(path, ':');
		if (colon)
			*colon = '/';
		if (l->format) {
			out_printf(o, "system: %.*s\n", (int)(colon ? colon - path : 0), path);
			print_format(path, l->full, o);
		}
		if (l->triggers)
			print_file(path, "trigger", "", o);
		if (l->filters)
			print_file(path, "filter", "none", o);
		free(path);
	}
	regfree(&re);
	return 0;
}

/* A file of words or lines, those that fit. */
static int list_file(const char *file, const char *separators, const char *pattern, struct out *o)
{
	struct ftrace_instance top = { 0 };
	struct str s = STR_INIT;
	char *save = NULL;
	regex_t re;
	int err = compile(&re, pattern);
	if (err)
		return err;
	err = ftrace_get(&top, file, &s);
	if (err)
		err = ftrace_explain(err, &top, file, NULL);
	else if (s.len)
		for (char *w = strtok_r(s.buf, separators, &save); w; w = strtok_r(NULL, separators, &save))
			if (!regexec(&re, w, 0, NULL, 0))
				out_printf(o, "%s\n", w);
	regfree(&re);
	str_release(&s);
	return err;
}

static int list_instances(struct out *o)
{
	wordlist names = { 0 };
	int err = ftrace_instances_list(&names);
	vec_each(&names, n)
		out_printf(o, "%s\n", *n);
	if (!err && !names.n)
		out_puts(o, "No buffer instances defined\n");
	wordlist_release(&names);
	return err;
}

static int list(const struct ftrace_list *l, struct out *o)
{
	int err = tracefs_ready();
	if (!err && l->events)
		err = list_events(l, o);
	if (!err && l->tracers)
		err = list_file("available_tracers", " \n", NULL, o);
	if (!err && l->functions)
		err = list_file("available_filter_functions", "\n", l->function, o);
	if (!err && l->options)
		err = list_file("trace_options", "\n", NULL, o);
	if (!err && l->clocks)
		err = list_file("trace_clock", "\n", NULL, o);
	if (!err && l->instances)
		err = list_instances(o);
	if (!err && l->compression)
		out_puts(o, "Supported compression algorithms:\n\tnone\n\tzlib\n\tzstd\n");
	return err;
}

int ftrace_cmd_list(int argc, char **argv)
{
	struct ftrace_list l = { 0 };
	struct out o;
	int n = options_parse(&l, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n)
		return options_exit(error_set(EINVAL, "'%s' is one word too many", argv[0]), usage);
	if (!l.events && !l.tracers && !l.functions && !l.options && !l.clocks && !l.instances && !l.compression)
		l.events = l.tracers = l.options = true; /* as trace-cmd does */
	int err = out_open(&o, NULL, false);
	if (err)
		return error_print();
	out_pager(&o);
	err = list(&l, &o);
	int end = out_close(&o);
	return err || end ? error_print() : 0;
}

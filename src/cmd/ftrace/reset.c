// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace reset: a session ends. An instance is taken away; the top one, which cannot be, gets the kernel's defaults. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"
#include "ftrace/trigger.h"
#include "kernel/tracefs.h"

static const char *const usage[] = { "sonde ftrace reset [-B NAME]... [-a] [-t [-b KB]]", NULL };

struct reset_cmd {
	struct ftrace_several which; /* first */
	int kb;
};

#define OPTIONS struct reset_cmd
static const struct option_row rows[] = {
	OPT_FLAG('a', NULL, which.all, "the sessions of sonde, also those whose sonde is gone"),
	OPT_INT('b', NULL, "KB", kb, "with -t: the size of each CPU's buffer"),
	OPT_NEEDLESS('d', NULL, NULL, "an instance goes with its session"),
	OPT_TABLE(ftrace_several_rows),
	OPT_END(),
};

/* What this kernel or policy has not is no obstacle: it is not set either. */
static void put_default(const struct ftrace_instance *i, const char *file, const char *text)
{
	if (ftrace_set(i, file, text))
		error_clear();
}

static void clear_filters(const struct ftrace_instance *i)
{
	wordlist systems = { 0 };
	char file[300];
	if (tracefs_systems_list(&systems))
		error_clear();
	vec_each(&systems, s) {
		snprintf(file, sizeof(file), "events/%s/filter", *s);
		if (!access(ftrace_path(i, "%s", file), W_OK))
			put_default(i, file, "0");
	}
	wordlist_release(&systems);
}

static int reset_top(const struct ftrace_instance *i)
{
	static const char *const lists[] = { "set_ftrace_filter", "set_ftrace_notrace", "set_graph_function", "set_graph_notrace",
		"set_ftrace_pid", "set_event_pid", "set_event" };
	int err = ftrace_set(i, "tracing_on", "0");
	if (err)
		return err;
	ftrace_tracer_defaults(i);
	put_default(i, "current_tracer", "nop");
	put_default(i, "events/enable", "0");
	ftrace_triggers_clear(i);
	clear_filters(i);
	for (size_t n = 0; n < sizeof(lists) / sizeof(*lists); n++)
		put_default(i, lists[n], "");
	put_default(i, "max_graph_depth", "0");
	put_default(i, "tracing_thresh", "0");
	put_default(i, "trace_clock", "local");
	err = ftrace_set(i, "trace", "");
	return err ? err : ftrace_set(i, "tracing_on", "1"); /* as it is after boot: nothing writes there */
}

static int reset_one(struct ftrace_instance *i)
{
	if (!i->name)
		return reset_top(i);
	ftrace_tracer_defaults(i);
	ftrace_triggers_clear(i); /* one with variables would keep it */
	return ftrace_instance_remove(i);
}

/* sonde's session, and what a sonde left behind that is gone. */
static int reset_all(void)
{
	wordlist names = { 0 };
	int err = ftrace_instances_list(&names), pid;
	for (size_t n = 0; n < names.n && !err; n++) {
		struct ftrace_instance i;
		if (strcmp(names.at[n], FTRACE_SESSION) && (sscanf(names.at[n], "sonde-%d", &pid) != 1 || ftrace_is_running(names.at[n])))
			continue;
		err = ftrace_instance_find(&i, names.at[n]);
		if (!err) {
			err = reset_one(&i);
			ftrace_instance_release(&i);
		}
	}
	wordlist_release(&names);
	return err;
}

static int reset(struct reset_cmd *o)
{
	int err = o->which.all ? reset_all() : 0;
	bool more = o->which.top || o->which.names.n || !o->which.all;
	o->which.all = false;
	if (!err && more)
		err = ftrace_several_each(&o->which, reset_one);
	if (err || !o->kb)
		return err;
	struct ftrace_instance top = { 0 };
	return ftrace_setf(&top, "buffer_size_kb", "%d", o->kb);
}

int ftrace_cmd_reset(int argc, char **argv)
{
	struct reset_cmd o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, 0), code;
	if (!n && o.kb < 0)
		n = error_set(EINVAL, "-b takes a number of kB");
	if (!n && o.kb && !o.which.top)
		n = error_set(EINVAL, "-b is of the top instance, which stays: -t -b KB");
	if (n)
		code = options_exit(n < 0 ? n : error_set(EINVAL, "'%s' is one word too many", argv[0]), usage);
	else
		code = reset(&o) ? error_print() : 0;
	wordlist_release(&o.which.names);
	return code;
}

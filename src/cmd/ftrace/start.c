// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace start, and set: a session that outlives us, in an instance that has sonde's name. */
#include <errno.h>
#include "base/error.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"
#include "ftrace/undo.h"

static const char *const start_usage[] = { "sonde ftrace start [-B NAME | --top] [-e EVENT [-f EXPR]]... [-p TRACER] [OPTIONS]", NULL };
static const char *const set_usage[] = { "sonde ftrace set [-B NAME | --top] [-e EVENT [-f EXPR]]... [-p TRACER] [OPTIONS]", NULL };

struct start_options {
	struct ftrace_setup setup; /* first: ftrace_setup_rows */
	const char *name;
	bool top, force;
};

#define OPTIONS struct start_options
static const struct option_row rows[] = {
	OPT_TABLE(ftrace_setup_rows),
	OPT_GROUP("where"),
	OPT_STRING('B', NULL, "NAME", name, "in an instance of this name, made if need be; not in sonde's own"),
	OPT_FLAG(0, "top", top, "in the kernel's top instance, which echo and trace-cmd use as well"),
	OPT_END(),
};

/* A tracer that this kernel has only in the top instance. */
static int check_tracer(const struct ftrace_setup *s, const struct ftrace_instance *i)
{
	struct ftrace_instance top = { 0 };
	if (!s->tracer || !i->name || ftrace_lists(i, "available_tracers", s->tracer) || !ftrace_lists(&top, "available_tracers", s->tracer))
		return 0;
	error_set(ENOTSUP, "this kernel has the tracer %s only in its top instance", s->tracer);
	return error_hint("sonde ftrace start --top -p %s; all that traces there shares it", s->tracer);
}

static int set_up(const struct start_options *o, bool go)
{
	struct ftrace_instance i;
	bool made;
	int err = ftrace_instance_make(&i, o->top ? NULL : o->name ? o->name : FTRACE_SESSION, &made);
	if (err)
		return err;
	err = check_tracer(&o->setup, &i);
	if (!err)
		err = ftrace_setup_apply(&o->setup, &i);
	if (!err && go)
		err = ftrace_set(&i, "tracing_on", "1");
	if (!err)
		undo_keep();
	ftrace_instance_release(&i);
	return err;
}

/* The guardian's own trouble does not hide the reason. */
static int finish(int err)
{
	int code = err ? error_print() : 0;
	return undo_run() ? error_print() : code;
}

static int run(int argc, char **argv, const char *const *usage, bool go)
{
	struct start_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, 0), code;
	if (n < 0)
		code = options_exit(n, usage);
	else if (n)
		code = options_exit(error_set(EINVAL, "'%s': a session has no command", argv[0]), usage);
	else if (go && !o.setup.tracer && !o.setup.events.n)
		code = options_exit(error_set(EINVAL, "nothing to trace: -e EVENT or -p TRACER is wanted"), usage);
	else
		code = finish(set_up(&o, go));
	ftrace_setup_release(&o.setup);
	return code;
}

int ftrace_cmd_start(int argc, char **argv)
{
	return run(argc, argv, start_usage, true);
}

int ftrace_cmd_set(int argc, char **argv)
{
	return run(argc, argv, set_usage, false);
}

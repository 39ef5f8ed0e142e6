// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace stop, restart, clear: the buffers of sessions, switched off and on, and emptied. */
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"

static const char *const stop_usage[] = { "sonde ftrace stop [-B NAME]... [-a] [-t]", NULL };
static const char *const restart_usage[] = { "sonde ftrace restart [-B NAME]... [-a] [-t]", NULL };
static const char *const clear_usage[] = { "sonde ftrace clear [-B NAME]... [-a] [-t]", NULL };

static int stop(struct ftrace_instance *i)
{
	return ftrace_set(i, "tracing_on", "0");
}

static int restart(struct ftrace_instance *i)
{
	return ftrace_set(i, "tracing_on", "1");
}

static int clear(struct ftrace_instance *i)
{
	return ftrace_set(i, "trace", "");
}

int ftrace_cmd_stop(int argc, char **argv)
{
	return ftrace_several_run(argc, argv, stop_usage, false, stop);
}

int ftrace_cmd_restart(int argc, char **argv)
{
	return ftrace_several_run(argc, argv, restart_usage, false, restart);
}

int ftrace_cmd_clear(int argc, char **argv)
{
	return ftrace_several_run(argc, argv, clear_usage, true, clear);
}

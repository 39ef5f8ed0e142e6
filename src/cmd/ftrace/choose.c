// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/ftrace/choose.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "ftrace/undo.h"

#define OPTIONS struct ftrace_setup

static int on_event(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return ftrace_setup_event(value, arg);
}

static int on_filter(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return opt->short_name == 'R' ? ftrace_setup_trigger(value, arg) : ftrace_setup_filter(value, arg);
}

static int on_words(void *list, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	wordlist_add(list, arg);
	return 0;
}

static int on_pids(void *list, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return intlist_parse(list, arg, 4 << 20, "-P");
}

static int on_stack(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct ftrace_setup *s = value;
	(void)arg, (void)unset;
	wordlist_add(&s->options, opt->short_name == 'T' ? "stacktrace" : "func_stack_trace");
	return 0;
}

const struct option_row ftrace_setup_rows[] = {
	OPT_GROUP("what to trace"),
	OPT_CALL('e', "event", "EVENT", on_event, "events: sched, sched_wakeup, irq:*, *:*, all; '!EVENT': not these"),
	OPT_CALL('f', "filter", "EXPR", on_filter, "only those of the last -e for which this holds"),
	OPT_CALL('R', "trigger", "TRIGGER", on_filter, "a trigger on the last -e: stacktrace, traceoff, snapshot, hist:..."),
	OPT_FLAG('v', NULL, not, "every -e after it says which events are not wanted"),
	OPT_STRING('p', "plugin", "TRACER", tracer, "one of the kernel's tracers: function, function_graph, ..."),
	OPT_CALL_ON('l', NULL, "FUNC", functions, on_words, "only these functions; wildcards allowed"),
	OPT_CALL_ON('n', NULL, "FUNC", notrace, on_words, "not these functions"),
	OPT_CALL_ON('g', NULL, "FUNC", graph, on_words, "graphs of these functions only"),
	OPT_INT(0, "max-graph-depth", "N", depth, "graphs of so many levels"),
	OPT_CALL_ON('O', NULL, "OPTION", options, on_words, "a trace option: NAME, or noNAME to turn it off"),
	OPT_CALL('T', NULL, NULL, on_stack, "the kernel's stack behind each event"),
	OPT_CALL(0, "func-stack", NULL, on_stack, "the kernel's stack behind each function (with -l)"),
	OPT_CALL_ON('P', NULL, "PID,..", pids, on_pids, "only these threads"),
	OPT_FLAG('c', NULL, children, "and what they, or the command with -F, fork"),
	OPT_STRING('C', NULL, "CLOCK", clock, "the clock of the times: local, global, mono, boot, ..."),
	OPT_INT('b', NULL, "KB", buffer_kb, "the size of each CPU's buffer"),
	OPT_STRING('M', NULL, "MASK", cpumask, "only on these CPUs, a hexadecimal mask"),
	OPT_END(),
};

#undef OPTIONS
#define OPTIONS struct ftrace_which

const struct option_row ftrace_which_rows[] = {
	OPT_GROUP("which session"),
	OPT_STRING('B', NULL, "NAME", name, "that of an instance of this name, not sonde's own"),
	OPT_FLAG('t', "top", top, "the kernel's top instance, where echo and trace-cmd work"),
	OPT_END(),
};

int ftrace_which_find(const struct ftrace_which *w, struct ftrace_instance *i)
{
	if (w->top && w->name)
		return error_set(EINVAL, "-t is the top instance and -B another: give one of them");
	return ftrace_instance_find(i, w->top ? NULL : w->name ? w->name : FTRACE_SESSION);
}

#undef OPTIONS
#define OPTIONS struct ftrace_several

const struct option_row ftrace_several_rows[] = {
	OPT_GROUP("which sessions"),
	OPT_CALL_ON('B', NULL, "NAME", names, on_words, "the instance of this name, not sonde's own; may be given many times"),
	OPT_FLAG('a', NULL, all, "all instances but those of a sonde that is running"),
	OPT_FLAG('t', "top", top, "the kernel's top instance, where echo and trace-cmd work"),
	OPT_END(),
};

bool ftrace_is_running(const char *name)
{
	int pid;
	return sscanf(name, "sonde-%d", &pid) == 1 && pid > 0 && (!kill(pid, 0) || errno != ESRCH);
}

static int do_one(const char *name, int (*does)(struct ftrace_instance *i))
{
	struct ftrace_instance i;
	int err = ftrace_instance_find(&i, name);
	if (err)
		return err;
	err = does(&i);
	ftrace_instance_release(&i);
	return err;
}

int ftrace_several_each(const struct ftrace_several *s, int (*does)(struct ftrace_instance *i))
{
	wordlist all = { 0 };
	int err = s->all ? ftrace_instances_list(&all) : 0;
	for (size_t n = 0; n < all.n && !err; n++)
		if (!ftrace_is_running(all.at[n]) && !wordlist_has(&s->names, all.at[n]))
			err = do_one(all.at[n], does);
	wordlist_release(&all);
	for (size_t n = 0; n < s->names.n && !err; n++)
		err = do_one(s->names.at[n], does);
	if (!err && s->top)
		err = do_one(NULL, does);
	if (!err && !s->all && !s->names.n && !s->top)
		err = do_one(FTRACE_SESSION, does);
	return err;
}

int ftrace_several_run(int argc, char **argv, const char *const *usage, bool top_too, int (*does)(struct ftrace_instance *i))
{
	struct ftrace_several s = { 0 };
	int n = options_parse(&s, argc, argv, ftrace_several_rows, usage, 0), code;
	if (n) {
		code = options_exit(n < 0 ? n : error_set(EINVAL, "'%s' is one word too many", argv[0]), usage);
	} else {
		s.top |= s.all && top_too;
		code = ftrace_several_each(&s, does) ? error_print() : 0;
	}
	wordlist_release(&s.names);
	return code;
}

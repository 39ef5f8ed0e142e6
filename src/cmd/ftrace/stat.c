// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace stat: what is set in a session, in trace-cmd's words, and what each CPU's buffer has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/out.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"

static const char *const usage[] = { "sonde ftrace stat [-B NAME | -t | -a] [-o]", NULL };

struct stat_cmd {
	struct ftrace_which which; /* first */
	bool options;
};
#define OPTIONS struct stat_cmd
static const struct option_row rows[] = {
	OPT_TABLE(ftrace_which_rows),
	OPT_FLAG('a', NULL, which.all, "all instances"),
	OPT_FLAG('o', NULL, options, "the trace options, too"),
	OPT_END(),
};

/* The file's lines below a heading, when it says anything. */
static void list_if_any(const struct ftrace_instance *i, const char *file, const char *heading, struct out *o)
{
	struct str s = STR_INIT, line = STR_INIT;
	char *save = NULL;
	if (ftrace_get(i, file, &s) || !s.len || *s.buf == '#' || !strcmp(s.buf, "no pid"))
		goto out;
	out_printf(o, "\n%s:\n", heading);
	for (char *l = strtok_r(s.buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		str_add(&line, "    ");
		str_add_safez(&line, l);
		str_addc(&line, '\n');
		out_str(o, &line);
	}
out:
	str_release(&s);
	str_release(&line);
}

static void one(const struct ftrace_instance *i, const char *file, const char *heading, const char *unless, struct out *o)
{
	struct str s = STR_INIT;
	if (!ftrace_get(i, file, &s) && s.len && (!unless || strcmp(s.buf, unless)))
		out_printf(o, "\n%s: %s\n", heading, s.buf);
	str_release(&s);
}

/* "[local] global counter": the one in brackets. */
static void clock_of(const struct ftrace_instance *i, struct out *o)
{
	struct str s = STR_INIT;
	char *open, *end;
	if (!ftrace_get(i, "trace_clock", &s) && s.len && (open = strchr(s.buf, '[')) && (end = strchr(open, ']'))) {
		*end = 0;
		if (strcmp(open + 1, "local"))
			out_printf(o, "\nClock: %s\n", open + 1);
	}
	str_release(&s);
}

static uint64_t number_behind(const char *text, const char *word)
{
	const char *p = strstr(text, word);
	return p ? strtoull(p + strlen(word), NULL, 10) : 0;
}

static void buffers(const struct ftrace_instance *i, struct out *o)
{
	char file[64];
	for (int cpu = 0; cpu < 1 << 14; cpu++) {
		struct str s = STR_INIT;
		snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
		int err = ftrace_get(i, file, &s);
		if (!err && s.len) {
			uint64_t n = number_behind(s.buf, "entries: "), over = number_behind(s.buf, "overrun: "), lost = number_behind(s.buf, "dropped events: ");
			out_printf(o, "CPU %d: %llu events", cpu, (unsigned long long)n);
			if (over)
				out_printf(o, ", %llu older ones overwritten", (unsigned long long)over);
			if (lost)
				out_printf(o, ", %llu lost", (unsigned long long)lost);
			out_puts(o, "\n");
		}
		str_release(&s);
		if (err == -ENOENT)
			return;
	}
}

static void stat_one(const struct ftrace_instance *i, bool options, struct out *o)
{
	struct str on = STR_INIT;
	if (i->name)
		out_printf(o, "Instance: %s\n", i->name);
	one(i, "current_tracer", "Tracer", "nop", o);
	list_if_any(i, "set_event", "Events", o);
	list_if_any(i, "set_ftrace_filter", "Function Filter", o);
	list_if_any(i, "set_ftrace_notrace", "Function No Trace", o);
	list_if_any(i, "set_graph_function", "Graph Function Filter", o);
	list_if_any(i, "set_graph_notrace", "Graph No Trace", o);
	list_if_any(i, "set_ftrace_pid", "Filtered PIDs of functions", o);
	list_if_any(i, "set_event_pid", "Filtered PIDs of events", o);
	clock_of(i, o);
	if (options)
		list_if_any(i, "trace_options", "Options", o);
	one(i, "buffer_size_kb", "Buffer size in kilobytes (per cpu)", NULL, o);
	one(i, "buffer_total_size_kb", "Buffer total size in kilobytes", NULL, o);
	out_puts(o, "\n");
	buffers(i, o);
	if (!ftrace_get(i, "tracing_on", &on) && on.len)
		out_printf(o, "\nTracing is %s\n", *on.buf == '1' ? "enabled" : "disabled");
	if (!i->name) { /* for the whole machine */
		list_if_any(i, "kprobe_events", "Kprobe events", o);
		list_if_any(i, "uprobe_events", "Uprobe events", o);
		list_if_any(i, "synthetic_events", "Synthetic events", o);
	}
	str_release(&on);
}

static int stat_all(bool options, struct out *o)
{
	wordlist names = { 0 };
	struct ftrace_instance i;
	int err = ftrace_instance_find(&i, NULL);
	if (err)
		return err;
	stat_one(&i, options, o);
	ftrace_instance_release(&i);
	err = ftrace_instances_list(&names);
	for (size_t n = 0; n < names.n && !err; n++)
		if (!ftrace_instance_find(&i, names.at[n])) {
			out_puts(o, "\n---------------\n");
			stat_one(&i, options, o);
			ftrace_instance_release(&i);
		}
	wordlist_release(&names);
	return err;
}

static int stat_which(const struct stat_cmd *c, struct out *o)
{
	struct ftrace_instance i;
	if (c->which.all)
		return stat_all(c->options, o);
	int err = ftrace_which_find(&c->which, &i);
	if (err)
		return err;
	stat_one(&i, c->options, o);
	ftrace_instance_release(&i);
	return 0;
}

int ftrace_cmd_stat(int argc, char **argv)
{
	struct stat_cmd w = { 0 };
	struct out o;
	int n = options_parse(&w, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n)
		return options_exit(error_set(EINVAL, "'%s' is one word too many", argv[0]), usage);
	int err = out_open(&o, NULL, false);
	if (!err) {
		err = stat_which(&w, &o);
		int end = out_close(&o);
		err = err ? err : end;
	}
	return err ? error_print() : 0;
}

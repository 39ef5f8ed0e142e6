// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace show, and snapshot: a file of the session, as the kernel writes it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/out.h"
#include "base/signals.h"
#include "cmd/ftrace/choose.h"
#include "cmd/ftrace/verbs.h"

static const char *const usage[] = { "sonde ftrace show [-B NAME | -t] [-p | -s] [-c CPU] [--SETTING | --hist EVENT | --trigger EVENT]", NULL };

struct show_options {
	struct ftrace_which which; /* first */
	bool pipe, snapshot, name, tracing_on, current_tracer, buffer_size, buffer_total, filter, notrace, pid, graph, nograph, cpumask;
	const char *hist, *trigger;
	int cpu;
};

/* -1 means all. */
static int on_cpu(void *cpu, const struct option_row *opt, const char *arg, bool unset)
{
	uint64_t v;
	(void)opt, (void)unset;
	if (parse_u64(arg, &v) || v > 1 << 16)
		return error_set(EINVAL, "-c: '%s' is not the number of a CPU", arg);
	*(int *)cpu = (int)v;
	return 0;
}

#define OPTIONS struct show_options
static const struct option_row rows[] = {
	OPT_TABLE(ftrace_which_rows),
	OPT_GROUP("what to show"),
	OPT_FLAG('p', NULL, pipe, "take it out of the buffer, and wait for more until Ctrl-C"),
	OPT_FLAG('s', NULL, snapshot, "what the last snapshot put aside"),
	OPT_CALL_ON('c', NULL, "CPU", cpu, on_cpu, "this CPU's buffer"),
	OPT_FLAG('f', NULL, name, "the name of the file first"),
	OPT_FLAG(0, "tracing_on", tracing_on, "is it on?"),
	OPT_FLAG(0, "current_tracer", current_tracer, "the tracer"),
	OPT_FLAG(0, "buffer_size", buffer_size, "the size of a CPU's buffer"),
	OPT_FLAG(0, "buffer_total_size", buffer_total, "the size of all of them"),
	OPT_FLAG(0, "ftrace_filter", filter, "the functions that are traced"),
	OPT_FLAG(0, "ftrace_notrace", notrace, "those that are not"),
	OPT_FLAG(0, "ftrace_pid", pid, "the threads whose functions are traced"),
	OPT_FLAG(0, "graph_function", graph, "the functions with graphs"),
	OPT_FLAG(0, "graph_notrace", nograph, "those without"),
	OPT_FLAG(0, "cpumask", cpumask, "the CPUs that trace"),
	OPT_STRING(0, "hist", "EVENT", hist, "the histogram of an event"),
	OPT_STRING(0, "trigger", "EVENT", trigger, "the triggers of an event"),
	OPT_END(),
};

static int of_event(const char *event, const char *file, char *name, size_t size)
{
	wordlist names = { 0 };
	int err = ftrace_events_named(event, &names);
	if (!err) {
		*strchr(names.at[0], ':') = '/';
		snprintf(name, size, "events/%s/%s", names.at[0], file);
	}
	wordlist_release(&names);
	return err;
}

static int choose_file(const struct show_options *o, char *name, size_t size)
{
	const struct { bool wanted; const char *file; } settings[] = {
		{ o->tracing_on, "tracing_on" }, { o->current_tracer, "current_tracer" }, { o->buffer_size, "buffer_size_kb" },
		{ o->buffer_total, "buffer_total_size_kb" }, { o->filter, "set_ftrace_filter" }, { o->notrace, "set_ftrace_notrace" },
		{ o->pid, "set_ftrace_pid" }, { o->graph, "set_graph_function" }, { o->nograph, "set_graph_notrace" },
		{ o->cpumask, "tracing_cpumask" },
	};
	if (o->hist || o->trigger)
		return of_event(o->hist ? o->hist : o->trigger, o->hist ? "hist" : "trigger", name, size);
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (settings[i].wanted) {
			snprintf(name, size, "%s", settings[i].file);
			return 0;
		}
	const char *file = o->snapshot ? "snapshot" : o->pipe ? "trace_pipe" : "trace";
	if (o->cpu >= 0)
		snprintf(name, size, "per_cpu/cpu%d/%s", o->cpu, file);
	else
		snprintf(name, size, "%s", file);
	return 0;
}

/* The kernel writes names of threads as these have chosen them; lines and tabs are its own. */
static void put_lines(struct out *out, const char *p, size_t n)
{
	struct str s = STR_INIT;
	for (const char *end = p + n; p < end;) {
		const char *stop = p;
		while (stop < end && *stop != '\n' && *stop != '\t')
			stop++;
		str_add_safe(&s, p, (size_t)(stop - p));
		if (stop < end)
			str_addc(&s, *stop);
		p = stop + 1;
	}
	out_str(out, &s);
	str_release(&s);
}

/* What there is of whole lines; the rest is kept, if there is room for more. How much of it there is. */
static size_t put_whole(struct out *out, char *buf, size_t n, size_t size)
{
	const char *nl = memrchr(buf, '\n', n);
	size_t whole = nl ? (size_t)(nl + 1 - buf) : n < size ? 0 : n;
	put_lines(out, buf, whole);
	memmove(buf, buf + whole, n - whole);
	return n - whole;
}

/* Until the file ends or, since trace_pipe never does, somebody ends us. */
static int copy(int fd, bool wait, struct out *out, const char *path)
{
	char buf[65536];
	struct pollfd p[] = { { .fd = signals_fd(), .events = POLLIN }, { .fd = fd, .events = POLLIN } };
	size_t kept = 0;
	while (!signals_stop() && !out->err && !out_unread(out)) {
		ssize_t n = read(fd, buf + kept, sizeof(buf) - kept);
		if (n > 0) {
			kept = put_whole(out, buf, kept + (size_t)n, sizeof(buf));
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return error_sys(errno, "cannot read %s", path);
		if (!wait)
			break;
		out_flush(out);
		(void)poll(p, 2, 1000);
		signals_drain();
	}
	put_lines(out, buf, kept);
	return 0;
}

static int show_file(const struct ftrace_instance *i, const char *file, const struct show_options *o, struct out *out)
{
	int fd = open(ftrace_path(i, "%s", file), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return ftrace_explain(-errno, i, file, NULL);
	if (o->name)
		out_printf(out, "%s\n", ftrace_path(i, "%s", file));
	signals_arm();
	int err = copy(fd, o->pipe, out, ftrace_path(i, "%s", file));
	close(fd);
	return err;
}

static int show(const struct show_options *o)
{
	struct ftrace_instance i;
	char file[400];
	struct out out;
	int err = ftrace_which_find(&o->which, &i);
	if (err)
		return err;
	err = choose_file(o, file, sizeof(file));
	if (!err && !(err = out_open(&out, NULL, false))) {
		err = show_file(&i, file, o, &out);
		int end = out_close(&out);
		err = err ? err : end;
	}
	ftrace_instance_release(&i);
	return err;
}

int ftrace_cmd_show(int argc, char **argv)
{
	struct show_options o = { .cpu = -1 };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n)
		return options_exit(error_set(EINVAL, "'%s' is one word too many", argv[0]), usage);
	return show(&o) ? error_print() : 0;
}

/* ---- snapshot ---- */

static const char *const snapshot_usage[] = { "sonde ftrace snapshot [-B NAME | -t] [-s | -r | -f] [-c CPU]", NULL };

struct snapshot_options {
	struct ftrace_which which; /* first */
	bool take, clear, free;
	int cpu;
};

#undef OPTIONS
#define OPTIONS struct snapshot_options
static const struct option_row snapshot_rows[] = {
	OPT_TABLE(ftrace_which_rows),
	OPT_GROUP("what to do (otherwise the last one is shown)"),
	OPT_FLAG('s', NULL, take, "take one: what the buffer has is put aside"),
	OPT_FLAG('r', NULL, clear, "empty it"),
	OPT_FLAG('f', NULL, free, "give its memory back"),
	OPT_CALL_ON('c', NULL, "CPU", cpu, on_cpu, "of this CPU"),
	OPT_END(),
};

int ftrace_cmd_snapshot(int argc, char **argv)
{
	struct snapshot_options o = { .cpu = -1 };
	struct ftrace_instance i;
	int n = options_parse(&o, argc, argv, snapshot_rows, snapshot_usage, 0);
	if (n < 0)
		return options_exit(n, snapshot_usage);
	if (n)
		return options_exit(error_set(EINVAL, "'%s' is one word too many", argv[0]), snapshot_usage);
	if (!o.take && !o.clear && !o.free) {
		struct show_options s = { .which = o.which, .snapshot = true, .cpu = o.cpu };
		return show(&s) ? error_print() : 0;
	}
	int err = ftrace_which_find(&o.which, &i);
	if (err)
		return error_print();
	char file[64] = "snapshot";
	if (o.cpu >= 0)
		snprintf(file, sizeof(file), "per_cpu/cpu%d/snapshot", o.cpu);
	err = ftrace_set(&i, file, o.take ? "1" : o.clear ? "2" : "0");
	ftrace_instance_release(&i);
	return err ? error_print() : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include "base/error.h"
#include "base/out.h"
#include "cmd/sched/sched.h"
#include "job/sched/latency.h"
#include "ui/sched/sched.h"

struct latency_options {
	struct sched_common c;
	const char *sort;
	bool by_task;
	int cpu;
};
#define OPTIONS struct latency_options

static const char *const usage[] = { "sonde sched latency [-i FILE] [-p] [-s KEYS] [-C CPU]", "sonde sched latency [-p] [-s KEYS] -- COMMAND", NULL };

static const struct option_row rows[] = {
	SCHED_COMMON_ROWS(c),
	OPT_FLAG('p', "pids", by_task, "a row for each task, not for each name"),
	OPT_STRING('s', "sort", "KEYS", sort, "sort by runtime, switch, avg, max, pid (avg,max,switch,runtime)"),
	OPT_INT('C', "CPU", "N", cpu, "the recording is of that CPU alone: count wakeups of tasks not seen to leave it"),
	OPT_END(),
};

static int take(void *ctx, const struct sched_event *e)
{
	latency_feed(ctx, e);
	return 0;
}

static int print(struct latency *l)
{
	struct out out;
	int err = out_open(&out, NULL, false);
	if (err)
		return err;
	out_pager(&out);
	sched_latency_print(&out, l);
	return out_close(&out);
}

static int from_file(struct latency_options *o, struct latency *l)
{
	struct perfdata *p = perfdata_open(o->c.input ?: "perf.data", o->c.force);
	int err = p ? sched_perf_check(p) : error_code();
	if (!err) {
		l->waking = sched_perf_has(p, "sched:sched_waking");
		l->one_cpu = o->cpu >= 0;
		err = sched_each(p, take, l);
	}
	perfdata_close(p);
	if (err)
		return err;
	latency_finish(l);
	return print(l);
}

static int live(struct latency_options *o, struct latency *l, char **command)
{
	if (o->c.input) {
		error_set(EINVAL, "a recording (-i) and a command exclude each other");
		return options_exit(-EINVAL, usage);
	}
	int code = sched_latency_live(l, command);
	if (code == EXIT_SONDE && error_pending())
		return error_print();
	return print(l) ? error_print() : code;
}

int sched_cmd_latency(const struct sched_common *c, int argc, char **argv)
{
	struct latency_options o = { .c = *c, .cpu = -1 };
	struct latency l = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	l.by_task = o.by_task;
	if (n >= 0 && o.sort && latency_sort(&l, o.sort))
		n = -EINVAL;
	if (n < 0)
		return options_exit(n, usage);
	if (o.c.dump)
		return sched_dump(&o.c);
	code = n ? live(&o, &l, argv) : from_file(&o, &l) ? error_print() : 0;
	latency_release(&l);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/out.h"
#include "cmd/sched/sched.h"
#include "ui/sched/sched.h"

struct map_options {
	struct sched_common c;
	struct sched_map m;
	const char *names;
};
#define OPTIONS struct map_options

static const char *const usage[] = { "sonde sched map [OPTIONS]", NULL };

static int on_numbers(void *list, const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return intlist_parse(list, arg, 1 << 22, strstr(opt->long_name, "pids") ? "thread" : "CPU");
}

static const struct option_row rows[] = {
	SCHED_COMMON_ROWS(c),
	OPT_FLAG(0, "compact", m.compact, "only CPUs that do something, in the order in which they begin"),
	OPT_CALL_ON(0, "cpus", "LIST", m.cpus, on_numbers, "only switches on these CPUs"),
	OPT_CALL_ON(0, "color-cpus", "LIST", m.color_cpus, on_numbers, "mark these CPUs"),
	OPT_CALL_ON(0, "color-pids", "LIST", m.color_pids, on_numbers, "mark these threads"),
	OPT_STRING(0, "task-name", "LIST", names, "only tasks of these names; - stands for the others"),
	OPT_FLAG(0, "fuzzy-name", m.fuzzy, "parts of names will do"),
	OPT_END(),
};

static int take(void *ctx, const struct sched_event *e)
{
	struct sched_map *m = ctx;
	sched_map_feed(m, e);
	return m->out->err == -EPIPE ? -EPIPE : 0;
}

static int run(struct map_options *o)
{
	struct out out;
	struct perfdata *p = perfdata_open(o->c.input ?: "perf.data", o->c.force);
	int err = p ? sched_perf_check(p) : error_code();
	if (!err)
		err = out_open(&out, NULL, false);
	if (!err) {
		out_pager(&out);
		o->m.out = &out;
		int n = perfdata_info(p)->nr_cpus_avail; /* the file's word */
		o->m.n_cpus = n > 0 && n < SCHED_CPUS_MAX ? n : 0;
		err = sched_each(p, take, &o->m);
		if (!err)
			sched_gaps_print(&out, &o->m.tasks);
		int closed = out_close(&out);
		err = err && err != -EPIPE ? err : closed;
	}
	perfdata_close(p);
	return err;
}

int sched_cmd_map(const struct sched_common *c, int argc, char **argv)
{
	struct map_options o = { .c = *c };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n > 0)
		n = error_set(EINVAL, "map takes no arguments: '%s'", argv[0]);
	if (n < 0)
		return options_exit(n, usage);
	if (o.c.dump)
		return sched_dump(&o.c);
	if (o.names)
		wordlist_split(&o.m.names, o.names, ',');
	int code = run(&o) ? error_print() : 0;
	sched_map_release(&o.m);
	return code;
}

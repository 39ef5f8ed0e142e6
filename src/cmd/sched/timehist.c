// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "base/out.h"
#include "cmd/reading.h"
#include "cmd/sched/sched.h"
#include "ui/missing.h"
#include "ui/sched/sched.h"

struct timehist_options {
	struct sched_common c;
	struct timehist h;
	struct timehist_view v;
	const char *vmlinux, *kallsyms, *symfs, *time, *prios;
	bool chains, only_summary;
	struct sample_filter filter;
};
#define OPTIONS struct timehist_options

static const char *const usage[] = { "sonde sched timehist [OPTIONS]", NULL };

static const struct option_row rows[] = {
	SCHED_COMMON_ROWS(c),
	OPT_GROUP("What is shown"),
	OPT_FLAG('s', "summary", only_summary, "only the summary by task"),
	OPT_FLAG('S', "with-summary", v.summary, "the summary, too"),
	OPT_FLAG('w', "wakeups", v.wakeups, "who wakes whom"),
	OPT_FLAG('M', "migrations", v.migrations, "tasks that go to another CPU"),
	OPT_FLAG('n', "next", v.next, "who has the CPU next"),
	OPT_FLAG('I', "idle-hist", h.idle, "only how long CPUs were idle"),
	OPT_FLAG('V', "cpu-visual", v.visual, "a column for each CPU: i idle, s a task, m a migration"),
	OPT_FLAG(0, "state", v.state, "the state in which a task leaves"),
	OPT_FLAG(0, "show-prio", v.prio, "priorities"),
	OPT_FLAG('g', "call-graph", chains, "call chains, if the recording has them (on; --no-call-graph turns it off)"),
	OPT_INT(0, "max-stack", "N", v.max_stack, "so many functions of one (5)"),
	OPT_GROUP("Of what"),
	OPT_CALL_ON('C', "cpu", "LIST", filter, reading_on_cpus, "only these CPUs"),
	OPT_CALL_ON('p', "pid", "LIST", filter, reading_on_pids, "only these processes"),
	OPT_CALL_ON('t', "tid", "LIST", filter, reading_on_tids, "only these threads"),
	OPT_STRING(0, "time", "START,STOP", time, "only that time (seconds)"),
	OPT_STRING(0, "prio", "LIST", prios, "only tasks with these priorities: 0,120-129"),
	OPT_GROUP("Symbols"),
	OPT_STRING('k', "vmlinux", "FILE", vmlinux, "the kernel's image"),
	OPT_STRING(0, "kallsyms", "FILE", kallsyms, "the kernel's symbol list"),
	OPT_STRING(0, "symfs", "DIR", symfs, "look for files below that folder"),
	OPT_END(),
};

struct timehist_reader { struct timehist_options *o; struct session *session; };

static int take(void *ctx, const struct sched_event *e)
{
	struct timehist_reader *rd = ctx;
	struct timehist_view *v = &rd->o->v;
	struct timehist_line line;
	if (v->chains) {
		session_feed(rd->session, e->record);
		session_time(rd->session, e->record);
	}
	timehist_feed(v->h, e, &line);
	timehist_print_line(v, &line, e);
	if (v->h->idle && v->chains && line.what == TIMEHIST_RUN && !line.of->task)
		timehist_add_idle(v, line.of, line.of->last.run);
	if (v->h->idle && v->chains && e->kind == SCHED_SWITCH && e->task && !e->next && e->cpu >= 0 && (size_t)e->cpu < v->h->idles.n)
		timehist_keep_chain(v, v->h->idles.at[e->cpu], e);
	return v->out->err == -EPIPE ? -EPIPE : 0;
}

static int choose(struct timehist_options *o, struct perfdata *p)
{
	struct timehist *h = &o->h;
	int err = o->time ? filter_times_of(&o->filter, o->time, p, o->c.input, false) : 0;
	if (!err && o->filter.times.n > 1)
		err = error_set(EINVAL, "--time: one span of time: START,STOP");
	if (err)
		return err;
	if (o->filter.times.n) {
		h->from = o->filter.times.at[0].from;
		h->to = o->filter.times.at[0].to == UINT64_MAX ? 0 : o->filter.times.at[0].to;
	}
	h->cpus = o->filter.cpus;
	h->pids = o->filter.pids;
	h->tids = o->filter.tids;
	h->waking = sched_perf_has(p, "sched:sched_waking");
	timehist_begin(h, perfdata_info(p)->nr_cpus_online);
	o->v.chains = o->chains && recorded_has_chains(p);
	o->v.lines = !o->only_summary;
	o->v.summary |= o->only_summary;
	return 0;
}

static int show(struct timehist_options *o, struct perfdata *p, struct out *out)
{
	struct symbols_options so = { .symfs = o->symfs, .vmlinux = o->vmlinux, .kallsyms = o->kallsyms, .force = o->c.force };
	struct timehist_reader rd = { .o = o };
	struct timehist_view *v = &o->v;
	v->out = out;
	v->h = &o->h;
	if (v->chains) {
		v->syms = symbols_new(&so);
		rd.session = session_new(v->syms);
		session_header(rd.session, p);
	} else if (o->chains && v->lines) {
		note(1, "the recording has no call chains: sonde sched record -g makes one that has them");
	}
	if (v->lines)
		timehist_print_head(v);
	int err = sched_each(p, take, &rd);
	out_str(out, &v->text);
	if (!err && v->summary)
		timehist_print_summary(v);
	else if (!err)
		sched_gaps_print(out, &o->h.tasks);
	timehist_free_chains(v);
	session_free(rd.session);
	symbols_free(v->syms);
	return err;
}

static int run(struct timehist_options *o)
{
	struct out out;
	struct perfdata *p = perfdata_open(o->c.input ?: "perf.data", o->c.force);
	int err = p ? sched_perf_check(p) : error_code();
	if (!err)
		err = choose(o, p);
	if (!err)
		err = out_open(&out, NULL, false);
	if (!err) {
		out_pager(&out);
		err = show(o, p, &out);
		int closed = out_close(&out);
		err = err && err != -EPIPE ? err : closed;
	}
	perfdata_close(p);
	return err;
}

int sched_cmd_timehist(const struct sched_common *c, int argc, char **argv)
{
	struct timehist_options o = { .c = *c, .chains = true, .v = { .max_stack = 5, .text = STR_INIT } };
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n > 0)
		n = error_set(EINVAL, "timehist takes no arguments: '%s'", argv[0]);
	if (n >= 0 && o.prios && timehist_prios(&o.h, o.prios))
		n = -EINVAL;
	if (n >= 0 && (o.v.max_stack < 0 || o.v.max_stack > CALLCHAIN_MAX - 2))
		n = error_set(EINVAL, "--max-stack: from 0 to %d", CALLCHAIN_MAX - 2);
	if (n < 0)
		return options_exit(n, usage);
	if (o.c.dump)
		return sched_dump(&o.c);
	int code = run(&o) ? error_print() : 0;
	o.filter.cpus.at = o.filter.pids.at = o.filter.tids.at = NULL; /* the fold's now */
	timehist_release(&o.h);
	filter_release(&o.filter);
	str_release(&o.v.text);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/shared/sampling.h"
#include "job/stat/job.h"
#include "kernel/pmu.h"

static const char *const usage[] = { "sonde stat [OPTIONS] [--] [COMMAND [ARGS]]",
	"sonde stat [OPTIONS] record [-o FILE] [OPTIONS] [COMMAND [ARGS]]", "sonde stat [OPTIONS] report [-i FILE] [OPTIONS]", NULL };

struct stat_options {
	struct stat_job job;
	struct stat_report report;
	const char *user, *each_cgroup, *metrics, *metric_file;
	bool null_run, no_aggr, no_merge, per_thread, per_core, per_cluster, per_cache, per_die, per_socket, per_node;
	bool all_user, all_kernel, topdown, transaction;
	int detail;
	int err; /* of an event that could not be had, which is more than a usage error */
};

#define OPTIONS struct stat_options

static int on_event(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct stat_options *c = value;
	(void)opt, (void)unset;
	return c->err = events_parse(&c->job.events, arg);
}

static int on_filter(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct stat_options *c = value;
	(void)opt, (void)unset;
	return c->err = events_filter(&c->job.events, arg);
}

/* --per-cache, --per-cache=L2 */
static int on_per_cache(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct stat_options *c = value;
	(void)opt;
	c->per_cache = !unset;
	c->job.cache_level = 0;
	if (!arg || unset)
		return 0;
	if ((*arg != 'L' && *arg != 'l') || arg[1] < '1' || arg[1] > '4' || arg[2]) {
		error_set(EINVAL, "--per-cache=%s: a level of caches is L1, L2, L3 or L4", arg);
		return error_hint("--per-cache alone takes the last level");
	}
	c->job.cache_level = arg[1] - '0';
	return 0;
}

static const struct option_row rows[] = {
	OPT_GROUP("what to count"),
	OPT_CALL('e', "event", "EVENT", on_event, "events, comma separated; see sonde list"),
	OPT_CALL(0, "filter", "EXPR", on_filter, "only those tracepoint hits of the last -e for which this holds"),
	OPT_COUNT('d', "detailed", detail, "more hardware events; up to three times"),
	OPT_STRING('M', "metrics", "NAMES", metrics, "what these metrics and groups of metrics need; see sonde list metric"),
	OPT_STRING(0, "metric-file", "FILE", metric_file, "metrics of this CPU: what perf list -j prints, or a folder of perf's JSON files"),
	OPT_FLAG(0, "topdown", topdown, "how the slots of the CPU's pipeline were used"),
	OPT_FLAG('T', "transaction", transaction, "transactional memory"),
	OPT_FLAG(0, "all-user", all_user, "all events in user space only"),
	OPT_FLAG(0, "all-kernel", all_kernel, "all events in the kernel only"),
	OPT_FLAG('n', "null", null_run, "no default events, only the time"),
	OPT_GROUP("whom"),
	OPT_CALL_ON('p', "pid", "PID,..", job.target, sampling_on_target, "processes that are running"),
	OPT_CALL_ON('t', "tid", "TID,..", job.target, sampling_on_target, "threads that are running"),
	OPT_FLAG('a', "all-cpus", job.target.system_wide, "the whole machine"),
	OPT_CALL_ON('C', "cpu", "CPUS", job.target, sampling_on_target, "these CPUs, whoever runs there"),
	OPT_CALL_ON('G', "cgroup", "NAME,..", job.target, sampling_on_target, "these cgroups, one for each event or one for all (with -a or -C)"),
	OPT_STRING(0, "for-each-cgroup", "NAME,..", each_cgroup, "all events for each of these cgroups"),
	OPT_STRING('u', "uid|user", "USER", user, "only this user's processes; with a command and no -a: run it as that user"),
	OPT_FLAG('i', "no-inherit", job.no_inherit, "not the children and threads to come"),
	OPT_GROUP("how long"),
	OPT_INT('r', "repeat", "N", job.repeat, "run the command N times, show mean and deviation"),
	OPT_INT('I', "interval-print", "MS", job.interval, "print every MS milliseconds"),
	OPT_INT(0, "interval-count", "N", job.interval_count, "stop after N intervals"),
	OPT_FLAG(0, "interval-clear", job.interval_clear, "clear the screen before each interval"),
	OPT_STRING(0, "openmetrics", "FILE|PORT", job.openmetrics, "the counts since the start, for Prometheus: in a file, or by HTTP on 127.0.0.1 (ADDRESS:PORT)"),
	OPT_FLAG(0, "summary", job.summary, "the sum of all intervals behind them"),
	OPT_FLAG(0, "csv-summary", job.csv_summary, "with the word 'summary' before it in CSV (as always; --no-csv-summary: without)"),
	OPT_INT(0, "timeout", "MS", job.timeout, "stop after MS milliseconds"),
	OPT_INT('D', "delay", "MS", job.delay, "start counting MS milliseconds after the command; -1: when --control says so"),
	OPT_STRING(0, "control", "fd:N|fifo:F", job.control, "be told: enable, disable, evlist, ping, stop; [,ACK] for answers"),
	OPT_STRING(0, "pre", "COMMAND", job.pre, "run this before each run"),
	OPT_STRING(0, "post", "COMMAND", job.post, "run this after each run"),
	OPT_FLAG('S', "sync", job.sync, "sync(2) before each run"),
	OPT_GROUP("what to show"),
	OPT_FLAG('A', "no-aggr", no_aggr, "each CPU by itself"),
	OPT_FLAG(0, "no-merge", no_merge, "the same"),
	OPT_FLAG(0, "per-thread", per_thread, "each thread by itself (with -p, -t or -a)"),
	OPT_FLAG(0, "per-core", per_core, "each core by itself"),
	OPT_FLAG(0, "per-cluster", per_cluster, "each cluster of cores by itself"),
	OPT_CALL_OR_NO(0, "per-cache", "[LEVEL]", on_per_cache, "those CPUs together that share a cache: L2, L3 (default: the last level)"),
	OPT_FLAG(0, "per-die", per_die, "each die by itself"),
	OPT_FLAG(0, "per-socket", per_socket, "each socket by itself"),
	OPT_FLAG(0, "per-node", per_node, "each NUMA node by itself"),
	OPT_FLAG(0, "metric-only", job.metric_only, "only what was worked out, a column each"),
	OPT_FLAG(0, "table", job.each_run, "with -r: the time of each run, too"),
	OPT_STRING('x', "field-separator", "SEP", job.separator, "CSV with this separator"),
	OPT_FLAG('j', "json|json-output", job.json, "JSON, one object a line"),
	OPT_STRING('o', "output", "FILE", job.output, "write there instead of standard error"),
	OPT_FLAG(0, "append", job.append, "append to the file of -o"),
	OPT_INT(0, "log-fd", "FD", job.log_fd, "write to this descriptor"),
	OPT_FLAG('B', "big-num", job.group_digits, "the locale's separators between thousands (as always; --no-big-num: none)"),
	OPT_FLAG('c', "scale", job.scale, "scale counters that shared the hardware (as always; --no-scale: do not)"),
	OPT_FLAG(0, "quiet", job.quiet, "no page: only the command, its exit status and what went wrong"),
	OPT_FLAG(0, "no-bpf", job.no_bpf, "count families of tracepoints by perf events, not by a BPF program"),
	OPT_VERBOSE("show raw counts and what was not supported"),

	OPT_NEEDLESS(0, "metric-no-group", NULL, "events are put into groups where the hardware has room for them"),
	OPT_NEEDLESS(0, "metric-no-merge", NULL, "an event that several metrics need is counted once"),
	OPT_NEEDLESS(0, "metric-no-threshold", NULL, "there are no thresholds"),
	OPT_REFUSED(0, "td-level", "N", "one level is known of every CPU: --topdown", "-M TopdownL2, where perf's tables have it"),
	OPT_REFUSED(0, "bpf-counters", NULL, "counters are not shared between several stats", "they count at once all the same"),
	OPT_REFUSED('b', "bpf-prog", "ID", "the runs of a BPF program are counted by the kernel itself",
		    "sysctl kernel.bpf_stats_enabled=1, then bpftool prog show id ID"),
	OPT_REFUSED(0, "bpf-attr-map", "PATH", "counters are not shared between several stats", "they count at once all the same"),
	OPT_REFUSED(0, "cputype", "TYPE", "a kind of cores is named with the event", "-e cpu_core/cycles/ or cpu_atom/cycles/"),
	OPT_REFUSED(0, "hybrid-merge", NULL, "the kinds of cores are shown apart", "add up the rows of cpu_core and cpu_atom"),
	OPT_REFUSED(0, "iostat", "[PORTS]", "there is no such table", "sonde list pmu shows the uncore_iio events"),
	OPT_REFUSED(0, "percore-show-thread", NULL, "threads of a core are not added up in each", "--per-core has the sum once"),
	OPT_REFUSED(0, "record-tpebs", NULL, "latencies of instructions are not sampled while counting", "sonde record -W -e EVENT:P"),
	OPT_REFUSED('g', "group", NULL, "groups are written in braces", "-e '{cs,faults}'"),
	OPT_REFUSED(0, "smi-cost", NULL, "there is no such table", "-e msr/smi/,msr/aperf/ counts what it is made of"),
	OPT_END(),
};

static const struct option_row report_rows[] = {
	OPT_GROUP("what to read"),
	OPT_STRING('i', "input", "FILE", report.path, "the recording (default: perf.data)"),
	OPT_FLAG('f', "force", report.force, "also a file of another user"),
	OPT_TABLE(rows),
	OPT_END(),
};

static bool no_hardware(void)
{
	vec_each(pmus(), p)
		if (p->core || !strcmp(p->name, "cpu") || str_starts(p->name, "armv8") || str_starts(p->name, "cpum_cf"))
			return false;
	return true;
}

/* -d: besides the default events or those of -e. */
static int detailed_events(struct stat_options *c)
{
	static const char *const detail[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
		"L1-dcache-prefetches,L1-dcache-prefetch-misses" };
	int err = 0;
	for (int i = 0; i < c->detail && i < 3 && !err; i++)
		err = events_parse(&c->job.events, detail[i]);
	return err;
}

static int default_events(struct stat_options *c)
{
	event_list *l = &c->job.events;
	const struct pmu *cpu = pmu_find("cpu");
	int err = events_parse(l, target_by_task(&c->job.target) ? "task-clock" : "cpu-clock");
	if (!err)
		err = events_parse(l, "context-switches,cpu-migrations,page-faults");
	if (!err && no_hardware()) /* what there is instead of cycles */
		err = events_parse(l, "minor-faults,major-faults");
	if (!err)
		err = events_parse(l, "cycles");
	if (!err && cpu && pmu_alias_find(cpu, "stalled-cycles-frontend"))
		err = events_parse(l, "stalled-cycles-frontend");
	if (!err && cpu && pmu_alias_find(cpu, "stalled-cycles-backend"))
		err = events_parse(l, "stalled-cycles-backend");
	if (!err)
		err = events_parse(l, "instructions,branches,branch-misses");
	return err;
}

static bool is_hardware(const struct event *e)
{
	return e->kind == EVENT_HARDWARE || e->kind == EVENT_CACHE || e->kind == EVENT_RAW || (e->pmu && str_starts(e->pmu, "cpu"));
}

/* -M, --topdown, -T: refused where there is nothing that could count them. */
static int metric_events(struct stat_options *c)
{
	struct stat_job *j = &c->job;
	size_t first = j->events.n;
	if (!c->metrics && !c->topdown && !c->transaction)
		return 0;
	int err = metric_tables_load(&j->metrics.tables, c->metric_file);
	if (!err && c->topdown)
		err = metric_set_topdown(&j->metrics, &j->events);
	if (!err && c->transaction)
		err = metric_set_transaction(&j->metrics, &j->events);
	if (!err && c->metrics)
		err = metric_set_add(&j->metrics, c->metrics, &j->events);
	const char *lacking = err && j->metrics.failed && no_hardware() ? j->metrics.failed : NULL;
	for (size_t i = first; i < j->events.n && !err && !lacking; i++)
		if (is_hardware(&j->events.at[i]) && no_hardware())
			lacking = j->events.at[i].name;
	if (!lacking)
		return err;
	error_set(ENODEV, "what was asked for needs %s, and this machine has no hardware PMU", lacking);
	error_hint("virtual machines mostly have none: sonde doctor tells");
	return error_hint("metrics of software events: -M CPUs_utilized,cs_per_second,migrations_per_second,page_faults_per_second");
}

/* -G a,b: the first event in the first cgroup and so on; one name stands for all events. */
static int assign_cgroups(struct stat_options *c)
{
	size_t n = c->job.target.cgroups.n;
	if (n > c->job.events.n) {
		error_set(EINVAL, "%zu cgroups for %zu events", n, c->job.events.n);
		return error_hint("-G names one cgroup for each event, or one for all; --for-each-cgroup counts all events in each");
	}
	for (size_t i = 0; n && i < c->job.events.n; i++)
		c->job.events.at[i].cgroup = n == 1 ? 1 : i < n ? (int)i + 1 : 0;
	return 0;
}

/* All events once more for every further cgroup: parsed again from their texts, as one -e. */
static int repeat_for_cgroups(struct stat_options *c)
{
	struct str text = STR_INIT;
	size_t n = c->job.events.n;
	int err = target_cgroups(&c->job.target, c->each_cgroup);
	vec_each(&c->job.events, e)
		str_addf(&text, "%s%s", text.len ? "," : "", e->text);
	for (size_t g = 1; g < c->job.target.cgroups.n && !err; g++)
		err = events_parse(&c->job.events, text.buf);
	for (size_t i = 0; !err && i < c->job.events.n; i++)
		c->job.events.at[i].cgroup = (int)(i / (n ? n : 1)) + 1;
	str_release(&text);
	return err;
}

static enum stat_aggr aggregation(const struct stat_options *c)
{
	return c->per_thread ? STAT_THREAD : c->no_aggr || c->no_merge ? STAT_CPU : c->per_core ? STAT_CORE : c->per_cluster ? STAT_CLUSTER :
	       c->per_cache ? STAT_CACHE : c->per_die ? STAT_DIE :
	       c->per_socket ? STAT_SOCKET : c->per_node ? STAT_NODE : STAT_ALL;
}

static int check_options(const struct stat_options *c, bool command)
{
	const struct stat_job *j = &c->job;
	const struct target *t = &j->target;
	if (!command && !target_given(t))
		return error_set(EINVAL, "what is to be measured? Name a command, or use -a, -p, -t or -C");
	if (j->repeat < 1 || j->interval < 0 || j->timeout < 0 || j->interval_count < 0)
		return error_set(EINVAL, "-r, -I, --timeout and --interval-count take numbers above 0");
	if (j->repeat > 1 && !command)
		return error_set(EINVAL, "-r needs a command to repeat");
	if (j->openmetrics && j->repeat > 1)
		return error_set(EINVAL, "-r and --openmetrics exclude each other");
	if (j->repeat > 1 && j->interval)
		return error_set(EINVAL, "-r and -I exclude each other");
	if ((j->interval_count || j->summary || j->interval_clear) && !j->interval)
		return error_set(EINVAL, "--interval-count, --interval-clear and --summary need -I");
	if (j->interval_clear && (j->output || j->log_fd >= 0 || !isatty(2)))
		return error_set(EINVAL, "--interval-clear is for a terminal, not for a file or a pipe");
	if (j->each_run && j->repeat < 2)
		return error_set(EINVAL, "--table shows the runs of -r");
	if (j->delay < 0 && !j->control)
		return error_set(EINVAL, "-D -1 waits for --control");
	if (j->aggr == STAT_THREAD && !t->pids.n && !t->tids.n && !t->user && !t->system_wide)
		return error_set(EINVAL, "--per-thread needs -p, -t or -a");
	if (j->aggr != STAT_ALL && j->aggr != STAT_THREAD && target_by_task(t))
		return error_set(EINVAL, "-A and --per-core, --per-socket... count CPUs: they need -a or -C");
	if (c->each_cgroup && t->cgroups.n)
		return error_set(EINVAL, "-G and --for-each-cgroup exclude each other");
	bool tasks = t->pids.n || t->tids.n;
	if (((tasks && t->system_wide) || ((tasks || t->user) && t->cpus.n)) && j->aggr != STAT_THREAD)
		warn("-p, -t and -u win over -a and -C: only these tasks are counted");
	if (j->separator && !*j->separator)
		return error_set(EINVAL, "-x needs a separator, as in -x,");
	if (c->all_user && c->all_kernel)
		return error_set(EINVAL, "--all-user and --all-kernel exclude each other");
	if (j->append && !j->output)
		return error_set(EINVAL, "--append needs -o");
	return 0;
}

/* --all-user, --all-kernel: over whatever the modifiers say. */
static void one_side_only(struct stat_options *c)
{
	vec_each(&c->job.events, e) {
		e->attr.exclude_user = c->all_kernel;
		e->attr.exclude_kernel = c->all_user;
		e->exclude_user_given = true;
	}
}

static void fix_separator(struct stat_job *j)
{
	if (j->separator && !strcmp(j->separator, "\\t"))
		j->separator = "\t";
}

static int prepare(struct stat_options *c, bool command)
{
	struct stat_job *j = &c->job;
	int err = 0;
	if (command && !j->target.system_wide)
		j->command_user = c->user;
	else
		j->target.user = c->user; /* with -a it is the machine that is narrowed */
	j->target.every_task = c->per_thread && j->target.system_wide;
	j->aggr = aggregation(c);
	fix_separator(j);
	if (j->openmetrics && !j->interval)
		j->interval = 1000;
	if ((err = check_options(c, command)))
		return err;
	if ((err = metric_events(c)))
		return c->err = err;
	if (!c->null_run && ((!j->events.n && (err = default_events(c))) || (err = detailed_events(c))))
		return c->err = err;
	if (j->metrics.uses.n && c->each_cgroup)
		return error_set(EINVAL, "-M and --for-each-cgroup exclude each other");
	err = c->each_cgroup ? repeat_for_cgroups(c) : assign_cgroups(c);
	if (!err && (c->all_user || c->all_kernel))
		one_side_only(c);
	return err;
}

/* The caret says more than a usage line. A name that could not be looked up for lack of rights, or of
 * a PMU, is not the caller's mistake. */
static int wrong_event(void)
{
	bool denied = error_code() == -EACCES || error_code() == -EPERM || error_code() == -ENODEV;
	int code = error_print();
	return denied ? code : EXIT_USAGE;
}

/* `stat report`: only what is about the page counts. */
static int report(struct stat_options *c, int argc, char **argv)
{
	int n = options_parse(c, argc, argv, report_rows, usage, 0);
	if (n > 0)
		n = error_set(EINVAL, "stat report takes no command: '%s'", argv[0]);
	if (n < 0)
		return options_exit(n, usage);
	c->job.aggr = aggregation(c);
	c->report.aggr_given = c->job.aggr != STAT_ALL;
	c->job.interval = 0;
	fix_separator(&c->job);
	events_release(&c->job.events);
	return stat_report_run(&c->job, &c->report);
}

/* `stat record`: the rest of the line, and -o is the recording. */
static int record(struct stat_options *c, int argc, char **argv)
{
	int n = options_parse(c, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n >= 0 && c->job.repeat > 1)
		n = error_set(EINVAL, "stat record -r: there is one run in a file");
	c->job.data = c->job.output ? c->job.output : "perf.data";
	c->job.output = NULL;
	return n;
}

static int run(struct stat_options *c, int argc, char **argv)
{
	int n = options_parse(c, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n > 0 && !strcmp(argv[0], "report"))
		return report(c, n, argv);
	if (n > 0 && !strcmp(argv[0], "record"))
		n = record(c, n, argv);
	if (n >= 0)
		n = prepare(c, n > 0);
	if (n < 0)
		return c->err ? wrong_event() : options_exit(n, usage);
	return stat_job_run(&c->job, argv[0] ? argv : NULL);
}

int cmd_stat(int argc, char **argv)
{
	char **words = xcalloc(argc + 2, sizeof(*words));
	words[0] = (char *)"sonde";
	memcpy(words + 1, argv, argc * sizeof(*words)); /* as typed, for a recording's header */
	struct stat_options c = { .job = { .repeat = 1, .log_fd = -1, .group_digits = true, .scale = true, .csv_summary = true,
					   .argv = words } };
	int code = run(&c, argc, argv);
	events_release(&c.job.events);
	metric_set_release(&c.job.metrics);
	target_release(&c.job.target);
	free(words);
	return code;
}

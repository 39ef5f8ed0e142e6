// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde stat: opens the counters, lets the command run (or waits), reads, prints. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "analysis/stattable.h"
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "attach/counting.h"
#include "kernel/rights/caps.h"
#include "kernel/pmu.h"
#include "kernel/workload.h"
#include "kernel/clock.h"
#include "ui/statprint.h"

static const char *const usage[] = { "sonde stat [OPTIONS] [--] [COMMAND [ARGS]]", NULL };

static struct {
	event_list events;
	struct target target;
	const char *user, *output, *separator, *pre, *post, *each_cgroup;
	bool json, append, null_run, no_inherit, no_aggr, per_thread, per_core, per_die, per_socket, per_node;
	bool big_num, scale, sync, plain, all_user, all_kernel, quiet;
	int repeat, interval, interval_count, timeout, delay, detail, log_fd;
	int err; /* of an option call that failed with more than a usage error */
} opt = { .repeat = 1, .log_fd = -1, .big_num = true, .scale = true };

static int on_event(const struct option_row *r, const char *arg, bool unset)
{
	(void)r, (void)unset;
	return opt.err = events_parse(&opt.events, arg);
}

static int on_filter(const struct option_row *r, const char *arg, bool unset)
{
	(void)r, (void)unset;
	return opt.err = events_filter(&opt.events, arg);
}

static int on_pid(const struct option_row *r, const char *arg, bool unset)
{
	(void)unset;
	return r->short_name == 'p' ? target_pids(&opt.target, arg) : target_tids(&opt.target, arg);
}

static int on_cpu(const struct option_row *r, const char *arg, bool unset)
{
	(void)r, (void)unset;
	return target_cpus(&opt.target, arg);
}

static int on_cgroup(const struct option_row *r, const char *arg, bool unset)
{
	(void)r, (void)unset;
	return target_cgroups(&opt.target, arg);
}

#define NO_METRICS "there are no tables of metrics in sonde", "name the events with -e: what follows from them stands beside; perf stat has these"
static const struct option_row rows[] = {
	OPT_GROUP("what to count"),
	OPT_CALL('e', "event", "EVENT", NULL, on_event, "events, comma separated; see sonde list"),
	OPT_CALL(0, "filter", "EXPR", NULL, on_filter, "only those tracepoint hits of the last -e for which this holds"),
	OPT_COUNT('d', "detailed", &opt.detail, "more hardware events; up to three times"),
	OPT_FLAG(0, "all-user", &opt.all_user, "all events in user space only"),
	OPT_FLAG(0, "all-kernel", &opt.all_kernel, "all events in the kernel only"),
	OPT_FLAG('n', "null", &opt.null_run, "no default events, only the time"),
	OPT_GROUP("whom"),
	OPT_CALL('p', "pid", "PID,..", NULL, on_pid, "processes that are running"),
	OPT_CALL('t', "tid", "TID,..", NULL, on_pid, "threads that are running"),
	OPT_FLAG('a', "all-cpus", &opt.target.system_wide, "the whole machine"),
	OPT_CALL('C', "cpu", "CPUS", NULL, on_cpu, "these CPUs, whoever runs there"),
	OPT_CALL('G', "cgroup", "NAME,..", NULL, on_cgroup, "these cgroups, one for each event or one for all (with -a or -C)"),
	OPT_STRING(0, "for-each-cgroup", "NAME,..", &opt.each_cgroup, "all events for each of these cgroups"),
	OPT_STRING('u', "uid|user", "USER", &opt.user, "only this user's processes; with a command and no -a: run it as that user"),
	OPT_FLAG('i', "no-inherit", &opt.no_inherit, "not the children and threads to come"),
	OPT_GROUP("how long"),
	OPT_INT('r', "repeat", "N", &opt.repeat, "run the command N times, show mean and deviation"),
	OPT_INT('I', "interval-print", "MS", &opt.interval, "print every MS milliseconds"),
	OPT_INT(0, "interval-count", "N", &opt.interval_count, "stop after N intervals"),
	OPT_INT(0, "timeout", "MS", &opt.timeout, "stop after MS milliseconds"),
	OPT_INT('D', "delay", "MS", &opt.delay, "start counting MS milliseconds after the command"),
	OPT_STRING(0, "pre", "COMMAND", &opt.pre, "run this before each run"),
	OPT_STRING(0, "post", "COMMAND", &opt.post, "run this after each run"),
	OPT_FLAG('S', "sync", &opt.sync, "sync(2) before each run"),
	OPT_GROUP("what to show"),
	OPT_FLAG('A', "no-aggr", &opt.no_aggr, "each CPU by itself"),
	OPT_FLAG(0, "per-thread", &opt.per_thread, "each thread by itself (with -p, -t or -a)"),
	OPT_FLAG(0, "per-core", &opt.per_core, "each core by itself"),
	OPT_FLAG(0, "per-die", &opt.per_die, "each die by itself"),
	OPT_FLAG(0, "per-socket", &opt.per_socket, "each socket by itself"),
	OPT_FLAG(0, "per-node", &opt.per_node, "each NUMA node by itself"),
	OPT_STRING('x', "field-separator", "SEP", &opt.separator, "CSV with this separator"),
	OPT_FLAG('j', "json|json-output", &opt.json, "JSON, one object a line"),
	OPT_STRING('o', "output", "FILE", &opt.output, "write there instead of standard error"),
	OPT_FLAG(0, "append", &opt.append, "append to the file of -o"),
	OPT_INT(0, "log-fd", "FD", &opt.log_fd, "write to this descriptor"),
	OPT_FLAG('B', "big-num", &opt.big_num, "the locale's separators between thousands (as always; --no-big-num: none)"),
	OPT_FLAG('c', "scale", &opt.scale, "scale counters that shared the hardware (as always; --no-scale: do not)"),
	OPT_FLAG(0, "quiet", &opt.quiet, "no page: only the command, its exit status and what went wrong"),
	OPT_FLAG(0, "no-bpf", &opt.plain, "count families of tracepoints by perf events, not by a BPF program"),
	OPT_COUNT('v', "verbose", &verbosity, "show raw counts and what was not supported"),

	OPT_REFUSED('M', "metrics", "NAMES", NO_METRICS),
	OPT_REFUSED(0, "metric-only", NULL, NO_METRICS),
	OPT_REFUSED(0, "topdown", NULL, NO_METRICS),
	OPT_REFUSED('T', "transaction", NULL, NO_METRICS),
	OPT_REFUSED('g', "group", NULL, "groups are written in braces", "-e '{cs,faults}'"),
	OPT_REFUSED(0, "table", NULL, "single runs are not shown", "sonde stat -x, -o FILE --append, as often as you like"),
	OPT_REFUSED(0, "summary", NULL, "there is no summary behind the intervals", "without -I the page has the whole"),
	OPT_REFUSED(0, "interval-clear", NULL, "the screen is not cleared", "watch -n 1 sonde stat -a sleep 0.5"),
	OPT_REFUSED(0, "control", "fd:N|fifo:F", "counting cannot be switched from outside", "-D MS and --timeout MS bound it; sonde record has --control"),
	OPT_REFUSED(0, "smi-cost", NULL, "there is no such table", "-e msr/smi/,msr/aperf/ counts what it is made of"),
	OPT_NEEDLESS(0, "no-csv-summary", NULL, "there is no summary behind the intervals"),
	OPT_END(),
};

struct stat {
	char **argv; /* NULL: no command */
	struct out out;
	struct stat_table table;
	struct stat_print print;
	struct counting counting;
	struct workload work;
	struct stat_times times;
	uint64_t start, last_print, next_print, enable_at, stop_at; /* ns; 0: never */
	int printed;
	int code; /* exit code */
	bool ready; /* table is set up */
};

static bool no_hardware(void)
{
	vec_each(pmus(), p)
		if (p->core || !strcmp(p->name, "cpu") || str_starts(p->name, "armv8") || str_starts(p->name, "cpum_cf"))
			return false;
	return true;
}

/* -d: besides the default events or those of -e. */
static int detailed_events(void)
{
	static const char *const detail[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
		"L1-dcache-prefetches,L1-dcache-prefetch-misses" };
	int err = 0;
	for (int i = 0; i < opt.detail && i < 3 && !err; i++)
		err = events_parse(&opt.events, detail[i]);
	return err;
}

static int default_events(void)
{
	event_list *l = &opt.events;
	const struct pmu *cpu = pmu_find("cpu");
	int err = events_parse(l, target_by_task(&opt.target) ? "task-clock" : "cpu-clock");
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

/* -G a,b: the first event in the first cgroup and so on; one name stands for all events. */
static int assign_cgroups(void)
{
	size_t n = opt.target.cgroups.n;
	if (n > opt.events.n) {
		error_set(EINVAL, "%zu cgroups for %zu events", n, opt.events.n);
		return error_hint("-G names one cgroup for each event, or one for all; --for-each-cgroup counts all events in each");
	}
	for (size_t i = 0; n && i < opt.events.n; i++)
		opt.events.at[i].cgroup = n == 1 ? 1 : i < n ? (int)i + 1 : 0;
	return 0;
}

/* All events once more for every further cgroup: parsed again from their texts, as one -e. */
static int repeat_for_cgroups(void)
{
	struct str text = STR_INIT;
	size_t n = opt.events.n;
	int err = target_cgroups(&opt.target, opt.each_cgroup);
	vec_each(&opt.events, e)
		str_addf(&text, "%s%s", text.len ? "," : "", e->text);
	for (size_t g = 1; g < opt.target.cgroups.n && !err; g++)
		err = events_parse(&opt.events, text.buf);
	size_t per = n;
	for (size_t i = 0; !err && i < opt.events.n; i++)
		opt.events.at[i].cgroup = (int)(i / (per ? per : 1)) + 1;
	str_release(&text);
	return err;
}

static enum stat_aggr aggregation(void)
{
	return opt.per_thread ? STAT_THREAD : opt.no_aggr ? STAT_CPU : opt.per_core ? STAT_CORE : opt.per_die ? STAT_DIE :
	       opt.per_socket ? STAT_SOCKET : opt.per_node ? STAT_NODE : STAT_ALL;
}

static int check_options(bool command)
{
	enum stat_aggr a = aggregation();
	if (!command && !target_given(&opt.target))
		return error_set(EINVAL, "what is to be measured? Name a command, or use -a, -p, -t or -C");
	if (opt.repeat < 1 || opt.interval < 0 || opt.timeout < 0 || opt.interval_count < 0)
		return error_set(EINVAL, "-r, -I, --timeout and --interval-count take numbers above 0");
	if (opt.repeat > 1 && !command)
		return error_set(EINVAL, "-r needs a command to repeat");
	if (opt.repeat > 1 && opt.interval)
		return error_set(EINVAL, "-r and -I exclude each other");
	if (opt.interval_count && !opt.interval)
		return error_set(EINVAL, "--interval-count needs -I");
	if (a == STAT_THREAD && !opt.target.pids.n && !opt.target.tids.n && !opt.target.user && !opt.target.system_wide)
		return error_set(EINVAL, "--per-thread needs -p, -t or -a");
	if (a != STAT_ALL && a != STAT_THREAD && target_by_task(&opt.target))
		return error_set(EINVAL, "-A and --per-core, --per-socket... count CPUs: they need -a or -C");
	if (opt.each_cgroup && opt.target.cgroups.n)
		return error_set(EINVAL, "-G and --for-each-cgroup exclude each other");
	bool tasks = opt.target.pids.n || opt.target.tids.n;
	if (((tasks && opt.target.system_wide) || ((tasks || opt.target.user) && opt.target.cpus.n)) && a != STAT_THREAD)
		warn("-p, -t and -u win over -a and -C: only these tasks are counted");
	if (opt.separator && !*opt.separator)
		return error_set(EINVAL, "-x needs a separator, as in -x,");
	if (opt.all_user && opt.all_kernel)
		return error_set(EINVAL, "--all-user and --all-kernel exclude each other");
	if (opt.append && !opt.output)
		return error_set(EINVAL, "--append needs -o");
	return 0;
}

/* Prints the counts of the interval that ends now. */
static int print_interval(struct stat *s)
{
	int err = counting_read(&s->counting, &opt.events);
	uint64_t now = clock_ns();
	if (err)
		return err;
	stat_table_clear(&s->table);
	stat_table_add(&s->table, &s->counting, true, now - s->last_print);
	s->last_print = now;
	s->print.interval = (double)(now - s->start) / 1e9;
	if (s->printed++ % 25 == 0)
		stat_print_interval_header(&s->print);
	stat_print_table(&s->print);
	out_flush(&s->out);
	return 0;
}

/* Milliseconds until something is due. */
static int wait_ms(const struct stat *s, uint64_t now, bool watch_tasks)
{
	uint64_t due[] = { s->next_print, s->enable_at, s->stop_at, watch_tasks ? now + 50000000 : 0 }, first = 0;
	for (int i = 0; i < 4; i++)
		if (due[i] && (!first || due[i] < first))
			first = due[i];
	if (!first)
		return -1;
	return first <= now ? 0 : (int)((first - now + 999999) / 1000000 < 1000000 ? (first - now + 999999) / 1000000 : 1000000);
}

static bool tasks_alive(const struct target *t)
{
	vec_each(&t->threads, th) {
		struct pollfd p = { .events = POLLIN };
		if (th->gone)
			continue;
		if (th->tid != th->pid) {
			if (!syscall(SYS_tgkill, th->pid, th->tid, 0) || errno == EPERM)
				return true;
			continue;
		}
		/* a zombie has ended, although it can still be signalled */
		p.fd = (int)syscall(SYS_pidfd_open, th->pid, 0);
		bool ended = p.fd < 0 ? errno == ESRCH : poll(&p, 1, 0) > 0;
		if (p.fd >= 0)
			close(p.fd);
		if (!ended)
			return true;
	}
	return false;
}

static bool finished(struct stat *s, bool watch)
{
	if (s->argv)
		return workload_poll(&s->work) == 1;
	return watch && !tasks_alive(&opt.target);
}

/* Ctrl-C reached the command too when it came from the terminal; when it did not, pass it on once. */
static void pass_on_stop(struct stat *s, int *passed)
{
	if (s->argv && signals_stop() && !*passed) {
		*passed = 1;
		workload_kill(&s->work, signals_which());
	}
}

static int wait_loop(struct stat *s)
{
	bool watch = !s->argv && target_by_task(&opt.target);
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	int passed = 0, err;
	for (;;) {
		if (finished(s, watch) || (signals_stop() && !s->argv))
			return 0;
		pass_on_stop(s, &passed);
		(void)poll(&p, 1, wait_ms(s, clock_ns(), watch));
		signals_drain();
		uint64_t now = clock_ns();
		if (s->enable_at && now >= s->enable_at) {
			counting_enable(&s->counting);
			s->enable_at = 0;
		}
		if (s->next_print && now >= s->next_print) {
			if ((err = print_interval(s)))
				return err;
			s->next_print += opt.interval * 1000000ull;
			if (s->out.err && !s->argv) /* nobody reads, or the disk is full: out_close() tells */
				return 0;
			if (s->out.err)
				s->next_print = 0;
			if (opt.interval_count && s->printed >= opt.interval_count)
				s->stop_at = now;
		}
		if (s->stop_at && now >= s->stop_at) {
			workload_kill(&s->work, SIGTERM);
			s->stop_at = 0;
			if (!s->argv)
				return 0;
			s->next_print = 0;
		}
	}
}

static double seconds(struct timeval a, struct timeval b)
{
	return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_usec - a.tv_usec) / 1e6;
}

static int arm(struct stat *s)
{
	struct counting_options how = { .inherit = !opt.no_inherit, .plain = opt.plain, .each_thread = opt.per_thread };
	bool own = s->argv && !target_given(&opt.target);
	int err = target_resolve(&opt.target, own ? s->work.pid : 0);
	if (err)
		return err;
	how.enable_on_exec = own && !opt.delay;
	if (opt.events.n && (err = counting_open(&s->counting, &opt.events, &opt.target, &how)))
		return err;
	if (!s->ready) {
		stat_table_init(&s->table, &opt.events, &opt.target, aggregation(), opt.scale);
		s->ready = true;
	}
	if (!how.enable_on_exec && !opt.delay)
		counting_enable(&s->counting);
	return 0;
}

static void set_timers(struct stat *s)
{
	s->start = s->last_print = clock_ns();
	s->next_print = opt.interval ? s->start + opt.interval * 1000000ull : 0;
	s->stop_at = opt.timeout ? s->start + opt.timeout * 1000000ull : 0;
	s->enable_at = opt.delay > 0 ? s->start + opt.delay * 1000000ull : 0;
}

static int measure(struct stat *s)
{
	struct rusage before, after;
	int err;
	getrusage(RUSAGE_CHILDREN, &before);
	set_timers(s);
	counting_begin(&s->counting);
	if (s->argv && (err = workload_start(&s->work)))
		return err;
	err = wait_loop(s);
	uint64_t elapsed = clock_ns() - s->start;
	if (!target_by_task(&opt.target) || target_given(&opt.target))
		counting_disable(&s->counting);
	getrusage(RUSAGE_CHILDREN, &after);
	s->times.user = seconds(before.ru_utime, after.ru_utime);
	s->times.sys = seconds(before.ru_stime, after.ru_stime);
	s->times.known = s->argv && !target_given(&opt.target);
	if (err)
		return err;
	if (opt.interval) {
		bool more = !opt.interval_count || s->printed < opt.interval_count;
		return more && !s->out.err ? print_interval(s) : 0;
	}
	if ((err = counting_read(&s->counting, &opt.events)))
		return err;
	stat_table_add(&s->table, &s->counting, false, elapsed);
	vec_each(&s->counting.readings, r)
		note(1, "%s: %llu %llu %llu", opt.events.at[r->event].name, (unsigned long long)r->now.value,
		     (unsigned long long)r->now.enabled, (unsigned long long)r->now.running);
	return 0;
}

static void hook(const char *command)
{
	if (command && system(command))
		warn("'%s' failed", command);
}

/* The descriptors are open: reading them takes no rights, ending a program of another user does. */
static void give_up_rights(void)
{
	int err = caps_drop_all_but(opt.user ? CAP_BIT(CAP_KILL) : 0);
	if (err)
		note(1, "cannot give up capabilities: %s", strerror(-err));
}

static int run_once(struct stat *s, bool last)
{
	struct workload_options wo = { .user = opt.user };
	int err = 0;
	hook(opt.pre);
	if (opt.sync)
		sync();
	counting_close(&s->counting); /* of the run before */
	if (s->argv && (err = workload_fork(&s->work, s->argv, &wo)))
		return err;
	err = arm(s);
	if (!err && last && !opt.post)
		give_up_rights();
	if (!err)
		err = measure(s);
	if (s->argv) {
		if (!err)
			s->code = workload_exit_code(s->work.status);
		workload_release(&s->work);
	}
	hook(opt.post);
	return err;
}

static void subject(const struct stat *s, struct str *text)
{
	if (s->argv && !target_given(&opt.target)) {
		str_addc(text, '\'');
		for (char **a = s->argv; *a; a++)
			str_addf(text, "%s%s", a == s->argv ? "" : " ", *a);
		str_addc(text, '\'');
	} else {
		target_describe(&opt.target, text);
	}
}

static void report(struct stat *s)
{
	struct str text = STR_INIT;
	if (!opt.interval) {
		subject(s, &text);
		stat_print_header(&s->print, text.buf);
		stat_print_table(&s->print);
		stat_print_footer(&s->print, &s->times);
	}
	str_release(&text);
}

static int open_output(struct stat *s)
{
	int err = 0;
	if (opt.output || opt.quiet)
		err = out_open(&s->out, opt.quiet ? "/dev/null" : opt.output, opt.append);
	else
		out_fd(&s->out, opt.log_fd >= 0 ? opt.log_fd : 2, opt.log_fd >= 0 ? "the log descriptor" : "standard error");
	s->out.whole = !opt.interval; /* a part of a page is none; of intervals, those that fit are kept */
	s->print = (struct stat_print){ .o = &s->out, .runs = opt.repeat, .interval = -1, .target = &opt.target, .table = &s->table,
		.format = opt.json ? STAT_JSON : opt.separator ? STAT_CSV : STAT_TEXT, .separator = opt.separator,
		.group_digits = opt.big_num };
	stat_print_init(&s->print);
	if (!err && opt.output && s->print.format == STAT_TEXT) {
		char when[64];
		time_t t = time(NULL);
		out_printf(&s->out, "# started on %s\n", ctime_r(&t, when) ? when : "");
	}
	return err;
}

static int run(struct stat *s)
{
	int err = open_output(s);
	signals_arm();
	for (int i = 0; i < opt.repeat && !err && !signals_stop(); i++) {
		target_unresolve(&opt.target);
		err = run_once(s, i + 1 == opt.repeat);
	}
	if (s->table.elapsed.n < opt.repeat && s->print.runs > 1)
		s->print.runs = (int)s->table.elapsed.n > 1 ? (int)s->table.elapsed.n : 1;
	if (!err && s->ready)
		report(s);
	int code = err ? error_print() : s->code;
	if (err) /* no file with a heading and nothing below */
		str_clear(&s->out.buf);
	if (out_close(&s->out) < 0)
		code = error_print();
	counting_close(&s->counting); /* last: closing tracepoints takes long, and the page is out by now */
	if (s->ready)
		stat_table_release(&s->table);
	return code;
}

/* --all-user, --all-kernel: over whatever the modifiers say. */
static void one_side_only(void)
{
	vec_each(&opt.events, e) {
		e->attr.exclude_user = opt.all_kernel;
		e->attr.exclude_kernel = opt.all_user;
		e->exclude_user_given = true;
	}
}

static int prepare(bool command)
{
	int err = 0;
	if (opt.user && (!command || opt.target.system_wide)) { /* with -a it is the machine that is narrowed */
		opt.target.user = opt.user;
		opt.user = NULL;
	}
	opt.target.every_task = opt.per_thread && opt.target.system_wide;
	if (opt.separator && !strcmp(opt.separator, "\\t"))
		opt.separator = "\t";
	if ((err = check_options(command)))
		return err;
	if (!opt.null_run && ((!opt.events.n && (err = default_events())) || (err = detailed_events())))
		return opt.err = err;
	err = opt.each_cgroup ? repeat_for_cgroups() : assign_cgroups();
	if (!err && (opt.all_user || opt.all_kernel))
		one_side_only();
	return err;
}

/* The caret says more than a usage line. A name that could not be looked up for lack of rights is not
 * the caller's mistake. */
static int wrong_event(void)
{
	bool denied = error_code() == -EACCES || error_code() == -EPERM;
	int code = error_print();
	return denied ? code : EXIT_USAGE;
}

int cmd_stat(int argc, char **argv)
{
	struct stat s = { 0 };
	int n = options_parse(argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n < 0 && opt.err)
		code = wrong_event();
	else if (n < 0 || (n = prepare(n > 0)) < 0)
		code = opt.err ? wrong_event() : options_exit(n, usage);
	else
		code = (s.argv = argv[0] ? argv : NULL, run(&s));
	events_release(&opt.events);
	target_release(&opt.target);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/config.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "cmd/commands.h"
#include "cmd/shared/sampling.h"
#include "spec/ring_size.h"
#include "job/record/recorder.h"
#include "attach/rings.h"

struct record_options {
	struct recorder_options o;
	event_list events, switch_events;
	struct target target;
	const char *user;
	bool branch_any, all_cpus, dry_run, group, kcore;
	VEC(uint64_t) when;
	const char *control_spec;
	struct control control;
};
#define OPTIONS struct record_options

static const char *const usage[] = {
	"sonde record [OPTIONS] COMMAND [ARGS]",
	"sonde record [OPTIONS] -p PID | -t TID | -u USER | -a | -C CPUS [-- COMMAND]",
	NULL,
};

static int on_clock(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	(void)opt, (void)unset;
	return sampling_clock(&rec->o.sampling, arg);
}

/* -D 100, -D -1 (off until told), -D 10-20,30-40 */
static int on_delay(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	wordlist spans = { 0 };
	uint64_t ms[2], last = 0;
	bool bad = false;
	(void)opt;
	vec_clear(&rec->when);
	rec->o.delayed = !unset && strcmp(arg, "0");
	if (unset || !strcmp(arg, "-1") || !strcmp(arg, "0"))
		return 0;
	wordlist_split(&spans, arg, ',');
	vec_each(&spans, w) {
		char *dash = strchr(*w, '-');
		int n = dash ? 2 : 1;
		if (dash)
			*dash = 0;
		bad |= parse_u64(*w, &ms[0]) || (dash && parse_u64(dash + 1, &ms[1])) || (!dash && spans.n > 1);
		for (int i = 0; i < n && !bad; i++) {
			bad = ms[i] < last + (i || rec->when.n) || ms[i] > UINT32_MAX;
			*vec_push(&rec->when) = last = ms[i];
		}
	}
	wordlist_release(&spans);
	if (!bad && rec->when.n)
		return 0;
	error_set(EINVAL, "-D: '%s' is not a time", arg);
	return error_hint("milliseconds: -D 500; spans in order: -D 10-20,30-40; or -D -1: off until --control says enable");
}

static int on_regs(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	uint64_t *mask = value;
	*mask = 0;
	return unset ? 0 : sampling_regs(mask, opt->long_name, arg);
}

static int on_synth(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	static const struct { const char *name; enum synth_what what; } kinds[] = {
		{ "no", SYNTH_NONE }, { "all", SYNTH_ALL }, { "task", SYNTH_TASK }, { "mmap", SYNTH_MMAP }, { "cgroup", SYNTH_CGROUP },
	};
	(void)opt;
	rec->o.synth = SYNTH_DEFAULT;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !unset; i++)
		if (!strcmp(kinds[i].name, arg)) {
			rec->o.synth = kinds[i].what;
			return 0;
		}
	error_set(EINVAL, "--synth: '%s' is not a part of what was there before", arg);
	return error_hint("no, task (names), mmap (names and maps), cgroup, or all");
}

static int on_max_size(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	(void)opt, (void)unset;
	if (!size_parse(arg, "BKMG", &rec->o.max_size) && rec->o.max_size)
		return 0;
	error_set(EINVAL, "--max-size: '%s' is not a size", arg);
	return error_hint("a number with B, K, M or G: --max-size 100M");
}

static int on_switch(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	static const struct { char unit; uint64_t seconds; } times[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	(void)opt;
	rec->o.switch_output = !unset;
	if (!arg || !strcmp(arg, "signal"))
		return 0;
	if (!size_parse(arg, "BKMG", &rec->o.switch_bytes))
		return 0;
	for (size_t i = 0; i < 4; i++) {
		uint64_t n;
		char unit[2] = { times[i].unit, 0 };
		if (!size_parse(arg, unit, &n) && n && n < 1000000) {
			rec->o.switch_ns = n * times[i].seconds * 1000000000;
			return 0;
		}
	}
	error_set(EINVAL, "--switch-output: '%s' is neither a size nor a time", arg);
	return error_hint("--switch-output=100M, =30s, =5m, or =signal for SIGUSR2 alone");
}

static int on_switch_event(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	(void)opt, (void)unset;
	rec->o.switch_output = true;
	return events_parse(&rec->switch_events, arg);
}

static int on_compress(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct record_options *rec = value;
	uint64_t level = 1;
	(void)opt;
	if (arg && (parse_u64(arg, &level) || level > 22)) {
		error_set(EINVAL, "-z: '%s' is not a level", arg);
		return error_hint("0 (none), 1 (fastest, the default) to 22 (smallest)");
	}
	rec->o.compress = unset ? 0 : level;
	return 0;
}

static bool is_level(const char *word)
{
	return word[0] >= '0' && word[0] <= '9' && strlen(word) <= 2;
}

#define S o.sampling
static const struct option_row rows[] = {
	OPT_GROUP("What is recorded"),
	OPT_CALL_ON('e', "event", "EVENT", events, sampling_on_event, "event; see sonde list. Default: cycles, or cpu-clock without a PMU"),
	OPT_CALL_ON(0, "filter", "FILTER", events, sampling_on_filter, "only those of the last -e for which it holds: a tracepoint's fields, or ip, period, cpu..."),
	OPT_CALL_ON('F', "freq", "N|max", S, sampling_on_freq, "samples a second (default 4000)"),
	OPT_CALL_ON('c', "count", "N", S, sampling_on_period, "a sample every N events"),
	OPT_CALL_NEXT_ON('g', NULL, "[METHOD]", S, sampling_on_graph, sampling_is_method, "call chains: fp by default, or the method that follows"),
	OPT_CALL_OR_NO_ON(0, "call-graph", "METHOD", S, sampling_on_graph, "fp, dwarf[,BYTES] or lbr"),
	OPT_FLAG('b', "branch-any", branch_any, "taken branches with each sample"),
	OPT_CALL_ON('j', "branch-filter", "KINDS", S, sampling_on_branches, "these branches: any,u,k,any_call,any_ret,ind_call,cond,..."),
	OPT_FLAG('d', "data", S.address, "the address that was accessed"),
	OPT_FLAG('R', "raw-samples", S.raw, "the raw record of every event"),
	OPT_FLAG('s', "stat", S.per_thread_counts, "counts for each thread"),
	OPT_FLAG('W', "weight", S.weight, "the cost of the sampled access"),
	OPT_FLAG(0, "transaction", S.transaction, "transaction flags"),
	OPT_FLAG(0, "phys-data", S.phys_address, "physical data addresses"),
	OPT_FLAG(0, "data-page-size", S.data_page, "page size of the data address"),
	OPT_FLAG(0, "code-page-size", S.code_page, "page size of the code address"),
	OPT_CALL_ON('I', "intr-regs", "[REGS]", S.intr_regs, on_regs, "registers at the sample; -I? lists them"),
	OPT_CALL_ON(0, "user-regs", "[REGS]", S.user_regs, on_regs, "registers of user space"),
	OPT_FLAG(0, "running-time", S.running_time, "how long the events of {...}:S were counted"),
	OPT_FLAG(0, "group", group, "all events as one group"),
	OPT_FLAG(0, "sample-cpu", S.sample_cpu, "the CPU, also when a single process is recorded"),
	OPT_FLAG(0, "all-user", S.all_user, "user space only"),
	OPT_FLAG(0, "all-kernel", S.all_kernel, "the kernel only"),
	OPT_FLAG(0, "user-callchains", S.user_chains, "call chains of user space only"),
	OPT_FLAG(0, "kernel-callchains", S.kernel_chains, "call chains of the kernel only"),
	OPT_FLAG(0, "switch-events", S.switches, "context switches"),
	OPT_FLAG(0, "namespaces", S.namespaces, "namespaces of processes"),
	OPT_FLAG(0, "all-cgroups", S.cgroups, "cgroups of processes"),
	OPT_FLAG(0, "off-cpu", o.off_cpu, "how long threads waited, and where: the event offcpu-time"),
	OPT_FLAG('n', "no-samples", S.no_samples, "only what is not a sample: names, maps, threads"),
	OPT_FLAG(0, "strict-freq", S.strict_freq, "fail if -F is more than the kernel allows"),
	OPT_GROUP("Whom"),
	OPT_CALL_ON('p', "pid", "PIDS", target, sampling_on_target, "processes that run already"),
	OPT_CALL_ON('t', "tid", "TIDS", target, sampling_on_target, "threads"),
	OPT_STRING('u', "uid", "USER", user, "only this user's processes; with a command and no -a: run it as that user"),
	OPT_FLAG('a', "all-cpus", all_cpus, "everything"),
	OPT_CALL_ON('C', "cpu", "CPUS", target, sampling_on_target, "everything on these CPUs"),
	OPT_CALL_ON('G', "cgroup", "NAME", target, sampling_on_target, "only that cgroup, with -a or -C"),
	OPT_FLAG('i', "no-inherit", o.no_inherit, "not the children"),
	OPT_FLAG(0, "per-thread", o.per_thread, "one ring for each thread, no children"),
	OPT_FLAG(0, "exclude-perf", o.exclude_self, "no tracepoints of sonde itself"),
	OPT_CALL_OR_NO('D', "delay", "MS", on_delay, "begin so long after the start; spans: 10-20,30-40; -1: with --control"),
	OPT_STRING(0, "control", "fd:N|fifo:F", control_spec, "be told: enable, disable, snapshot, stop; [,ACK] for answers"),
	OPT_GROUP("The file"),
	OPT_STRING('o', "output", "FILE", o.output, "default perf.data; - writes to a pipe"),
	OPT_CALL_NEXT('z', "compression-level", "[LEVEL]", on_compress, is_level, "compress with zstd, level 1 to 22"),
	OPT_CALL(0, "max-size", "SIZE", on_max_size, "stop when it is so large: 100M"),
	OPT_FLAG(0, "no-disk-guard", o.no_disk_guard, "write until the disk is full"),
	OPT_FLAG(0, "kcore", kcore, "make a folder: the recording, and the kernel's code as it is now"),
	OPT_CALL(0, "switch-output", "[SIZE|TIME]", on_switch, "a new file on SIGUSR2, or after 100M or 30s"),
	OPT_CALL(0, "switch-output-event", "EVENT", on_switch_event, "a new file whenever that happens; it is not recorded itself"),
	OPT_INT(0, "switch-max-files", "N", o.switch_files, "keep the last N of them"),
	OPT_FLAG(0, "overwrite", S.overwrite, "flight recorder: keep the latest; SIGUSR2 writes a snapshot"),
	OPT_FLAG(0, "timestamp-filename", o.timestamp_name, "put the time into the file's name"),
	OPT_FLAG('B', "no-buildid", o.no_build_ids, "no build-ids"),
	OPT_FLAG(0, "buildid-mmap", S.build_id_maps, "the kernel puts build-ids into the records of maps"),
	OPT_CALL('k', "clockid", "CLOCK", on_clock, "monotonic (default), realtime, boottime, monotonic_raw, tai"),
	OPT_CALL_ON('m', "mmap-pages", "PAGES|SIZE", o.ring_bytes, sampling_on_ring, "size of each CPU's ring; default 8M as root"),
	OPT_FLAG(0, "no-buffering", S.wake_each, "write each event at once (slow)"),
	OPT_FLAG(0, "no-bpf-event", S.no_bpf, "no records about BPF programs"),
	OPT_INT('r', "realtime", "PRIORITY", o.realtime, "read the rings with this SCHED_FIFO priority"),
	OPT_CALL(0, "synth", "WHAT", on_synth, "of what was there before: no, task, mmap, cgroup, all"),
	OPT_FLAG(0, "dry-run", dry_run, "check the options and the events, record nothing"),
	OPT_FLAG('q', "quiet", o.quiet, "say nothing but errors"),
	OPT_VERBOSE("say more"),
	/* what perf needs to be told and sonde does anyway, or not at all */
	OPT_NEEDLESS('T', "timestamp", NULL, "samples always have a time"),
	OPT_NEEDLESS('P', "period", NULL, "samples have a period where it is not the same for all"),
	OPT_NEEDLESS('N', "no-buildid-cache", NULL, "sonde puts nothing into the cache unless asked: sonde buildid-cache -a"),
	OPT_NEEDLESS(0, "buildid-all", NULL, "all mapped binaries are listed"),
	OPT_NEEDLESS(0, "sample-identifier", NULL, "samples have one where there are several events"),
	OPT_NEEDLESS(0, "timestamp-boundary", NULL, "the header always has the times of the first and last sample"),
	OPT_NEEDLESS(0, "tail-synthesize", NULL, "snapshots always have the names and maps they need"),
	OPT_NEEDLESS(0, "proc-map-timeout", "MS", "there is no time limit on reading maps"),
	OPT_NEEDLESS(0, "num-thread-synthesize", "N", "one thread reads /proc"),
	OPT_NEEDLESS(0, "aio", "[N]", "the rings are large enough to write without it"),
	OPT_NEEDLESS(0, "affinity", "HOW", "the reader goes where there is time for it"),
	OPT_NEEDLESS(0, "mmap-flush", "SIZE", "rings are emptied when a quarter is full"),
	OPT_NEEDLESS(0, "threads", "[SPEC]", "one thread empties all rings, into one file"),
	OPT_NEEDLESS(0, "vmlinux", "FILE", "kernel symbols are looked up when a recording is read: sonde report -k FILE"),
	OPT_NEEDLESS(0, "debuginfod", "[URLS]", "debuginfo is fetched when a recording is read"),
	OPT_REFUSED('S', "snapshot", "[OPTS]", "there is no AUX area tracing (Intel PT, ARM SPE) in sonde",
		    "perf record -S does it; for the latest events of others: sonde record --overwrite, and SIGUSR2"),
	OPT_REFUSED(0, "aux-sample", "[OPTS]", "there is no AUX area tracing (Intel PT, ARM SPE) in sonde",
		    "perf record --aux-sample does it"),
	OPT_REFUSED(0, "setup-filter", "pin|unpin", "sonde leaves no BPF program behind for others",
		    "--filter on samples needs root, or cap_bpf and cap_perfmon; tracepoints are filtered without"),
	OPT_REFUSED(0, "clang-path", "PATH", "sonde does not compile BPF programs for events",
		    "compile it first; bpftool prog load attaches it"),
	OPT_REFUSED(0, "clang-opt", "OPTS", "sonde does not compile BPF programs for events",
		    "compile it first; bpftool prog load attaches it"),
	OPT_END(),
};
#undef S

static int check(struct record_options *rec, int n_left)
{
	struct target *t = &rec->target;
	if (sampling_check(&rec->o.sampling))
		return error_code();
	if (rec->o.sampling.overwrite && (!strcmp(rec->o.output, "-") || rec->o.compress))
		return error_set(EINVAL, "--overwrite writes snapshots to files: it goes with neither -o - nor -z");
	if (rec->o.off_cpu && rec->o.sampling.overwrite) {
		error_set(EINVAL, "--off-cpu sums up to the end, --overwrite keeps only the latest: they exclude each other");
		return error_hint("--off-cpu without --overwrite; --max-size and --switch-output bound the file too");
	}
	if (rec->o.switch_output && !strcmp(rec->o.output, "-"))
		return error_set(EINVAL, "--switch-output makes files: it does not go with -o -");
	if (rec->kcore && (!strcmp(rec->o.output, "-") || rec->o.switch_output || rec->o.sampling.overwrite)) {
		error_set(EINVAL, "--kcore makes a folder with one recording: it goes with neither -o - nor --switch-output nor --overwrite");
		return error_hint("names of the kernel's functions are in /proc/kallsyms without it");
	}
	if (rec->branch_any && !rec->o.sampling.branch)
		rec->o.sampling.branch = PERF_SAMPLE_BRANCH_ANY;
	for (size_t i = 1; i < rec->events.n && rec->group; i++)
		rec->events.at[i].group = 0;
	rec->o.switch_events = &rec->switch_events;
	rec->o.when_ms = rec->when.at;
	rec->o.n_when = rec->when.n;
	if (rec->control_spec && control_open(&rec->control, rec->control_spec))
		return error_code();
	rec->o.control = rec->control_spec ? &rec->control : NULL;
	t->system_wide = rec->all_cpus;
	if (rec->user && n_left && !rec->all_cpus) /* with -a it is the machine that is narrowed */
		rec->o.command_user = rec->user;
	else
		t->user = rec->user;
	if (!n_left && !target_given(t))
		t->system_wide = true; /* until it is stopped */
	return 0;
}

int cmd_record(int argc, char **argv)
{
	char **words = xcalloc(argc + 2, sizeof(*words));
	words[0] = (char *)"sonde";
	memcpy(words + 1, argv, argc * sizeof(*words)); /* as typed, for the file's header */
	char *folder = NULL;
	struct record_options rec = { .o = { .output = "perf.data", .sampling.clockid = CLOCK_MONOTONIC } };
	int n = options_parse(&rec, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG), code;
	if (n < 0) {
		code = error_code() && error_code() != -EINVAL ? error_print() : options_exit(n, usage);
	} else if (check(&rec, n)) {
		error_print();
		code = EXIT_USAGE;
	} else if (!rec.events.n && sampling_default_event(&rec.events)) {
		code = error_print();
	} else if (rec.dry_run) {
		code = 0;
	} else if (rec.kcore && record_folder(rec.o.output, &folder)) {
		code = error_print();
	} else {
		rec.o.output = folder ? folder : rec.o.output;
		sampling_set_cgroups(&rec.events, &rec.target);
		rec.o.argv = words;
		rec.o.command = n ? argv : NULL;
		code = recorder_run(&rec.o, &rec.events, &rec.target);
	}
	events_release(&rec.events);
	events_release(&rec.switch_events);
	target_release(&rec.target);
	vec_release(&rec.when);
	if (rec.o.control)
		control_close(rec.o.control);
	free(folder);
	free(words);
	return code;
}

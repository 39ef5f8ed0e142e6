// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "base/options.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "job/sched/locks.h"

struct lock_options {
	struct locks_job j;
	bool all, by_thread, by_lock, by_owner;
	int most;
};
#define OPTIONS struct lock_options

static const char *const usage[] = {
	"sonde lock contention [OPTIONS] COMMAND [ARGS]",
	"sonde lock contention [OPTIONS] -a | -p PID | --tid TID [-- COMMAND]",
	NULL,
};

static int on_target(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct lock_options *o = value;
	(void)unset;
	return opt->short_name == 'p' ? target_pids(&o->j.target, arg) : target_tids(&o->j.target, arg);
}

static int on_key(void *key, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return lock_field(arg, key);
}

static int on_fields(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct lock_table *t = &((struct lock_options *)value)->j.table;
	wordlist words = { 0 };
	int err = 0;
	(void)opt, (void)unset;
	wordlist_split(&words, arg, ',');
	t->n_fields = 0;
	vec_each(&words, w) {
		if (!err && t->n_fields == LOCK_N_FIELDS)
			err = error_set(EINVAL, "-F: each field once");
		if (!err)
			err = lock_field(*w, &t->field[t->n_fields++]);
	}
	wordlist_release(&words);
	return err;
}

static int on_types(void *types, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return lock_types(arg, types);
}

static int on_lock(void *lock, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	if (!parse_u64(arg, lock) && *(uint64_t *)lock)
		return 0;
	error_set(EINVAL, "-L: '%s' is not an address", arg);
	return error_hint("-l shows the addresses of locks: -L 0xffffffff82c1a0c0");
}

static const struct option_row rows[] = {
	OPT_GROUP("Whose waits"),
	OPT_FLAG('a', "all-cpus", all, "everybody's"),
	OPT_CALL('p', "pid", "PIDS", on_target, "of processes that run already"),
	OPT_CALL(0, "tid", "TIDS", on_target, "of threads"),
	OPT_FLAG(0, "no-inherit", j.no_inherit, "not the children's"),
	OPT_CALL_ON('Y', "type-filter", "LIST", j.types, on_types, "at locks of these types: spinlock, rwlock, rwsem, mutex, rwsem:R..."),
	OPT_CALL_ON('L', "lock-filter", "ADDRESS", j.only_lock, on_lock, "at that lock"),
	OPT_GROUP("The table"),
	OPT_FLAG('t', "threads", by_thread, "a row for each thread, not for each caller"),
	OPT_FLAG('l', "lock-addr", by_lock, "a row for each lock"),
	OPT_FLAG('o', "lock-owner", by_owner, "a row for each thread that had the lock (mutex, rwsem)"),
	OPT_CALL_ON('k', "key", "FIELD", j.table.key, on_key, "sort by contended, wait_total (the default), wait_max, wait_min, avg_wait"),
	OPT_CALL('F', "field", "LIST", on_fields, "fields to print (contended,wait_total,wait_max,avg_wait)"),
	OPT_INT('E', "entries", "N", most, "so many rows"),
	OPT_STRING('x', "field-separator", "SEP", j.table.separator, "with that between fields, times in ns"),
	OPT_STRING(0, "output", "FILE", j.output, "write there"),
	OPT_STRING(0, "vmlinux", "FILE", j.vmlinux, "the kernel's image, for its names"),
	OPT_STRING(0, "kallsyms", "FILE", j.kallsyms, "the kernel's symbol list"),
	OPT_FLAG('q', "quiet", j.quiet, "no warnings"),
	OPT_VERBOSE("the whole stack below each caller"),
	OPT_NEEDLESS('D', "dump-raw-trace", NULL, "no recording is read"),
	OPT_NEEDLESS('f', "force", NULL, "no recording is read"),
	OPT_NEEDLESS('b', "use-bpf", NULL, "it is always done by eBPF"),
	OPT_NEEDLESS('M', "map-nr-entries", "N", "there is room for 16384 rows, and what finds none is told"),
	OPT_NEEDLESS(0, "max-stack", "N", "stacks of 24 functions are kept"),
	OPT_NEEDLESS(0, "stack-skip", "N", "the functions of locks are left out by their names"),
	OPT_REFUSED('i', "input", "FILE", "waits are summed up as they happen, not read from a file", "perf lock contention -i reads recordings"),
	OPT_REFUSED('S', "callstack-filter", "NAME", "callers cannot be chosen", "sonde lock contention -v, and grep"),
	OPT_REFUSED('G', "cgroup-filter", "NAME", "cgroups cannot be chosen", "-p takes a list of processes"),
	OPT_REFUSED('g', "lock-cgroup", NULL, "there is no table by cgroup", "-t has a row for each thread"),
	OPT_REFUSED('C', "cpu", "LIST", "CPUs cannot be chosen", "-p and --tid choose processes and threads"),
	OPT_END(),
};

static int check(struct lock_options *o, int argc, char **argv)
{
	if (!argc || strcmp(argv[0], "contention")) {
		error_set(EINVAL, argc ? "lock: '%s' is none of its commands" : "lock: what of it?", argc ? argv[0] : "");
		return error_hint("sonde lock contention");
	}
	if (o->by_thread + o->by_lock + o->by_owner > 1) {
		error_set(EINVAL, "-t, -l and -o exclude each other");
		return error_hint("a row is of a thread, of a lock, or of its owner");
	}
	if (o->most < 0)
		return error_set(EINVAL, "-E: a number of rows");
	return 0;
}

/* contention's own options stand behind its name. */
static int parse(struct lock_options *o, int argc, char **argv)
{
	int n = options_parse(o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	int err = n < 0 ? n : check(o, n, argv);
	if (err)
		return err;
	n = options_parse(o, n, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	return n < 0 ? n : (err = check(o, 1, (char *[]){ (char *)"contention" })) ? err : n;
}

int cmd_lock(int argc, char **argv)
{
	struct lock_options o = { .j.table = { .key = LOCK_TOTAL, .n_fields = 4,
					       .field = { LOCK_CONTENDED, LOCK_TOTAL, LOCK_MAX, LOCK_AVG } } };
	int n = parse(&o, argc, argv), code;
	struct lock_table *t = &o.j.table;
	if (n < 0) {
		code = options_exit(n, usage);
	} else {
		t->by = o.by_thread ? LOCKWAIT_BY_THREAD : o.by_lock ? LOCKWAIT_BY_LOCK : o.by_owner ? LOCKWAIT_BY_OWNER : LOCKWAIT_BY_CALLER;
		t->most = (size_t)o.most;
		t->stacks = verbosity > 0 && t->by == LOCKWAIT_BY_CALLER;
		o.j.target.system_wide = o.all || (!n && !target_given(&o.j.target));
		code = locks_run(&o.j, n ? argv : NULL);
	}
	vec_release(&t->rows);
	target_release(&o.j.target);
	return code;
}

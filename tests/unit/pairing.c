// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries and exits become calls, in any order and with some of them lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "engine/pairing.h"

static int number(const char *name)
{
	int nr = -1;
	assert_non_null(syscall_named(ABI_NATIVE, name, &nr));
	return nr;
}

static struct pairing_at at(int pid, int tid, uint64_t time)
{
	return (struct pairing_at){ pid, tid, 3, time, PERF_SAMPLE_REGS_ABI_64 };
}

static bool enter(struct pairing *p, int pid, int tid, uint64_t time, const char *name, uint64_t first, struct sysevent *e)
{
	struct pairing_at a = at(pid, tid, time);
	uint64_t args[6] = { first, 11, 12, 13, 14, 15 };
	return pairing_enter(p, &a, number(name), args, e);
}

static bool leave(struct pairing *p, int pid, int tid, uint64_t time, const char *name, int64_t ret, struct sysevent *e)
{
	struct pairing_at a = at(pid, tid, time);
	return pairing_exit(p, &a, number(name), ret, e);
}

static bool ends(struct pairing *p, int pid, int tid, uint64_t time, struct sysevent *e)
{
	struct pairing_at a = at(pid, tid, time);
	return pairing_end(p, &a, e);
}

static void forks(struct pairing *p, int pid, int tid, int child_pid, int child_tid)
{
	struct pairing_at a = at(pid, tid, 50);
	struct sysevent e;
	assert_true(pairing_fork(p, &a, child_pid, child_tid, &e));
	assert_int_equal(e.type, SYS_FORK);
	assert_int_equal(e.child_pid, child_pid);
	assert_int_equal(e.child_tid, child_tid);
}

static void named(struct pairing *p, int pid, int tid, const char *name)
{
	struct pairing_at a = at(pid, tid, 40);
	struct sysevent e;
	assert_false(pairing_comm(p, &a, name, strlen(name) + 1, false, &e));
}

/* A /proc with some processes in it: 801 runs as user 5, 802 and 803 have ended, 804 is gone, 805 is stopped, 806 is ending. */
static char root[] = "/tmp/sonde-pairing-XXXXXX";

static void put(int pid, const char *file, const char *text)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/proc/%d", root, pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/%d/%s", root, pid, file);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* ---- calls ---- */

static void both_halves(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	named(p, 7, 8, "worker");
	assert_false(enter(p, 7, 8, 100, "read", 5, &e));
	assert_true(leave(p, 7, 8, 250, "read", 42, &e));
	assert_int_equal(e.type, SYS_CALL);
	assert_int_equal(e.nr, number("read"));
	assert_int_equal(e.abi, ABI_NATIVE);
	assert_int_equal(e.pid, 7);
	assert_int_equal(e.tid, 8);
	assert_int_equal(e.cpu, 3);
	assert_int_equal(e.enter_time, 100);
	assert_int_equal(e.time, 250);
	assert_int_equal(e.ret, 42);
	assert_int_equal(e.args[0], 5);
	assert_int_equal(e.args[5], 15);
	assert_true(e.args_known);
	assert_false(e.no_return);
	assert_string_equal(e.comm, "worker");
	pairing_free(p);
}

static void threads_do_not_mix(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	assert_false(enter(p, 7, 7, 100, "read", 1, &e));
	assert_false(enter(p, 7, 8, 110, "read", 2, &e));
	assert_false(enter(p, 9, 9, 120, "write", 3, &e));
	assert_true(leave(p, 7, 7, 130, "read", 10, &e));
	assert_int_equal(e.args[0], 1);
	assert_true(leave(p, 9, 9, 140, "write", 30, &e));
	assert_int_equal(e.args[0], 3);
	assert_int_equal(e.enter_time, 120);
	assert_true(leave(p, 7, 8, 150, "read", 20, &e));
	assert_int_equal(e.args[0], 2);
	assert_int_equal(e.ret, 20);
	pairing_free(p);
}

/* It was under way when the trace began: nothing is known but its end. */
static void end_without_beginning(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	assert_true(leave(p, 7, 7, 200, "read", -4, &e));
	assert_int_equal(e.type, SYS_RESUMED);
	assert_int_equal(e.nr, number("read"));
	assert_int_equal(e.ret, -4);
	assert_int_equal(e.enter_time, 0);
	assert_false(e.args_known);
	assert_false(e.seen_enter);
	/* a child's first return is no call of its own, its parent's is one */
	assert_false(leave(p, 8, 8, 210, "clone", 0, &e));
	assert_false(leave(p, 8, 8, 210, "fork", 0, &e));
	assert_true(leave(p, 7, 7, 220, "clone", 8, &e));
	/* the kernel has no such number at all: nothing to say */
	struct pairing_at a = at(7, 7, 230);
	assert_false(pairing_exit(p, &a, -1, 0, &e));
	pairing_free(p);
}

/* An end is lost: the next beginning counts. A beginning is lost: the end does not get the arguments of another call. */
static void halves_are_lost(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	assert_false(enter(p, 7, 7, 100, "read", 1, &e));
	assert_false(enter(p, 7, 7, 200, "read", 2, &e));
	assert_true(leave(p, 7, 7, 210, "read", 5, &e));
	assert_int_equal(e.type, SYS_CALL);
	assert_int_equal(e.enter_time, 200);
	assert_int_equal(e.args[0], 2);
	assert_false(enter(p, 7, 7, 300, "read", 3, &e));
	assert_true(leave(p, 7, 7, 400, "write", 6, &e));
	assert_int_equal(e.type, SYS_RESUMED);
	assert_int_equal(e.nr, number("write"));
	assert_int_equal(e.enter_time, 0);
	assert_false(e.args_known);
	assert_int_equal(e.args[0], 0);
	/* and the read is over, however it ended */
	assert_true(leave(p, 7, 7, 500, "read", 7, &e));
	assert_int_equal(e.type, SYS_RESUMED);
	assert_false(pairing_unfinished(p, &e));
	pairing_free(p);
}

static void numbers_that_change_on_the_way(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	/* an exec returns as the new program, which may be of the other abi */
	struct pairing_at a = { 7, 7, 0, 110, PERF_SAMPLE_REGS_ABI_32 };
	assert_false(enter(p, 7, 7, 100, "execve", 1, &e));
	assert_true(pairing_exit(p, &a, 11, 0, &e));
	assert_int_equal(e.type, SYS_CALL);
	assert_int_equal(e.nr, number("execve"));
	assert_int_equal(e.abi, ABI_NATIVE);
	/* rt_sigreturn has put the old number back */
	assert_false(enter(p, 7, 7, 200, "rt_sigreturn", 1, &e));
	a = at(7, 7, 210);
	assert_true(pairing_exit(p, &a, -1, 77, &e));
	assert_int_equal(e.nr, number("rt_sigreturn"));
	/* 32-bit calls are told apart by the caller's mode */
	a = (struct pairing_at){ 7, 7, 0, 300, PERF_SAMPLE_REGS_ABI_32 };
	assert_false(pairing_enter(p, &a, 3, (uint64_t[6]){ 9 }, &e));
	assert_true(pairing_exit(p, &a, 3, 1, &e));
	assert_int_equal(e.abi, ABI_32);
	pairing_free(p);
}

static void long_names(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at a = { 7, 7, 0, 100, 0 };
	struct sysevent e;
	(void)state;
	assert_true(pairing_comm(p, &a, "a-name-longer-than-the-kernel-has", 33, true, &e));
	assert_string_equal(e.comm, "a-name-longer-t");
	assert_true(pairing_comm(p, &a, "short", 2, true, &e)); /* no more than there is */
	assert_string_equal(e.comm, "sh");
	/* where nobody tells the mode, 64 bits */
	assert_false(pairing_enter(p, &a, 0, (uint64_t[6]){ 1 }, &e));
	assert_true(pairing_exit(p, &a, 0, 1, &e));
	assert_int_equal(e.abi, ABI_NATIVE);
	pairing_free(p);
}

/* ---- what is chosen ---- */

static void only_chosen_calls(void **state)
{
	struct sysset calls = { 0 }, silent = { 0 };
	struct engine_where tests[] = { { .nr = number("read"), .arg = 0, .op = WHERE_GT, .is_signed = true, .value = 3 },
					{ .nr = -1, .arg = 6, .op = WHERE_GE, .is_signed = true, .value = 0 } };
	struct engine_options o = { .calls = &calls, .silent = &silent, .where = tests, .n_where = 2 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	sysset_add_named(&calls, "read");
	sysset_add_named(&silent, "close");
	assert_false(enter(p, 7, 7, 100, "write", 5, &e));
	assert_false(leave(p, 7, 7, 110, "write", 5, &e)); /* not among them */
	assert_false(leave(p, 7, 7, 110, "write", 5, &e)); /* nor without a beginning */
	assert_false(enter(p, 7, 7, 200, "read", 3, &e));
	assert_false(leave(p, 7, 7, 210, "read", 5, &e)); /* the argument does not pass */
	assert_false(enter(p, 7, 7, 300, "read", 4, &e));
	assert_false(leave(p, 7, 7, 310, "read", -9, &e)); /* the result does not */
	assert_false(enter(p, 7, 7, 400, "read", 4, &e));
	assert_true(leave(p, 7, 7, 410, "read", 0, &e));
	assert_false(enter(p, 7, 7, 500, "close", 1, &e));
	assert_true(leave(p, 7, 7, 510, "close", -9, &e)); /* silent ones are told whatever the tests say */
	assert_false(enter(p, 7, 7, 600, "write", 5, &e));
	assert_false(pairing_unfinished(p, &e));
	pairing_free(p);
}

static void only_that_name(void **state)
{
	struct engine_options o = { .comm = "sh" };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at a = at(8, 8, 300);
	struct sysevent e;
	(void)state;
	named(p, 7, 7, "sh");
	named(p, 8, 8, "cat");
	assert_false(enter(p, 8, 8, 100, "read", 1, &e));
	assert_false(leave(p, 8, 8, 110, "read", 1, &e));
	assert_false(pairing_signal(p, &a, SIGUSR1, 0, false, &e));
	assert_false(enter(p, 7, 7, 100, "read", 1, &e));
	assert_true(leave(p, 7, 7, 110, "read", 1, &e));
	/* a child has its parent's name, until it execs */
	forks(p, 7, 7, 9, 9);
	assert_false(enter(p, 9, 9, 120, "read", 1, &e));
	assert_true(leave(p, 9, 9, 130, "read", 1, &e));
	named(p, 9, 9, "a-name-longer-than-the-kernel-has");
	assert_false(enter(p, 9, 9, 140, "read", 1, &e));
	assert_false(leave(p, 9, 9, 150, "read", 1, &e));
	pairing_free(p);
}

/* The command is shown from its exec on: what sonde's own child does before is not its. */
static void command_from_its_exec(void **state)
{
	struct workload w = { .pid = 1 << 30 };
	struct engine_options o = { .workload = &w };
	struct pairing *p = pairing_new(&o, true);
	struct sysevent e;
	(void)state;
	assert_false(enter(p, w.pid, w.pid, 100, "read", 1, &e));
	assert_false(leave(p, w.pid, w.pid, 110, "read", 1, &e));
	assert_false(enter(p, w.pid, w.pid, 120, "execve", 1, &e));
	assert_true(leave(p, w.pid, w.pid, 130, "execve", 0, &e));
	assert_false(enter(p, w.pid, w.pid, 140, "read", 1, &e));
	assert_true(leave(p, w.pid, w.pid, 150, "read", 1, &e));
	pairing_free(p);
}

/* ... also when its exec is not among the chosen calls: the new name tells. */
static void command_whose_exec_is_not_chosen(void **state)
{
	struct workload w = { .pid = 1 << 30 };
	struct sysset calls = { 0 };
	struct engine_options o = { .workload = &w, .calls = &calls };
	struct pairing *p = pairing_new(&o, true);
	struct pairing_at a = at(w.pid, w.pid, 120), other = at(9, 9, 120);
	struct sysevent e;
	(void)state;
	sysset_add_named(&calls, "read");
	assert_false(enter(p, w.pid, w.pid, 100, "read", 1, &e));
	assert_false(leave(p, w.pid, w.pid, 110, "read", 1, &e));
	assert_false(pairing_comm(p, &a, "ls", 3, true, &e)); /* no line of its own: it is the command's beginning */
	assert_true(pairing_comm(p, &other, "ls", 3, true, &e));
	assert_true(pairing_comm(p, &a, "ls", 3, true, &e)); /* the next one has one */
	assert_false(enter(p, w.pid, w.pid, 140, "read", 1, &e));
	assert_true(leave(p, w.pid, w.pid, 150, "read", 1, &e));
	pairing_free(p);
}

/* -u: who becomes another user is in or out from then on, if the call succeeds. */
static void users(void **state)
{
	struct engine_options o = { .has_uid = true, .uid = 5 };
	struct pairing *p = pairing_new(&o, true);
	struct sysevent e;
	(void)state;
	assert_false(enter(p, 700, 700, 100, "read", 1, &e)); /* nobody knows whose it is: out */
	assert_false(leave(p, 700, 700, 110, "read", 1, &e));
	assert_false(enter(p, 700, 700, 120, "setuid", 5, &e));
	assert_false(leave(p, 700, 700, 130, "setuid", -1, &e));
	assert_false(enter(p, 700, 700, 140, "read", 1, &e)); /* it failed */
	assert_false(leave(p, 700, 700, 150, "read", 1, &e));
	assert_false(enter(p, 700, 700, 160, "setuid", 5, &e));
	assert_false(leave(p, 700, 700, 170, "setuid", 0, &e)); /* the call itself was still another's */
	assert_false(enter(p, 700, 700, 180, "read", 1, &e));
	assert_true(leave(p, 700, 700, 190, "read", 1, &e));
	assert_false(enter(p, 700, 700, 200, "setreuid", UINT32_MAX, &e)); /* -1: as it is */
	assert_true(leave(p, 700, 700, 210, "setreuid", 0, &e));
	forks(p, 700, 700, 701, 701); /* children are what their parents are */
	assert_false(enter(p, 701, 701, 220, "setuid", 6, &e));
	assert_true(leave(p, 701, 701, 230, "setuid", 0, &e));
	assert_false(enter(p, 701, 701, 240, "read", 1, &e));
	assert_false(leave(p, 701, 701, 250, "read", 1, &e));
	struct pairing_at out = at(701, 701, 260);
	assert_false(pairing_fork(p, &out, 702, 702, &e)); /* and what those who are out do is not shown */
	assert_false(enter(p, 702, 702, 270, "read", 1, &e));
	assert_false(leave(p, 702, 702, 280, "read", 1, &e));
	assert_false(ends(p, 702, 702, 290, &e));
	/* /proc tells of one that was there before */
	assert_false(enter(p, 801, 801, 100, "read", 1, &e));
	assert_true(leave(p, 801, 801, 110, "read", 1, &e));
	assert_string_equal(e.comm, "five");
	pairing_free(p);
}

static void children_left_alone(void **state)
{
	struct engine_options o = { .no_follow = true };
	struct pairing *p = pairing_new(&o, true);
	struct pairing_at a = at(7, 7, 100);
	struct sysevent e;
	(void)state;
	assert_false(pairing_fork(p, &a, 8, 8, &e));
	pairing_free(p);
	p = pairing_new(&o, false); /* a recording has what it has */
	assert_true(pairing_fork(p, &a, 8, 8, &e));
	pairing_free(p);
}

static void strangers(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	uint64_t raw[8] = { 0, number("getpid") };
	struct { struct perf_event_header h; uint32_t id[4]; } birth = { { PERF_RECORD_FORK, 0, sizeof(birth) }, { 7, 7, 8, 7 } };
	struct pairing_at known = at(7, 7, 100), child = at(7, 8, 100), other = at(9, 9, 100);
	struct sysevent e;
	(void)state;
	named(p, 7, 7, "known");
	pairing_ignore_strangers(p);
	assert_false(pairing_sample(p, PAIR_EXIT, &other, raw, sizeof(raw), NULL, &e));
	assert_true(pairing_sample(p, PAIR_EXIT, &known, raw, sizeof(raw), NULL, &e));
	assert_false(pairing_sample(p, PAIR_EXIT, &child, raw, sizeof(raw), NULL, &e));
	assert_true(pairing_task(p, &birth.h, 150, &e)); /* born to one that is known */
	assert_true(pairing_sample(p, PAIR_EXIT, &child, raw, sizeof(raw), NULL, &e));
	birth.id[1] = birth.id[3] = 9;
	assert_false(pairing_task(p, &birth.h, 160, &e));
	pairing_free(p);
}

/* ---- ends ---- */

static void exits(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	named(p, 7, 9, "third");
	assert_true(enter(p, 7, 8, 100, "exit", 3, &e));
	assert_true(e.no_return);
	assert_int_equal(e.type, SYS_CALL);
	assert_true(ends(p, 7, 8, 110, &e));
	assert_int_equal(e.type, SYS_EXIT);
	assert_int_equal(e.exit_code, 3);
	assert_false(e.group_exit);
	assert_true(enter(p, 7, 7, 200, "exit_group", 0x105, &e)); /* one byte of it counts */
	assert_true(ends(p, 7, 9, 210, &e));
	assert_int_equal(e.exit_code, 5); /* for all threads */
	assert_true(ends(p, 7, 7, 220, &e));
	assert_int_equal(e.exit_code, 5);
	assert_true(e.group_exit);
	/* a process that comes to the same number is another one */
	named(p, 1, 1, "init");
	forks(p, 1, 1, 7, 7);
	assert_true(ends(p, 7, 7, 300, &e));
	assert_int_equal(e.exit_code, -1);
	assert_int_equal(e.sig, 0);
	assert_false(pairing_unfinished(p, &e));
	pairing_free(p);
}

static void killed(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at a = at(7, 8, 100), b = at(7, 7, 100);
	struct sysevent e;
	(void)state;
	assert_true(pairing_signal(p, &a, SIGTERM, 0, true, &e));
	assert_int_equal(e.type, SYS_SIGNAL);
	assert_int_equal(e.sig, SIGTERM);
	assert_false(pairing_signal(p, &b, SIGKILL, 0, true, &e)); /* how the kernel carries it out on the others */
	assert_true(ends(p, 7, 7, 200, &e));
	assert_int_equal(e.sig, SIGTERM);
	assert_true(ends(p, 7, 8, 200, &e));
	assert_int_equal(e.sig, SIGTERM);
	/* one that is caught, or does nothing by default, ends nobody */
	struct pairing_at c = at(9, 9, 300);
	assert_true(pairing_signal(p, &c, SIGTERM, 0, false, &e));
	assert_true(pairing_signal(p, &c, SIGCHLD, 1, true, &e));
	assert_int_equal(e.sig_code, 1);
	assert_true(pairing_signal(p, &c, SIGTSTP, 0, true, &e));
	assert_true(e.stops);
	assert_true(ends(p, 9, 9, 310, &e));
	assert_int_equal(e.sig, 0);
	assert_int_equal(e.exit_code, -1);
	pairing_free(p);
}

/* What nobody saw: the parent will be told, and so can we. */
static void ends_that_proc_knows(void **state)
{
	struct workload w = { .pid = 900 };
	struct engine_options o = { .workload = &w };
	struct pairing *p = pairing_new(&o, true);
	struct sysevent e;
	(void)state;
	assert_true(ends(p, 802, 802, 100, &e)); /* a zombie with 3 << 8 */
	assert_int_equal(e.exit_code, 3);
	assert_true(ends(p, 803, 803, 100, &e)); /* with a signal */
	assert_int_equal(e.sig, SIGSEGV);
	assert_true(ends(p, 801, 801, 100, &e)); /* it runs */
	assert_int_equal(e.exit_code, -1);
	assert_true(ends(p, 805, 805, 100, &e)); /* stopped: its last number is no status */
	assert_int_equal(e.exit_code, -1);
	assert_true(ends(p, 806, 806, 100, &e)); /* on its way to being a zombie */
	assert_int_equal(e.sig, SIGTERM);
	assert_true(ends(p, 804, 804, 100, &e)); /* gone */
	assert_int_equal(e.exit_code, -1);
	w.reaped = true;
	w.status = 7 << 8;
	assert_true(ends(p, 900, 900, 100, &e));
	assert_int_equal(e.exit_code, 7);
	assert_true(ends(p, 804, 804, 100, &e)); /* not the command */
	assert_int_equal(e.exit_code, -1);
	pairing_free(p);
}

/* A thread that is not the leader execs: the kernel ends the others, and it goes on with the leader's number. */
static void exec_of_a_thread(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at leader = at(7, 7, 130);
	struct sysevent e;
	(void)state;
	named(p, 7, 7, "old");
	named(p, 7, 8, "old");
	assert_false(enter(p, 7, 7, 90, "read", 1, &e));
	assert_false(enter(p, 7, 8, 100, "execve", 6, &e));
	named(p, 7, 9, "old");
	assert_true(ends(p, 7, 9, 110, &e)); /* ended for the exec: with 0 */
	assert_int_equal(e.exit_code, 0);
	assert_false(ends(p, 7, 7, 120, &e)); /* its number goes on: no end to be shown */
	named(p, 6, 6, "else");
	assert_true(ends(p, 6, 6, 120, &e)); /* another process's does not */
	assert_int_equal(e.exit_code, -1);
	assert_true(pairing_comm(p, &leader, "new", 4, true, &e));
	assert_int_equal(e.type, SYS_EXEC);
	assert_int_equal(e.tid, 7);
	assert_int_equal(e.old_tid, 8);
	assert_string_equal(e.comm, "new");
	assert_true(leave(p, 7, 7, 140, "execve", 0, &e));
	assert_int_equal(e.type, SYS_CALL);
	assert_int_equal(e.enter_time, 100);
	assert_int_equal(e.args[0], 6);
	assert_false(pairing_unfinished(p, &e)); /* the read went with its thread */
	pairing_free(p);
}

/* ---- under way ---- */

static void told_once(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	(void)state;
	assert_false(enter(p, 7, 7, 100, "read", 1, &e));
	assert_false(enter(p, 8, 8, 200, "poll", 2, &e));
	assert_true(pairing_waiting(p, 150, &e)); /* the other is too young */
	assert_int_equal(e.type, SYS_UNFINISHED);
	assert_int_equal(e.tid, 7);
	assert_int_equal(e.enter_time, 100);
	assert_int_equal(e.args[0], 1);
	assert_false(pairing_waiting(p, 150, &e));
	assert_true(leave(p, 7, 7, 300, "read", 9, &e));
	assert_int_equal(e.type, SYS_RESUMED);
	assert_true(e.seen_enter);
	assert_int_equal(e.enter_time, 100);
	assert_true(pairing_unfinished(p, &e));
	assert_int_equal(e.tid, 8);
	assert_false(pairing_unfinished(p, &e));
	pairing_free(p);
}

/* In it when we came: /proc is asked before the events come and after, and only if it says the same is the call still
 * that one. */
static void under_way_before(void **state)
{
	static const char *const later[] = { "0 0x3 0x1000 0x20 0x0 0x0 0x0 0x7ffd 0x401000\n", "running\n", "1 0x3 0x1000 0x20 0x0 0x0 0x0 0x7ffd 0x401000\n",
					     "0 0x4 0x1000 0x20 0x0 0x0 0x0 0x7ffd 0x401000\n" };
	struct sysevent e;
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct engine_options o = { .string_limit = 32, .path_limit = 4096 };
		struct pairing *p = pairing_new(&o, true);
		put(801, "syscall", later[0]);
		pairing_know(p, 801, 801);
		assert_false(pairing_unfinished(p, &e)); /* not before it is sure that its end will be seen */
		put(801, "syscall", later[i]);
		pairing_know(p, 801, 801);
		if (!i) {
			assert_true(pairing_waiting(p, 0, &e));
			assert_int_equal(e.type, SYS_UNFINISHED);
			assert_int_equal(e.nr, number("read"));
			assert_int_equal(e.args[0], 3);
			assert_int_equal(e.args[2], 0x20);
			assert_int_equal(e.enter_time, 0);
			assert_true(leave(p, 801, 801, 200, "read", 5, &e));
			assert_int_equal(e.type, SYS_RESUMED);
			assert_true(e.seen_enter && e.args_known);
		}
		assert_false(pairing_unfinished(p, &e));
		pairing_free(p);
	}
	put(801, "syscall", later[0]);
	struct sysset calls = { 0 };
	struct engine_options o = { .calls = &calls };
	struct pairing *p = pairing_new(&o, true);
	pairing_know(p, 801, 801);
	pairing_know(p, 801, 801);
	assert_false(pairing_unfinished(p, &e)); /* not chosen */
	assert_true(pairing_busy(p));
	pairing_free(p);
	p = pairing_new(&o, true);
	named(p, 804, 804, "gone");
	assert_false(pairing_busy(p));
	pairing_free(p);
}

/* ---- paths ---- */

static const struct copied *copy_of(const struct sysevent *e, int arg)
{
	for (unsigned i = 0; i < e->n_copied; i++)
		if (e->copied[i].arg == arg)
			return &e->copied[i];
	return NULL;
}

static void paths(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at a = at(7, 7, 105);
	struct sysevent e;
	(void)state;
	pairing_path(p, &a, "/nowhere", 8, 0); /* in no call: whose should it be? */
	assert_false(enter(p, 7, 7, 100, "openat", 1, &e));
	pairing_path(p, &a, "/etc/passwd", 11, 0);
	for (int i = 0; i < 10; i++)
		pairing_path(p, &a, "/more", 5, 0);
	assert_true(leave(p, 7, 7, 110, "openat", 3, &e));
	assert_string_equal((const char *)copy_of(&e, 1)->data, "/etc/passwd");
	assert_int_equal(copy_of(&e, 1)->len, 12);
	/* the next call has none */
	assert_false(enter(p, 7, 7, 120, "openat", 1, &e));
	assert_true(leave(p, 7, 7, 130, "openat", 4, &e));
	assert_int_equal(e.n_copied, 0);
	/* of two names the order is the compiler's: only their addresses tell */
	assert_false(enter(p, 7, 7, 140, "rename", 10, &e));
	pairing_path(p, &a, "/new", 4, 0);
	pairing_path(p, &a, "/old", 4, 0);
	assert_true(leave(p, 7, 7, 150, "rename", 0, &e));
	assert_int_equal(e.n_copied, 0);
	assert_false(enter(p, 7, 7, 160, "rename", 10, &e));
	pairing_path(p, &a, "/new", 4, 11);
	pairing_path(p, &a, "/old", 4, 10);
	assert_true(leave(p, 7, 7, 170, "rename", 0, &e));
	assert_string_equal((const char *)copy_of(&e, 0)->data, "/old");
	assert_string_equal((const char *)copy_of(&e, 1)->data, "/new");
	/* of one path and another string the path is the first */
	assert_false(enter(p, 7, 7, 180, "setxattr", 10, &e));
	pairing_path(p, &a, "/file", 5, 0);
	assert_true(leave(p, 7, 7, 190, "setxattr", 0, &e));
	assert_int_equal(e.n_copied, 1);
	assert_string_equal((const char *)copy_of(&e, 0)->data, "/file");
	pairing_free(p);
}

/* ---- records ---- */

/* Every length, each in room of its own: what is read beyond it, the sanitizer sees. */
static void short_records(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at a = at(7, 7, 100);
	struct pairing_fields where = { .path = 8, .user = 16 };
	struct sysevent e;
	(void)state;
	assert_false(enter(p, 7, 7, 100, "openat", 1, &e));
	for (size_t n = 0; n <= 64; n++) {
		uint8_t *raw = malloc(n ? n : 1);
		memset(raw, 0xff, n);
		for (enum pairing_source s = PAIR_SIGNAL; s <= PAIR_NONE; s++)
			pairing_sample(p, s, &a, raw, n, &where, &e);
		assert_int_equal(pairing_sample(p, PAIR_EXIT, &a, raw, n, &where, &e), false); /* no such number, or too short */
		assert_false(pairing_sample(p, PAIR_ENTER, &a, raw, n, &where, &e));
		free(raw);
	}
	for (size_t n = sizeof(struct perf_event_header); n <= 64; n++) {
		struct perf_event_header *h = malloc(n);
		memset(h, 'x', n); /* a name without an end */
		h->size = n;
		for (h->type = 0; h->type < PERF_RECORD_MAX; h->type++)
			pairing_task(p, h, 100, &e);
		free(h);
	}
	pairing_free(p);
}

static void whole_records(void **state)
{
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct pairing_at a = at(7, 7, 100), b = at(7, 7, 200);
	uint64_t in[8] = { 0, number("openat"), 1, 2, 3, 4, 5, 6 }, out[3] = { 0, number("openat"), -2ull };
	struct { uint64_t common; uint32_t loc, pad; uint64_t user; char path[8]; } name = { 0, 24 | 7u << 16, 0, 2, "/a/path" };
	struct { uint64_t common; int32_t sig, err, code, pad; uint64_t handler; } sig = { 0, SIGHUP, 0, -6, 0, 0 };
	struct pairing_fields where = { .path = 8, .user = 16 };
	struct sysevent e;
	(void)state;
	assert_false(pairing_sample(p, PAIR_ENTER, &a, in, sizeof(in), NULL, &e));
	assert_false(pairing_sample(p, PAIR_PATH, &a, &name, sizeof(name), &where, &e));
	assert_true(pairing_sample(p, PAIR_EXIT, &b, out, sizeof(out), NULL, &e));
	assert_int_equal(e.ret, -2);
	assert_int_equal(e.args[5], 6);
	assert_string_equal((const char *)copy_of(&e, 1)->data, "/a/path");
	assert_true(pairing_sample(p, PAIR_SIGNAL, &a, &sig, sizeof(sig), NULL, &e));
	assert_int_equal(e.sig, SIGHUP);
	assert_int_equal(e.sig_code, -6);
	/* signal_generate of one that is ignored: its sender tells, about another */
	struct { uint64_t common; int32_t sig, err, code; char comm[16]; int32_t tid, group, result; } ignored = { 0, SIGWINCH, 0, 128, "sh", 9, 1, 1 };
	assert_false(pairing_sample(p, PAIR_GENERATED, &a, &ignored, sizeof(ignored), NULL, &e)); /* nobody's of ours */
	named(p, 9, 9, "sh");
	assert_true(pairing_sample(p, PAIR_GENERATED, &a, &ignored, sizeof(ignored), NULL, &e));
	assert_int_equal(e.tid, 9);
	assert_int_equal(e.sig, SIGWINCH);
	assert_int_equal(e.sig_code, 128);
	/* and of one that ends it: what is delivered is SIGKILL, and the parent has reaped it before anybody looks */
	ignored.sig = SIGTERM, ignored.result = 0;
	assert_false(pairing_sample(p, PAIR_GENERATED, &a, &ignored, sizeof(ignored), NULL, &e));
	sig.sig = SIGKILL;
	struct pairing_at nine = { 9, 9, -1, 250, 0 };
	assert_false(pairing_sample(p, PAIR_SIGNAL, &nine, &sig, sizeof(sig), NULL, &e));
	assert_true(pairing_end(p, &nine, &e));
	assert_int_equal(e.sig, SIGTERM);
	/* a path whose record ends before it does, and one without the user's pointer */
	assert_false(pairing_sample(p, PAIR_ENTER, &a, in, sizeof(in), NULL, &e));
	where.user = 0;
	assert_false(pairing_sample(p, PAIR_PATH, &a, &name, 28, &where, &e));
	assert_true(pairing_sample(p, PAIR_EXIT, &b, out, sizeof(out), NULL, &e));
	assert_string_equal((const char *)copy_of(&e, 1)->data, "/a/p");
	/* task records: pid, ppid, tid, ptid, or pid, tid, name */
	struct { struct perf_event_header h; int32_t id[2]; char name[8]; } renamed = { { PERF_RECORD_COMM, 0, sizeof(renamed) }, { 20, 21 }, "late" };
	struct { struct perf_event_header h; int32_t id[4]; } end = { { PERF_RECORD_EXIT, 0, sizeof(end) }, { 20, 1, 21, 1 } };
	assert_false(pairing_task(p, &renamed.h, 300, &e));
	assert_true(pairing_task(p, &end.h, 400, &e));
	assert_int_equal(e.type, SYS_EXIT);
	assert_int_equal(e.pid, 20);
	assert_int_equal(e.tid, 21);
	assert_int_equal(e.time, 400);
	assert_string_equal(e.comm, "late");
	renamed.h.misc = PERF_RECORD_MISC_COMM_EXEC;
	assert_true(pairing_task(p, &renamed.h, 500, &e));
	assert_int_equal(e.type, SYS_EXEC);
	renamed.h.type = PERF_RECORD_MMAP;
	assert_false(pairing_task(p, &renamed.h, 600, &e));
	pairing_free(p);
}

/* Many threads, some halves lost: what comes out of a thread is its own, and never older than its last beginning. */
static void any_order(void **state)
{
	enum { THREADS = 5, STEPS = 20000 };
	static const char *const names[] = { "read", "write", "openat", "close" };
	struct { bool in; int call; uint64_t begun, arg; bool lost; } t[THREADS] = { 0 };
	struct engine_options o = { 0 };
	struct pairing *p = pairing_new(&o, false);
	struct sysevent e;
	unsigned whole = 0, resumed = 0;
	(void)state;
	srand(1);
	for (uint64_t now = 1; now < STEPS; now++) {
		int i = rand() % THREADS;
		bool lost = rand() % 20 == 0;
		if (!t[i].in) {
			int call = rand() % 4;
			t[i].in = true;
			if (!lost)
				assert_false(enter(p, 1, i + 1, now, names[call], now, &e));
			t[i].lost = lost;
			t[i].call = call;
			if (!lost) {
				t[i].begun = now;
				t[i].arg = now;
			}
			continue;
		}
		t[i].in = false;
		if (lost)
			continue;
		assert_true(leave(p, 1, i + 1, now, names[t[i].call], (int64_t)now, &e)); /* every end comes out */
		assert_int_equal(e.tid, i + 1);
		assert_int_equal(e.nr, number(names[t[i].call]));
		assert_int_equal(e.ret, now);
		assert_int_equal(e.type, e.args_known ? SYS_CALL : SYS_RESUMED);
		if (!t[i].lost)
			assert_true(e.args_known);
		if (e.args_known) {
			assert_int_equal(e.enter_time, t[i].begun);
			assert_int_equal(e.args[0], t[i].arg);
		}
		whole += e.args_known;
		resumed += !e.args_known;
	}
	assert_true(whole > STEPS / 3);
	assert_true(resumed > 100);
	pairing_free(p);
}

static int make_proc(void **state)
{
	char path[128];
	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/proc", root);
	assert_int_equal(mkdir(path, 0700), 0);
	put(801, "comm", "five\n");
	put(801, "status", "Name:\tfive\nUid:\t5\t5\t5\t5\n");
	put(801, "stat", "801 (five) S 1 1 1 0 -1 0 0");
	put(802, "stat", "802 (a) R b) Z 1 1 1 0 -1 0 768");
	put(803, "stat", "803 (x) Z 1 1 1 0 -1 0 139");
	put(805, "stat", "805 (t) T 1 1 1 0 -1 0 19");
	put(806, "stat", "806 (e) R 1 1 1 0 -1 0 15");
	return setenv("SONDE_KERNEL_ROOT", root, 1);
}

static int remove_proc(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_halves), cmocka_unit_test(threads_do_not_mix), cmocka_unit_test(end_without_beginning),
		cmocka_unit_test(halves_are_lost), cmocka_unit_test(long_names), cmocka_unit_test(numbers_that_change_on_the_way), cmocka_unit_test(only_chosen_calls),
		cmocka_unit_test(only_that_name), cmocka_unit_test(command_from_its_exec), cmocka_unit_test(command_whose_exec_is_not_chosen),
		cmocka_unit_test(users), cmocka_unit_test(children_left_alone), cmocka_unit_test(strangers), cmocka_unit_test(ends_that_proc_knows),
		cmocka_unit_test(exits), cmocka_unit_test(killed), cmocka_unit_test(exec_of_a_thread), cmocka_unit_test(told_once), cmocka_unit_test(under_way_before),
		cmocka_unit_test(paths), cmocka_unit_test(short_records), cmocka_unit_test(whole_records), cmocka_unit_test(any_order),
	};
	return cmocka_run_group_tests_name("pairing", tests, make_proc, remove_proc);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a trace in their three forms, of made-up events: what is written, when, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../json_reader.h"
#include "base/file.h"
#include "syscall/fdstate.h"
#include "ui/trace/view.h"

#define MS 1000000ull
static struct out out; /* never flushed: its buffer has the lines */
static struct trace_view_options opt;
static unsigned effects;

static void on_effect(void *ctx, const struct sysevent *e)
{
	(void)ctx;
	(void)e;
	effects++;
}

static void view(enum trace_form form)
{
	out_fd(&out, -1, "memory");
	opt = (struct trace_view_options){ .form = form, .style = { .strace = form == TRACE_STRACE, .string_limit = 32 },
					   .takes_effect = on_effect };
	effects = 0;
}

static void done(struct trace_view *v)
{
	trace_view_free(v);
	str_release(&out.buf);
	free(out.name);
}

static void shown(const char *text)
{
	if (strcmp(out.buf.buf ? out.buf.buf : "", text))
		print_error("--- is\n%s--- should be\n%s", out.buf.buf ? out.buf.buf : "", text);
	assert_string_equal(out.buf.buf ? out.buf.buf : "", text);
	str_clear(&out.buf);
}

/* getppid() of a thread: no arguments, nothing to name. */
static struct sysevent call(int tid, uint64_t from, uint64_t to)
{
	return (struct sysevent){ .type = SYS_CALL, .pid = 7, .tid = tid, .cpu = 1, .enter_time = from, .time = to, .comm = "sh", .nr = 110,
				  .ret = 1, .args_known = true };
}

static struct sysevent waits(int tid, uint64_t from, uint64_t at)
{
	struct sysevent e = call(tid, from, at);
	e.type = SYS_UNFINISHED;
	return e;
}

static struct sysevent returns(int tid, uint64_t from, uint64_t to)
{
	struct sysevent e = call(tid, from, to);
	e.type = SYS_RESUMED;
	e.seen_enter = true;
	return e;
}

static int show(struct trace_view *v, struct sysevent e)
{
	return trace_view_event(v, &e);
}

#define PERF(time, took, what) time " (" took "): " what "\n"
#define GETPPID "getppid()                                                             = 1"
#define S_GETPPID "getppid()                               = 1\n"

/* ---- one line ---- */

static void a_call(void **state)
{
	(void)state;
	view(TRACE_PERF);
	struct trace_view *v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, call(7, 5 * MS, 5 * MS + 2500)), 1);
	shown(PERF("     0.000", " 0.002 ms", GETPPID));
	show(v, call(7, 1005 * MS, 2015 * MS + 1000));
	shown(PERF("  1000.000", "1010.001 ms", GETPPID));
	show(v, call(7, 0, 2016 * MS)); /* nobody saw it begin */
	shown(PERF("         ?", "         ", GETPPID));
	assert_int_equal(effects, 3);
	done(v);

	view(TRACE_STRACE);
	opt.durations = true;
	opt.digits.durations = 6;
	v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, call(7, 5 * MS, 5 * MS + 2500)), 1);
	shown("getppid()                               = 1 <0.000002>\n");
	struct sysevent e = call(7, 6 * MS, 6 * MS);
	e.nr = 231;
	e.no_return = true;
	show(v, e);
	shown("exit_group(0)                           = ?\n"); /* it takes no time that could be told */
	done(v);

	view(TRACE_JSON);
	v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, call(7, 5 * MS, 5 * MS + 2500)), 1);
	shown("{\"schema\":1,\"type\":\"syscall\",\"time\":5002500,\"pid\":7,\"tid\":7,\"comm\":\"sh\",\"cpu\":1,\"enter\":5000000,"
	      "\"duration\":2500,\"syscall\":\"getppid\",\"nr\":110,\"args\":{},\"ret\":1}\n");
	show(v, call(7, 0, 6 * MS)); /* the schema is told once */
	shown("{\"type\":\"syscall\",\"time\":6000000,\"pid\":7,\"tid\":7,\"comm\":\"sh\",\"cpu\":1,\"syscall\":\"getppid\",\"nr\":110,"
	      "\"args\":{},\"ret\":1}\n");
	done(v);
}

static void other_modes(void **state)
{
	(void)state;
	struct sysevent narrow = call(7, 5 * MS, 5 * MS), wide = call(7, 6 * MS, 6 * MS);
	narrow.abi = ABI_32;
	narrow.nr = 64;
	view(TRACE_PERF);
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, narrow);
	shown(PERF("     0.000", " 0.000 ms", "[32-bit] getppid()                                                    = 1"));
	done(v);
	view(TRACE_STRACE);
	v = trace_view_new(&opt, &out);
	show(v, wide);
	show(v, narrow);
	show(v, narrow);
	show(v, wide);
	shown(S_GETPPID "[ Process PID=7 runs in 32 bit mode. ]\n" S_GETPPID S_GETPPID "[ Process PID=7 runs in 64 bit mode. ]\n" S_GETPPID);
	done(v);
	view(TRACE_STRACE);
	opt.no_modes = true;
	v = trace_view_new(&opt, &out);
	show(v, narrow);
	shown(S_GETPPID);
	done(v);
}

static void times(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	view(TRACE_PERF);
	opt.absolute = true;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, call(7, 12345 * 1000, 12345 * 1000));
	shown(PERF("    12.345", " 0.000 ms", GETPPID));
	done(v);
	view(TRACE_PERF);
	opt.base = 10 * MS; /* of a recording's start; nothing is before it */
	v = trace_view_new(&opt, &out);
	show(v, call(7, 15 * MS, 15 * MS));
	show(v, call(7, 5 * MS, 5 * MS));
	shown(PERF("     5.000", " 0.000 ms", GETPPID) PERF("     0.000", " 0.000 ms", GETPPID));
	done(v);
	view(TRACE_STRACE);
	opt.clock = CLOCK_OF_DAY;
	opt.wall = 86400ull * 1000 * MS;
	opt.digits.clock = 3;
	opt.since_last = true;
	opt.digits.since = 2;
	v = trace_view_new(&opt, &out);
	show(v, call(7, 3661ull * 1000 * MS + 5 * MS, 3662ull * 1000 * MS));
	show(v, call(7, 3663ull * 1000 * MS, 3664ull * 1000 * MS)); /* since the line before began */
	shown("01:01:01.005 (+     0.00) getppid()     = 1\n"
	      "01:01:03.000 (+     1.99) getppid()     = 1\n");
	done(v);
	view(TRACE_STRACE);
	opt.clock = CLOCK_SECONDS;
	opt.numbers = opt.ips = true;
	v = trace_view_new(&opt, &out);
	struct sysevent sig = { .type = SYS_SIGNAL, .pid = 7, .tid = 8, .time = 7ull * 1000 * MS, .sig = SIGUSR1, .sig_bare = true };
	struct sysevent e = call(8, 8ull * 1000 * MS, 8ull * 1000 * MS);
	uint64_t ip = 0x401000;
	e.ustack = &ip;
	e.n_ustack = 1;
	show(v, sig); /* before its thread's first call there is no number */
	show(v, e);
	sig.time = 9ull * 1000 * MS;
	show(v, sig);
	shown("7 [????] [????????????????] --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER} ---\n"
	      "8 [ 110] [0000000000401000] getppid()   = 1\n"
	      "9 [ 110] [????????????????] --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER} ---\n");
	done(v);
}

/* ---- calls under way ---- */

static void alone(void **state)
{
	(void)state;
	view(TRACE_PERF);
	struct trace_view *v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, waits(7, 5 * MS, 6 * MS)), 0);
	shown("");
	trace_view_idle(v, 6 * MS + 100 * MS - 1); /* patience */
	shown("");
	assert_int_equal(show(v, returns(7, 5 * MS, 50 * MS)), 1);
	shown(PERF("     0.000", "45.000 ms", GETPPID)); /* as if it had never blocked */
	trace_view_end(v);
	shown("");
	/* told twice, it is one call all the same */
	show(v, waits(7, 60 * MS, 61 * MS));
	show(v, waits(7, 60 * MS, 62 * MS));
	trace_view_idle(v, 5000 * MS);
	shown(PERF("    55.000", "         ", "getppid() ..."));
	show(v, waits(7, 60 * MS, 63 * MS));
	struct sysevent end = call(7, 60 * MS, 64 * MS);
	trace_view_leave_out(v, &end);
	trace_view_end(v);
	shown("");
	done(v);
}

/* Full blocks go out, less waits. */
static void blocks(void **state)
{
	char path[] = "/tmp/sonde-view-XXXXXX";
	int fd = mkstemp(path);
	(void)state;
	unlink(path);
	view(TRACE_STRACE);
	free(out.name);
	out_fd(&out, fd, "file");
	struct trace_view *v = trace_view_new(&opt, &out);
	for (int i = 0; i < 1000; i++)
		show(v, call(7, 5, 5));
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	assert_int_equal(out.buf.len, 44000);
	for (int i = 0; i < 1000; i++)
		show(v, call(7, 5, 5));
	assert_int_equal(lseek(fd, 0, SEEK_END) + out.buf.len, 88000);
	assert_in_range(out.buf.len, 0, 30000);
	done(v);
	close(fd);
}

static void overtaken(void **state)
{
	(void)state;
	view(TRACE_PERF);
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, waits(7, 5 * MS, 6 * MS));
	show(v, call(8, 7 * MS, 8 * MS));
	shown(PERF("     0.000", "         ", "getppid() ...") PERF("     2.000", " 1.000 ms", "sh/8 " GETPPID));
	show(v, call(8, 9 * MS, 10 * MS)); /* told once */
	shown(PERF("     4.000", " 1.000 ms", "sh/8 " GETPPID));
	show(v, returns(7, 5 * MS, 15 * MS));
	shown(PERF("    10.000", "10.000 ms", "sh/7  ... [continued]: getppid()                                           = 1"));
	show(v, call(7, 16 * MS, 17 * MS)); /* and that is over */
	shown(PERF("    11.000", " 1.000 ms", "sh/7 " GETPPID));
	done(v);

	view(TRACE_STRACE);
	opt.many = true;
	v = trace_view_new(&opt, &out);
	show(v, waits(7, 5 * MS, 6 * MS));
	show(v, waits(8, 6 * MS, 6 * MS));
	show(v, call(9, 7 * MS, 8 * MS));
	show(v, returns(8, 6 * MS, 9 * MS));
	show(v, returns(7, 5 * MS, 9 * MS));
	shown("[pid     7] getppid( <unfinished ...>\n"
	      "[pid     8] getppid( <unfinished ...>\n"
	      "[pid     9] getppid()                   = 1\n"
	      "[pid     8] <... getppid resumed>)      = 1\n"
	      "[pid     7] <... getppid resumed>)      = 1\n");
	done(v);

	view(TRACE_JSON); /* an object tells it all: what is under way is told at once, and its end as a call */
	v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, waits(7, 5 * MS, 6 * MS)), 0);
	assert_non_null(strstr(out.buf.buf, "\"type\":\"unfinished\""));
	assert_null(strstr(out.buf.buf, "duration"));
	str_clear(&out.buf);
	show(v, returns(7, 5 * MS, 6 * MS));
	assert_non_null(strstr(out.buf.buf, "\"type\":\"syscall\""));
	trace_view_end(v);
	done(v);
}

static void stack_now(void *ctx, const struct sysevent *e, struct str *s, struct json *json)
{
	(void)ctx;
	(void)json;
	str_addf(s, "now %d\n", e->tid);
}

static void waiting_long(void **state)
{
	(void)state;
	view(TRACE_STRACE);
	opt.stack_now = stack_now;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, waits(7, 5 * MS, 6 * MS));
	trace_view_idle(v, 6 * MS + 100 * MS);
	shown("getppid( <unfinished ...>\nnow 7\n"); /* it still waits: its stack can be had */
	trace_view_idle(v, 1000 * MS);
	shown("");
	show(v, returns(7, 5 * MS, 2000 * MS));
	shown("<... getppid resumed>)                  = 1\n");
	show(v, waits(7, 3000 * MS, 3001 * MS));
	trace_view_end(v);
	shown("getppid( <unfinished ...>\nnow 7\n");
	struct sysevent lost = { .type = SYS_LOST, .time = 3002 * MS, .lost = 1, .cpu = -1 }, end = returns(7, 3000 * MS, 3002 * MS);
	trace_view_leave_out(v, &end);
	show(v, waits(7, 3003 * MS, 3003 * MS));
	show(v, lost); /* it waited there when that happened; who knows where it is now */
	shown("getppid( <unfinished ...>\n!!! 1 events lost !!!\n");
	done(v);
}

/* In it when we came: its return is one that goes on, though its beginning was not shown. */
static void under_way_before(void **state)
{
	(void)state;
	struct sysevent e = returns(7, 0, 5 * MS);
	e.seen_enter = e.args_known = false;
	view(TRACE_STRACE);
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, e);
	shown("<... getppid resumed>)                  = 1\n");
	done(v);
}

static void leaving_out(void **state)
{
	(void)state;
	view(TRACE_PERF);
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, waits(7, 5 * MS, 6 * MS));
	struct sysevent end = returns(7, 5 * MS, 7 * MS), other = call(8, 8 * MS, 8 * MS);
	trace_view_leave_out(v, &end); /* its end was not to be shown: nor is that it was under way */
	show(v, call(7, 9 * MS, 9 * MS));
	shown(PERF("     4.000", " 0.000 ms", GETPPID));
	trace_view_leave_out(v, &other); /* but there are two threads now */
	show(v, call(7, 10 * MS, 10 * MS));
	shown(PERF("     5.000", " 0.000 ms", "sh/7 " GETPPID));
	assert_int_equal(effects, 2);
	done(v);
}

static void threads_that_end_and_exec(void **state)
{
	(void)state;
	struct sysevent end = { .type = SYS_EXIT, .pid = 7, .tid = 8, .time = 7 * MS, .comm = "sh" };
	view(TRACE_STRACE);
	opt.many = true;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, waits(8, 5 * MS, 6 * MS));
	show(v, end);
	shown("[pid     8] +++ exited with 0 +++\n");
	trace_view_end(v);
	shown(""); /* it is gone, and its call */
	/* a thread execs: it goes on as the leader, call and all, and the leader's own is gone */
	struct sysevent exec = { .type = SYS_EXEC, .pid = 7, .tid = 7, .old_tid = 9, .time = 9 * MS, .comm = "ls" };
	show(v, waits(7, 8 * MS, 8 * MS));
	show(v, waits(9, 8 * MS, 8 * MS));
	show(v, exec);
	shown("[pid     9] getppid( <unfinished ...>\n[pid     7] +++ superseded by execve in pid 9 +++\n");
	show(v, returns(7, 8 * MS, 10 * MS));
	shown("[pid     7] <... getppid resumed>)      = 1\n");
	trace_view_end(v);
	shown("");
	done(v);
}

/* ---- what is no call ---- */

static void other_lines(void **state)
{
	(void)state;
	struct sysevent sig = { .type = SYS_SIGNAL, .pid = 7, .tid = 7, .time = 5 * MS, .sig = SIGTSTP, .sig_bare = true, .stops = true, .comm = "sh" };
	struct sysevent exec = { .type = SYS_EXEC, .pid = 7, .tid = 7, .time = 6 * MS, .comm = "sh" };
	struct sysevent fork = { .type = SYS_FORK, .pid = 7, .tid = 7, .time = 6 * MS, .child_pid = 8, .child_tid = 8, .comm = "sh" };
	struct sysevent lost = { .type = SYS_LOST, .time = 7 * MS, .lost = 42, .cpu = 3 };
	view(TRACE_STRACE);
	struct trace_view *v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, sig), 1);
	shown("--- SIGTSTP {si_signo=SIGTSTP, si_code=SI_USER} ---\n--- stopped by SIGTSTP ---\n");
	assert_int_equal(show(v, exec), 0); /* the execve says so */
	assert_int_equal(show(v, fork), 0); /* the clone does */
	assert_int_equal(effects, 3); /* all the same */
	shown("");
	show(v, call(7, 8 * MS, 8 * MS)); /* from a fork on lines tell whose they are */
	shown("[pid     7] getppid()                   = 1\n");
	show(v, lost); /* nobody's */
	lost.cpu = -1;
	show(v, lost);
	shown("!!! 42 events lost on CPU 3 !!!\n!!! 42 events lost !!!\n");
	done(v);

	view(TRACE_PERF);
	opt.exec_lines = true; /* no calls are shown that would tell */
	v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, exec), 1);
	assert_int_equal(show(v, fork), 1);
	assert_non_null(strstr(out.buf.buf, "sh/7"));
	str_clear(&out.buf);
	show(v, waits(7, 8 * MS, 8 * MS));
	show(v, lost); /* a loss is a line like any other: what is under way comes before it */
	shown(PERF("     2.000", "         ", "sh/7 getppid() ...") PERF("     1.000", "         ", "!!! 42 events lost !!!"));
	done(v);

	view(TRACE_JSON);
	v = trace_view_new(&opt, &out);
	assert_int_equal(show(v, exec) + show(v, fork) + show(v, lost) + show(v, sig), 4); /* objects tell everything */
	assert_non_null(strstr(out.buf.buf, "\"type\":\"lost\",\"time\":7000000,\"pid\":0,\"tid\":0,\"comm\":\"\",\"cpu\":-1,\"lost\":42}"));
	assert_non_null(strstr(out.buf.buf, "\"stops\":true"));
	done(v);
}

#define JSON(type, time, more) "{\"type\":\"" type "\",\"time\":" time ",\"pid\":7,\"tid\":7,\"comm\":\"sh\",\"cpu\":0" more "}\n"
static void other_objects(void **state)
{
	(void)state;
	struct sysevent e = { .type = SYS_SIGNAL, .pid = 7, .tid = 7, .time = 5, .comm = "sh", .sig = SIGUSR1, .sig_code = -6, .sig_pid = 99 };
	view(TRACE_JSON);
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, e);
	str_clear(&out.buf);
	show(v, e);
	e.sig_pid = 0;
	show(v, e);
	shown(JSON("signal", "5", ",\"signal\":\"SIGUSR1\",\"code\":-6,\"from\":99") JSON("signal", "5", ",\"signal\":\"SIGUSR1\",\"code\":-6"));
	e = (struct sysevent){ .type = SYS_EXIT, .pid = 7, .tid = 7, .time = 6, .comm = "sh", .group_exit = true };
	show(v, e);
	e.exit_code = -1; /* nobody knows */
	e.sig = SIGKILL;
	e.group_exit = false;
	show(v, e);
	shown(JSON("exit", "6", ",\"code\":0,\"process\":true") JSON("exit", "6", ",\"signal\":\"SIGKILL\",\"process\":false"));
	e = (struct sysevent){ .type = SYS_EXEC, .pid = 7, .tid = 7, .time = 7, .comm = "sh" };
	show(v, e);
	e.old_tid = 8;
	show(v, e);
	shown(JSON("exec", "7", "") JSON("exec", "7", ",\"old_tid\":8"));
	e = (struct sysevent){ .type = SYS_FORK, .pid = 7, .tid = 7, .time = 8, .comm = "sh", .child_pid = 9, .child_tid = 10 };
	show(v, e);
	shown(JSON("fork", "8", ",\"child_pid\":9,\"child_tid\":10"));
	e = waits(7, 3, 4);
	e.cpu = 0;
	e.abi = ABI_32;
	e.nr = 64;
	show(v, e);
	shown(JSON("unfinished", "4", ",\"enter\":3,\"syscall\":\"getppid\",\"nr\":64,\"abi\":\"i386\",\"args\":{},\"ret\":null"));
	assert_int_equal(effects, 8); /* but not of what is under way */
	done(v);
}

/* A call that it was in when we came: its stack is read now, others have theirs with them. */
static void json_stack_now(void *ctx, const struct sysevent *e, struct str *s, struct json *json)
{
	(void)ctx;
	(void)s;
	json_ks64(json, "now", e->tid);
}

static void json_stack(void *ctx, const struct sysevent *e, struct str *s, struct json *json)
{
	(void)ctx;
	(void)s;
	json_ks64(json, "then", e->tid);
}

static void stacks_in_objects(void **state)
{
	(void)state;
	view(TRACE_JSON);
	opt.stack = json_stack;
	opt.stack_now = json_stack_now;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, waits(7, 3, 4));
	assert_non_null(strstr(out.buf.buf, ",\"then\":7}"));
	str_clear(&out.buf);
	show(v, waits(7, 0, 4));
	assert_non_null(strstr(out.buf.buf, ",\"now\":7}"));
	done(v);
}

static void slow_ones_in_colour(void **state)
{
	(void)state;
	view(TRACE_PERF);
	opt.clock = CLOCK_OF_DAY;
	struct trace_view *v = trace_view_new(&opt, &out);
	out.colour = true;
	show(v, call(7, 5 * MS, 6 * MS - 1));
	assert_null(strchr(out.buf.buf, '\033'));
	assert_non_null(strstr(out.buf.buf, "00:00:00 ( 0.999 ms): ")); /* the hour is not coloured, nor left out */
	str_clear(&out.buf);
	show(v, call(7, 5 * MS, 6 * MS));
	char want[64];
	snprintf(want, sizeof(want), " (%s 1.000%s ms): ", out_colour(&out, OUT_YELLOW), out_colour(&out, OUT_PLAIN));
	assert_non_null(strstr(out.buf.buf, want));
	str_clear(&out.buf);
	show(v, call(7, 5 * MS, 15 * MS));
	snprintf(want, sizeof(want), " (%s10.000%s ms): ", out_colour(&out, OUT_RED), out_colour(&out, OUT_PLAIN));
	assert_non_null(strstr(out.buf.buf, want));
	done(v);
}

static void numbers_of_threads(void **state)
{
	(void)state;
	view(TRACE_STRACE);
	opt.many = true;
	opt.numbers = true;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, call(9, 5, 5));
	show(v, call(10, 5, 5));
	show(v, call(99999, 5, 5));
	show(v, call(100000, 5, 5));
	shown("[pid     9] [ 110] getppid()            = 1\n[pid    10] [ 110] getppid()            = 1\n"
	      "[pid 99999] [ 110] getppid()            = 1\n[pid 100000] [ 110] getppid()           = 1\n");
	struct sysevent w = waits(11, 5, 5), sig = { .type = SYS_SIGNAL, .pid = 7, .tid = 11, .time = 6, .sig = SIGUSR1, .sig_bare = true };
	w.nr = 39;
	show(v, w);
	show(v, sig); /* the call that it is in counts, shown or not */
	shown("[pid    11] [  39] --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER} ---\n");
	done(v);
	view(TRACE_STRACE);
	opt.many = opt.plain_pid = opt.style.pid_names = true;
	v = trace_view_new(&opt, &out);
	show(v, call(9, 5, 5));
	shown("9<sh> getppid()                         = 1\n");
	done(v);
}

static void fields(void *ctx, const struct sysevent *e, struct str *s, struct json *json)
{
	(void)ctx;
	if (json)
		json_ks64(json, "n", e->raw_event);
	else
		str_addf(s, "event%d()", e->raw_event);
}

static void stack(void *ctx, const struct sysevent *e, struct str *s, struct json *json)
{
	(void)ctx;
	if (json)
		json_ks64(json, "stack", e->tid);
	else
		str_addf(s, "  stack of %d\n", e->tid);
}

static void events_and_stacks(void **state)
{
	(void)state;
	struct sysevent e = { .type = SYS_TRACEPOINT, .pid = 7, .tid = 7, .cpu = 1, .time = 5 * MS, .raw_event = 3, .comm = "sh" };
	view(TRACE_PERF);
	opt.fields = fields;
	opt.stack = stack;
	opt.samples = true;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, waits(8, 4 * MS, 4 * MS));
	assert_int_equal(show(v, e), 1);
	/* the bare facts stand right before what they belong to, the stack right below */
	shown(PERF("     0.000", "         ", "getppid() ...")
	      "                     ? 5.000 sh 7/7 [1]\n" PERF("     1.000", "         ", "sh/7 event3()") "  stack of 7\n");
	show(v, call(7, 6 * MS, 6 * MS));
	shown(" raw_syscalls:sys_exit 6.000 sh 7/7 [1]\n" PERF("     2.000", " 0.000 ms", "sh/7 " GETPPID) "  stack of 7\n");
	done(v);
	view(TRACE_JSON);
	opt.fields = fields;
	opt.stack = stack;
	v = trace_view_new(&opt, &out);
	show(v, e);
	shown("{\"schema\":1,\"type\":\"event\",\"time\":5000000,\"pid\":7,\"tid\":7,\"comm\":\"sh\",\"cpu\":1,\"n\":3,\"stack\":7}\n");
	done(v);
}

/* ---- descriptors ---- */

static void learn(void *ctx, const struct sysevent *e)
{
	effects++;
	fd_state_feed(ctx, e);
}

/* A call counts between its arguments and its result: dup2(3, 5) is of the old 5, and gives the new one. */
static void takes_effect_in_between(void **state)
{
	char path[] = "/etc/passwd", second[] = "/etc/group";
	struct copied c = { .arg = 1, .addr = 0x1000, .data = (uint8_t *)path, .len = sizeof(path), .full_len = sizeof(path) };
	struct copied c2 = { .arg = 1, .addr = 0x1000, .data = (uint8_t *)second, .len = sizeof(second), .full_len = sizeof(second) };
	struct sysevent open = call(7, 5 * MS, 5 * MS), dup = call(7, 6 * MS, 6 * MS), close = call(7, 7 * MS, 7 * MS);
	(void)state;
	open.nr = 257;
	open.args[0] = (uint64_t)-100;
	open.args[1] = 0x1000;
	open.ret = 3;
	open.copied = &c;
	open.n_copied = 1;
	dup.nr = 33;
	dup.args[0] = 3;
	dup.args[1] = dup.ret = 5;
	close.nr = 3;
	close.args[0] = 5;
	close.ret = 0;
	struct fd_state *fds = fd_state_new(FDS_RECORDED);
	view(TRACE_STRACE);
	opt.style.fd_info = FD_PATH;
	opt.fds = fds;
	opt.takes_effect = learn;
	opt.effect_ctx = fds;
	struct trace_view *v = trace_view_new(&opt, &out);
	show(v, open);
	open.copied = &c2;
	open.ret = 5;
	show(v, open);
	str_clear(&out.buf);
	show(v, dup);
	show(v, close);
	show(v, close);
	shown("dup2(3</etc/passwd>, 5</etc/group>)     = 5</etc/passwd>\n"
	      "close(5</etc/passwd>)                   = 0\n"
	      "close(5)                                = 0\n");
	assert_int_equal(effects, 5); /* each once */
	done(v);
	fd_state_free(fds);
}

static void dumps(void **state)
{
	char data[] = "hello";
	struct copied c = { .arg = 1, .at_exit = true, .addr = 0x1000, .data = (uint8_t *)data, .len = 5, .full_len = 5 };
	struct sysevent e = call(7, 5 * MS, 5 * MS);
	struct fdset set = { 0 };
	(void)state;
	assert_int_equal(fdset_parse(&set, "3"), 0);
	view(TRACE_STRACE);
	opt.dump.reads = &set;
	struct trace_view *v = trace_view_new(&opt, &out);
	e.nr = 0;
	e.args[0] = 3;
	e.args[1] = 0x1000;
	e.args[2] = e.ret = 5;
	e.copied = &c;
	e.n_copied = 1;
	show(v, e);
	shown("read(3, \"hello\", 5)                     = 5\n"
	      " | 00000  68 65 6c 6c 6f                                    hello            |\n");
	e.args[0] = 4; /* not one of them */
	show(v, e);
	shown("read(4, \"hello\", 5)                     = 5\n");
	e.nr = 1; /* nor are those that are written */
	e.args[0] = 3;
	c.at_exit = false;
	show(v, e);
	shown("write(3, \"hello\", 5)                    = 5\n");
	done(v);
	fdset_release(&set);
}

/* ---- a file for each thread ---- */

static void is_in_file(const char *dir, int tid, const char *want)
{
	struct str s = STR_INIT;
	char path[256];
	snprintf(path, sizeof(path), "%s/x.%d", dir, tid);
	assert_int_equal(file_read(path, &s, 4096), 0);
	assert_string_equal(s.buf, want);
	str_release(&s);
	unlink(path);
}

static void separate_files(void **state)
{
	char dir[] = "/tmp/sonde-view-XXXXXX", name[64];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(name, sizeof(name), "%s/x", dir);
	view(TRACE_STRACE);
	opt.files = trace_files_new(name, false, false);
	struct trace_view *v = trace_view_new(&opt, &out);
	struct sysevent lost = { .type = SYS_LOST, .time = 7 * MS, .lost = 2, .cpu = 0 };
	show(v, waits(7, 5 * MS, 6 * MS));
	show(v, call(8, 6 * MS, 6 * MS)); /* does not overtake what is in another file */
	show(v, lost); /* where the last line went */
	show(v, returns(7, 5 * MS, 8 * MS));
	struct sysevent end = { .type = SYS_EXIT, .pid = 7, .tid = 7, .time = 9 * MS };
	trace_view_leave_out(v, &end);
	show(v, call(7, 10 * MS, 10 * MS)); /* the number comes again: behind what is there */
	show(v, waits(8, 9 * MS, 9 * MS));
	trace_view_idle(v, 5000 * MS); /* in a file of its own there is no hurry */
	show(v, returns(8, 9 * MS, 10 * MS));
	show(v, waits(8, 11 * MS, 11 * MS));
	trace_view_end(v);
	done(v);
	assert_int_equal(trace_files_free(opt.files), 0);
	is_in_file(dir, 7, S_GETPPID S_GETPPID); /* a thread has its file to itself: no number before its lines */
	is_in_file(dir, 8, S_GETPPID "!!! 2 events lost on CPU 0 !!!\n" S_GETPPID "getppid( <unfinished ...>\n");
	view(TRACE_JSON);
	opt.files = trace_files_new(name, false, false);
	v = trace_view_new(&opt, &out);
	show(v, call(7, 5 * MS, 5 * MS));
	show(v, call(8, 5 * MS, 5 * MS));
	done(v);
	assert_int_equal(trace_files_free(opt.files), 0);
	for (int tid = 7; tid <= 8; tid++) { /* each begins with the schema */
		char want[512];
		snprintf(want, sizeof(want), "{\"schema\":1,\"type\":\"syscall\",\"time\":5000000,\"pid\":7,\"tid\":%d,\"comm\":\"sh\",\"cpu\":1,"
			 "\"enter\":5000000,\"duration\":0,\"syscall\":\"getppid\",\"nr\":110,\"args\":{},\"ret\":1}\n", tid);
		is_in_file(dir, tid, want);
	}
	assert_int_equal(rmdir(dir), 0);
}

/* ---- any order ---- */

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;
	for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

/* Random threads that call, wait, return, are left out, signalled, end. */
struct stream { unsigned calls, objects; bool under[6]; uint64_t begun[6], now; };

static void step(struct stream *s, struct trace_view *v)
{
	int i = rand() % 6, what = rand() % 20;
	struct sysevent e = call(100 + i, s->now, s->now + 1000);
	s->now += rand() % (2 * MS);
	e.time = s->now;
	if (what < 14) {
		bool ends = s->under[i];
		if (ends) {
			e = returns(100 + i, s->begun[i], s->now);
		} else if (what < 5) {
			s->under[i] = true;
			s->begun[i] = s->now;
			e = waits(100 + i, s->now, s->now);
			s->objects += 1;
			trace_view_event(v, &e);
			return;
		}
		s->under[i] = false;
		if (rand() % 6 == 0) {
			trace_view_leave_out(v, &e);
			return;
		}
		s->calls++;
		s->objects++;
		assert_int_equal(trace_view_event(v, &e), 1);
	} else if (what < 16) {
		e = (struct sysevent){ .type = SYS_SIGNAL, .pid = 7, .tid = 100 + i, .time = s->now, .sig = SIGUSR1, .comm = "a\"b\n" };
		s->objects++;
		trace_view_event(v, &e);
	} else if (what < 18) {
		e = (struct sysevent){ .type = SYS_LOST, .time = s->now, .lost = 1 };
		s->objects++;
		trace_view_event(v, &e);
	} else {
		trace_view_idle(v, s->now);
	}
}

static void any_order(void **state)
{
	(void)state;
	srand(7);
	for (int form = TRACE_PERF; form <= TRACE_JSON; form++) {
		for (int round = 0; round < 20; round++) {
			struct stream s = { .now = 1000 * MS };
			view(form);
			struct trace_view *v = trace_view_new(&opt, &out);
			for (int i = 0; i < 150; i++)
				step(&s, v);
			trace_view_end(v);
			const char *text = out.buf.buf;
			if (form == TRACE_JSON) {
				unsigned lines = 0;
				for (char *line = strtok((char *)text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
					struct json_value *j = json_parse(line, strlen(line));
					assert_non_null(j);
					json_free(j);
				}
				assert_int_equal(lines, s.objects);
			} else {
				bool strace = form == TRACE_STRACE;
				unsigned begun = count(text, strace ? "<unfinished ...>\n" : "() ...\n");
				unsigned resumed = count(text, strace ? " resumed>" : "[continued]");
				assert_int_equal(count(text, " = 1\n"), s.calls); /* every call has one result */
				assert_true(resumed <= begun && begun > 0); /* none goes on that was not seen to begin */
			}
			done(v);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call), cmocka_unit_test(other_modes), cmocka_unit_test(times), cmocka_unit_test(alone),
		cmocka_unit_test(overtaken), cmocka_unit_test(waiting_long), cmocka_unit_test(under_way_before),
		cmocka_unit_test(leaving_out), cmocka_unit_test(threads_that_end_and_exec), cmocka_unit_test(other_lines), cmocka_unit_test(other_objects), cmocka_unit_test(stacks_in_objects),
		cmocka_unit_test(slow_ones_in_colour), cmocka_unit_test(numbers_of_threads), cmocka_unit_test(blocks),
		cmocka_unit_test(events_and_stacks), cmocka_unit_test(takes_effect_in_between), cmocka_unit_test(dumps),
		cmocka_unit_test(separate_files), cmocka_unit_test(any_order),
	};
	return cmocka_run_group_tests_name("trace_view", tests, NULL, NULL);
}

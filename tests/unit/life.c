// SPDX-License-Identifier: GPL-2.0-or-later
/* When a command is told to end, by what, and when it is left alone: the schedule of job/life.h with a made-up clock,
 * made-up signals and a made-up command. host/life has the real ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/clock.h"

uint64_t made_clock(void);
pid_t made_group(pid_t pid);
#define clock_ns made_clock
#define signals_stop made_stop
#define signals_which made_which
#define signals_time made_time
#define signals_typed made_typed
#define signals_again made_again
#define workload_kill made_kill
#define workload_poll made_poll
#define workload_ignores made_ignores
#define getpgid made_group
#include "job/life.c"
#undef getpgid

enum { PID = 4711, SENDS = 8 };
static struct {
	uint64_t now, signal_at, again_at, ends_at; /* 0: never */
	int signal, status;
	bool typed, other_group, ignores;
	struct { int sig; unsigned ms; } sent[SENDS];
	unsigned n_sent;
} w;
static struct life l;

static uint64_t ms_at(unsigned ms)
{
	return 1000000000 + ms * MS;
}

static unsigned ms_now(void)
{
	return (w.now - ms_at(0)) / MS;
}

uint64_t made_clock(void) { return w.now; }
bool made_stop(void) { return w.signal && w.now >= w.signal_at; }
int made_which(void) { return made_stop() ? w.signal : 0; }
uint64_t made_time(void) { return w.signal_at; }
bool made_typed(void) { return w.typed; }
bool made_again(void) { return w.again_at && w.now >= w.again_at; }
bool made_ignores(const struct workload *c, int sig) { (void)c; return sig == w.signal && w.ignores; }
pid_t made_group(pid_t pid) { (void)pid; return getpgrp() + w.other_group; }

void made_kill(struct workload *c, int sig)
{
	assert_int_equal(c->pid, PID);
	assert_true(w.n_sent < SENDS);
	w.sent[w.n_sent].sig = sig;
	w.sent[w.n_sent++].ms = ms_now();
}

int made_poll(struct workload *c)
{
	if (w.ends_at && w.now >= w.ends_at) {
		c->reaped = true;
		c->status = w.status;
	}
	return c->reaped;
}

static int start(void **state)
{
	(void)state;
	memset(&w, 0, sizeof(w));
	memset(&l, 0, sizeof(l));
	w.now = ms_at(0);
	l.command = (struct workload){ .pid = PID, .go = -1, .name = (char *)"made-up" };
	error_clear();
	return 0;
}

/* The job's loop, which sleeps for as long as it may: when it leaves, or "never" after ten minutes. */
enum { NEVER = 600000 };
static unsigned runs(void)
{
	while (!life_over(&l) && !life_ended(&l) && ms_now() < NEVER) {
		int ms = life_sleep(&l, -1);
		uint64_t next = ms < 0 ? ms_at(NEVER) : w.now + ms * MS;
		if (w.again_at > w.now && w.again_at < next)
			next = w.again_at;
		if (w.ends_at > w.now && w.ends_at < next)
			next = w.ends_at;
		assert_true(next > w.now); /* no loop that spins */
		w.now = next;
	}
	return ms_now();
}

static void asked(int sig)
{
	w.signal = sig;
	w.signal_at = w.now;
}

/* A little later than it is due: each life_sleep rounds up to a millisecond. */
static void was_sent(unsigned i, int sig, unsigned ms)
{
	assert_true(i < w.n_sent);
	assert_int_equal(w.sent[i].sig, sig);
	assert_in_range(w.sent[i].ms, ms, ms + 2);
}

static void nobody_is_asked(void **state)
{
	(void)state;
	assert_false(life_over(&l));
	assert_int_equal(life_sleep(&l, 70), 70);
	assert_int_equal(life_sleep(&l, -1), -1);
	w.ends_at = ms_at(3000);
	w.status = 7 << 8;
	w.now = ms_at(3000);
	assert_true(life_ended(&l));
	assert_int_equal(life_code(&l), 7);
	assert_int_equal(w.n_sent, 0);
}

static void no_command(void **state)
{
	(void)state;
	l.command.pid = 0;
	assert_false(life_over(&l));
	asked(SIGTERM);
	assert_true(life_over(&l));
	assert_int_equal(life_sleep(&l, 70), 70);
	assert_int_equal(life_code(&l), 0);
}

static void never_let_go(void **state)
{
	(void)state;
	l.command.go = 5;
	asked(SIGINT);
	assert_true(life_over(&l));
	assert_int_equal(w.n_sent, 0);
	assert_int_equal(life_code(&l), 128 + SIGINT);
}

static void passed_on(void **state)
{
	(void)state;
	asked(SIGTERM);
	assert_in_range(life_sleep(&l, -1), LIFE_PASS_MS, LIFE_PASS_MS + 1);
	assert_int_equal(life_sleep(&l, 70), 70);
	assert_in_range(runs(), LIFE_LEAVE_MS, LIFE_LEAVE_MS + 1);
	assert_int_equal(w.n_sent, 1); /* a SIGTERM is not followed by another */
	was_sent(0, SIGTERM, LIFE_PASS_MS);
	assert_int_equal(life_code(&l), 128 + SIGTERM);
}

static void then_sigterm(void **state)
{
	(void)state;
	asked(SIGINT);
	assert_in_range(runs(), LIFE_LEAVE_MS, LIFE_LEAVE_MS + 1);
	assert_int_equal(w.n_sent, 2);
	was_sent(0, SIGINT, LIFE_PASS_MS);
	was_sent(1, SIGTERM, LIFE_PASS_MS + LIFE_TERM_MS);
}

static void ignored(void **state)
{
	(void)state;
	asked(SIGINT);
	w.ignores = true;
	runs();
	assert_int_equal(w.n_sent, 1);
	was_sent(0, SIGTERM, LIFE_PASS_MS);
}

/* Who sent it sent it to all: the command ends before anything is passed on. */
static void ends_by_itself(void **state)
{
	(void)state;
	asked(SIGINT);
	w.ends_at = ms_at(LIFE_PASS_MS - 50);
	w.status = SIGINT;
	assert_int_equal(runs(), LIFE_PASS_MS - 50);
	assert_int_equal(w.n_sent, 0);
	assert_int_equal(life_code(&l), 128 + SIGINT);
	assert_true(life_over(&l));
}

static void takes_its_time(void **state)
{
	(void)state;
	asked(SIGTERM);
	w.ends_at = ms_at(LIFE_LEAVE_MS - 100);
	w.status = 3 << 8;
	assert_int_equal(runs(), LIFE_LEAVE_MS - 100);
	assert_int_equal(life_code(&l), 3);
}

static void typed_is_left_to_it(void **state)
{
	(void)state;
	asked(SIGINT);
	w.typed = true;
	assert_in_range(life_sleep(&l, -1), 1000, 1001); /* until the user is told who is waited for */
	assert_int_equal(runs(), NEVER);
	assert_true(l.told_user);
	assert_int_equal(w.n_sent, 0);
}

static void typed_elsewhere(void **state)
{
	(void)state;
	asked(SIGINT);
	w.typed = w.other_group = true;
	runs();
	assert_int_equal(w.n_sent, 2);
	was_sent(0, SIGINT, LIFE_PASS_MS);
}

static void terminal_closed(void **state)
{
	(void)state;
	asked(SIGHUP);
	w.typed = true;
	assert_in_range(runs(), LIFE_LEAVE_MS, LIFE_LEAVE_MS + 1);
	assert_int_equal(w.n_sent, 1); /* it has the SIGHUP */
	was_sent(0, SIGTERM, LIFE_PASS_MS + LIFE_TERM_MS);
	assert_false(l.told_user);
}

static void once_more(void **state)
{
	(void)state;
	asked(SIGINT);
	w.typed = true;
	w.again_at = ms_at(20000);
	assert_in_range(runs(), 20100, 20101);
	assert_int_equal(w.n_sent, 1);
	was_sent(0, SIGTERM, 20000);
	assert_int_equal(life_code(&l), 128 + SIGINT);
}

static void enough(void **state)
{
	(void)state;
	w.now = ms_at(300);
	life_enough(&l);
	assert_int_equal(w.n_sent, 1); /* at once */
	was_sent(0, SIGTERM, 300);
	assert_in_range(runs(), 300 + LIFE_LEAVE_MS, 301 + LIFE_LEAVE_MS);
	assert_int_equal(w.n_sent, 1);
	assert_int_equal(life_code(&l), 0);
	life_enough(&l); /* the time of the first counts */
	assert_int_equal(l.enough, ms_at(300));
}

static void failed(void **state)
{
	(void)state;
	error_set(EPIPE, "nobody reads");
	assert_int_equal(life_failed(&l, -EPIPE), 0);
	assert_int_equal(error_code(), 0);
	was_sent(0, SIGTERM, 0);
	start(NULL);
	error_set(EIO, "the disk is gone");
	assert_int_equal(life_failed(&l, -EIO), -EIO);
	assert_int_equal(error_code(), -EIO);
	was_sent(0, SIGTERM, 0);
	error_clear();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nobody_is_asked, start), cmocka_unit_test_setup(no_command, start),
		cmocka_unit_test_setup(never_let_go, start), cmocka_unit_test_setup(passed_on, start),
		cmocka_unit_test_setup(then_sigterm, start), cmocka_unit_test_setup(ignored, start),
		cmocka_unit_test_setup(ends_by_itself, start), cmocka_unit_test_setup(takes_its_time, start),
		cmocka_unit_test_setup(typed_is_left_to_it, start), cmocka_unit_test_setup(typed_elsewhere, start),
		cmocka_unit_test_setup(terminal_closed, start), cmocka_unit_test_setup(once_more, start),
		cmocka_unit_test_setup(enough, start), cmocka_unit_test_setup(failed, start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

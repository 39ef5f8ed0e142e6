// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/life.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/rights/caps.h"
#include "kernel/clock.h"

enum { SAY_MS = 1000, NOW_MS = 100 };
#define MS 1000000ull

int life_fork(struct life *l, char **argv, const struct workload_options *how)
{
	memset(l, 0, sizeof(*l));
	signals_arm();
	return argv ? workload_fork(&l->command, argv, how) : 0;
}

void life_give_up_rights(const struct life *l, uint64_t keep)
{
	int err = caps_drop_all_but(keep | (l->command.pid ? CAP_BIT(CAP_KILL) : 0));
	if (err)
		note(1, "cannot give up capabilities: %s", strerror(-err));
}

int life_go(struct life *l)
{
	return l->command.pid && !signals_stop() ? workload_go(&l->command) : 0;
}

int life_start(struct life *l)
{
	return l->command.pid && !signals_stop() ? workload_start(&l->command) : 0;
}

static bool waits(const struct life *l) /* it was never let go */
{
	return l->command.go >= 0;
}

bool life_ended(struct life *l)
{
	return l->command.pid && workload_poll(&l->command);
}

static bool is_asked(const struct life *l)
{
	return signals_stop() || l->enough;
}

static void send(struct life *l, int sig)
{
	workload_kill(&l->command, sig);
	l->sent = sig;
	l->sent_at = clock_ns();
}

/* The user pressed a key, and the command, being in the same group, has it too. */
static bool typed(const struct life *l)
{
	return !l->enough && signals_typed() && getpgid(l->command.pid) == getpgrp();
}

/* ... and can press it again. */
static bool is_patient(const struct life *l)
{
	return typed(l) && signals_which() != SIGHUP && !signals_again();
}

static uint64_t asked_at(const struct life *l)
{
	return l->enough ? l->enough : signals_time();
}

/* When the command is to be sent the next signal; 0: never. */
static uint64_t next_send(const struct life *l)
{
	if (l->sent == SIGTERM || is_patient(l))
		return 0;
	if (l->enough || signals_again())
		return asked_at(l);
	if (l->sent)
		return l->sent_at + LIFE_TERM_MS * MS;
	return signals_time() + (LIFE_PASS_MS + (typed(l) ? LIFE_TERM_MS : 0)) * MS;
}

static int what_to_send(const struct life *l)
{
	bool enough = l->enough || l->sent || typed(l) || signals_again();
	return enough || workload_ignores(&l->command, signals_which()) ? SIGTERM : signals_which();
}

static void say_patience(struct life *l, uint64_t now)
{
	if (l->told_user || !is_patient(l) || now < asked_at(l) + SAY_MS * MS)
		return;
	l->told_user = true;
	warn("waiting for '%s' (process %d) to end; Ctrl-C once more sends it SIGTERM and ends sonde", l->command.name, l->command.pid);
}

/* When it is left alone; 0: never. */
static uint64_t leave_at(const struct life *l)
{
	if (signals_again() && l->sent == SIGTERM)
		return l->sent_at + NOW_MS * MS;
	return is_patient(l) ? 0 : asked_at(l) + LIFE_LEAVE_MS * MS;
}

bool life_over(struct life *l)
{
	if (!is_asked(l))
		return false;
	if (!l->command.pid || waits(l) || l->left || life_ended(l))
		return true;
	uint64_t now = clock_ns(), due = next_send(l);
	if (due && now >= due)
		send(l, what_to_send(l));
	say_patience(l, now);
	due = leave_at(l);
	l->left = due && now >= due;
	return l->left;
}

int life_sleep(const struct life *l, int ms)
{
	if (!is_asked(l) || !l->command.pid)
		return ms;
	uint64_t due[] = { next_send(l), leave_at(l), is_patient(l) && !l->told_user ? asked_at(l) + SAY_MS * MS : 0 };
	uint64_t now = clock_ns(), first = UINT64_MAX;
	for (size_t i = 0; i < sizeof(due) / sizeof(due[0]); i++)
		first = due[i] && due[i] < first ? due[i] : first;
	if (first == UINT64_MAX)
		return ms;
	int left = first > now ? (int)((first - now) / MS) + 1 : 0;
	return ms < 0 || left < ms ? left : ms;
}

void life_wait(struct life *l, int timeout_ms)
{
	enum { LOOK_MS = 1000 };
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	uint64_t end = timeout_ms ? clock_ns() + (uint64_t)timeout_ms * 1000000 : UINT64_MAX;
	while (!life_over(l) && !life_ended(l)) {
		uint64_t now = clock_ns(), ms = now < end ? (end - now) / 1000000 + 1 : 0;
		if (!ms) {
			life_enough(l);
			break;
		}
		(void)poll(&p, 1, life_sleep(l, ms < LOOK_MS ? (int)ms : LOOK_MS));
		signals_drain();
	}
}

void life_delay(struct life *l, unsigned ms)
{
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	uint64_t end = clock_ns() + (uint64_t)ms * MS;
	for (uint64_t now; (now = clock_ns()) < end && !life_over(l) && !life_ended(l);) {
		(void)poll(&p, 1, life_sleep(l, (int)((end - now) / MS) + 1));
		signals_drain();
	}
}

void life_enough(struct life *l)
{
	if (!l->enough)
		l->enough = clock_ns();
	life_over(l);
}

int life_failed(struct life *l, int err)
{
	life_enough(l);
	if (err != -EPIPE)
		return err;
	error_clear();
	return 0;
}

static void say_left(const struct life *l)
{
	warn("'%s' (process %d) has not ended and goes on alone", l->command.name, l->command.pid);
	hint("kill -KILL %d ends it", l->command.pid);
}

void life_finish(struct life *l)
{
	struct pollfd p = { .fd = signals_fd(), .events = POLLIN };
	if (!l->command.pid || waits(l))
		return;
	while (!life_ended(l) && !life_over(l)) {
		poll(&p, 1, life_sleep(l, -1));
		signals_drain();
	}
	if (!l->command.reaped)
		say_left(l);
}

int life_code(const struct life *l)
{
	if (!l->command.pid || l->enough)
		return 0;
	if (l->command.reaped && !waits(l))
		return workload_exit_code(l->command.status);
	return signals_stop() ? 128 + signals_which() : 0;
}

void life_release(struct life *l)
{
	workload_release(&l->command);
}

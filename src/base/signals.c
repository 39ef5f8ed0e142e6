// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };
enum { N_CAUGHT = sizeof(caught) / sizeof(caught[0]), STUCK_MS = 100 };

static int wake[2] = { -1, -1 };
static bool blocked;
static struct { bool armed; sigset_t mask; struct sigaction old[N_CAUGHT], pipe, size; } before;

/* Written by the handler, or by signals_wait(), which runs with the signals blocked: never by both at a time. */
static volatile sig_atomic_t which, again, typed;
static _Atomic uint64_t came;
static volatile sig_atomic_t stop_held;
static bool holding;

/* SIGPIPE and SIGXFSZ are ignored early on (a write that fails is told instead); what the user gave us must be noted before that. */
__attribute__((constructor)) static void note_signals(void)
{
	sigprocmask(SIG_SETMASK, NULL, &before.mask);
	sigaction(SIGPIPE, NULL, &before.pipe);
	sigaction(SIGXFSZ, NULL, &before.size);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Left alone: what somebody had ignored on purpose. */
static bool is_left(size_t i)
{
	return (caught[i] == SIGHUP || caught[i] == SIGTERM) && before.old[i].sa_handler == SIG_IGN;
}

static void on_signal(int sig, siginfo_t *info, void *context);

static void catch_all(int flags)
{
	struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	for (size_t i = 0; i < N_CAUGHT; i++) {
		sa.sa_flags = SA_SIGINFO | (caught[i] == SIGCHLD ? SA_RESTART : flags);
		if (!is_left(i))
			sigaction(caught[i], &sa, NULL);
	}
}

static void note_stop(int sig, const siginfo_t *info)
{
	uint64_t now = now_ns();
	if (which) {
		again |= now - came > SIGNALS_ONE_MS * 1000000ull;
		return;
	}
	came = now;
	typed = info->si_code == SI_KERNEL;
	which = sig;
	catch_all(0); /* the next one gets us out of any call that blocks */
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int keep = errno;
	(void)context;
	if (sig != SIGCHLD)
		note_stop(sig, info);
	if (write(wake[1], "", 1) < 0) { /* full is as good as written */
	}
	errno = keep;
}

void signals_arm(void)
{
	if (before.armed || pipe2(wake, O_CLOEXEC | O_NONBLOCK))
		return;
	before.armed = true;
	for (size_t i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], NULL, &before.old[i]);
	catch_all(SA_RESTART);
	signal(SIGPIPE, SIG_IGN);
}

bool signals_stop(void)
{
	return which != 0;
}

int signals_which(void)
{
	return which;
}

uint64_t signals_time(void)
{
	return came;
}

bool signals_typed(void)
{
	return typed;
}

bool signals_again(void)
{
	return again;
}

int signals_fd(void)
{
	return wake[0];
}

void signals_drain(void)
{
	char b[64];
	while (read(wake[0], b, sizeof(b)) > 0)
		;
}

static void caught_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < N_CAUGHT; i++)
		if (!before.armed || !is_left(i))
			sigaddset(set, caught[i]);
}

void signals_block(void)
{
	sigset_t set;
	caught_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	blocked = true;
}

void signals_unblock(void)
{
	sigset_t set;
	if (!blocked)
		return;
	caught_set(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	blocked = false;
}

/* Not SIGCHLD: the loop that waits for it would sleep then. */
static void admit(bool in)
{
	sigset_t set;
	if (!blocked)
		return;
	caught_set(&set);
	sigdelset(&set, SIGCHLD);
	sigprocmask(in ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

/* Until fd has room for PIPE_BUF bytes; false: it has none, and an end was asked for twice. The handler's byte in the pipe ends
 * the wait whenever the signal came. */
static bool wait_for_room(int fd)
{
	struct pollfd p[2] = { { .fd = fd, .events = POLLOUT }, { .fd = wake[0], .events = POLLIN } };
	bool drained = false, room, now;
	do {
		now = again;
		int n = poll(p, 2, now ? 0 : stop_held ? STUCK_MS : -1);
		room = n > 0 && p[0].revents;
		if (!n && stop_held && !now)
			signals_stand_still();
		if (n > 0 && p[1].revents)
			signals_drain();
		drained |= n > 0 && p[1].revents;
	} while (!room && !now);
	if (drained && write(wake[1], "", 1) < 0) { /* others wait for it, too */
	}
	return room;
}

/* The first piece that is not empty, no more than has room where there is some: that does not block. */
static ssize_t write_some(int fd, const struct iovec *v, int n)
{
	while (n > 1 && !v->iov_len)
		v++, n--;
	if (wait_for_room(fd))
		return write(fd, v->iov_base, v->iov_len < PIPE_BUF ? v->iov_len : PIPE_BUF);
	errno = EINTR;
	return -1;
}

ssize_t signals_writev(int fd, const struct iovec *v, int n)
{
	ssize_t k;
	admit(true);
	do
		k = which || stop_held ? write_some(fd, v, n) : writev(fd, v, n);
	while (k < 0 && errno == EINTR && !again);
	admit(false);
	return k;
}

static void on_stop(int sig)
{
	(void)sig;
	stop_held = 1;
}

/* Without SA_RESTART: a write that is stuck must notice. */
static void catch_stop(void)
{
	struct sigaction sa = { .sa_handler = on_stop };
	sigaction(SIGTSTP, &sa, NULL);
}

void signals_hold_stop(bool hold)
{
	struct sigaction now;
	if (hold && !holding && !sigaction(SIGTSTP, NULL, &now) && now.sa_handler == SIG_DFL) {
		holding = true;
		catch_stop();
	} else if (!hold && holding) {
		holding = false;
		signal(SIGTSTP, SIG_DFL);
		if (stop_held)
			signals_stand_still();
	}
}

bool signals_stop_held(void)
{
	return stop_held;
}

void signals_stand_still(void)
{
	signal(SIGTSTP, SIG_DFL);
	stop_held = 0;
	raise(SIGTSTP); /* here we stand until SIGCONT */
	if (holding)
		catch_stop();
}

int signals_wait(int timeout_ms)
{
	struct timespec t = { timeout_ms / 1000, timeout_ms % 1000 * 1000000l };
	siginfo_t info;
	sigset_t set;
	caught_set(&set);
	int sig = sigtimedwait(&set, &info, &t);
	if (sig <= 0)
		return 0;
	if (sig != SIGCHLD)
		note_stop(sig, &info);
	return sig;
}

void signals_restore(void)
{
	for (size_t i = 0; before.armed && i < N_CAUGHT; i++)
		sigaction(caught[i], &before.old[i], NULL);
	sigaction(SIGPIPE, &before.pipe, NULL);
	sigaction(SIGXFSZ, &before.size, NULL);
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
}

void signals_die(int sig)
{
	sigset_t set;
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + sig);
}

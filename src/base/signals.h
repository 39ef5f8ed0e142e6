/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGINT, SIGTERM, SIGHUP and SIGQUIT ask for a clean end; SIGCHLD wakes. What a command does when it is asked is in
 * job/life.h; here is only what came.
 *
 * Signals that came within SIGNALS_ONE_MS are one request: timeout(1), service managers and closing terminals send
 * several at once. One that comes later means "now": who waits for something then, be it a reader of a full pipe,
 * gives up (signals_again).
 *
 * SIGHUP and SIGTERM stay ignored when they were so (nohup). SIGINT and SIGQUIT do not: a shell without job control has
 * all that it starts in the background ignore them, which is to keep Ctrl-C away and not kill -INT. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

enum { SIGNALS_ONE_MS = 200 };

void signals_arm(void); /* once is enough */
bool signals_stop(void); /* an end was asked for */
int signals_which(void); /* the first signal, 0 if none */
uint64_t signals_time(void); /* when it came, CLOCK_MONOTONIC in ns */
bool signals_typed(void); /* it came from the terminal, so the whole foreground group has it */
bool signals_again(void); /* and once more */
int signals_fd(void); /* becomes readable on any of them, SIGCHLD too; for poll */
void signals_drain(void);
/* For a loop that waits for children: blocks the signals and takes them one at a time, so that none can
 * slip between a look and the wait. Returns the signal taken (SIGCHLD, or a stop, noted), 0 after timeout_ms. */
void signals_block(void);
void signals_unblock(void);
int signals_wait(int timeout_ms);
/* writev, of which the reader may never come: lets the signals in although they are blocked. Once an end was asked for it
 * may write less than it could. -1 with EINTR: signals_again(), and it has no room. */
ssize_t signals_writev(int fd, const struct iovec *v, int n);
/* Ctrl-Z (SIGTSTP): while it is held it only makes signals_stop_held true, and whoever holds it stops us by signals_stand_still,
 * which comes back with SIGCONT; a write that is stuck does that too. Letting go of it acts on one that came. Nothing of that
 * where somebody had it ignored. */
void signals_hold_stop(bool hold);
bool signals_stop_held(void);
void signals_stand_still(void);
/* In a child, before exec: dispositions and mask are those that sonde was started with. */
void signals_restore(void);
/* Ends this process by the signal, as if nobody had caught it. */
_Noreturn void signals_die(int sig);
#endif

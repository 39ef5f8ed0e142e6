/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of a command that sonde starts, and of the job around it: forked early, let go when all is armed, ended, its
 * status passed on. Every job that measures (trace, record, stat) asks here when to end and what to return, so that
 * they all answer alike. Without a command (-p, -a) it is only the job's end that is decided here.
 *
 *	life_fork(&l, argv, &how);             signals are caught from here on
 *	... attach everything ...
 *	life_give_up_rights(&l, keep);
 *	life_start(&l);                        or life_go(), when a tracer must serve the exec
 *	while (!life_over(&l) && !life_ended(&l)) {
 *		... read and write what there is ...
 *		poll(..., life_sleep(&l, ms));     signals_fd() is among the descriptors
 *	}
 *	... read and write the rest, close what was attached ...
 *	life_finish(&l);
 *	code = err ? error_print() : life_code(&l);
 *	life_release(&l);
 *
 * Being told to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT):
 * - Without a command the job ends. What was there until then is written, and the exit code is 0: that was the order.
 *   Those that were attached to run on.
 * - A command ends with us, and we with it. It is read on to its very last event, and its status is ours.
 * - Ctrl-C and Ctrl-\ reach the whole foreground group, the command as well, and nobody sends it a second one. It takes
 *   the time that it needs; after a second the user is told who is waited for.
 * - A signal that came to us alone is passed on. Since many send it to the whole group (timeout, a service manager,
 *   kill %1), the command first has LIFE_PASS_MS to end by itself. If it ignores that signal, or has not ended LIFE_TERM_MS
 *   after it, it gets SIGTERM. LIFE_LEAVE_MS after the signal it is left alone, and we say so.
 * - A second signal (see base/signals.h) ends us now: the command gets SIGTERM, and nobody waits for it.
 *
 * The job has an end of its own (life_enough): --timeout, --max-events, --max-size, --control stop, a reader that is
 * gone, an error. Then the command gets SIGTERM and LIFE_LEAVE_MS to end; the exit code is 0, or 255 for an error. */
#ifndef JOB_LIFE_H
#define JOB_LIFE_H
#include <stdint.h>
#include "base/signals.h"
#include "kernel/workload.h"

enum { LIFE_PASS_MS = 200, LIFE_TERM_MS = 1000, LIFE_LEAVE_MS = 5000 };

struct life {
	struct workload command; /* pid 0: none */
	/* life.c's own */
	uint64_t enough; /* since when; 0: not yet */
	uint64_t sent_at;
	int sent; /* the last signal that it got from us, 0: none */
	bool told_user, left;
};

/* Catches signals, and forks the command, which waits (argv NULL: there is none). -errno and a pending error. */
int life_fork(struct life *l, char **argv, const struct workload_options *how);
/* All is attached: gives up every capability but these, and the one to end a command that has changed its user. */
void life_give_up_rights(const struct life *l, uint64_t keep);
/* Lets the command exec, unless the end came before. life_start() waits until that has worked. -errno and a pending error. */
int life_go(struct life *l);
int life_start(struct life *l);
bool life_ended(struct life *l); /* the command has; never true without one */
/* Is the job to leave its loop now? The command is told of its end from here, so ask in each round. */
bool life_over(struct life *l);
/* For jobs that have nothing to read meanwhile: until one of the above, or for timeout_ms (0: as long as it takes). */
void life_wait(struct life *l, int timeout_ms);
void life_delay(struct life *l, unsigned ms); /* lets so much time pass, or less if the job or the command ends meanwhile */
int life_sleep(const struct life *l, int ms); /* at most ms (-1: for ever), and not beyond what life_over() has to do next */
void life_enough(struct life *l); /* the job has reached an end of its own */
/* What an error in the loop means: a reader that is gone (-EPIPE) has seen enough, which is none; any other ends the
 * command, and stays. */
int life_failed(struct life *l, int err);
/* Waits for the command: for its end by itself, or, if it was told, as long as the above allows. */
void life_finish(struct life *l);
int life_code(const struct life *l); /* the exit code, if there was no error */
void life_release(struct life *l);
#endif

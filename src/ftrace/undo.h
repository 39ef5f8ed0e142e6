/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was done to the kernel by way of tracefs is undone when sonde ends, however it ends.
 *
 * A guardian, a small process forked before the first change, holds the reading end of a pipe. Each change is noted there
 * first and made then. When sonde closes its end, or is killed, the guardian undoes what was noted, last first; nothing else
 * ever does, so that kill -9 takes the same way as every other end. It has a session of its own: what is sent to sonde's
 * group does not reach it. */
#ifndef FTRACE_UNDO_H
#define FTRACE_UNDO_H
#include <stdbool.h>

/* Starts the guardian; once is enough. -errno with a pending error. */
int undo_start(void);
/* At the end: the file below tracefs gets that text. append: the file is not emptied first. */
int undo_write(const char *path, const char *text, bool append);
/* At the end: the instance of that path is stopped and removed. */
int undo_instance(const char *path);
/* The last note was for nothing: it was not done. */
void undo_forget(void);
/* All that was noted so far is to stay (a session that outlives us). */
void undo_keep(void);
/* Has it all undone and waits for that. -errno with a pending error that names what is left. Nothing noted: 0. */
int undo_run(void);
/* One user of the top instance's knobs at a time: 0, or -EBUSY with a pending error that names who has them. */
int undo_lock_top(void);
#endif

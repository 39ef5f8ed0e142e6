/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording that is drawn at once. A recorder gives up its rights when it begins, and the names of the kernel's functions
 * take some: so the one that draws is forked before, waits for its end, and also removes the file when the recorder is killed. */
#ifndef JOB_FLAME_H
#define JOB_FLAME_H
#include "job/record/recorder.h"

/* o->output is set here. draw reads the file at path, calls flame_recorded() as soon as it is open, and returns an exit code.
 * The exit code: the command's, unless something failed. */
int flame_record(struct recorder_options *o, event_list *l, struct target *t, int (*draw)(void *ctx, const char *path), void *ctx);
/* The file at path is open: its name and folder are removed. */
void flame_recorded(const char *path);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched latency without a file: the kernel sums up while a command runs (attach/schedsum.h). */
#ifndef JOB_SCHED_LATENCY_H
#define JOB_SCHED_LATENCY_H
#include "analysis/sched/latency.h"

/* Fills l's rows; the exit code. 255 with a pending error: it could not be measured. */
int sched_latency_live(struct latency *l, char **command);
#endif

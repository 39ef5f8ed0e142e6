/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: the first moments of a command, or of a trace, are left alone. */
#ifndef JOB_TRACE_DELAY_H
#define JOB_TRACE_DELAY_H
#include "engine/engine.h"

/* A process and all that it has started, as far as they are there. */
void trace_delay_tree(intlist *pids, int pid);
#endif

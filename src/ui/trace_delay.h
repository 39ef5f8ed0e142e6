/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: the first moments of a command, or of a trace, are left alone. */
#ifndef UI_TRACE_DELAY_H
#define UI_TRACE_DELAY_H
#include "engine/engine.h"

/* Waits, as long as nobody asks for an end and the command (NULL: none) runs. */
void trace_delay_wait(unsigned ms, struct workload *command);
/* A process and all that it has started, as far as they are there. */
void trace_delay_family(intlist *pids, int pid);
#endif

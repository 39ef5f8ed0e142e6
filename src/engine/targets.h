/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -p and -t: those that would be waited for in vain are refused before anything is opened. */
#ifndef EVENT_TRACE_TARGETS_H
#define EVENT_TRACE_TARGETS_H
#include <stdbool.h>
#include "engine/engine.h"

/* others: other events than calls are wanted, which threads of the kernel have too. -errno with a pending error. */
int trace_targets_check(const struct engine_options *o, bool others);
bool task_has_ended(int tid); /* and is there only for its parent, or for its process's other threads */
#endif

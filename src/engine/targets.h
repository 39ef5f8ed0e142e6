/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -p and -t: those that would be waited for in vain are refused before anything is opened. */
#ifndef ENGINE_TARGETS_H
#define ENGINE_TARGETS_H
#include <stdbool.h>
#include "engine/engine.h"

/* others: other events than calls are wanted, which threads of the kernel have too. -errno with a pending error. */
int trace_targets_check(const struct engine_options *o, bool others);
/* With lent rights: -EPERM, pending error, if that one is not for the caller to trace. To be asked again once the target
 * is attached to, because until then it may exec, or end and leave its number to another. */
int trace_target_seen(int tid);
bool task_has_ended(int tid); /* and is there only for its parent, or for its process's other threads */
/* When it was born, in ticks since boot: with its number this is who it is. 0: it is gone. */
unsigned long long task_birth(int tid);
#endif

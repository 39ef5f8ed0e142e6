/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -u and -G where the kernel does not choose the threads: by what /proc says of them. */
#ifndef ENGINE_TASKFILTER_H
#define ENGINE_TASKFILTER_H
#include <stdbool.h>
#include "engine/engine.h"

bool task_filter_needed(const struct engine_options *o);
bool task_filter_changes_user(const char *call); /* its first argument is then the real user */
bool task_filter_ask(const struct engine_options *o, int tid, bool *passes); /* false: it is gone, nobody knows */
#endif

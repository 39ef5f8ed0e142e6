/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -u and -G where the kernel does not choose the threads: by what /proc says of them. */
#ifndef EVENT_PASSING_H
#define EVENT_PASSING_H
#include <stdbool.h>
#include "engine/engine.h"

bool passing_needed(const struct engine_options *o);
bool passing_changes_user(const char *call); /* its first argument is then the real user */
bool passing_ask(const struct engine_options *o, int tid, bool *passes); /* false: it is gone, nobody knows */
#endif

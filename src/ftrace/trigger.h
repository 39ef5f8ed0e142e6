/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Triggers of events ("hist:keys=common_pid", "stacktrace") and synthetic events, taken back at the end (ftrace/undo.h). */
#ifndef FTRACE_TRIGGER_H
#define FTRACE_TRIGGER_H
#include "ftrace/instance.h"

/* dir: "sched/sched_switch". -errno with a pending error that has the kernel's own reason. */
int ftrace_trigger_add(const struct ftrace_instance *i, const char *dir, const char *text);
/* Those of all events, also such as refer to one another. */
void ftrace_triggers_clear(const struct ftrace_instance *i);
/* "NAME TYPE FIELD; TYPE FIELD": an event that hist triggers make, for the whole machine. */
int ftrace_synthetic_add(const char *definition);
#endif

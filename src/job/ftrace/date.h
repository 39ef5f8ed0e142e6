/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record --date: what must be added to the times of an instance to make them the time of day. */
#ifndef JOB_FTRACE_DATE_H
#define JOB_FTRACE_DATE_H
#include <stddef.h>
#include "ftrace/instance.h"
/* Before anything is traced there: leaves it empty and not tracing. text: in microseconds, as trace.dat has it. */
int ftrace_date(const struct ftrace_instance *i, char *text, size_t size);
#endif

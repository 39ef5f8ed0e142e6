/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that fingers used to strace type. */
#ifndef CMD_TRACE_STRACE_H
#define CMD_TRACE_STRACE_H
#include "base/options.h"
#include "cmd/trace/options.h"

extern const struct option_row trace_strace_rows[];
/* -r and --syscall-times with a precision. */
option_call trace_on_since, trace_on_durations;
/* -tt and -ttt, which are "t" and "tt" to an option that wants threads. False: no such thing. */
bool trace_strace_clock(struct trace_options *t, const char *threads);
/* strace's -t, as it is understood here: adds a hint to the pending error. */
int trace_hint_strace(const char *threads);
/* Refuses `-s 200`, which is a summary of the command 200. -errno and a pending error, or 0. */
int trace_check_command(bool summary, const char *command);
#endif

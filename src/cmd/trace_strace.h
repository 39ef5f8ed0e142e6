/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that fingers used to strace and perf trace type. */
#ifndef CMD_TRACE_STRACE_H
#define CMD_TRACE_STRACE_H
#include "base/options.h"
#include "ui/trace_job.h"

/* -c -k -z -Z: what they mean in strace, on a struct trace. */
int trace_strace_option(const struct option_row *opt, const char *arg, bool unset);
int trace_strace_path(const struct option_row *opt, const char *arg, bool unset); /* -P */
int trace_strace_env(const struct option_row *opt, const char *arg, bool unset); /* -E */
/* -tt and -ttt, which are "t" and "tt" to an option that wants threads. False: no such thing. */
bool trace_strace_clock(const char *threads, enum trace_clock *clock);
/* strace's -t, as it is understood here: adds a hint to the pending error. */
int trace_hint_strace(const char *threads);
/* Refuses `-s 200`, which is a summary of the command 200. -errno and a pending error, or 0. */
int trace_check_command(bool summary, const char *command);
void trace_warn_files(const struct trace_job *j); /* -ff -o FILE, which is one file here */
#endif

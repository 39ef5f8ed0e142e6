/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that fingers used to strace and perf trace type: those that need not be said here, and what does the same. */
#ifndef CMD_TRACE_STRACE_H
#define CMD_TRACE_STRACE_H
#include "base/options.h"

/* Taken without a word (with -v: why): sonde does it anyway. */
int trace_needless(const struct option_row *opt, const char *arg, bool unset);
/* Another option does it here: a sentence and which. */
int trace_refused(const struct option_row *opt, const char *arg, bool unset);
/* strace's -s 200 and -tt, as they are understood here: adds a hint to the pending error. */
int trace_hint_strace(const char *threads);
/* Refuses `-s 200`, which is a summary of the command 200. -errno and a pending error, or 0. */
int trace_check_command(bool summary, const char *command);
#endif

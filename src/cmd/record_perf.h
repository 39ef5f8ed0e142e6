/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of perf record that sonde does without: those it need not be told, and those it refuses. */
#ifndef CMD_RECORD_PERF_H
#define CMD_RECORD_PERF_H
#include "base/options.h"

/* Taken without a word (with -v: why): sonde does it anyway, or it changes nothing here. */
int record_needless(const struct option_row *opt, const char *arg, bool unset);
/* What it would be good for is not there: a sentence and what to do instead. */
int record_refused(const struct option_row *opt, const char *arg, bool unset);
#endif

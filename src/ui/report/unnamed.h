/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to know before reading a report: how much of it has no name, why, and what would give it one. */
#ifndef UI_REPORT_UNNAMED_H
#define UI_REPORT_UNNAMED_H
#include "analysis/profile.h"
#include "base/out.h"

/* Into the page as comments when that is a terminal or its pager; else to standard error: who parses the page has perf's
 * lines alone. Nothing when less than a hundredth has no name (with -v: when all has). Returns whether the kernel was among it. */
bool unnamed_say(const struct profile *pr, struct out *page);
#endif

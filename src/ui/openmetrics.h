/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts as OpenMetrics 1.0 text, which Prometheus scrapes. */
#ifndef UI_OPENMETRICS_H
#define UI_OPENMETRICS_H
#include "analysis/stattable.h"

/* Appends all of it, "# EOF" included. total: the counts since the start; elapsed: seconds. */
void openmetrics_add(struct str *s, const struct stat_table *total, double elapsed);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UI_REPORT_THREADS_H
#define UI_REPORT_THREADS_H
#include "analysis/threadcounts.h"
#include "base/out.h"

/* `report -T`: a line for each thread, a column for each event. */
void threads_print(struct out *out, const struct thread_counts *t, const struct perfdata *p);
#endif

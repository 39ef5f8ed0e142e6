/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --tasks` and `--mmaps`: the processes of a recording as a tree, with what they had mapped. */
#ifndef UI_REPORT_TASKS_H
#define UI_REPORT_TASKS_H
#include "base/out.h"
#include "perfdata/reader.h"

/* Reads the whole recording and prints; 0 or -errno with a pending error. */
int tasks_print(struct perfdata *p, struct out *out, bool maps);
#endif

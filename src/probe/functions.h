/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -F: the functions that can be probed. */
#ifndef PROBE_FUNCTIONS_H
#define PROBE_FUNCTIONS_H
#include "base/out.h"
#include "probe/target.h"
/* filter: see filter.h; NULL: all. -errno with a pending error. */
int probe_functions_list(struct probe_target *t, const char *filter, struct out *o);
#endif

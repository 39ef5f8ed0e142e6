/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs at events of perf that count: interval, profile, software, hardware, watchpoint. */
#ifndef SCRIPT_PROVIDER_COUNTER_H
#define SCRIPT_PROVIDER_COUNTER_H
#include <linux/perf_event.h>
#include "script/script.h"
/* The unit at the event: of all threads of process pid, those to come included; pid 0: on every CPU, or on one only.
 * -errno, pending error. */
int counter_attach(struct script_unit *u, const struct point *p, struct perf_event_attr *attr, int pid, bool one);
#endif

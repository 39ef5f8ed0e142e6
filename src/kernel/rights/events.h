/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which events of perf the lent rights (lent.h) are for: counts and samples of the machine, not what others and the kernel have in
 * memory, and nothing that is put into the kernel's code. */
#ifndef KERNEL_RIGHTS_EVENTS_H
#define KERNEL_RIGHTS_EVENTS_H
#include <linux/perf_event.h>
#include <stdbool.h>

/* whole: of all processes. With nothing lent true. */
bool lent_event(const struct perf_event_attr *attr, bool whole);
/* Why it is not: -EPERM with a pending error; 0: it is for lent rights, or nothing is lent. */
int lent_event_refuse(const struct perf_event_attr *attr, const char *name, bool whole);
#endif

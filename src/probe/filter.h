/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which names are wanted: wildcards joined by & and |, turned round by !, grouped by ( ): '!_* & !*@plt'. */
#ifndef PROBE_FILTER_H
#define PROBE_FILTER_H
#include <stdbool.h>

/* 0, or -EINVAL with a pending error that shows the place. */
int filter_check(const char *text);
/* Does the name pass? text was checked. NULL: every name does. */
bool filter_passes(const char *text, const char *name);
#endif

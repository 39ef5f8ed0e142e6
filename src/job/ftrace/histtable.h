/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's text of a hist trigger (events/.../hist) as a table: keys first, then values, a row an entry. */
#ifndef JOB_FTRACE_HISTTABLE_H
#define JOB_FTRACE_HISTTABLE_H
#include <stdbool.h>
#include <stdint.h>
#include "base/out.h"

/* text is cut up. event: whose it is. json: an object a row instead. Returns how many hits found no room. */
uint64_t ftrace_hist_table(char *text, const char *event, bool json, struct out *o);
#endif

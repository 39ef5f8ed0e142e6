/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report -F: which records, by event and by what their fields say, in trace-cmd's grammar:
 *	sched/sched_switch : prev_state == 0 && (next_prio < 100 || COMM == "bash")
 * An event is a regular expression on the name, or SYSTEM/NAME; several are joined with commas. A field that the event does not
 * have makes its comparison false. */
#ifndef UI_TRACEDAT_FILTER_H
#define UI_TRACEDAT_FILTER_H
#include "tracedat/reader.h"

struct record_filter;
/* -EINVAL and a pending error with a caret under what is wrong. */
int record_filter_new(struct record_filter **f, const char *text);
/* Does it name an event of this file, and fields that one of those has? false: a warning has told what is not there. */
bool record_filter_fits(struct record_filter *f, struct tracedat *t);
void record_filter_free(struct record_filter *f);
enum filter_says { FILTER_NOT_MINE /* of other events */, FILTER_NO, FILTER_YES };
enum filter_says record_filter_ask(struct record_filter *f, struct tracedat *t, const struct tracedat_record *r);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What takes the time now: a recorder in a process of its own writes into a pipe, a thread reads that as `report` would and folds it,
 * and at each refresh lines are made of what is there; old samples fade. So `top` has report's lines, and record's events. */
#ifndef JOB_TOP_TOP_H
#define JOB_TOP_TOP_H
#include "job/record/recorder.h"
#include "symbol/symbols.h"
#include "ui/report/page.h"

struct top_options {
	struct recorder_options record;
	event_list *events;
	struct target *target;
	struct report_options page;
	struct symbols_options symbols;
	struct sample_filter filter;
	double delay; /* seconds between refreshes */
	bool stdio; /* tables, one after the other */
	bool order_given; /* of call graphs: caller or callee */
	bool zero; /* each refresh starts anew */
	bool hide_kernel, hide_user;
	int entries; /* at most so many lines of a table; 0: as the terminal has room for */
	uint64_t count_filter; /* lines of more samples than that; 0: all */
	const char *annotated; /* tables of that function's instructions; NULL: of lines */
	struct event_switch switches;
};
/* The exit code: 0, or 255 after a pending error was printed. */
int top_run(struct top_options *o);
#endif

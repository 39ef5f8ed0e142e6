/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `ftrace report` share. */
#ifndef CMD_FTRACE_REPORT_H
#define CMD_FTRACE_REPORT_H
#include "base/out.h"
#include "ui/tracedat/filter.h"
#include "ui/tracedat/view.h"

enum { REPORT_CPUS = 1024 }; /* for which order and stacks are followed */

struct report_input {
	const char *path;
	int64_t offset;
	double hz;
	struct tracedat *t;
	struct tracedat_view *view;
	struct tracedat_record r;
	bool ready;
	bool *skip; /* by event id: not chosen */
	int stack_id, name_width;
	bool shown[REPORT_CPUS];
	uint64_t last[REPORT_CPUS];
};
struct report_filter { struct record_filter *filter; const char *text; bool not; };

struct ftrace_report {
	VEC(struct report_input) inputs;
	VEC(struct report_filter) filters;
	wordlist events, raw_events, plain_events;
	intlist cpus;
	const char *output;
	struct tracedat_view_options view;
	bool next_not, no_irq, no_softirq, check_times, no_date, raw_times, align;
	int64_t offset;
	double hz;
	struct { bool stat, uname, version, endian, functions, printk, names, formats, check, cpus, first, last, filters; } facts;
};

/* What was asked about the files instead of their records; *done: something was. -errno with a pending error. */
int report_facts(struct ftrace_report *o, struct out *out, bool *done);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of calls at the end of a trace (-s, -S). */
#ifndef UI_TRACE_SUMMARY_H
#define UI_TRACE_SUMMARY_H
#include "analysis/callsum.h"
#include "base/out.h"
#include "engine/engine.h"
#include "ui/trace/table.h"
struct trace_summary_options {
	enum engine_summary mode;
	bool json, histogram;
	unsigned width; /* of the terminal; 0: no limit */
	bool strace; /* its table */
	struct table_columns columns; /* of that one */
	enum table_column order; /* of the rows */
	bool (*cgroup)(uint64_t id, struct str *path); /* names them: "" is the root. False: there is none of that number */
	const struct callsum *more; /* knows runtimes and page faults; NULL: nobody does */
};
/* Sorts a copy of the rows; nothing is printed for none. */
void trace_summary_print(const struct trace_summary_options *o, const struct engine_sum *rows, size_t n, struct out *out);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as text: columns, their widths, and the call graph below each line. */
#ifndef UI_REPORT_TEXT_H
#define UI_REPORT_TEXT_H
#include "analysis/profile.h"
#include "base/out.h"
#include "ui/report/callgraph.h"

struct report_style {
	struct callgraph_style graph;
	bool graphs; /* call graphs are shown */
	double min_percent;
	const char *separator; /* -t; NULL: columns are aligned */
	const intlist *widths; /* -w; NULL: none */
	bool headers, nanosecs, hierarchy;
};
/* One event's lines, with its column headers. */
void report_print(struct out *out, struct profile *p, struct hist *h, int event, const struct report_style *s);
#endif

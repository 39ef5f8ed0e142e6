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
	bool on_screen; /* columns are as wide as they look there; else, as perf's, as many bytes */
};
/* One event's lines, one at a time: widths are made for the lines that the histogram has then. All is borrowed. */
struct report_table;
struct report_table *report_table_new(struct profile *p, struct hist *h, int event, const struct report_style *s);
void report_table_free(struct report_table *t);
void report_table_head(struct report_table *t, struct str *s); /* names of the columns */
void report_table_line(struct report_table *t, struct str *s, const struct hist_entry *e); /* neither has a newline */
void report_table_graph(struct report_table *t, struct str *s, const struct hist_entry *e); /* lines of its call graph, as a report has them below */
double report_table_percent(const struct report_table *t, const struct hist_entry *e); /* what --percent-limit asks */

/* The text of one key column, at least as wide as least: equal texts, equal keys. */
void report_table_key(const struct report_table *t, struct str *s, const struct column *c, const struct hist_entry *e, int least);
/* Of two tables with the same columns: both get the wider of each. */
void report_table_align(struct report_table *a, struct report_table *b);
void report_table_rule(const struct report_table *t, struct str *s); /* the dots below the names of columns */

/* One event's lines, with its column headers. */
void report_print(struct out *out, struct profile *p, struct hist *h, int event, const struct report_style *s);
#endif

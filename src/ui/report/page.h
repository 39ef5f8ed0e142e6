/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording as the page of `sonde report`: read into a profile, and printed event by event. */
#ifndef UI_REPORT_PAGE_H
#define UI_REPORT_PAGE_H
#include <regex.h>
#include "analysis/profile.h"
#include "base/out.h"
#include "ui/report/callgraph.h"

struct report_options {
	/* which samples */
	const struct sample_filter *filter;
	const wordlist *symbols; /* -S */
	const char *time; /* --time, as it was given */
	wordlist dsos;
	const char *symbol_filter;
	const int *socket; /* --socket-filter; NULL: none */
	bool hide_unresolved, exclude_other;
	/* lines and columns */
	const char *sort, *fields, *separator;
	const char *parent, *ignore_callees; /* regular expressions; NULL: the usual, none */
	bool group_given, forced_group; /* --group; of events that were in none */
	bool samples, period, utilization, hierarchy, group, relative, branch, memory, cycles, history, raw_trace, nanosecs, full_path;
	intlist widths;
	double min_percent;
	uint64_t quantum; /* of the time key, ns */
	/* call graphs */
	struct callgraph_style graph;
	double graph_percent;
	bool no_graph, graph_given, children, no_children /* given */, caller, by_address, by_line;
	int max_stack;
	enum inlines inlines;
	/* around the lines */
	bool skip_empty, threads, quiet;
	bool header; /* was printed already */
};

struct report {
	struct perfdata *data;
	const struct report_options *o;
	struct layout layout;
	regex_t parent, callees;
	bool compiled;
};
/* What can be found wrong before anything is read: -EINVAL and a pending error. Both are borrowed. */
int report_prepare(struct report *r, struct perfdata *p, const struct report_options *o);
/* Reads and prints all of it; -errno and a pending error (what was read before is printed). */
int report_page(struct report *r, struct symbols *syms, struct out *out);
/* The lines "# comm: NAME" of filters that leave one value. */
void report_comments(struct report *r, struct out *out);
void report_release(struct report *r); /* after report_prepare, whatever it said */
#endif

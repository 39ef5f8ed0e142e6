/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording as the page of `sonde report`: read into a profile, and printed event by event. */
#ifndef UI_REPORT_PAGE_H
#define UI_REPORT_PAGE_H
#include <regex.h>
#include "analysis/annotate/listing.h"
#include "analysis/profile.h"
#include "base/out.h"
#include "ui/report/callgraph.h"
#include "ui/report/text.h"

struct report_options {
	const char *input; /* the recording's path, to read it again; NULL: it cannot be */
	bool force; /* also when it is another user's */
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
	const char *usual; /* keys where none are given and not all events are tracepoints; NULL: comm,dso,symbol */
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
	/* instructions, in the browser */
	struct listing_options code;
	enum percent_type percent_type;
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
/* What the page is made of: nothing is read yet. Free with profile_free(). */
struct profile *report_profile(struct report *r, struct symbols *syms);
struct report_style report_style(const struct report *r);
/* The i-th event as the page names it, a group by its members; safe to print. */
void report_event_name(const struct report *r, struct profile *pr, size_t i, struct str *out);
/* Does the page leave out that event: shown by its group's leader, or without samples? */
bool report_event_hidden(const struct report *r, struct profile *pr, size_t i);
/* Reads and prints all of it; -errno and a pending error (what was read before is printed). */
int report_page(struct report *r, struct symbols *syms, struct out *out);
/* The lines "# comm: NAME" of filters that leave one value. */
void report_comments(struct report *r, struct out *out);
void report_release(struct report *r); /* after report_prepare, whatever it said */
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call graphs below the lines of a report, as perf draws them. */
#ifndef UI_REPORT_CALLGRAPH_H
#define UI_REPORT_CALLGRAPH_H
#include "analysis/chaintree.h"
#include "base/str.h"

enum chain_value { VALUE_PERCENT, VALUE_PERIOD, VALUE_COUNT };
struct callgraph_style {
	enum chain_mode mode;
	enum chain_value value;
	uint32_t print_limit; /* 0: none */
	bool skip_first; /* the line above already names the first frame */
	bool show_dso, show_address, show_line;
	const char *separator; /* of folded stacks; NULL: ; */
};
/* total: of the event; own: of the line. */
void callgraph_print(struct str *out, const struct places *p, const struct chain_tree *t,
		     const struct callgraph_style *s, uint64_t total, uint64_t own);
/* The i-th frame of a node's run. */
void callgraph_frame(struct str *out, const struct places *p, const struct chain_node *n, int i, const struct callgraph_style *s);
/* What stands before a node: its share of total, as the style wants it. */
void callgraph_value(struct str *out, const struct chain_node *n, uint64_t total, const struct callgraph_style *s);
#endif

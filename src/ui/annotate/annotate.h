/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A listing as text, in perf's two forms. */
#ifndef UI_ANNOTATE_ANNOTATE_H
#define UI_ANNOTATE_ANNOTATE_H
#include "analysis/annotate/listing.h"
#include "base/out.h"

enum annotate_column { ANNOTATE_PERCENT, ANNOTATE_SAMPLES, ANNOTATE_PERIOD };
struct annotate_style {
	enum annotate_column column;
	enum percent_type type;
	bool full_path, places; /* places: -l */
	const int *events; /* those that have a column, n of them */
	int n;
	const char *event_name; /* of the event, or of the group */
};
/* perf annotate --stdio */
void annotate_stdio(struct out *out, const struct code_listing *l, const struct annotate_style *s);
/* --stdio2: offsets, arrows, operands by name. sum: what the title counts. */
void annotate_stdio2(struct out *out, const struct code_listing *l, const struct annotate_style *s, const struct perfdata_event *e, struct hit sum);
/* The summary of -l. */
void annotate_shares(struct out *out, const struct code_listing *l, const struct annotate_style *s);

/* An instruction as perf's browser and --stdio2 show it: '>' (call), '<' (return), 'v', '^' (jumps down and up) or ' ' in arrow. */
char *annotate_insn(const struct code_listing *l, const struct listing_line *line, int name_width, bool raw, char *arrow);
int annotate_name_width(const struct code_listing *l); /* of the longest mnemonic */
int hex_digits(uint64_t v);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings side by side: each is folded as a report of its own, and lines with the same keys are one row. */
#ifndef UI_DIFF_DIFF_H
#define UI_DIFF_DIFF_H
#include "analysis/profile.h"
#include "base/out.h"
#include "ui/report/text.h"

enum diff_compute { DIFF_DELTA_ABS, DIFF_DELTA, DIFF_RATIO, DIFF_WDIFF };
struct diff_options {
	enum diff_compute compute;
	int64_t weight_base, weight_new; /* of wdiff */
	int order; /* the file whose column is sorted by; 0: the baseline's */
	bool period, formula, baseline_only, quiet, relative;
	const char *sort, *separator, *parent;
	wordlist dsos, symbols, comms;
};

struct diff_file {
	const char *path;
	struct perfdata *data; /* borrowed, as is: */
	struct symbols *syms;
	struct sample_filter filter;
	struct layout layout;
	regex_t parent;
	bool compiled;
	struct profile *profile;
	/* Of the event under way: */
	struct hist *hist; /* NULL: this file does not have it */
	struct report_table *table;
	uint64_t total;
};

struct diff_row {
	char *key; /* owned */
	bool hidden; /* by a filter: it counts, while the event is worked out */
	int file; /* whose line it is shown with: the first that has it */
	struct hist_entry **line; /* owned; of each file: NULL where it has none */
	uint64_t *period; /* owned; of each file: of all lines that are one row here */
};
struct diff {
	const struct diff_options *o;
	struct diff_file *file;
	int n;
	VEC(struct diff_row) row; /* of the event under way, in order */
	uint64_t base_total; /* of the baseline's rows that are left */
	VEC(struct hist_entry *) left_out; /* of the files' lines: for this event, since they make no column wider */
	struct report_style style;
	bool (*go_on)(void *ctx, double done); /* asked while the files are read: false, what was read is all; NULL: true */
	void *ctx;
};

/* Reads all files; -errno and a pending error. data and syms of each file are the caller's. */
int diff_read(struct diff *d);
/* The next event of the baseline, from that one on, that is to be shown; how many it has: there is none. */
size_t diff_next_event(const struct diff *d, size_t from);
/* The rows of the baseline's event. */
void diff_event(struct diff *d, int event);
void diff_release(struct diff *d);
/* What a row's column is: computed against the baseline. false: this file has no such line. */
bool diff_value(const struct diff *d, const struct diff_row *r, int file, double *value);

/* All events as text. */
void diff_print(struct diff *d, struct out *out);
void diff_head_text(struct diff *d, struct str *s); /* the names of the columns */
void diff_row_text(struct diff *d, const struct diff_row *r, struct str *s); /* neither has a newline */
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a report as rows of the browser: `report` shows those of a recording, `top` those of what is alive. */
#ifndef TUI_HIST_BROWSE_H
#define TUI_HIST_BROWSE_H
#include "tui/source.h"
#include "ui/report/page.h"

struct hist_browse;
/* What only one of the commands has; all may be NULL. */
struct hist_browse_ops {
	void (*header)(void *ctx, struct str *out); /* `i` */
	void (*status)(void *ctx, struct str *out); /* losses, what it costs */
	bool (*turn)(void *ctx, bool on); /* `f`; false: cannot be */
	void (*zero)(void *ctx, bool on); /* `z` */
	void (*other)(void *ctx, const char *path); /* `s`: that recording is to be shown next */
};
/* Shared by the views of all events; lives longer than they do. */
struct hist_browse {
	struct report *report;
	struct profile *pr;
	struct report_style style;
	const struct hist_browse_ops *ops;
	void *ctx;
	bool live; /* top */
	bool frozen; /* `p`: nothing is made anew */
	bool zeroing, off; /* of top */
	uint64_t count_filter; /* only lines of more samples than that; 0: all */
	uint64_t from, to; /* only that time, ns; to 0: all of it */
	unsigned generation; /* of the lines: changed when they were made anew */
	unsigned epoch; /* changed when all that they were made of was forgotten: a number of a function is another's */
	enum tui_did (*annotate)(struct tui *t, struct hist_browse *b, size_t event, const struct place *p); /* `a`: of that function */
};
/* The view of one event, or, of several, a list of them. */
struct tui_source *hist_browse_view(struct hist_browse *b);
/* How many events have something to show; at may be NULL, else gets their numbers. */
size_t hist_browse_events(struct hist_browse *b, size_t *at, size_t most);
/* Is it one of the lines, whatever the filters of a view? */
bool hist_browse_shows(const struct hist_browse *b, const struct report_table *t, const struct hist_entry *e, double min_percent);
/* Makes all lines anew, of that time alone (0, 0: of all). */
void hist_browse_range(struct hist_browse *b, uint64_t from, uint64_t to);
void hist_range_say(const struct hist_browse *b, struct str *out); /* behind a comma, if something is there */
struct tui_source *hist_view_new(struct hist_browse *b, size_t event);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function's instructions in the browser. */
#ifndef TUI_ANNOTATE_ANNOTATE_H
#define TUI_ANNOTATE_ANNOTATE_H
#include "tui/source.h"
#include "analysis/places.h"
#include "ui/annotate/page.h"

/* The view of that function's samples of an event. hits and options live longer than it does, or with owned are freed with it. NULL: its
 * code is not to be had, which is the pending error. */
struct annotate_live;
struct tui_source *annotate_view_new(struct hits *h, bool owned, size_t function, int event, const struct annotate_options *o, const struct annotate_live *live /* or NULL */);
/* The same for a place of a report: reads the recording again, for samples in that function alone. */
struct annotate_target {
	const struct place *place;
	int event;
	const struct sample_filter *filter; /* NULL: none */
	const struct listing_options *code;
	enum percent_type type;
	const char *note; /* what the filter is, for the line at the bottom; NULL: nothing to say */
};
struct tui_source *annotate_place(struct symbols *syms, const char *path, bool force, const struct annotate_target *at);
/* The same of what is alive: renew, at each tick, adds to the hits, which are the view's, what came; false: nothing did. */
struct annotate_live {
	bool (*renew)(void *ctx, struct hits *h);
	void (*status)(void *ctx, struct str *out); /* behind the view's own; may be NULL */
	void *ctx;
};
struct tui_source *annotate_place_live(struct hits *h, const struct annotate_target *at, const struct annotate_live *live);
/* `sonde annotate` on a terminal: the function with the most samples, or the one that was named. -errno and a pending error. */
int tui_annotate(struct perfdata *p, struct symbols *syms, const struct annotate_options *o);
#endif

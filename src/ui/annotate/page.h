/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording as the text of `sonde annotate`: event by event, the functions with the most samples first. */
#ifndef UI_ANNOTATE_PAGE_H
#define UI_ANNOTATE_PAGE_H
#include "ui/annotate/annotate.h"

struct annotate_options {
	struct hits_choice choice;
	struct listing_options listing;
	enum percent_type type;
	bool second; /* --stdio2 */
	bool places, full_path, samples, period, skip_empty, skip_missing, quiet;
	bool group, group_given;
	bool stopped; /* in the browser: reading was, this is not all */
	double min_percent;
	const char *note; /* in the browser: what the samples were chosen by, for the line at the bottom; NULL: nothing to say */
};
/* Reads and prints it all; -errno and a pending error: -ENOENT where a named function has no samples. */
int annotate_page(struct perfdata *p, struct symbols *syms, const struct annotate_options *o, struct out *out);
#endif

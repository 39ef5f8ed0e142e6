/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flame tree as a picture: SVG (a node for each frame, works without script), HTML (a page that draws on a canvas), and
 * as folded text. */
#ifndef PICTURE_FLAME_FLAME_H
#define PICTURE_FLAME_FLAME_H
#include "analysis/flame/tree.h"
#include "base/out.h"

enum flame_colours { FLAME_KINDS, FLAME_HOT, FLAME_IO, FLAME_MEM };
struct flame_picture {
	const struct flame_tree *t;
	const char *title, *unit; /* hostile, as names are */
	double scale; /* weight * scale is in that unit */
	const char *note; /* a line below: what was lost, cut, left out; NULL: none */
	enum flame_colours colours;
	unsigned width; /* of SVG, in pixels */
	bool inverted; /* the outermost callers on top */
	bool compared; /* with a recording before: t has its weights */
	bool chart; /* from left to right goes the time */
};
void flame_svg(const struct flame_picture *p, struct out *o);
void flame_html(const struct flame_picture *p, struct out *o);
void flame_folded(const struct flame_picture *p, struct out *o); /* weights as they are in the tree; compared: both */

/* amount.c: "1,234", "12.5", "0.004" of a weight. */
void flame_amount(struct str *s, uint64_t weight, double scale);
/* "name (12 samples, 3.45%)" of a node, escaped by whoever puts it somewhere */
void flame_label(const struct flame_picture *p, const struct flame_node *n, struct str *s);
/* How much a frame grew: from -1 (gone) over 0 to 1 (new). */
double flame_growth(const struct flame_node *n);
#endif

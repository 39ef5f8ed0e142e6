/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `sonde list`: events as lines, or as JSON. */
#ifndef UI_LISTING_H
#define UI_LISTING_H
#include "base/json.h"
#include "base/out.h"
#include "spec/catalogue.h"

struct listing {
	struct out *out;
	bool json, no_desc, fields; /* fields: of each tracepoint */
	bool long_desc, deprecated; /* the longer texts; also what perf's tables call deprecated */
	bool raw; /* names alone */
	const char *unit; /* only this PMU's, of what belongs to one; NULL: all */
	size_t shown;
	struct json j;
	struct str text;
};
void listing_begin(struct listing *l); /* out and the flags are set */
void listing_row(struct listing *l, const struct catalogue_row *r);
void listing_end(struct listing *l);
#endif

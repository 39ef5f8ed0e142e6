/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every event that can be named on this machine, for `sonde list` and the completion. */
#ifndef EVENT_CATALOGUE_H
#define EVENT_CATALOGUE_H
#include <stdbool.h>
#include "base/vec.h"

enum catalogue_kind {
	CATALOGUE_HARDWARE, CATALOGUE_SOFTWARE, CATALOGUE_TOOL, CATALOGUE_CACHE, CATALOGUE_PMU, CATALOGUE_RAW,
	CATALOGUE_BREAKPOINT, CATALOGUE_TRACEPOINT, CATALOGUE_PROBE, CATALOGUE_SDT, CATALOGUE_SYSTEM,
	CATALOGUE_KINDS,
};

struct catalogue_row {
	enum catalogue_kind kind;
	char *name;
	const char *alias; /* NULL: none */
	char *help; /* NULL: none */
	bool absent; /* this machine does not support it */
};
typedef VEC(struct catalogue_row) catalogue;

/* kinds: bits of 1 << kind. What cannot be read (tracefs) is left out: the return is then -errno with a
 * pending error, and the rest is there all the same. */
int catalogue_fill(catalogue *c, unsigned kinds);
/* SDT markers of one file (path), or of every installed and every running program (NULL). */
int catalogue_sdt(catalogue *c, const char *path);
void catalogue_release(catalogue *c);
const char *catalogue_kind_name(enum catalogue_kind k); /* "Tracepoint event" */
const char *catalogue_kind_word(enum catalogue_kind k); /* "tracepoint", as in list tracepoint and JSON */
#endif

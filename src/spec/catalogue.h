/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every event that can be named on this machine, for `sonde list` and the completion. */
#ifndef SPEC_CATALOGUE_H
#define SPEC_CATALOGUE_H
#include <stdbool.h>
#include "base/vec.h"

struct metric_def; /* spec/metrics.h */

enum catalogue_kind {
	CATALOGUE_HARDWARE, CATALOGUE_SOFTWARE, CATALOGUE_TOOL, CATALOGUE_CACHE, CATALOGUE_PMU, CATALOGUE_RAW,
	CATALOGUE_BREAKPOINT, CATALOGUE_TRACEPOINT, CATALOGUE_PROBE, CATALOGUE_SDT, CATALOGUE_SYSTEM, CATALOGUE_METRIC,
	CATALOGUE_METRIC_GROUP,
	CATALOGUE_KINDS,
};

struct catalogue_row {
	enum catalogue_kind kind;
	char *name;
	const char *alias; /* NULL: none */
	char *help; /* NULL: none */
	bool absent; /* this machine does not support it */
	bool deprecated; /* of perf's tables: there is a better one */
	const char *long_help, *unit; /* NULL: none; unit: the PMU that it belongs to */
	const struct metric_def *metric; /* of a metric */
};
typedef VEC(struct catalogue_row) catalogue;

enum { /* bits of 1 << kind */
	CATALOGUE_ALL = 1u << CATALOGUE_HARDWARE | 1u << CATALOGUE_SOFTWARE | 1u << CATALOGUE_TOOL | 1u << CATALOGUE_CACHE |
			1u << CATALOGUE_PMU | 1u << CATALOGUE_RAW | 1u << CATALOGUE_BREAKPOINT | 1u << CATALOGUE_TRACEPOINT |
			1u << CATALOGUE_PROBE | 1u << CATALOGUE_METRIC | 1u << CATALOGUE_METRIC_GROUP,
	CATALOGUE_TRACEFS = 1u << CATALOGUE_TRACEPOINT | 1u << CATALOGUE_PROBE | 1u << CATALOGUE_SYSTEM,
};

/* kinds: bits of 1 << kind. What cannot be read (tracefs) is left out: the return is then -errno with a
 * pending error, and the rest is there all the same. */
int catalogue_fill(catalogue *c, unsigned kinds);
/* SDT markers of one file (path), or of every installed and every running program (NULL). */
int catalogue_sdt(catalogue *c, const char *path);
void catalogue_release(catalogue *c);
/* The kinds that a word of `sonde list` stands for ("hw", "tracepoint"); 0: it is no such word. */
unsigned catalogue_kinds_of(const char *word);
/* Calls take with all rows that another word stands for: a glob, a family of tracepoints, a part of a name. How many. */
int catalogue_choose(const catalogue *c, const char *word, void (*take)(void *ctx, const struct catalogue_row *r), void *ctx);
const char *catalogue_kind_name(enum catalogue_kind k); /* "Tracepoint event" */
const char *catalogue_kind_word(enum catalogue_kind k); /* "tracepoint", as in list tracepoint and JSON */
#endif

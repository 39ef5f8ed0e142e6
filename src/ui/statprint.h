/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the table of `sonde stat` looks: perf's page, its CSV columns, its JSON lines. */
#ifndef UI_STATPRINT_H
#define UI_STATPRINT_H
#include "analysis/stattable.h"
#include "base/out.h"

enum stat_format { STAT_TEXT, STAT_CSV, STAT_JSON };

struct stat_print {
	struct out *o;
	enum stat_format format;
	const char *separator; /* CSV */
	bool group_digits; /* 1,234,567 where the locale does so */
	int runs;
	double interval; /* seconds since the start; below 0: no -I */
	bool summary; /* what follows is the sum of the intervals */
	bool metric_only; /* only figures that were worked out */
	int figures, lines; /* how many of these there were; intervals so far */
	bool each_run; /* the times of the runs, each by itself */
	const struct target *target;
	const struct stat_table *table;
	char thousands[8]; /* filled in by stat_print_init */
};
struct stat_times { double user, sys; bool known; }; /* seconds */

void stat_print_init(struct stat_print *p);
void stat_print_header(struct stat_print *p, const char *subject); /* "'ls -l'", "'system wide'" */
void stat_print_interval_header(struct stat_print *p);
void stat_print_table(struct stat_print *p);
void stat_print_footer(struct stat_print *p, const struct stat_times *times);
#endif

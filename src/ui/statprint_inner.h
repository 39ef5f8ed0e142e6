/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the forms of stat's output share. */
#ifndef UI_STATPRINT_INNER_H
#define UI_STATPRINT_INNER_H
#include "base/json.h"
#include "ui/statprint.h"

/* What stands in front of a row: the time of the interval, the place and how many CPUs it has. */
void stat_text_place(const struct stat_print *p, struct str *s, size_t bucket);
void stat_csv_place(const struct stat_print *p, struct str *s, size_t bucket);
void stat_json_place(const struct stat_print *p, struct json *j, size_t bucket);
void stat_end_line(struct stat_print *p, struct str *s); /* without blanks at its end; s is empty then */
/* statonly.c: the table of --metric-only. */
void stat_print_figures(struct stat_print *p, bool with_heading);
#endif

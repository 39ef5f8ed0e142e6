/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formulas of metrics, as perf writes them: events by name, numbers, + - * / % < > & | ^, a if c else b, min, max, d_ratio,
 * and figures of the machine (#smt_on, #num_cpus, ...; small or large letters). In a name \ stands before - , and =, and @ stands for /. */
#ifndef SPEC_METRICEXPR_H
#define SPEC_METRICEXPR_H
#include <stdbool.h>
#include "base/words.h"

struct metric_expr;
struct metric_expr *metric_expr_parse(const char *text); /* NULL: pending error with a caret */
void metric_expr_free(struct metric_expr *e);
/* The names in it, each once, as they are to be counted (cpu/event=0x3c/). */
void metric_expr_ids(const struct metric_expr *e, wordlist *ids);
/* value(ctx, name) of each name. NAN where something is divided by 0 or is not known, also in a condition. */
typedef double metric_value(void *ctx, const char *id);
double metric_expr_eval(const struct metric_expr *e, metric_value *value, void *ctx);
#endif

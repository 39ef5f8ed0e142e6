/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting the way perf does, to get perf's order. perf compares the lines of a report with a relation that is
 * no strict order (callers go above callees, but only within a thread), so the result depends on how it
 * sorts: by inserting one line after the other into a red-black tree. */
#ifndef ANALYSIS_ORDER_H
#define ANALYSIS_ORDER_H
#include <stdbool.h>
#include <stddef.h>

/* before: a goes to the left of b. Equal ones stay in the order in which they came. */
void order_by_tree(void **item, size_t n, bool (*before)(const void *a, const void *b, void *ctx), void *ctx);
#endif

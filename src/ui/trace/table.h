/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strace's table of calls (-c), its columns (-U) and its orders (-S). */
#ifndef UI_TRACE_TABLE_H
#define UI_TRACE_TABLE_H
#include "base/out.h"
#include "engine/engine.h"

enum table_column { TABLE_PERCENT, TABLE_TOTAL, TABLE_MIN, TABLE_MAX, TABLE_AVG, TABLE_CALLS, TABLE_ERRORS, TABLE_NAME, TABLE_COLUMNS,
		    TABLE_NOTHING /* in the order of their numbers */ };
struct table_columns { unsigned n; uint8_t at[TABLE_COLUMNS]; }; /* n 0: strace's choice */
/* "calls,name". -errno and a pending error. */
int table_columns_parse(struct table_columns *c, const char *text);
/* "calls", "name", "nothing". -errno and a pending error. */
int table_order_parse(enum table_column *order, const char *word);
int table_compare(const struct engine_sum *a, const struct engine_sum *b, enum table_column order); /* names upwards, numbers downwards */
void table_print(const struct table_columns *c, const struct engine_sum *rows, size_t n, struct out *out); /* in their order */
#endif

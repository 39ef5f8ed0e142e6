/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of `report --total-cycles`: straight pieces of code, and how many cycles they took. */
#ifndef UI_REPORT_BLOCKS_H
#define UI_REPORT_BLOCKS_H
#include "analysis/blocks.h"
#include "base/out.h"

/* Sorts them. full_path: of source files. */
void blocks_print(struct out *out, struct blocks *b, struct symbols *syms, double min_percent, bool headers, bool full_path);
#endif

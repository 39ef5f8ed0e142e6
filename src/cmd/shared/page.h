/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that `report` and `top` have in common: how the lines look. Each handler's value is the struct report_options. */
#ifndef CMD_SHARED_PAGE_H
#define CMD_SHARED_PAGE_H
#include "base/options.h"
#include "ui/report/page.h"

option_call page_on_children, page_on_limit, page_on_percentage, page_on_widths;
/* One word of -g: 0, or -EINVAL without a pending error. numbers: how many of its words were some. order: caller or callee was
 * among them. */
int page_graph_word(struct report_options *o, const char *word, int *numbers, bool *order);
#endif

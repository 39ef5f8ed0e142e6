/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_SHOW_HIST_H
#define SCRIPT_SHOW_HIST_H
#include "base/str.h"
#include "script/type.h"
/* The lines of a histogram: hist or lhist, from the first bucket that has something to the last. div as in show_map. */
void hist_text(struct str *out, const struct script_type *t, const uint64_t *buckets, uint64_t div);
void hist_json(struct str *out, const struct script_type *t, const uint64_t *buckets, uint64_t div);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps: read from the kernel, the CPUs' parts of aggregations added up, sorted, printed as bpftrace does; and emptied. */
#ifndef SCRIPT_SHOW_MAP_H
#define SCRIPT_SHOW_MAP_H
#include "script/run.h"

/* top: only so many of the largest, 0: all. div: values are divided by it. -errno, pending error. */
int show_map(struct runner *r, const struct decl *d, unsigned top, uint64_t div);
int show_entry(struct runner *r, const struct decl *d, const uint8_t *payload, size_t n, bool whole); /* the one whose key a record has; whole: in one piece */
int show_all_maps(struct runner *r); /* in the order of their names */
int map_clear(struct runner *r, const struct decl *d, bool keep_keys); /* keep_keys: their values become 0 */
#endif

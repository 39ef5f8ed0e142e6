/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample's call chain as perf has it: run-time addresses, innermost first, without the functions inlined in them. */
#ifndef UI_EXPORT_WALKED_H
#define UI_EXPORT_WALKED_H
#include "ui/export/export.h"

/* out has room for CALLCHAIN_MAX; how many. A sample without a chain is one frame. */
int export_walked(struct exporter *x, const struct perfdata_record *r, struct frame *out);
/* Has an event's sample that part? */
static inline bool export_has(const struct perfdata_record *r, uint64_t sample_type)
{
	return r->event->attr.sample_type & sample_type;
}
#endif

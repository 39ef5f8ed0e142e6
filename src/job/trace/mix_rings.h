/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of mix.h from the kernel: events opened on the targets, and their rings. */
#ifndef JOB_TRACE_MIX_RINGS_H
#define JOB_TRACE_MIX_RINGS_H
#include "job/trace/mix.h"

/* Opens the events (their attr is complete; one that may see user space alone gets another name) on o->engine's targets.
 * -errno and a pending error. */
int mix_rings_open(struct mix_source *s, const struct trace_mix_options *o, event_list *events);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Definitions as they were typed, to events in the kernel. */
#ifndef PROBE_ADD_H
#define PROBE_ADD_H
#include "probe/events.h"
#include "probe/resolve.h"

struct probe_added {
	VEC(struct probe_spec) specs; /* one for each text */
	probe_defs defs; /* each with the number of its spec */
};
/* Finds the places of all texts, names them, and adds all of them, or none. dry: everything but the writing.
 * -errno and a pending error. */
int probe_add(struct probe_added *a, struct probe_target *t, const wordlist *texts, const struct probe_options *o, bool dry);
void probe_added_release(struct probe_added *a);
#endif

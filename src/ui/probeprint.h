/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `sonde probe` says of the probes that it adds. */
#ifndef UI_PROBEPRINT_H
#define UI_PROBEPRINT_H
#include "base/out.h"
#include "probe/add.h"

void probe_print_added(struct out *o, const struct probe_added *a, bool dry);
/* -D: as they would be written to the kernel, or in the form that it reads when it boots. -errno and a pending error. */
int probe_print_definitions(struct out *o, const probe_defs *defs, bool bootconfig);
#endif

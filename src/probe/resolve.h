/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the user wrote to what the kernel takes. */
#ifndef PROBE_RESOLVE_H
#define PROBE_RESOLVE_H
#include "base/words.h"
#include "probe/def.h"
#include "probe/spec.h"
#include "probe/target.h"

struct probe_options {
	bool force; /* -f: same names again, and return probes in Go programs */
	bool no_inlines;
	bool nested; /* copies inside of functions that the pattern fits, too */
	int max_probes; /* at most so many places for one definition; 0: as many as are likely meant */
};

/* The bound for that name. */
int probe_max_places(const struct probe_options *o, const char *function);
/* Appends one probe_def for every place that the definition means, without group and event unless
 * given. -errno with a pending error. */
int probe_resolve(struct probe_target *t, const struct probe_spec *s, const struct probe_options *o,
		  probe_defs *out);
/* Gives group and event names that are free; taken holds "group:event" of what exists. */
int probe_names(probe_defs *defs, const struct probe_spec *specs, const wordlist *taken, bool force);

/* markers (usdt.c) */
int probe_resolve_sdt(struct probe_target *t, const struct probe_spec *s, probe_defs *out);
#endif

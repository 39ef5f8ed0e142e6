/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes that are in the kernel: added, listed, removed. */
#ifndef PROBE_EVENTS_H
#define PROBE_EVENTS_H
#include "base/out.h"
#include "base/words.h"
#include "probe/def.h"
#include "probe/resolve.h"

/* All probes that are defined now, kernel's and programs'. 0, or -errno with a pending error when
 * neither file can be read. */
int probe_events_read(probe_defs *out);
/* Names and adds all of them, or none. dry: everything but the writing. */
int probe_events_add(probe_defs *defs, const struct probe_spec *specs, bool force, bool dry);
/* The same as a bootconfig, for kernel probes that are there from the start (bootconfig.c). */
int probe_bootconfig(const probe_defs *defs, struct str *out);
/* Removes what matches one of the patterns [GROUP:]EVENT; the removed ones' names to out. A pattern
 * that matches nothing is an error, and then nothing is removed. */
int probe_events_remove(const wordlist *patterns, bool dry, wordlist *removed);
bool probe_event_matches(const struct probe_def *d, const char *pattern);
/* -l: each probe with its place in the source where that is known. counts: hits as well. */
struct probe_list_options {
	const wordlist *patterns; /* empty: all */
	const struct probe_target_options *target;
	bool counts;
};
int probe_events_list(struct out *o, const struct probe_list_options *opt);
#endif

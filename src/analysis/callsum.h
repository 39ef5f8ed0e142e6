/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts calls by thread, by name, in all, or by cgroup, for engines and recordings that cannot do it in the kernel. */
#ifndef ANALYSIS_CALLSUM_H
#define ANALYSIS_CALLSUM_H
#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"

/* Of a thread, a name, a cgroup, or all: what other events tell. */
struct callsum_group { uint64_t runtime, minor_faults, major_faults; };
struct callsum {
	enum engine_summary mode;
	bool errnos; /* count them one by one */
	bool live; /* /proc may be asked for a process's cgroup */
	struct u64map cgroups; /* pid -> cgroup number */
	struct u64map index; /* hash of id and call -> row + 1 */
	struct u64map groups; /* id -> struct callsum_group */
	struct u64map latest; /* tid -> row + 1 of its last call, which has the thread's last name */
	VEC(struct engine_sum) rows;
};
/* Notes where a process is before it can be gone; its children begin there too. */
void callsum_know(struct callsum *c, int pid);
void callsum_add(struct callsum *c, const struct sysevent *e);
void callsum_end(struct callsum *c); /* gives all rows of a thread its last name */
/* Where to add what this event tells. */
struct callsum_group *callsum_group_of(struct callsum *c, const struct sysevent *e);
const struct callsum_group *callsum_group(const struct callsum *c, uint64_t id); /* NULL: nothing is known */
void callsum_release(struct callsum *c);
/* The shortest duration, in ns, that so many percent of the calls do not exceed. It comes from the histogram, so it is known
 * to half a bucket, which is 1.6 %, and told to three digits: as a multiple of unit. Where it is exact, unit is 1. */
struct callsum_estimate { uint64_t ns, unit; };
struct callsum_estimate callsum_percentile(const struct engine_sum *r, unsigned percent);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a CPU is: what sysfs says of its socket, die, cluster, core, node and caches. */
#ifndef KERNEL_TOPOLOGY_H
#define KERNEL_TOPOLOGY_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

struct cpu_place { int socket, die, cluster, core, node; }; /* 0 where sysfs does not say */
struct cpu_place topology_of(int cpu);
/* The cache of that level that this CPU uses, by the first of the CPUs that share it; level 0: the last one, and level
 * becomes it. -1: there is none. */
int topology_cache(int cpu, int *level);
/* Another machine's word on the same: that of a recording. */
struct topology {
	const void *ctx;
	struct cpu_place (*place)(const void *ctx, int cpu);
	int (*cache)(const void *ctx, int cpu, int *level);
};

/* For those who write it down. */
int topology_cpus(void); /* one more than the highest number */
bool topology_list(int cpu, const char *file, struct str *s); /* "core_cpus_list": appends "0-1" */
struct topology_cache_info { unsigned level, line, sets, ways; char type[16], size[16]; struct str cpus; };
/* The cache with that index; false: there is none. cpus is the caller's to release, and is cleared first. */
bool topology_cache_info(int cpu, int index, struct topology_cache_info *c);
/* The node's CPUs and memory in kB; false: there is no such node. */
bool topology_node(int node, struct str *cpus, uint64_t *total, uint64_t *free);
#endif

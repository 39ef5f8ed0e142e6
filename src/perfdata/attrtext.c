// SPDX-License-Identifier: GPL-2.0-or-later
/* perf_event_attr as perf evlist -v prints it: every field that is not 0, numbers with the names that they have. */
#include <stdio.h>
#include <unistd.h>
#include "kernel/pmu.h"
#include "perfdata/internal.h"

static const char *const hardware[] = { "CPU_CYCLES", "INSTRUCTIONS", "CACHE_REFERENCES", "CACHE_MISSES", "BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES", "BUS_CYCLES", "STALLED_CYCLES_FRONTEND", "STALLED_CYCLES_BACKEND", "REF_CPU_CYCLES" };
static const char *const software[] = { "CPU_CLOCK", "TASK_CLOCK", "PAGE_FAULTS", "CONTEXT_SWITCHES", "CPU_MIGRATIONS",
	"PAGE_FAULTS_MIN", "PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS", "EMULATION_FAULTS", "DUMMY", "BPF_OUTPUT", "CGROUP_SWITCHES" };
static const char *const types[] = { "HARDWARE", "SOFTWARE", "TRACEPOINT", "HW_CACHE", "RAW", "BREAKPOINT" };
static const char *const caches[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
static const char *const operations[] = { "READ", "WRITE", "PREFETCH" };
static const char *const results[] = { "ACCESS", "MISS" };

enum { N_TYPES = 6, N_HARDWARE = 10, N_SOFTWARE = 12, N_CACHES = 7 };

/* Every kernel gives these numbers the same PMU; the others differ by machine. */
static bool means_the_same(const struct perfdata *p, uint32_t type)
{
	char host[256] = "";
	gethostname(host, sizeof(host) - 1);
	return (type < N_TYPES && type != PERF_TYPE_RAW) || !p || (p->info.hostname && !strcmp(p->info.hostname, host));
}

static const char *pmu_name(const struct perfdata *p, uint32_t type)
{
	for (size_t i = 0; p && i < p->pmus.n; i++)
		if (p->pmus.at[i].type == type)
			return p->pmus.at[i].name;
	if (means_the_same(p, type))
		vec_each(pmus(), m)
			if (m->type == type)
				return m->name;
	return NULL;
}

static void add_type(struct str *s, const struct perfdata *p, uint32_t type)
{
	const char *name = pmu_name(p, type);
	str_addf(s, "type: %u", type);
	if (name) {
		str_add(s, " (");
		str_add_safez(s, name);
		str_addc(s, ')');
	} else if (type == PERF_TYPE_RAW) {
		str_add(s, " (cpu)");
	} else if (type < N_TYPES) {
		str_addf(s, " (PERF_TYPE_%s)", types[type]);
	}
}

static void add_config(struct str *s, const struct perf_event_attr *a, const char *name)
{
	uint64_t c = a->config;
	str_addf(s, c ? ", config: 0x%llx" : ", config: %llu", (unsigned long long)c);
	if (a->type == PERF_TYPE_HARDWARE && c < N_HARDWARE)
		str_addf(s, " (PERF_COUNT_HW_%s)", hardware[c]);
	else if (a->type == PERF_TYPE_SOFTWARE && c < N_SOFTWARE)
		str_addf(s, " (PERF_COUNT_SW_%s)", software[c]);
	else if (a->type == PERF_TYPE_HW_CACHE && (c & 0xff) < N_CACHES && (c >> 8 & 0xff) < 3 && c >> 16 < 2)
		str_addf(s, " (PERF_COUNT_HW_CACHE_RESULT_%s | PERF_COUNT_HW_CACHE_OP_%s | PERF_COUNT_HW_CACHE_%s)", results[c >> 16],
			 operations[c >> 8 & 0xff], caches[c & 0xff]);
	else if (a->type == PERF_TYPE_TRACEPOINT && strchr(name, ':')) {
		str_add(s, " (");
		str_add_safez(s, name);
		str_addc(s, ')');
	}
}

void perfdata_print_attr(struct str *s, const struct perfdata *p, const struct perf_event_attr *a, const char *name)
{
	str_add(s, ": ");
	add_type(s, p, a->type);
	str_addf(s, ", size: %u", a->size);
	add_config(s, a, name);
	attr_fields(s, a, ": ");
}

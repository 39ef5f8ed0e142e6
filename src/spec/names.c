// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/names.h"
#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>

#define HW(name, alias, id, help) { name, alias, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, help }
#define SW(name, alias, id, help) { name, alias, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, help }

const struct event_name hardware_names[] = {
	HW("cpu-cycles", "cycles", CPU_CYCLES, "cycles the core was running"),
	HW("instructions", NULL, INSTRUCTIONS, "instructions retired"),
	HW("cache-references", NULL, CACHE_REFERENCES, "accesses to the last cache level"),
	HW("cache-misses", NULL, CACHE_MISSES, "accesses that the last cache level could not serve"),
	HW("branch-instructions", "branches", BRANCH_INSTRUCTIONS, "branches retired"),
	HW("branch-misses", NULL, BRANCH_MISSES, "branches predicted wrongly"),
	HW("bus-cycles", NULL, BUS_CYCLES, "cycles of the bus"),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
	   "cycles without an instruction to issue"),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
	   "cycles waiting for execution resources"),
	HW("ref-cycles", NULL, REF_CPU_CYCLES, "cycles at a constant rate, whatever the frequency"),
	{ 0 },
};

const struct event_name software_names[] = {
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS, "unaligned accesses that the kernel fixed up"),
	SW("bpf-output", NULL, BPF_OUTPUT, "records that BPF programs write"),
	SW("cgroup-switches", NULL, CGROUP_SWITCHES, "switches to a task of another cgroup"),
	SW("context-switches", "cs", CONTEXT_SWITCHES, "switches from one task to another"),
	SW("cpu-clock", NULL, CPU_CLOCK, "time on the CPU, by a timer of the CPU"),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS, "moves of a task to another CPU"),
	SW("dummy", NULL, DUMMY, "counts nothing; carries fork, exec and mmap records"),
	SW("emulation-faults", NULL, EMULATION_FAULTS, "instructions that the kernel emulated"),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ, "page faults that had to wait for a disk"),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN, "page faults served from memory"),
	SW("page-faults", "faults", PAGE_FAULTS, "page faults, minor and major"),
	SW("task-clock", NULL, TASK_CLOCK, "time the task was running"),
	{ 0 },
};

const struct event_name tool_names[] = {
	{ "duration_time", NULL, EVENT_TYPE_TOOL, TOOL_DURATION, "wall clock time (stat only)" },
	{ "user_time", NULL, EVENT_TYPE_TOOL, TOOL_USER, "time the command spent in user space (stat only)" },
	{ "system_time", NULL, EVENT_TYPE_TOOL, TOOL_SYSTEM, "time the command spent in the kernel (stat only)" },
	{ 0 },
};

const struct event_name *event_name_find(const struct event_name *rows, const char *word)
{
	for (; rows->name; rows++)
		if (!strcmp(rows->name, word) || (rows->alias && !strcmp(rows->alias, word)))
			return rows;
	return NULL;
}

/* Each row: the spellings of one value; the first is the one shown. */
enum { SPELLINGS = 6 };
static const char *const caches[][SPELLINGS] = {
	{ "L1-dcache", "l1-d", "l1d", "L1-data" },
	{ "L1-icache", "l1-i", "l1i", "L1-instruction" },
	{ "LLC", "L2" },
	{ "dTLB", "d-tlb", "Data-TLB" },
	{ "iTLB", "i-tlb", "Instruction-TLB" },
	{ "branch", "branches", "bpu", "btb", "bpc" },
	{ "node" },
};
static const char *const ops[][SPELLINGS] = {
	{ "load", "loads", "read" },
	{ "store", "stores", "write" },
	{ "prefetch", "prefetches", "speculative-read", "speculative-load" },
};
static const char *const results[][SPELLINGS] = {
	{ "refs", "Reference", "ops", "access" },
	{ "misses", "miss" },
};
/* Which operations the kernel's tables know, by cache: bits of load, store, prefetch. */
static const uint8_t op_valid[] = { 7, 5, 7, 7, 1, 1, 7 };

/* The row with the longest spelling that text starts with, up to its end or a '-'. */
static int longest(const char *const (*rows)[SPELLINGS], int n, const char **text)
{
	int best = -1;
	size_t best_len = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < SPELLINGS && rows[i][k]; k++) {
			size_t len = strlen(rows[i][k]);
			if (len > best_len && !strncasecmp(*text, rows[i][k], len) &&
			    (!(*text)[len] || (*text)[len] == '-')) {
				best = i;
				best_len = len;
			}
		}
	*text += best_len;
	return best;
}

bool cache_name_parse(const char *word, uint64_t *config)
{
	int op = -1, result = -1;
	int cache = longest(caches, 7, &word);
	if (cache < 0)
		return false;
	while (*word == '-') {
		word++;
		int o = op < 0 ? longest(ops, 3, &word) : -1;
		if (o >= 0) {
			op = o;
			continue;
		}
		int r = result < 0 ? longest(results, 2, &word) : -1;
		if (r < 0)
			return false;
		result = r;
	}
	if (*word)
		return false;
	*config = (uint64_t)cache | (uint64_t)(op < 0 ? 0 : op) << 8 | (uint64_t)(result < 0 ? 0 : result) << 16;
	return true;
}

bool cache_name_at(unsigned i, struct str *name, uint64_t *config)
{
	unsigned k = 0;
	for (unsigned c = 0; c < 7; c++)
		for (unsigned o = 0; o < 3; o++)
			for (unsigned r = 0; r < 2; r++) {
				if (!(op_valid[c] >> o & 1) || k++ != i)
					continue;
				if (r)
					str_addf(name, "%s-%s-%s", caches[c][0], ops[o][0], results[r][0]);
				else
					str_addf(name, "%s-%s", caches[c][0], ops[o][1]);
				*config = c | o << 8 | r << 16;
				return true;
			}
	return false;
}

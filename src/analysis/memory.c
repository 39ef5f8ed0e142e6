// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/memory.h"

static union perf_mem_data_src parts(uint64_t v)
{
	return (union perf_mem_data_src){ .val = v };
}

/* The names of the bits that are set; how many. */
static int add_bits(struct str *s, const char *const *name, int n, unsigned bits, bool more)
{
	int found = 0;
	for (int i = 0; i < n; i++)
		if (bits >> i & 1)
			str_addf(s, "%s%s", found++ || more ? " or " : "", name[i]);
	return found;
}
#define ADD_BITS(s, names, bits, more) add_bits(s, names, sizeof(names) / sizeof((names)[0]), bits, more)

/* By number, as newer kernels tell it. */
static void add_level_number(struct str *s, union perf_mem_data_src d)
{
	static const char *const name[16] = { [1] = "L1", [2] = "L2", [3] = "L3", [4] = "L4", [5] = "L2 MHB", [6] = "Memory-side Cache",
		[8] = "Uncached", [9] = "CXL", [10] = "I/O", [11] = "Any cache", [12] = "LFB/MAB", [13] = "RAM", [14] = "PMEM" };
	static const char *const hops[8] = { [1] = "core, same node", [2] = "node, same socket", [3] = "socket, same board", [4] = "board" };
	if (d.mem_remote)
		str_add(s, "Remote ");
	if (d.mem_hops)
		str_addf(s, "%s ", hops[d.mem_hops] ? hops[d.mem_hops] : "unknown hops");
	if (name[d.mem_lvl_num])
		str_add(s, name[d.mem_lvl_num]);
	else
		str_addf(s, "Unknown level %d", (int)d.mem_lvl_num);
}

void memory_level_add(struct str *s, uint64_t data_src)
{
	static const char *const name[] = { "N/A", "HIT", "MISS", "L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)",
		"Remote RAM (2 hops)", "Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached" };
	union perf_mem_data_src d = parts(data_src);
	unsigned bits = d.mem_lvl & ~(PERF_MEM_LVL_NA | PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS);
	if (d.mem_lvl_num && d.mem_lvl_num != PERF_MEM_LVLNUM_NA)
		add_level_number(s, d);
	else if (!ADD_BITS(s, name, bits, false)) {
		str_add(s, "N/A");
		return;
	}
	str_add(s, d.mem_lvl & PERF_MEM_LVL_HIT ? " hit" : d.mem_lvl & PERF_MEM_LVL_MISS ? " miss" : " ");
}

void memory_snoop_add(struct str *s, uint64_t data_src)
{
	static const char *const name[] = { "N/A", "None", "Hit", "Miss", "HitM" }, *const more[] = { "Fwd", "Peer" };
	union perf_mem_data_src d = parts(data_src);
	int n = ADD_BITS(s, name, d.mem_snoop, false);
	n += ADD_BITS(s, more, d.mem_snoopx, n > 0);
	if (!n)
		str_add(s, "N/A");
}

void memory_tlb_add(struct str *s, uint64_t data_src)
{
	static const char *const name[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	unsigned bits = parts(data_src).mem_dtlb;
	if (!ADD_BITS(s, name, bits & ~(PERF_MEM_TLB_HIT | PERF_MEM_TLB_MISS), false))
		str_add(s, "N/A");
	if (bits & PERF_MEM_TLB_HIT)
		str_add(s, " hit");
	if (bits & PERF_MEM_TLB_MISS)
		str_add(s, " miss");
}

void memory_lock_add(struct str *s, uint64_t data_src)
{
	unsigned bits = parts(data_src).mem_lock;
	str_add(s, bits & PERF_MEM_LOCK_NA ? "N/A" : bits & PERF_MEM_LOCK_LOCKED ? "Yes" : "No");
}

void memory_blocked_add(struct str *s, uint64_t data_src)
{
	unsigned bits = parts(data_src).mem_blk;
	if (!bits || bits & PERF_MEM_BLK_NA) {
		str_add(s, " N/A");
		return;
	}
	str_add(s, bits & PERF_MEM_BLK_DATA ? " Data" : "");
	str_add(s, bits & PERF_MEM_BLK_ADDR ? " Addr" : "");
}

static const char *operation(uint64_t data_src)
{
	static const struct { unsigned bit; const char *name; } ops[] = {
		{ PERF_MEM_OP_NA, "N/A" }, { PERF_MEM_OP_LOAD, "LOAD" }, { PERF_MEM_OP_STORE, "STORE" },
		{ PERF_MEM_OP_PFETCH, "PFETCH" }, { PERF_MEM_OP_EXEC, "EXEC" },
	};
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (parts(data_src).mem_op & ops[i].bit)
			return ops[i].name;
	return "No";
}

void memory_all_add(struct str *s, uint64_t data_src)
{
	str_addf(s, "|OP %s|LVL ", operation(data_src));
	memory_level_add(s, data_src);
	str_add(s, "|SNP ");
	memory_snoop_add(s, data_src);
	str_add(s, "|TLB ");
	memory_tlb_add(s, data_src);
	str_add(s, "|LCK ");
	memory_lock_add(s, data_src);
	str_add(s, "|BLK ");
	memory_blocked_add(s, data_src);
}

struct weights sample_weights(const struct perfdata_record *r)
{
	if (!r->event || !(r->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT))
		return (struct weights){ .cost = r->weight };
	return (struct weights){ .cost = r->weight & UINT32_MAX, .latency = r->weight >> 32 & 0xffff, .retire = r->weight >> 48 };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sample tells of the access to memory that it was taken at (PERF_SAMPLE_DATA_SRC), in perf's words. */
#ifndef ANALYSIS_MEMORY_H
#define ANALYSIS_MEMORY_H
#include <stdint.h>
#include "base/str.h"
#include "perfdata/reader.h"

/* Each adds its word: "L1 hit", "None or Hit", "Walker miss", "Yes", " Data". */
void memory_level_add(struct str *s, uint64_t data_src);
void memory_snoop_add(struct str *s, uint64_t data_src);
void memory_tlb_add(struct str *s, uint64_t data_src);
void memory_lock_add(struct str *s, uint64_t data_src);
void memory_blocked_add(struct str *s, uint64_t data_src);
/* All of it: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A". */
void memory_all_add(struct str *s, uint64_t data_src);

/* The parts of a sample's weight: what it cost; how long the instruction took; until it retired. */
struct weights { uint32_t latency, retire; uint64_t cost; };
struct weights sample_weights(const struct perfdata_record *r);
#endif

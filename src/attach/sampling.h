/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a recorder wants its events to sample: from record's options to the attrs that are opened. */
#ifndef ATTACH_SAMPLING_H
#define ATTACH_SAMPLING_H
#include "spec/spec.h"
#include "spec/target.h"

enum call_graph { CALL_GRAPH_NONE, CALL_GRAPH_FP, CALL_GRAPH_DWARF, CALL_GRAPH_LBR };

struct sampling {
	uint64_t freq, period; /* -F, -c; 0: not given */
	bool freq_max, strict_freq;
	enum call_graph call_graph;
	unsigned stack_size; /* of DWARF; 0: 8192 */
	uint64_t branch; /* -b, -j: branch_sample_type */
	bool per_thread_counts; /* -s */
	bool running_time; /* times of what is read with samples */
	uint64_t intr_regs, user_regs; /* -I, --user-regs: bits of perf's numbering; 0: none */
	bool raw, address, sample_cpu, weight, transaction, phys_address, data_page, code_page, no_samples;
	bool all_user, all_kernel, user_chains, kernel_chains;
	bool switches, namespaces, cgroups, no_bpf; /* records besides samples */
	bool build_id_maps; /* maps with build-ids instead of inodes, where the kernel can (--buildid-mmap) */
	bool wake_each; /* --no-buffering */
	bool overwrite;
	int clockid;
	size_t watermark; /* bytes until the reader is woken; 0: half a ring */
};

/* "fp", "dwarf", "dwarf,1024", "lbr", "no"; false when it is no method. */
bool sampling_call_graph(struct sampling *s, const char *text);
/* "any,u,call" of -j; -errno with a pending error. */
int sampling_branch(struct sampling *s, const char *text);
/* "mono", "monotonic_raw", "boottime", a number; -errno with a pending error. */
int sampling_clock(struct sampling *s, const char *text);

/* "AX,bx,IP", NULL for all that can be had, "?" prints them. option: its long name. -errno with a pending error. */
int sampling_regs(uint64_t *mask, const char *option, const char *text);

/* No -e: cycles, as precise as it gets. */
int sampling_default_event(event_list *l);
/* Events in hardware that this machine does not have: cycles becomes cpu-clock. True when it did. */
bool sampling_without_pmu(event_list *l);
/* Fills in the attrs of all events, but for what depends on who tracks: */
int sampling_apply(const struct sampling *s, event_list *l, const struct target *t);
/* Afterwards: one event also reports maps, names and threads, the first or (own) one that is appended for that. Its index. */
int sampling_track(const struct sampling *s, event_list *l, const struct target *t, bool own);

/* Between the two: appends the event of --off-cpu, whose samples others make (attach/offcpu.h), as perf lays it out. Its index. */
int sampling_offcpu(const struct sampling *s, event_list *l, const struct target *t);

/* What this kernel knows; probed once. */
bool sampling_has_build_id(void); /* MMAP2 with build-ids, 5.12 */
bool sampling_has_lost(void); /* PERF_FORMAT_LOST, 6.0 */
#endif

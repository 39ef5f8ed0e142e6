/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads trace.bpf.c: by the light skeleton (a loader program made at build time, a few milliseconds),
 * by libbpf where the kernel cannot run that. */
#ifndef EVENT_BPF_LOAD_H
#define EVENT_BPF_LOAD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bpf/trace.h"
#include "attach/pid_space.h"

struct bpf_settings { /* the program's constants, by the same names */
	uint32_t pid_space, self_tgid, whole, use_uid, want_uid, use_cgroup, cgroup_level;
	uint64_t cgroup_id;
	uint32_t use_comm;
	char want_comm[16];
	uint32_t use_cpus, follow, slot_mask, use_more, n_blocks, limit_string, limit_data;
	uint32_t summary, summary_only, graph_user, graph_kernel, lines, use_tests, see_files;
	struct pid_space_layout pid_layout; /* with pid_space */
	uint32_t n_cpus; /* possible ones */
	bool announce; /* calls that leave their CPU are told */
	bool watch_idle; /* on_switch is wanted, for that or for the reader's place */
	uint32_t call_flags, call_kinds; /* with rare */
	const char *rare; /* the one call wanted, through its own tracepoints; NULL: all by sys_enter and sys_exit */
};

enum bpf_prog_id { PROG_FORK, PROG_EXEC, PROG_RENAME, PROG_END, PROG_SIGNAL, PROG_IGNORED, PROG_SWITCH, PROG_EXIT, PROG_ENTER,
	PROG_COUNT }; /* in the order in which they must be attached */

struct bpf_programs {
	int prog[PROG_COUNT], link[PROG_COUNT], perf[PROG_COUNT]; /* -1: none */
	int blocks, ctl, slots, defs, more, sums, sum_rows, owners; /* maps */
	uint32_t *have_more; /* set it when a slot goes into the hash */
	struct narrow_calls *narrow;
	int bell; /* with settings.rare: becomes readable when 32-bit calls are made; -1: never */
	int narrow_prog[2], narrow_link[2]; /* the programs for those, exit and enter; links -1: not attached */
	void *skel;
	void (*free)(void *skel);
};
int bpf_programs_load(struct bpf_programs *p, struct bpf_settings *s); /* -errno, pending error. May take s->rare back */
int bpf_programs_attach(struct bpf_programs *p, const struct bpf_settings *s, const bool want[PROG_COUNT]);
int bpf_programs_narrow(struct bpf_programs *p); /* attaches those for 32-bit calls; -errno, no pending error: any thread may */
void bpf_programs_narrow_end(struct bpf_programs *p);
bool bpf_programs_refused(void); /* the last load or attach failed, and for no other reason than the kernel */
void bpf_programs_detach(struct bpf_programs *p, enum bpf_prog_id id);
void bpf_programs_release(struct bpf_programs *p);

void *bpf_memory(int map, size_t len, int prot); /* of one of the maps; NULL: pending error */
static inline size_t bpf_pages(size_t n)
{
	return (n + 4095) & ~4095ul;
}
#endif

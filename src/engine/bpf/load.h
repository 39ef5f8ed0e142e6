/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads trace.bpf.c: by the light skeleton (a loader program made at build time, a few milliseconds),
 * by libbpf where the kernel cannot run that. */
#ifndef ENGINE_BPF_LOAD_H
#define ENGINE_BPF_LOAD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "bpf/trace.h"

struct bpf_settings { /* the program's constants, by the same names */
#define OPTION_FIELD(type, name) type name;
	TRACE_OPTIONS(OPTION_FIELD)
#undef OPTION_FIELD
	uint32_t self_tgid, whole, follow, slot_mask, use_more, limit_string, limit_data, lines, preemptible;
	uint32_t n_cpus; /* possible ones */
	uint32_t n_blocks; /* of the first ring of each; a power of two */
	bool announce; /* calls that leave their CPU are told */
	bool watch_idle; /* on_switch is wanted, for that or for the reader's place */
	uint32_t call_flags, call_kinds; /* with rare */
	const char *rare; /* the one call wanted, through its own tracepoints; NULL: all by sys_enter and sys_exit */
};

enum bpf_prog_id { PROG_FORK, PROG_EXEC, PROG_RENAME, PROG_END, PROG_SIGNAL, PROG_IGNORED, PROG_SWITCH, PROG_EXIT, PROG_ENTER,
	PROG_COUNT }; /* in the order in which they must be attached */

struct bpf_programs {
	int prog[PROG_COUNT], link[PROG_COUNT], perf[PROG_COUNT]; /* -1: none */
	int blocks, frames, slots, defs, more, sums, sum_rows, owners; /* maps */
	int wake; /* one that becomes readable when a program wakes the reader */
	uint32_t *have_more; /* set it when a slot goes into the hash */
	struct compat_calls *compat;
	struct lane_reader *reader;
	int bell; /* with settings.rare: becomes readable when 32-bit calls are made; -1: never */
	int compat_prog[2], compat_link[2]; /* the programs for those, exit and enter; links -1: not attached */
	void *skel;
	void (*free)(void *skel);
};
int bpf_programs_load(struct bpf_programs *p, struct bpf_settings *s); /* -errno, pending error. May take s->rare back */
int bpf_programs_attach(struct bpf_programs *p, const struct bpf_settings *s, const bool want[PROG_COUNT]);
int bpf_programs_compat(struct bpf_programs *p); /* attaches those for 32-bit calls; -errno, no pending error: any thread may */
void bpf_programs_compat_end(struct bpf_programs *p);
uint64_t bpf_programs_left_out(const struct bpf_programs *p); /* calls, names and signals that the kernel did not run one for */
bool bpf_programs_refused(void); /* the last load or attach failed, and for no other reason than the kernel */
void bpf_programs_detach(struct bpf_programs *p, enum bpf_prog_id id);
void bpf_programs_release(struct bpf_programs *p);

/* A ring buffer that only wakes: what is in it need not be read but thrown away. */
struct bpf_bell { uint64_t *consumed; const uint64_t *produced; };
int bpf_bell_map(struct bpf_bell *b, int map); /* -errno, pending error */
void bpf_bell_clear(struct bpf_bell *b);
void bpf_bell_release(struct bpf_bell *b);

void *bpf_memory(int map, size_t len, int prot); /* of one of the maps; NULL: pending error */
static inline size_t bpf_pages(size_t n)
{
	return (n + 4095) & ~4095ul;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records for what was there before a recording began: kernel, modules, BPF programs, processes with
 * their names and maps, read from /proc. Made while the tracking of new ones is already on and sampling
 * is not: a change in between is then seen twice at worst, and no sample comes from before. */
#ifndef ATTACH_SYNTH_H
#define ATTACH_SYNTH_H
#include <linux/perf_event.h>
#include "base/map.h"
#include "symbol/symbols.h"

struct synth {
	int (*put)(void *ctx, const struct perf_event_header *h); /* a record, without sample_id */
	void (*build_id)(void *ctx, const char *path, const struct build_id *id, bool kernel); /* may be NULL */
	void *ctx;
	bool no_maps; /* only names */
	bool data_maps; /* also what is not executable */
	bool build_id_maps; /* put build-ids into the MMAP2 records */
	struct u64map files; /* by device and inode: struct build_id, possibly empty */
};
void synth_release(struct synth *s);
int synth_kernel(struct synth *s); /* kernel, modules, BPF programs */
int synth_name(struct synth *s, int pid); /* only what it is called: it is about to exec */
int synth_cgroups(struct synth *s, const char *mount); /* the names behind the numbers in samples */
int synth_process(struct synth *s, int pid); /* one that is gone is no error */
int synth_tree(struct synth *s, const int *roots, size_t n); /* these and all that descend from them */
int synth_all(struct synth *s);
/* The build-id of a mapped file, read once for each file; NULL: none. */
const struct build_id *synth_file_build_id(struct synth *s, int pid, const char *path, uint64_t dev, uint64_t ino);
/* Why the addresses of the kernel are hidden from this user; NULL when they are not. */
const char *synth_kernel_hidden(void);
#endif

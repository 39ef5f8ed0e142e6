/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.data, read: files and pipes, any byte order, compressed or not, truncated or hostile; and trace.dat (see dat.c).
 *
 * The reader maps or streams the file, sorts records by time (FINISHED_ROUND bounds the memory) and
 * hands them out one by one in native byte order. Every length is checked before it is used; what is
 * damaged ends the reading with a pending error that names the offset. */
#ifndef PERFDATA_READER_H
#define PERFDATA_READER_H
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "base/words.h"
#include "symbol/symbols.h"

struct perfdata_event {
	struct perf_event_attr attr;
	char *name; /* from EVENT_DESC, or made from attr */
	uint64_t *ids; size_t n_ids;
	struct tep_event *tep; /* of a tracepoint, NULL otherwise */
	char *unit; /* "msec"; NULL: none told */
	double scale; /* of its counts; 0: none told */
	int group_leader; /* index; -1: in no group */
	int group_members; /* of a leader: how many with itself; else 0 */
	const char *group_name; /* NULL: none given */
	bool made_name; /* the file gave none: made from attr */
};

struct perfdata;
/* path NULL: "perf.data"; "-": standard input (pipe mode). */
struct perfdata *perfdata_open(const char *path, bool force); /* NULL: pending error */
/* What a recorder of ours writes into a pipe (the descriptor is the reader's from now on). */
struct perfdata *perfdata_open_pipe(int fd);
void perfdata_close(struct perfdata *p);

/* A record, decoded as far as every consumer needs it. Pointers are valid until the next call. */
struct perfdata_record {
	const struct perf_event_header *header; /* native order; whole and bounded */
	uint64_t file_offset;
	uint64_t time; /* 0 if the record has none */
	const struct perfdata_event *event; /* NULL if none */
	int event_index;
	/* PERF_RECORD_SAMPLE, and sample_id of the others where present */
	uint64_t ip, addr, id, stream_id, period, weight, data_src, phys_addr, cgroup, data_page_size, code_page_size, transaction;
	int pid, tid, cpu; /* -1 when unknown */
	uint16_t misc;
	uint16_t trailer_size; /* bytes of sample_id at the end of a record that is no sample */
	const uint64_t *chain; size_t n_chain; /* with PERF_CONTEXT_* markers */
	const void *raw; uint32_t raw_size;
	uint64_t regs_abi, regs_mask; const uint64_t *regs; /* user */
	uint64_t iregs_abi, iregs_mask; const uint64_t *iregs;
	const void *stack; uint64_t stack_size; /* dyn size: what is valid */
	const struct perf_branch_entry *branch; uint64_t n_branch;
	const void *read_values; size_t read_size; /* PERF_SAMPLE_READ, raw */
};
/* 1: a record; 0: the end; -errno: damaged (pending error with the offset). In time order. */
int perfdata_next(struct perfdata *p, struct perfdata_record *r);
/* Samples of a group ({a,b}:S) come once, as they are in the file, and not once for each event that counted. */
void perfdata_keep_groups(struct perfdata *p);

size_t perfdata_n_events(const struct perfdata *p);
const struct perfdata_event *perfdata_event_at(const struct perfdata *p, size_t i);
struct tep_handle *perfdata_tep(struct perfdata *p); /* NULL: no tracing data */
/* A trace.dat has the names of the kernel's functions with it: those and no others name its addresses. */
bool perfdata_names_functions(const struct perfdata *p);
const char *perfdata_function(void *p, uint64_t addr, uint64_t *start); /* as tp_format_namer() takes it; NULL: none */
bool perfdata_is_pipe(const struct perfdata *p);

/* Header features; NULL/0 when the file has none. */
struct perfdata_info {
	const char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	int nr_cpus_online, nr_cpus_avail;
	uint64_t total_mem; /* kB */
	const wordlist *cmdline;
	uint64_t first_sample, last_sample; /* SAMPLE_TIME, ns */
	bool has_clock; uint32_t clockid; uint64_t clock_wall_ns, clock_ns;
	uint64_t captured_at; /* file's mtime */
	uint64_t clock_res_ns; /* CLOCKID */
	bool compressed, other_endian;
	uint32_t compress_level, compress_ratio;
};
const struct perfdata_info *perfdata_info(const struct perfdata *p);
/* No event is in a group: makes them all one, led by the first. False: there are groups, or only one event. */
bool perfdata_group_all(struct perfdata *p);
/* Build-ids of the header, in order. */
struct perfdata_build_id { struct build_id id; const char *path; uint16_t misc; int pid; };
size_t perfdata_build_ids(const struct perfdata *p, const struct perfdata_build_id **out);
/* Where the recorded machine's CPUs are; false: the file does not say. */
struct cpu_place;
enum perfdata_says { PERFDATA_PLACES, PERFDATA_DIES, PERFDATA_NODES, PERFDATA_CACHES };
bool perfdata_says(const struct perfdata *p, enum perfdata_says what);
struct cpu_place perfdata_place(const struct perfdata *p, int cpu);
int perfdata_cache(const struct perfdata *p, int cpu, int *level); /* as topology_cache */
/* Prints the header as `perf report --header` does. */
void perfdata_print_header(struct perfdata *p, struct str *out, bool all);

/* What the kernel was asked for, as `perf evlist -v` prints it: ": type: 1 (software), ...". name: the event's.
 * p: NULL for an event of this machine. */
void perfdata_print_attr(struct str *s, const struct perfdata *p, const struct perf_event_attr *a, const char *name);

/* Counted while reading; for the loss report. */
struct perfdata_stats { uint64_t samples, lost_records, lost_events, lost_samples, filtered /* by --filter of record */, throttled, out_of_order, unknown, bytes; };
const struct perfdata_stats *perfdata_stats(const struct perfdata *p);
double perfdata_done(const struct perfdata *p, uint64_t offset); /* 0 to 1: a record that is there, of all; 0 of a pipe */
/* What was lost behind the last record that fitted is in the kernel's own count only, which has the others, too. */
static inline uint64_t perfdata_lost(const struct perfdata *p)
{
	const struct perfdata_stats *s = perfdata_stats(p);
	return s->lost_samples > s->lost_events ? s->lost_samples : s->lost_events;
}
#endif

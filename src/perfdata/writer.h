/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.data, written: a file, or pipe form on standard output.
 *
 *	w = perfdata_create(&options);
 *	perfdata_add_event(w, &event);            ... each
 *	perfdata_begin(w);                        header, events, tracepoint formats
 *	perfdata_put(w, &record.header);          made-up records; the sample_id trailer is added
 *	perfdata_put_ring(w, iov, n);             whole records as the kernel made them
 *	perfdata_put_round(w);                    after each pass over the rings
 *	perfdata_finish(w);                       features, sizes
 *
 * Needs no perf ring: `trace record` puts samples of a bpf-output event (perfdata_put_sample). What is
 * written so far can be read at any moment, by perf too, also when the writer was killed: see checkpoint.c. */
#ifndef PERFDATA_WRITER_H
#define PERFDATA_WRITER_H
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "symbol/symbols.h"

struct perfdata_writer;
struct perfdata_writer_options {
	const char *path; /* "-": pipe form on standard output; an existing file becomes PATH.old */
	int compress; /* zstd level; 0: none */
	char *const *argv; /* for the header's command line; NULL-terminated */
	bool has_clock; /* the events use clockid */
	uint32_t clockid;
	bool counts; /* of stat: with what places CPUs */
	const struct perfdata *source; /* the recording that it is made of: its features are taken over; NULL: this machine's */
	bool keep_old; /* do not rename an existing file: overwrite it */
	bool patient; /* a pipe: its head is not written before perfdata_put_round, so that a reader who takes his time keeps nobody waiting */
};
struct perfdata_new_event {
	const struct perf_event_attr *attr;
	const char *name;
	const char *system, *tracepoint; /* its format goes into the file; NULL: no tracepoint */
	const char *unit;
	const uint64_t *ids;
	size_t n_ids;
	int group_leader, group_members; /* of a leader: members with itself; else 0 */
};

struct perfdata_writer *perfdata_create(const struct perfdata_writer_options *o); /* NULL: pending error */
void perfdata_add_event(struct perfdata_writer *w, const struct perfdata_new_event *e);
/* From here on -errno with a pending error (a full disk, a closed pipe). */
int perfdata_begin(struct perfdata_writer *w);
int perfdata_put(struct perfdata_writer *w, const struct perf_event_header *h);
/* The same for the event with that id, which goes into the trailer. */
int perfdata_put_of(struct perfdata_writer *w, const struct perf_event_header *h, uint64_t id);
/* The same with its time and CPU. */
int perfdata_put_at(struct perfdata_writer *w, const struct perf_event_header *h, uint64_t id, uint64_t time, int cpu);
int perfdata_put_ring(struct perfdata_writer *w, const struct iovec *piece, int n);
int perfdata_put_record(struct perfdata_writer *w, const struct perf_event_header *h); /* one as it is, trailer and all */
/* A binary's build-id between the other records, as pipes have them. */
int perfdata_put_build_id(struct perfdata_writer *w, const char *path, const struct build_id *id, bool kernel);
int perfdata_put_round(struct perfdata_writer *w);
/* A sample of event number `event`, laid out by its sample_type (IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID, CPU,
 * PERIOD, CALLCHAIN, RAW, CGROUP). At most 64 KiB in all. */
struct perfdata_sample {
	uint64_t ip, time, addr, period, cgroup;
	int pid, tid, cpu;
	uint16_t misc;
	const uint64_t *chain; size_t n_chain;
	const void *raw; uint32_t raw_size;
};
int perfdata_put_sample(struct perfdata_writer *w, int event, const struct perfdata_sample *s);
/* For the header: a binary that was mapped, and the span of the samples (0: told by put_sample). */
void perfdata_saw_build_id(struct perfdata_writer *w, const char *path, const struct build_id *id, bool kernel);
void perfdata_saw_time(struct perfdata_writer *w, uint64_t first, uint64_t last);
uint64_t perfdata_written(const struct perfdata_writer *w); /* bytes in the file */
uint64_t perfdata_room(const struct perfdata_writer *w); /* how many more may come (file_room), the tail counted */
uint64_t perfdata_tail(const struct perfdata_writer *w); /* what perfdata_finish will add, at most */
/* Where a sample's time is, in words from the start of its payload; -1: not the same for all events. */
int perfdata_time_pos(const struct perfdata_writer *w);
int perfdata_finish(struct perfdata_writer *w);
void perfdata_writer_free(struct perfdata_writer *w); /* without finish: as if killed */
#endif

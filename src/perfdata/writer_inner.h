/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the writer share. */
#ifndef PERFDATA_WRITER_INNER_H
#define PERFDATA_WRITER_INNER_H
#include "base/words.h"
#include "perfdata/internal.h"

struct written_event {
	struct perf_event_attr attr;
	char *name, *system, *tracepoint, *unit;
	uint64_t *ids;
	size_t n_ids;
	int group_leader, group_members;
	struct id_layout layout;
};
struct written_build_id { struct build_id id; char *path; bool kernel; };

struct perfdata_writer {
	char *path;
	int fd, err; /* err: the first failure; nothing is written after it */
	const struct perfdata *source;
	bool pipe, finished, has_clock, counts, patient;
	uint32_t clockid;
	uint64_t wall, clock; /* the two clocks at one moment */
	int level;
	ZSTD_CStream *zstd;
	wordlist cmdline;
	VEC(struct written_event) events;
	VEC(struct written_build_id) build_ids;
	struct strmap seen; /* paths in build_ids */
	struct perfdata_file_header header;
	struct str buf; /* not yet written */
	struct str sample; /* scratch */
	struct str tracing; /* tracepoint formats, packed */
	size_t trailer; /* bytes of sample_id behind made-up records */
	uint64_t offset; /* written */
	uint64_t packed, squeezed; /* ring bytes, and what compression made of them */
	uint64_t first, last; /* times of samples */
	struct str mark; /* see checkpoint.c: the record, and the features it has */
	uint64_t mark_bits[4], marked; /* marked: where the last one ended */
	int64_t marked_at; /* second */
};

/* describe.c: of a build-id, as a record of that type (0: in the feature). */
void writer_put_build_id(const struct written_build_id *b, uint32_t type, struct str *s);
/* describe.c: appends the feature's bytes; nothing when there is none to tell. */
void writer_feature(struct perfdata_writer *w, unsigned feature, struct str *s);
void writer_put32(struct str *s, uint32_t v);
void writer_put64(struct str *s, uint64_t v);
void writer_put_text(struct str *s, const char *z);
/* machine.c: the same for CPU_TOPOLOGY, NUMA_TOPOLOGY and CACHE. */
void writer_machine(unsigned feature, struct str *s);
/* formats.c: packs the formats of the tracepoints. -errno with a pending error. */
int writer_tracing(struct perfdata_writer *w);
/* writer.c: -errno with a pending error. */
int writer_flush(struct perfdata_writer *w);
int writer_failed(struct perfdata_writer *w, int err);
/* checkpoint.c */
void checkpoint_sections(struct perfdata_writer *w); /* puts them where the file is now */
bool checkpoint_due(const struct perfdata_writer *w);
int checkpoint_put(struct perfdata_writer *w);
#endif

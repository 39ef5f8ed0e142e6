/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the reader share.
 *
 * Bytes come in chunks: the whole mapped file is one; a pipe's blocks and what a COMPRESSED record
 * unpacks to are others. The scan walks records in file order and strings those with a time into
 * runs: stretches of one chunk in which time does not go back (in practice: what one ring gave in
 * one round). At a FINISHED_ROUND the runs are merged by a heap. So no record is ever copied, and
 * there is no memory per record, only per run. */
#ifndef PERFDATA_INTERNAL_H
#define PERFDATA_INTERNAL_H
#include <byteswap.h>
#include <string.h>
#include <zstd.h>
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "perfdata/format.h"
#include "kernel/topology.h"
#include "perfdata/reader.h"

struct chunk {
	const uint8_t *data;
	size_t len;
	uint64_t file_offset; /* of data[0], or of the COMPRESSED record it came from */
	size_t runs; /* that still point into it, and one while the scan is in it; freed with the last */
	bool flat; /* offsets inside count on from file_offset */
	bool owned;
};

struct sorted_run {
	const uint8_t *pos, *end;
	uint64_t time; /* of the record at pos */
	struct chunk *chunk;
	uint32_t size; /* of the record at pos */
	uint32_t seq; /* order in the file, for equal times */
};

/* Where in a record things are, for one event. Words of 8 bytes; -1: not there. */
struct id_layout {
	int time_pos, id_pos; /* from the start of a sample's payload */
	int time_back, id_back; /* from the end of another record, 1 is the last word */
	unsigned id_words; /* length of the sample_id trailer */
};

struct source { /* what the scan reads now */
	struct chunk *chunk;
	const uint8_t *pos, *end;
};

struct split { /* a sample that stands for several (groupread.c) */
	bool off;
	struct perfdata_record record;
	const uint64_t *at; /* value, id, ... */
	uint64_t left, one[2];
	size_t step;
	struct u64map counted; /* id -> value */
};

struct perfdata {
	char *path;
	int fd;
	bool pipe; /* pipe format: attrs and features come as records */
	bool stream; /* cannot be mapped: read block by block */
	bool swap, finished;
	bool unfinished; /* the writer was killed: the header says nothing of the end */
	bool eof;
	const uint8_t *map; /* others may write to the file meanwhile: nothing in it is looked at twice */
	size_t map_len;
	volatile bool shrunk; /* it was cut while we read: zeros stand there now (mapped.c) */
	uint64_t data_offset, data_end, features_at;
	uint64_t features[4];
	uint64_t offset; /* stream: bytes taken so far */

	struct perfdata_event **events;
	size_t n_events;
	struct id_layout *layouts; /* one for each event */
	struct id_layout common; /* valid when uniform */
	bool uniform; /* every event has its time and id in the same place */
	struct u64map ids; /* id -> index + 1, of those that the table has no place for */
	size_t n_ids;
	uint64_t id_base;
	uint32_t *id_table; /* index + 1 by id - id_base, of most ids; 0: ask the map */
	size_t id_table_n;
	size_t settled; /* events that are indexed and named */

	struct source base, inner; /* inner: unpacked bytes, drained before base goes on */
	struct sorted_run open; /* the run being strung; pos NULL: none */
	uint64_t open_last;
	VEC(struct sorted_run) heap;
	uint32_t seq;
	uint64_t max_time, limit, next_limit, last_out;
	bool flushing;
	/* The last FINISHED_ROUND: handed out once all that came before it is, which the next one lets go. */
	struct round { struct perf_event_header header; /* in the file's byte order */ uint64_t offset; bool waits; } round, due;
	const uint8_t *dropped; /* the mapping below was given back */
	size_t live; /* bytes in owned chunks */
	struct chunk *held; /* of the record handed out last */
	bool stopped; /* cut short, and told so */
	const char *fail; /* damage: told when all before it is delivered */
	uint64_t fail_offset;

	ZSTD_DStream *zstd;
	uint8_t *packed; /* that payload, out of the mapping's reach */
	ZSTD_inBuffer zin; /* the payload of the COMPRESSED record at base.pos */
	bool zfull; /* the last piece filled its buffer: there may be more inside zstd */
	size_t zsize; /* of that record */
	uint8_t *rest; /* a record cut at the end of a piece */
	size_t rest_len, rest_cap;
	uint64_t *scratch; /* 64 KiB: the record handed out, unless its bytes are our own, aligned and in our order */

	struct tep_handle *tep;
	struct perfdata_info info;
	wordlist cmdline;
	VEC(char *) strings; /* owned by the info */
	VEC(struct perfdata_build_id) build_ids;
	struct str kept[FEATURE_END]; /* of a pipe: the features' bytes, as they came */
	struct str group_desc, extra; /* lines for --header, already made */
	struct str caps; /* CPU_PMU_CAPS as a line */
	struct perfdata_section section[FEATURE_BITS];
	uint64_t features_seen[4];
	struct perfdata_stats stats;
	struct split split;
	struct dat_source *dat; /* it is a trace.dat; else NULL */
	VEC(struct cpu_place) places; /* by CPU */
	struct u64map caches; /* by CPU and level: the first CPU of it, + 1; by CPU and 0: the highest level */
	size_t listed; /* CPUs in the lists of nodes and caches, of all records */
	VEC(struct recorded_pmu { uint32_t type; const char *name; }) pmus;
	bool has_dies, has_nodes;
};

/* print.c: what follows type, size and config; `is` stands between names and values */
void attr_fields(struct str *s, const struct perf_event_attr *a, const char *is);
/* groupread.c */
bool split_begin(struct perfdata *p, const struct perfdata_record *r); /* false: it is one sample as it is */
bool split_next(struct perfdata *p, struct perfdata_record *r); /* false: no more */

static inline uint64_t get64(const void *p, bool swap)
{
	uint64_t v;
	memcpy(&v, p, 8);
	return swap ? bswap_64(v) : v;
}

static inline uint32_t get32(const void *p, bool swap)
{
	uint32_t v;
	memcpy(&v, p, 4);
	return swap ? bswap_32(v) : v;
}

static inline uint16_t get16(const void *p, bool swap)
{
	uint16_t v;
	memcpy(&v, p, 2);
	return swap ? bswap_16(v) : v;
}

/* header.c */
int perfdata_read_header(struct perfdata *p);
/* HEADER_* and EVENT_UPDATE records of pipe mode. data: what follows the record (tracing data). */
int perfdata_header_record(struct perfdata *p, const struct perf_event_header *h, const uint8_t *body, size_t n,
			   const uint8_t *data, size_t data_len, uint64_t offset);
/* features.c: the bytes of one feature; what goes beyond them is 0 or NULL, and bad is set. */
struct feature_bytes { const uint8_t *at; size_t n; bool swap, bad; };
uint64_t feature_number(struct feature_bytes *b, size_t size);
const char *feature_string(struct perfdata *p, struct feature_bytes *b); /* owned by p */
/* machine.c: CPU_TOPOLOGY, NUMA_TOPOLOGY, CACHE */
void machine_read(struct perfdata *p, unsigned feature, struct feature_bytes *b);
void machine_release(struct perfdata *p);
/* machinetext.c: the lines of -I; of MEM_TOPOLOGY too */
void machine_text(struct perfdata *p, unsigned feature, struct str *out);
/* features.c */
void perfdata_feature_bytes(const struct perfdata *p, unsigned feature, struct str *out); /* as they are; none: it is not there */
int perfdata_feature(struct perfdata *p, unsigned feature, const uint8_t *data, size_t n, uint64_t offset);
int perfdata_build_id_section(struct perfdata *p, const uint8_t *data, size_t n, uint64_t offset);
/* tracing.c */
int perfdata_tracing(struct perfdata *p, const uint8_t *data, size_t n, uint64_t offset);
/* sample.c */
void layout_init(struct id_layout *l, const struct perf_event_attr *a);
/* own: the bytes cannot change under us. */
int perfdata_decode(struct perfdata *p, const uint8_t *rec, size_t size, bool own, struct perfdata_record *r);
/* mapped.c: a mapped file that shrinks gives zeros and a flag, instead of SIGBUS. */
void mapped_add(const void *map, size_t len, volatile bool *shrunk);
void mapped_remove(const void *map);
/* stream.c */
int perfdata_stream_init(struct perfdata *p);
void perfdata_stream_release(struct perfdata *p);
int perfdata_damaged(const struct perfdata *p, uint64_t offset, const char *what);

static inline int perfdata_event_of(const struct perfdata *p, uint64_t id)
{
	if (p->n_events == 1)
		return 0;
	if (id - p->id_base < p->id_table_n && p->id_table[id - p->id_base])
		return (int)p->id_table[id - p->id_base] - 1;
	if (!p->n_events)
		return -1;
	return (int)(intptr_t)u64map_get(&p->ids, id) - 1;
}
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.dat, read: what `trace-cmd record` and `ftrace record` write, versions 6 and 7, of either byte order, packed with zstd
 * or zlib or not at all, with several buffers.
 *
 * The file is read in pieces, a few pages of each CPU at a time; kallsyms only when a name is asked for. No length in it is
 * trusted: what is damaged ends the reading with a pending error that names the offset. */
#ifndef TRACEDAT_READER_H
#define TRACEDAT_READER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/words.h"
#include "tracedat/ring.h"

struct tep_event;
struct tep_handle;
struct tracedat;

bool tracedat_is(const void *start, size_t n); /* do these bytes begin one, of version 6 or later? */
/* path NULL: "trace.dat". NULL: pending error. */
struct tracedat *tracedat_open(const char *path);
struct tracedat *tracedat_open_fd(int fd, const char *path); /* the descriptor is its own from here on, also if that fails */
void tracedat_close(struct tracedat *t);

/* Pointers are valid until the second call after the one that gave them. */
struct tracedat_record {
	uint64_t time; /* in the units of its clock, corrected as the file asks */
	uint64_t raw_time; /* as it is in the ring */
	uint64_t offset; /* in the file; of a packed one: of the piece that it was in */
	const uint8_t *data;
	uint32_t size;
	int cpu, buffer;
	int64_t lost; /* events lost before it: 0, a number, RING_LOST_SOME */
	bool page_start;
	/* out of its first bytes */
	int type, pid;
	uint8_t flags, preempt;
};
/* In order of time, then of buffers, then of CPUs. 1: a record; 0: the end; -errno: damaged, pending error. */
int tracedat_next(struct tracedat *t, struct tracedat_record *r);
/* The next one of a buffer (cpu -1: of any CPU); taken with take, or only looked at. 0: there is none. */
int tracedat_peek(struct tracedat *t, int buffer, int cpu, bool take, struct tracedat_record *r);
void tracedat_rewind(struct tracedat *t); /* to the start */

struct tracedat_cpu { int cpu; uint64_t offset, size; /* of its bytes in the file */ };
struct tracedat_buffer {
	const char *name; /* "": the top one */
	const char *clock; /* "local" */
	bool text; /* of a latency tracer: no records, tracedat_text() */
	uint32_t page_size;
	struct tracedat_cpu *cpu; size_t n_cpu;
	uint64_t offset; /* where the file has its data */
};
size_t tracedat_buffers(const struct tracedat *t, const struct tracedat_buffer **out);
/* How many bytes the k-th CPU of a buffer has, unpacked. */
uint64_t tracedat_unpacked(const struct tracedat *t, size_t buffer, size_t k);
/* Only these CPUs from now on. */
void tracedat_choose(struct tracedat *t, const intlist *cpus);

struct tracedat_info {
	const char *version, *uname, *traced_by /* the program that wrote it */, *packing; /* NULL: not told */
	const wordlist *cpustats; /* per_cpu/cpuN/stats, the text of each */
	int file_version, cpus, long_size, page_size;
	bool big_endian, has_date, has_tsc;
	uint64_t trace_id;
	const char *maps; /* of traced processes */
	const char *header_page, *header_event;
	uint64_t captured_at;
	uid_t owner; /* whose file it is */
	size_t options;
};
struct ring_shape tracedat_shape(const struct tracedat *t);
const struct tracedat_info *tracedat_info(const struct tracedat *t);
struct tracedat_option { uint16_t id; uint32_t size; const uint8_t *data; };
bool tracedat_option_at(const struct tracedat *t, size_t i, struct tracedat_option *o);

/* Times: what a record's becomes. */
struct tracedat_times {
	bool raw, no_date; /* as they are; without the date of --date */
	int64_t offset; /* added before all else */
	double hz; /* ticks a second; 0: as the clock is */
};
void tracedat_set_times(struct tracedat *t, const struct tracedat_times *how);
void tracedat_shift(struct tracedat *t, int64_t by); /* to be added to what comes out */
bool tracedat_in_ns(const struct tracedat *t); /* are the times nanoseconds? */

/* Names. */
struct tep_handle *tracedat_tep(struct tracedat *t);
struct tep_event *tracedat_event(struct tracedat *t, int type); /* NULL: the file has no format of it */
const char *tracedat_comm(const struct tracedat *t, int pid); /* "<idle>", "<...>" when it is not known */
void tracedat_learn_comm(struct tracedat *t, int pid, const char *comm, size_t n); /* from a record; what is known stays */
/* Of a kernel address; NULL: none. start may be NULL. */
const char *tracedat_function(struct tracedat *t, uint64_t addr, uint64_t *start);
const char *tracedat_kallsyms(struct tracedat *t, size_t *n); /* the text; "" when there is none */
const char *tracedat_printk(const struct tracedat *t);
const char *tracedat_cmdlines(const struct tracedat *t);
/* "pid comm" by pid, in the file's order, until NULL. */
bool tracedat_comm_at(const struct tracedat *t, size_t i, int *pid, const char **comm);
/* The formats, in the file's order. NULL: no more. */
struct tracedat_format {
	const char *system, *text;
	char *name; /* of the event; "" when the text is no format */
	int id; /* -1 the same */
	bool parsed; /* libtraceevent was asked: by tracedat_event() */
	struct tep_event *event; /* NULL: not parsed, or not a kernel's to the letter */
};
const struct tracedat_format *tracedat_format_at(const struct tracedat *t, size_t i);
/* What a latency tracer left, whole. -errno with a pending error. */
struct str;
int tracedat_text(struct tracedat *t, size_t buffer, struct str *out);
#endif

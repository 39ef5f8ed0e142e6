/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.dat, written in one go when all its pages are there: version 6, or 7, packed or not.
 *
 *	tracedat_new_init(&n);
 *	tracedat_new_from_kernel(&n, events);     what describes the records: formats, names, symbols
 *	tracedat_new_option(&n, OPTION_..., text) ... each
 *	*vec_push(&n.buffers) = ...               pages, one file for each CPU
 *	tracedat_write(&n, &options);
 *	tracedat_new_release(&n); */
#ifndef TRACEDAT_WRITER_H
#define TRACEDAT_WRITER_H
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "tracedat/format.h"
#include "tracedat/reader.h"

struct new_format { char *system, *text; }; /* owned */
struct new_option { uint16_t id; struct str data; };
struct new_pages { int cpu, fd; uint64_t from, size; }; /* whole pages in that file, which is the caller's */
struct new_buffer {
	char *name, *clock; /* owned */
	VEC(struct new_pages) cpu;
	struct str text; /* of a latency tracer: instead of pages */
	bool is_text;
};
struct tracedat_new {
	bool big_endian; /* always this machine's order, but for pages that come from another file */
	int long_size, page_size, cpus;
	struct str header_page, header_event, kallsyms, printk, cmdlines;
	VEC(struct new_format) formats; /* one system after the other; ftrace's own in front */
	VEC(struct new_option) options;
	VEC(struct new_buffer) buffers; /* the top one, named "", first */
};
void tracedat_new_init(struct tracedat_new *n);
void tracedat_new_release(struct tracedat_new *n);
/* This machine's, with the formats of these events ("system:name", sorted) and ftrace's own. What cannot be read is left out. */
int tracedat_new_from_kernel(struct tracedat_new *n, const wordlist *events);
/* Another file's, with its options but for those that say where its records are. */
int tracedat_new_from_file(struct tracedat_new *n, struct tracedat *t);
void tracedat_new_option(struct tracedat_new *n, uint16_t id, const void *data, size_t size);
/* uname, version, an id of its own: what every new recording has. */
void tracedat_new_usual(struct tracedat_new *n);

struct tracedat_write_options {
	const char *path;
	int version; /* 6 or 7 */
	const char *packing; /* "none", "zstd", "zlib", "any"; version 6 knows none */
	bool consume; /* pages that were copied leave their file at once, so that they never need room twice */
};
/* -EINVAL for options that do not go together. */
int tracedat_check(const struct tracedat_write_options *o);
/* -errno with a pending error; the file then has no records. *bytes: its size. */
int tracedat_write(const struct tracedat_new *n, const struct tracedat_write_options *o, uint64_t *bytes);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inject -B and --mmap2-buildid-all: maps of processes as records that have the file's build-id. */
#ifndef JOB_INJECT_MAPS_H
#define JOB_INJECT_MAPS_H
#include "perfdata/reader.h"
#include "perfdata/writer.h"
#include "symbol/symbols.h"

struct inject_maps;
/* The build-id of a mapped file; given: the one that the record has (n 0: none). false: it is not to be had. */
typedef bool inject_id(void *ctx, const char *path, const struct build_id *given, struct build_id *id);
/* used: each map is held back until something lies in it, and what nothing lies in is left out. */
struct inject_maps *inject_maps_new(bool used, inject_id *find, void *ctx);
/* To be called with each record before it is written. 1: it needs not be written any more; 0; -errno. */
int inject_maps(struct inject_maps *m, struct perfdata_writer *w, const struct perfdata_record *r);
/* Something of the sample lies at that address of its process: writes the map it is in, if it was held back. */
int inject_maps_hit(struct inject_maps *m, struct perfdata_writer *w, const struct perfdata_record *sample, uint64_t addr);
void inject_maps_free(struct inject_maps *m); /* NULL is fine */
#endif

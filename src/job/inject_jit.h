/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inject --jit: each function that a JIT told of (jit-PID.dump, which the recording names) becomes a file, jitted-PID-N.so beside
 * the dump, and the recording says from when on it was mapped where. */
#ifndef JOB_INJECT_JIT_H
#define JOB_INJECT_JIT_H
#include "perfdata/reader.h"
#include "perfdata/writer.h"

struct inject_jit;
struct inject_jit *inject_jit_new(const struct perfdata *p, bool force); /* NULL: pending error, the clock is not the JIT's */
/* To be called with each record, before it is written: writes what was mapped until its time. 1: the record itself is not
 * wanted any more (the dump's own map, and the memory that its code was in); 0; -errno. */
int inject_jit(struct inject_jit *j, struct perfdata_writer *w, const struct perfdata_record *r, bool to_pipe);
void inject_jit_free(struct inject_jit *j); /* says what became of it */
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples by the instruction that they fell on: of a recording, or one by one as they happen. */
#ifndef ANALYSIS_ANNOTATE_HITS_H
#define ANALYSIS_ANNOTATE_HITS_H
#include "analysis/idmap.h"
#include "base/vec.h"
#include "perfdata/reader.h"
#include "session/filter.h"
#include "symbol/symbols.h"

struct hit { uint64_t n, period; };

struct hit_function {
	struct frame f; /* of its first sample: file, name, start and size. No name: a function that .eh_frame alone knows */
	const char *name; /* its symbol, or "0x1220" where there is none */
	struct idmap index; /* offset + 1 to 1 + its number */
	VEC(uint64_t) offset; /* from its start, in the order of the samples */
	VEC(struct hit) at; /* of each offset, one for every event */
	VEC(struct hit) sum; /* by event */
};

struct hits {
	size_t n_events;
	VEC(struct hit) total; /* by event: of all samples that were asked for, also of those without a function */
	VEC(struct hit_function *) function;
	struct idmap index;
	struct symbols *syms; /* borrowed */
};
struct hits_choice {
	const char *symbol; /* only this function; NULL: all */
	const wordlist *dsos, *symbols; /* NULL: all */
	const struct sample_filter *filter;
	struct nearest *near; /* is offered every other function; NULL: not wanted */
	bool (*go_on)(void *ctx, double done); /* asked now and then: false, what was read is all; NULL: true */
	void *ctx;
};
struct hits *hits_new(struct symbols *syms, size_t n_events);
void hits_free(struct hits *h);
/* One sample. */
void hits_add(struct hits *h, const struct frame *frame, int event, uint64_t period);
/* Of all that was counted num / den is left; of a function or an instruction that has any of it at least one sample. */
void hits_fade(struct hits *h, uint64_t num, uint64_t den);
/* All of a recording: -errno and a pending error; what was read before is kept. */
int hits_read(struct hits *h, struct perfdata *p, const struct hits_choice *c);
/* The functions that have samples of an event or of one of its group, as perf orders them. members: indices of the events, the
 * leader first. */
typedef VEC(struct hit_function *) hit_list;
void hits_sorted(const struct hits *h, const int *members, int n, hit_list *out);
struct hit hits_of(const struct hits *h, const struct hit_function *fn, size_t k, int event); /* of its k-th offset */
#endif

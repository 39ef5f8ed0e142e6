/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folds samples into the lines of a report.
 *
 * Two steps. While samples stream by, each is counted in a bucket: the values that the sample itself
 * gives to the sort keys (a context), the place it fell on, and its stack, all of them small numbers. At
 * the end the buckets, far fewer than the samples, are turned into lines: one for the place itself and,
 * with children, one for every caller on the stack. Call graphs are built only for the lines that show
 * one. Nothing here prints. */
#ifndef ANALYSIS_HIST_H
#define ANALYSIS_HIST_H
#include "analysis/chaintree.h"
#include "analysis/places.h"
#include "analysis/sortkey.h"
#include "analysis/stacks.h"
#include "session/history.h"

/* What a sample says by itself, in the order of the layout's slots. Text is for keys that have one. */
struct hist_value {
	uint64_t v;
	const char *text;
	bool number; /* of a field: v is its value */
	uint16_t width; /* of its column, where that is more than the text */
};

/* Shared by the histograms of all events of one recording. */
struct fold {
	struct places *places;
	struct stacks *stacks;
	const struct layout *layout;
	bool children, caller; /* caller: stacks are shown from the outermost frame */
	bool chains; /* call graphs are wanted */
	bool full_dso; /* -v: files by path */
	bool relative; /* --percentage relative: filtered lines do not count */
	bool log; /* when each sample came is kept (hist_range) */
	enum chain_mode mode;
	double min_percent; /* of call graphs */
	VEC(struct hist_value) value; /* contexts, n_slot values each */
	struct idmap context;
	uint32_t n_context;
	VEC(uint32_t) place_key; /* place to the place that stands for it under these keys */
	struct idmap place_index;
};
void fold_init(struct fold *f, struct places *p, struct stacks *s, const struct layout *l);
void fold_release(struct fold *f);
void fold_forget(struct fold *f); /* all contexts and keys; their numbers start anew */
/* The number of that set of values. */
uint32_t fold_context(struct fold *f, const struct hist_value *v);

struct tally { uint64_t period, sys, usr, guest_sys, guest_usr, n; };

struct hist_sample {
	uint32_t context, place, stack;
	uint64_t period;
	uint64_t addr; /* where in its file; what -v shows of a line's first sample */
	uint64_t time; /* for the log */
	char level;
	bool filtered, self_only; /* self_only: no callers even with children */
	const struct branch_end *end; /* of each frame of the stack, outermost first; NULL: no branches */
	const void *thread; /* whose it is: told apart by address only */
	int pid, tid;
	const char *comm;
};

struct hist_pair { struct tally self, sum; };

struct hist_ref { uint32_t bucket, start, next; }; /* a bucket's stack from its start-th frame on */

struct hist_entry {
	uint32_t context, place;
	uint64_t addr; /* of the first sample or caller of it */
	struct tally self, sum; /* sum: with callees */
	const void *thread;
	int tid;
	const char *comm;
	uint32_t max_depth;
	bool filtered;
	char mode; /* k, ., g, u, H: of the sample or frame that made the line */
	uint32_t stamp, refs;
	struct hist_pair *pair; /* of a group: the other members, n_pair of them; NULL: not in them */
	/* hierarchy: */
	struct hist_entry **child;
	int n_child, level;
};

/* What samples with the same context, place and stack add up to. */
struct bucket {
	uint32_t context, place, stack;
	uint64_t period, n, addr;
	uint64_t new_period, new_n; /* of a live histogram: what came since hist_settle() */
	size_t end; /* 1 + where its sums begin in the histogram's; 0: none */
	const void *thread;
	const char *comm;
	int tid;
	char level;
	bool filtered, self_only;
};

struct hist_moment { uint32_t bucket, slice; uint64_t period; }; /* slice: of 2^log_shift ns since log_first */

struct hist {
	struct fold *fold;
	VEC(struct hist_moment) log;
	uint64_t log_first;
	int log_shift;
	VEC(struct bucket) bucket;
	struct idmap bucket_index;
	VEC(struct hist_entry *) entry; /* in final order after hist_finish() */
	struct idmap entry_index;
	VEC(struct hist_ref) ref;
	VEC(struct end_sum) end; /* of buckets with branches: as many as their stack is deep */
	uint64_t total, total_shown; /* periods: of all; of what is not filtered */
	uint64_t samples, samples_shown;
	uint64_t chain_total, chain_total_shown;
	bool has_chains;
	bool live; /* see hist_settle() */
	uint64_t least; /* of such a one: what is too little to be kept */
	int n_pair;
	uint64_t *pair_total;
	VEC(void *) owned;
};
struct hist *hist_new(struct fold *f);
void hist_free(struct hist *h);
void hist_add(struct hist *h, const struct hist_sample *s);
/* Makes the lines. */
void hist_lines(struct hist *h);
/* Joins the lines of a group's members to those of its leader, made when absent. After hist_lines(). */
void hist_group(struct hist *leader, struct hist *const *member, int n);
/* Of a histogram that goes on (top): forgets the lines, to make them again from what has been counted by then. */
void hist_forget_lines(struct hist *h);
/* Such a one keeps what comes apart (live), so that lines and call graphs stay true to each other, until this: what was counted
 * before weighs num/den of it from now on, and what came since is added. What weighs nearly nothing is forgotten. Without lines. */
void hist_settle(struct hist *h, unsigned num, unsigned den);
/* All that was counted. */
void hist_forget(struct hist *h);
/* Of one with a log: what was counted is from now on what came from one time up to another (ns), as near as the log knows. Without
 * lines. */
void hist_range(struct hist *h, uint64_t from, uint64_t to);
/* That range in times of samples: between which they lie that hist_range() counts. */
void hist_range_times(const struct hist *h, uint64_t *from, uint64_t *to);
/* The times of the first and the last sample; false: there is no log. */
bool hist_span(const struct hist *h, uint64_t *first, uint64_t *last);
/* Adds up the periods of n equal parts of that time. */
void hist_strip(const struct hist *h, uint64_t from, uint64_t to, uint64_t *sum, size_t n);
/* Drops what a symbol filter does not match, then sorts. */
void hist_finish(struct hist *h, const char *symbol_filter);
/* One tree level per key column; after hist_finish(). Lines become the top level. */
void hist_hierarchy(struct hist *h);
uint64_t hist_total(const struct hist *h);
/* The call graph of a line; NULL when it has none. Free with chain_tree_free(). */
struct chain_tree *hist_chains(struct hist *h, const struct hist_entry *e);
#endif

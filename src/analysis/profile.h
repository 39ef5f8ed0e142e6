/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording read into histograms: records in, lines out. An address is resolved once for each process
 * and remembered until the process maps something new; the callers above a sample's own function are
 * remembered as a whole, since they hardly ever differ from those of some sample before. */
#ifndef ANALYSIS_PROFILE_H
#define ANALYSIS_PROFILE_H
#include <regex.h>
#include "analysis/blocks.h"
#include "analysis/hist.h"
#include "analysis/threadcounts.h"
#include "session/callchain.h"
#include "session/filter.h"
#include "session/session.h"
#include "session/tpformat.h"

/* Who wants the samples one by one, in order of time, and not their sums. */
struct profile_sink {
	/* One that the filters let through. stack: where it was taken and its callers, with the functions inlined in them;
	 * never 0. Not 0 returned ends the reading, with that. */
	int (*sample)(void *ctx, const struct perfdata_record *r, const struct thread *t, uint32_t stack);
	void (*record)(void *ctx, const struct perfdata_record *r); /* any other, when the session has taken it */
	void *ctx;
};
struct profile_options {
	const struct profile_sink *sink; /* NULL: samples are folded */
	int max_stack;
	enum inlines inlines;
	bool hide_unresolved, exclude_other, chains, children, caller, branch, memory, cycles, history;
	const regex_t *parent; /* for the parent key; NULL: not asked for */
	const regex_t *ignore_callees; /* NULL: none */
	bool raw_trace;
	bool skip_empty; /* events of a group without samples have no column */
	const wordlist *dsos, *symbols; /* filters; NULL: none */
	const struct sample_filter *filter;
	const int *socket; /* only samples in it; NULL: any */
	uint64_t time_quantum; /* ns */
};

struct profile {
	struct perfdata *data;
	struct session *session;
	struct symbols *syms;
	struct data_types *types; /* NULL until one is asked for */
	struct profile_options o;
	struct places places;
	struct stacks stacks;
	struct fold fold;
	VEC(struct hist *) hist; /* one for each event */
	VEC(struct blocks) blocks; /* likewise, with o.cycles */
	VEC(struct tp_format *) format; /* NULL: no tracepoint */
	struct u64map spaces; /* pid to struct space */
	struct space *kernel;
	uint32_t generations; /* of spaces: each a number of its own */
	struct idmap tails; /* callers of a sample to stack */
	struct idmap files; /* struct dso * to 1 + the place that stands for it, of branches */
	VEC(struct expansion) expansion; /* what an address stands for: one place, or more with inlines */
	VEC(uint32_t) expanded;
	VEC(uint32_t) alone; /* place to the expansion that is it alone; 0: none yet */
	struct strmap cgroups;
	struct thread_counts threads; /* of `record -s` */
	uint64_t truncated_stacks;
	VEC(struct branch_end) end; /* of the sample under way, outermost first */
	VEC(uint64_t) leaf; /* by place: how many samples fell on it */
	struct str text;
};
/* data and layout are borrowed. */
struct profile *profile_new(struct perfdata *data, struct symbols *syms, const struct layout *l,
			    const struct profile_options *o);
void profile_free(struct profile *p);
/* Reads all; 0 or -errno with a pending error (what was read before is kept). */
int profile_read(struct profile *p);
/* Asks before every few thousand records whether to go on, and ends quietly when not. offset: how far into the file. */
int profile_read_while(struct profile *p, bool (*go_on)(void *ctx, double done), void *ctx);
int profile_feed(struct profile *p, const struct perfdata_record *r); /* one of them; not 0: whoever listens has had enough */
/* Of a profile that goes on (top): has it come to so many different stacks, functions and keys, of processes that are long gone,
 * that all of that should be forgotten? Then profile_forget(): what was counted and the numbers of all that it was counted for;
 * what is new gets numbers that meant something else before. Without lines. */
bool profile_is_large(const struct profile *p);
void profile_forget(struct profile *p);
/* Afterwards: the lines of all events, sorted. groups: those of a group's events side by side. symbol_filter: only functions
 * whose name holds that; NULL: all. */
void profile_finish(struct profile *pr, bool groups, const char *symbol_filter);
struct hist *profile_hist(struct profile *p, int event);
struct blocks *profile_blocks(struct profile *p, int event); /* until the next call */
struct tp_format *profile_format(struct profile *p, int event);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one fold that pictures, exports and the browser read: stacks and what they weigh, told apart by event, process,
 * thread, command, CPU and span of time. It comes from a recording (the same profile, histograms and stacks that `report`
 * reads) or from text that is folded already; who reads it does not see which.
 *
 *	vec_each(&f->row, r) {
 *		const struct fold_key *k = &f->key.at[r->key];            who, where, when
 *		uint32_t n = stack_depth(f->stacks, r->stack);
 *		stacks_path(f->stacks, r->stack, path);                   numbers of frames, outermost first
 *		... f->frame.at[path[i]].name ..., r->weight * f->event.at[k->event].scale
 *	}
 *
 * A recording without call chains has stacks of one frame. */
#ifndef ANALYSIS_FLAME_STACKFOLD_H
#define ANALYSIS_FLAME_STACKFOLD_H
#include <stdio.h>
#include "analysis/profile.h"
#include "analysis/stacks.h"

/* FRAME_GROUP: not a function but whose stacks follow (a command, a CPU); FRAME_WAITING: it was not on a CPU. */
enum frame_kind { FRAME_USER, FRAME_KERNEL, FRAME_JIT, FRAME_INLINED, FRAME_OTHER, FRAME_GROUP, FRAME_WAITING };
struct fold_frame {
	const char *name; /* of the function, or "[file]", or "[unknown]"; never NULL; hostile */
	const struct place *place; /* file, address, line; NULL: it came from text */
	uint8_t kind;
};
struct fold_key {
	int event; /* which of the fold's */
	int pid, tid, cpu; /* -1: not told */
	const char *comm; /* "": not told */
	uint64_t time; /* ns, where its span begins; 0: not told */
};
struct fold_row { uint32_t stack, key; uint64_t weight, samples; };
struct fold_event {
	const char *name; /* "cpu-clock" */
	const char *unit; /* what weight * scale counts: "ms of CPU", "ms blocked", "samples", "page-faults" */
	double scale;
	uint64_t weight, samples; /* of all its rows */
};
struct fold_gap { uint64_t from, to; }; /* when events were lost */
struct stackfold {
	const struct stacks *stacks; /* of frame numbers; 0 is the empty stack */
	VEC(struct fold_frame) frame;
	VEC(struct fold_key) key;
	VEC(struct fold_row) row; /* no two with the same stack and key; in the order in which they were met first */
	VEC(struct fold_event) event;
	uint64_t quantum; /* how long a span of time is, ns; 0: times are those of single samples */
	VEC(struct fold_gap) gap; /* with a quantum, in order; no two end in one of it */
	uint64_t lost, truncated; /* events lost while recording; stacks that were cut */
	uint64_t unread; /* lines of text that were none */
	bool keyed; /* the keys tell threads and CPUs */
	struct profile *profile; /* of a recording: its data, symbols and places; NULL: another source */
	/* its own */
	struct stacks own;
	VEC(char *) owned;
	struct idmap frames, keys, rows;
	struct layout layout;
};
void stackfold_free(struct stackfold *f);
/* An event's number by its name, a part of it, or "%2" for the second; -1: none. */
int stackfold_event(const struct stackfold *f, const char *word);

/* ---- a recording ---- */

enum { QUANTUM_EXACT = 0 /* each time of a sample is a span of its own */ };
#define QUANTUM_NONE UINT64_MAX /* one span */
struct stackfold_options {
	int max_stack;
	enum inlines inlines;
	const struct sample_filter *filter; /* borrowed while reading */
	const wordlist *symbols; /* only samples in these functions; NULL: any */
	uint64_t quantum; /* ns, or QUANTUM_... */
	bool by_line; /* frames of one function are told apart by their lines (place->line) */
	bool by_address; /* and by their addresses */
};
/* Reads all of it. p and syms are borrowed until the fold is freed. NULL: pending error. */
struct stackfold *stackfold_of_recording(struct perfdata *p, struct symbols *syms, const struct stackfold_options *o);
/* A span so long that a recording has about n of them; QUANTUM_NONE when it does not tell how long it is. */
uint64_t stackfold_quantum(const struct perfdata *p, unsigned n);

/* ---- text ---- */

/* Lines "outer;inner 12", weights may have decimals; of two weights ("outer;inner 12 34", as a comparison has them) the first
 * goes to event 0, the second to event 1. Endings _[k], _[j], _[i] tell the kind of a frame. Also what `sonde run` prints of a map that is
 * keyed by stacks. unit: what is counted; NULL: "samples". ordered: lines are in the order of time, and each is one row (its key's
 * time is its number). NULL: pending error. */
struct stackfold *stackfold_of_text(FILE *in, const char *name, const char *unit, bool ordered);

/* ---- a trace.dat ---- */

/* function_graph: the time in each function of the kernel less that of what it called. force: another user's file, too. Of the
 * options: filter, by thread, CPU and time of a function's end; symbols; quantum, QUANTUM_NONE or QUANTUM_EXACT. NULL: pending error. */
struct stackfold *stackfold_of_tracedat(const char *path, bool force, const struct stackfold_options *o);

/* ---- by hand, for other sources: an event, frames, stacks, rows ---- */

struct stackfold *stackfold_new(void);
int stackfold_add_event(struct stackfold *f, const char *name, const char *unit, double scale);
/* The number of the frame of that name and kind. */
uint32_t stackfold_frame(struct stackfold *f, const char *name, size_t n, enum frame_kind kind);
uint32_t stackfold_push(struct stackfold *f, uint32_t stack, uint32_t frame);
uint32_t stackfold_key(struct stackfold *f, const struct fold_key *k); /* comm is copied */
void stackfold_add(struct stackfold *f, uint32_t stack, uint32_t key, uint64_t weight, uint64_t samples);
#endif

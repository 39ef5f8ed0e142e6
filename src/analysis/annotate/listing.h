/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function's instructions with the lines of its source between them, as `objdump -S` interleaves them, and the samples of each. */
#ifndef ANALYSIS_ANNOTATE_LISTING_H
#define ANALYSIS_ANNOTATE_LISTING_H
#include "analysis/annotate/hits.h"
#include "symbol/disasm/disasm.h"

struct listing_options {
	struct disasm_options disasm;
	bool source, raw; /* raw: with the bytes of each instruction */
	const char *prefix; /* of absolute paths of sources; NULL: none */
	int prefix_strip; /* folders to take off before */
	bool full_path; /* in listing_line.place */
};

struct listing_line {
	bool code;
	int number; /* as perf counts all of them, from 0 */
	uint64_t offset; /* of code: from the function's start */
	int64_t insn; /* of code: index into insns; -1: further bytes of the one before */
	const char *text; /* of code as it is behind the address; else the source's, or a heading */
	const char *source; int source_line; /* of code: where it comes from, the whole path, NULL: not known; of a line of the source its number */
	const char *named; /* of code: the instruction with names, without bytes */
	size_t hit; /* of code: its first count in listing.hits, one for each event */
	uint32_t jumps; /* how many jumps of the function lead here */
	int64_t target; /* of a jump within the function: the line it leads to; -1: none */
};
struct code_listing {
	const struct hits *hits;
	const struct hit_function *fn;
	uint64_t start, size;
	insns insns;
	VEC(struct listing_line) line;
	VEC(struct hit) hit;
	VEC(void *) owned;
	uint32_t max_jumps;
	bool has_source; /* some line of it was found */
};
/* -errno with a pending error: its code is not to be had, or nothing takes it apart. */
int listing_make(struct code_listing *l, const struct hits *h, const struct hit_function *fn, const struct listing_options *o);
void listing_count(struct code_listing *l); /* the samples of its lines anew: there were more of the function */
void listing_release(struct code_listing *l);

/* What percentages are of. */
enum percent_type { PERCENT_LOCAL_PERIOD, PERCENT_LOCAL_HITS, PERCENT_GLOBAL_PERIOD, PERCENT_GLOBAL_HITS };
double listing_percent(const struct code_listing *l, const struct listing_line *line, int event, enum percent_type type);
struct hit listing_hit(const struct code_listing *l, const struct listing_line *line, int event);
/* "local-period" and the like; -EINVAL with a pending error. */
int percent_type_parse(const char *word, enum percent_type *out);
const char *percent_type_name(enum percent_type t); /* "local period" */
/* "hot.c:13" of a line of code, "??:0"; to be freed. */
char *listing_place(const struct code_listing *l, const struct listing_line *line, bool full_path);

/* Source lines that have more than half a percent, the most first. */
struct source_share { char *place; double percent[]; };
typedef VEC(struct source_share *) source_shares;
void listing_shares(const struct code_listing *l, const int *events, int n, enum percent_type type, bool full_path, source_shares *out);
void source_shares_release(source_shares *s);
#endif

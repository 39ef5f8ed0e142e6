/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording of `sonde script`, record by record to a view. */
#ifndef UI_SCRIPT_READ_H
#define UI_SCRIPT_READ_H
#include "session/filter.h"
#include "ui/script/script.h"

/* Records besides samples that are shown. */
enum { SHOW_TASKS, SHOW_MMAPS, SHOW_SWITCHES, SHOW_NAMESPACES, SHOW_LOST, SHOW_CGROUPS, SHOW_BPF, SHOW_ROUNDS, SHOW_TEXT_POKES, SHOW_N };

struct script_choice {
	const char *input; /* the recording's path */
	const struct sample_filter *filter;
	const wordlist *symbols, *dsos; /* only samples in these (of symbols also addresses, in hex); empty: all */
	uint64_t addr_range; /* how many bytes from such an address on; 0: that one alone */
	const wordlist *graph; /* only calls of these, and what they call; empty: all */
	bool show[SHOW_N];
	bool decoded; /* traces of instructions and calls are asked for */
	bool dump; /* -D: every record as it is, no view */
	bool debug; /* only the order of samples is checked */
	bool per_event; /* a file for each event */
};

struct event_dump { struct out out; char *path; bool opened; uint64_t samples; };
struct script_reader {
	struct script *s;
	const struct script_view *v;
	const struct script_choice *o;
	VEC(struct event_dump) dumps; /* per_event */
	uint64_t last, unordered; /* debug */
	uint64_t no_calls; /* samples that graph leaves out: only decoded AUX traces tell calls */
};
int script_read(struct script_reader *rd); /* -errno and a pending error */
/* Closes the files of per_event and says what was written; -errno and a pending error. */
int script_close(struct script_reader *rd);
#endif

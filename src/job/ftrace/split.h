/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of a trace.dat into others, packed into ring pages anew. */
#ifndef JOB_FTRACE_SPLIT_H
#define JOB_FTRACE_SPLIT_H
#include <stdbool.h>
#include <stdint.h>

struct ftrace_split {
	const char *input, *output; /* parts are OUTPUT.1 ... */
	const char *packing; /* NULL: as the input */
	uint64_t start, end; /* times as they are shown; end 0: none */
	uint64_t ns, events, pages; /* how long a part is; all 0: one part */
	bool repeat, per_cpu;
	int cpu; /* -1: all */
};
int ftrace_split_run(const struct ftrace_split *s); /* -errno with a pending error */
#endif

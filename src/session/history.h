/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a program came to where a sample was taken: its latest branches, and behind them those callers that they do not
 * reach back to. */
#ifndef SESSION_HISTORY_H
#define SESSION_HISTORY_H
#include "session/callchain.h"

enum { HISTORY_BRANCHES = 127, HISTORY_MAX = CALLCHAIN_MAX + 2 * HISTORY_BRANCHES };
/* What a branch tells at one of its ends. */
struct branch_end {
	enum { END_CALLER, END_TO, END_FROM } kind; /* END_CALLER: of the call chain */
	bool predicted, abort;
	uint32_t cycles;
	uint32_t loops, loop_cycles; /* END_FROM: how often what comes before it was gone round, and the cycles of one round */
	uint8_t type, new_type; /* PERF_BR_*; END_TO */
	uint64_t from;
};
/* Innermost first: where the latest branch went, where it came from, and so on. Both have room for HISTORY_MAX; max: of either
 * branches or callers. */
int history_ips(const struct perfdata_record *r, int max, struct chain_ip *out, struct branch_end *end);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The addresses of a sample's call chain, innermost first, without the kernel's context markers: what the
 * kernel walked, then what is unwound from the copied user stack. Nothing is resolved here, so that a
 * reader may cache by address. */
#ifndef SESSION_CALLCHAIN_H
#define SESSION_CALLCHAIN_H
#include "perfdata/reader.h"
#include "symbol/symbols.h"

enum { CALLCHAIN_MAX = 1024 };
/* Which frames show the functions inlined in them. perf 6.1 does it for unwound ones alone. */
enum inlines { INLINES_NONE, INLINES_UNWOUND, INLINES_ALL };
struct chain_ip {
	uint64_t ip;
	uint8_t mode; /* SYM_USER, SYM_KERNEL, SYM_GUEST */
	bool unwound; /* from the copied stack */
	bool caller; /* where a call returns to: set by who asks for lines */
};
/* How many frames: perf counts the kernel's walk and the unwound part each on its own. */
struct chain_limit {
	int max;
	bool outermost; /* of the kernel's walk the outermost are kept; else the innermost */
};
/* out has room for CALLCHAIN_MAX. *truncated: the copied stack ended before the outermost frame. */
int callchain_ips(struct symbols *syms, const struct perfdata_record *r, struct chain_limit limit, struct chain_ip *out,
		  bool *truncated);
/* Only what the kernel walked; -EINVAL: a mark in it is none that we know. */
int callchain_walked(const struct perfdata_record *r, struct chain_ip *out);
static inline bool chain_inlines(const struct chain_ip *c, enum inlines i)
{
	return i == INLINES_ALL || (i == INLINES_UNWOUND && c->unwound);
}
/* How a sample's own ip is to be resolved, and the letter perf shows for it. */
int sample_mode(uint16_t misc);
char sample_level(uint16_t misc);
#endif

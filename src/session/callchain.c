// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include "session/callchain.h"

int sample_mode(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		return SYM_KERNEL;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
		return SYM_GUEST;
	default:
		return SYM_USER;
	}
}

char sample_level(uint16_t misc)
{
	static const char letter[] = { '.', 'k', '.', 'H', 'g', 'u' };
	unsigned mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	return mode < sizeof(letter) ? letter[mode] : '.';
}

/* A marker switches the mode of what follows; false: the chain is not to be trusted further. */
static bool context_mode(uint64_t marker, uint8_t *mode)
{
	switch ((int64_t)marker) {
	case PERF_CONTEXT_HV:
	case PERF_CONTEXT_KERNEL:
		*mode = SYM_KERNEL;
		return true;
	case PERF_CONTEXT_USER:
		*mode = SYM_USER;
		return true;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_KERNEL:
	case PERF_CONTEXT_GUEST_USER:
		*mode = SYM_GUEST;
		return true;
	}
	return false;
}

static int keep(struct chain_ip *c, int n, struct chain_limit limit)
{
	if (n <= limit.max)
		return n;
	if (limit.outermost)
		memmove(c, c + n - limit.max, (size_t)limit.max * sizeof(*c));
	return limit.max;
}

static int walk(const struct perfdata_record *r, struct chain_ip *out, int max)
{
	uint8_t mode = SYM_USER;
	int n = 0;
	for (size_t i = 0; i < r->n_chain && n < max; i++) {
		if (r->chain[i] < (uint64_t)PERF_CONTEXT_MAX)
			out[n++] = (struct chain_ip){ r->chain[i], mode, false, false };
		else if (!context_mode(r->chain[i], &mode))
			return -EINVAL;
	}
	return n;
}

int callchain_walked(const struct perfdata_record *r, struct chain_ip *out)
{
	return walk(r, out, CALLCHAIN_MAX);
}

int callchain_ips(struct symbols *syms, const struct perfdata_record *r, struct chain_limit limit, struct chain_ip *out,
		  bool *truncated)
{
	*truncated = false;
	if (limit.max < 0)
		limit.max = 0;
	int n = walk(r, out, limit.outermost || limit.max > CALLCHAIN_MAX ? CALLCHAIN_MAX : limit.max);
	if (n < 0)
		return 0;
	n = keep(out, n, limit);
	if (!r->regs || !r->stack || !r->stack_size || !r->regs_abi)
		return n;
	uint64_t ips[CALLCHAIN_MAX];
	int room = CALLCHAIN_MAX - n;
	int k = symbols_unwind(syms, r->pid, r->regs_abi, r->regs_mask, r->regs, r->stack, r->stack_size, ips,
			       limit.max < room ? limit.max : room, truncated);
	for (int i = 0; i < k; i++)
		out[n++] = (struct chain_ip){ ips[i], SYM_USER, true, false };
	return n;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* watchpoint:ADDRESS:LENGTH:MODE: memory that somebody reads (r), writes (w) or runs (x), seen by the machine's own breakpoint
 * registers. An address of programs means something in one process only: that of -p or -c. */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/features/features.h"
#include "script/provider/counter.h"
#include "script/provider/provider.h"

static int form(struct run_script *s, const struct attach *a, const char *what)
{
	source_error(s->source, a->at, "%s", what);
	return error_hint("watchpoint:0x5560a0b4c010:8:w: an address, 1, 2, 4 or 8 bytes, and r, w, rw or x");
}

static bool read_mode(const char *text, unsigned *mode)
{
	static const struct { const char *name; unsigned mode; } modes[] = { { "r", HW_BREAKPOINT_RW }, { "w", HW_BREAKPOINT_W }, { "rw", HW_BREAKPOINT_RW },
		{ "wr", HW_BREAKPOINT_RW }, { "x", HW_BREAKPOINT_X } };
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i].name, text)) {
			*mode = modes[i].mode;
			return true;
		}
	return false;
}

static int expand(struct run_script *s, const struct attach *a, const char *rest)
{
	wordlist w = { 0 };
	uint64_t addr = 0, len = 0;
	unsigned mode = 0;
	int err = 0;
	wordlist_split(&w, rest, ':');
	if (w.n != 3 || parse_u64(w.at[0], &addr))
		err = form(s, a, w.n && strchr(w.at[0], '+') ? "a watchpoint is at an address: that of an argument is not known before" :
			   "a watchpoint is watchpoint:ADDRESS:LENGTH:MODE");
	else if (parse_u64(w.at[1], &len) || (len != 1 && len != 2 && len != 4 && len != 8))
		err = form(s, a, "the length of a watchpoint is 1, 2, 4 or 8 bytes");
	else if (!read_mode(w.at[2], &mode))
		err = form(s, a, "the mode of a watchpoint is r, w, rw or x");
	else if (addr % len && mode != HW_BREAKPOINT_X)
		err = form(s, a, "the address of a watchpoint is a multiple of its length");
	else if (!(addr >> 63) && !s->pid && !s->cpid) {
		err = source_error(s->source, a->at, "this is an address of programs, each of which has its own");
		error_hint("-p PID or -c COMMAND says whose it is");
	} else {
		struct point *p = provider_point(s, &provider_watchpoint, a, a->text);
		p->number = addr;
		p->offset = len;
		p->config = mode;
	}
	wordlist_release(&w);
	return err;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	const struct point *p = &s->points.at[u->points.at[0]];
	bool run = p->config == HW_BREAKPOINT_X;
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT, .bp_type = p->config, .bp_addr = p->number, .sample_period = 1,
		.bp_len = run ? sizeof(long) : p->offset };
	int err = counter_attach(u, p, &attr, p->number >> 63 ? 0 : s->pid ? s->pid : s->cpid, false);
	if (err)
		feature_hint(FEATURE_BREAKPOINTS);
	return err;
}

const struct provider provider_watchpoint = { "watchpoint", "w", .prog_type = BPF_PROG_TYPE_PERF_EVENT, .expand = expand, .attach = attach };

// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/history.h"
#include <string.h>

enum { CALL_LENGTH = 8 }; /* a call instruction has not more bytes: it is so far before where it returns to */

struct past {
	struct perf_branch_entry branch[HISTORY_BRANCHES];
	struct { uint32_t n, cycles; } loop[HISTORY_BRANCHES];
	int n;
};

/* Is what begins at i the same as the length branches before it? */
static int repeats(const struct past *p, int i)
{
	int first = 0, n = 0;
	while (first < i && p->branch[first].from != p->branch[i].from)
		first++;
	if (first == i)
		return 0;
	for (; first + n < i && i + n < p->n; n++)
		if (p->branch[first + n].from != p->branch[i + n].from)
			return 0;
	return n;
}

/* A loop is told once, and how often it was gone round by the branch that comes before it. */
static void fold_loops(struct past *p)
{
	for (int i = 1; i < p->n; i++) {
		int n = repeats(p, i), rest = p->n - i - n;
		if (!n)
			continue;
		if (rest > 0) {
			p->loop[i + n].n++;
			p->loop[i + n].cycles = 0;
			for (int k = 0; k < n; k++)
				p->loop[i + n].cycles += p->branch[i + k].cycles;
			memmove(p->loop + i, p->loop + i + n, rest * sizeof(*p->loop));
			memmove(p->branch + i, p->branch + i + n, rest * sizeof(*p->branch));
		}
		p->n -= n;
	}
}

static int mode_of(uint64_t ip)
{
	return (int64_t)ip < 0 ? SYM_KERNEL : SYM_USER;
}

static bool is_call_to(const struct perfdata_record *r, uint64_t returns)
{
	for (uint64_t i = 0; i < r->n_branch; i++)
		if (r->branch[i].from < returns && r->branch[i].from >= returns - CALL_LENGTH)
			return true;
	return false;
}

/* The sample's own frame is the line that the history is of; callers whose call is among the branches are told by them. */
static int add_callers(const struct perfdata_record *r, int max, struct chain_ip *out, struct branch_end *end)
{
	struct chain_ip ips[CALLCHAIN_MAX];
	int n = callchain_walked(r, ips), k = 0, i = 1;
	while (i < n && is_call_to(r, ips[i].ip))
		i++;
	for (; i < n && k < max; i++, k++) {
		out[k] = ips[i];
		end[k] = (struct branch_end){ .kind = END_CALLER };
	}
	return k;
}

int history_ips(const struct perfdata_record *r, int max, struct chain_ip *out, struct branch_end *end)
{
	struct past p = { .n = r->n_branch < HISTORY_BRANCHES ? (int)r->n_branch : HISTORY_BRANCHES };
	int n = 0;
	if (p.n > max)
		p.n = max > 0 ? max : 0;
	if (p.n)
		memcpy(p.branch, r->branch, p.n * sizeof(*p.branch));
	fold_loops(&p);
	for (int i = 0; i < p.n; i++) {
		const struct perf_branch_entry *b = &p.branch[i];
		out[n] = (struct chain_ip){ b->to, mode_of(b->to), false, false };
		end[n++] = (struct branch_end){ .kind = END_TO, .predicted = b->predicted, .abort = b->abort, .type = b->type, .new_type = b->new_type,
						.from = b->from };
		out[n] = (struct chain_ip){ b->from, mode_of(b->from), false, false };
		end[n++] = (struct branch_end){ .kind = END_FROM, .cycles = b->cycles, .loops = p.loop[i].n, .loop_cycles = p.loop[i].cycles };
	}
	return n + add_callers(r, max < CALLCHAIN_MAX ? max : CALLCHAIN_MAX, out + n, end + n);
}

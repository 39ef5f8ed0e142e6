// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/blocks.h"

void blocks_release(struct blocks *b)
{
	vec_release(&b->at);
	idmap_release(&b->index);
}

static void resolve(struct symbols *syms, int pid, uint64_t ip, struct frame *f)
{
	symbols_resolve(syms, pid, ip, (int64_t)ip < 0 ? SYM_KERNEL : SYM_USER, f);
}

static struct block *block_of(struct blocks *b, const struct frame *end)
{
	uint32_t *id = idmap_at(&b->index, idmap_mix((uintptr_t)end->dso, end->addr));
	if (!*id) {
		vec_push(&b->at)->end = *end;
		*id = b->at.n;
	}
	return &b->at.at[*id - 1];
}

/* Of pieces that end in the same place the longest is shown. */
static void see_start(struct block *b, const struct frame *from)
{
	if (!from->sym || from->dso != b->end.dso || from->sym_addr != b->end.sym_addr || from->addr >= b->end.addr)
		return;
	uint64_t start = from->addr - from->sym_addr;
	if (!b->has_start || start < b->start)
		b->start = start;
	b->has_start = true;
}

void blocks_feed(struct blocks *b, struct symbols *syms, const struct perfdata_record *r)
{
	struct frame end, start = { 0 };
	/* with a choice of branches something else lies between two of them */
	bool all = r->event && r->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY;
	if (!r->n_branch || !r->branch[0].cycles)
		return;
	for (uint64_t i = r->n_branch; i-- > 0;) { /* the latest is the first in the record */
		const struct perf_branch_entry *e = &r->branch[i];
		b->cycles += e->cycles;
		resolve(syms, r->pid, e->from, &end);
		if (e->cycles && end.sym) {
			struct block *at = block_of(b, &end);
			at->cycles += e->cycles;
			at->n++;
			if (all)
				see_start(at, &start);
		}
		resolve(syms, r->pid, e->to, &start);
	}
}

static int by_share(const void *x, const void *y, void *all)
{
	const struct block *a = x, *b = y;
	double total = ((const struct blocks *)all)->cycles;
	int64_t l = a->cycles / total * 100000.0, r = b->cycles / total * 100000.0;
	if (l != r)
		return l < r ? 1 : -1;
	int c = strcmp(b->end.sym, a->end.sym);
	if (c)
		return c;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	uint64_t p = a->end.addr - a->end.sym_addr, q = b->end.addr - b->end.sym_addr;
	return p < q ? -1 : p > q;
}

void blocks_sort(struct blocks *b)
{
	if (b->at.n)
		qsort_r(b->at.at, b->at.n, sizeof(*b->at.at), by_share, b);
}

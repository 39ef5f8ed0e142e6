// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include "engine/bpf/inner.h"
#include "kernel/rights/lent.h"

static struct engine_sum *sum_row(struct engine *g, const struct sum_key *k, struct u64map *index)
{
	uint64_t key = hash_bytes(&(struct sum_key){ .id = k->id, .call = k->call }, sizeof(*k), 0);
	size_t at = (size_t)u64map_get(index, key);
	if (!at) {
		vec_push(&g->sums);
		at = g->sums.n;
		u64map_set(index, key, (void *)at);
	}
	return &g->sums.at[at - 1];
}

static void sum_add(struct engine *g, struct engine_sum *to, const struct sum_key *k, const struct sum *s)
{
	to->id = k->id;
	to->abi = k->call >= CALLS ? ABI_32 : ABI_NATIVE;
	to->nr = k->call & (CALLS - 1);
	if (g->summary == SUMMARY_COMM)
		memcpy(to->comm, s->comm, 16);
	if (g->summary == SUMMARY_THREAD) {
		to->pid = s->pid;
		to->tid = s->tid;
		struct call_wait *t = u64map_get(&g->threads, s->tid);
		if (t)
			memcpy(to->comm, t->comm, 16);
	}
	to->min = !to->count || s->min < to->min ? s->min : to->min;
	to->max = s->max > to->max ? s->max : to->max;
	to->count += s->count;
	to->errors += s->errors;
	to->total += s->total;
	for (int i = 0; i < SUM_STEPS; i++)
		summary_add(to, k->octave * SUM_STEPS + i, s->hist[i]);
}

_Static_assert((int)SUM_STEPS == SUMMARY_STEPS, "the program's histogram");

void bpf_summary_clear(struct engine *g)
{
	vec_each(&g->sums, r)
		summary_release(r);
	vec_clear(&g->sums);
}

size_t bpf_summary(struct engine *g, const struct engine_sum **rows)
{
	struct u64map index = { 0 };
	struct sum_key key = { 0 }, *before = NULL;
	struct sum s;
	bpf_summary_clear(g);
	size_t len = bpf_pages(SUMS * sizeof(struct sum));
	const struct sum *row = bpf_memory(g->programs.sum_rows, len, PROT_READ);
	for (int i = 0; row && i < SUMS; i++)
		if (row[i].count)
			sum_add(g, sum_row(g, &row[i].key, &index), &row[i].key, &row[i]);
	if (row)
		munmap((void *)row, len);
	uint64_t rights = lent_raise();
	while (!bpf_map_get_next_key(g->programs.sums, before, &key)) {
		if (!bpf_map_lookup_elem(g->programs.sums, &key, &s))
			sum_add(g, sum_row(g, &key, &index), &key, &s);
		before = &key;
	}
	lent_lower(rights);
	u64map_release(&index);
	*rows = g->sums.at;
	return g->sums.n;
}

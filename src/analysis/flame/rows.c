// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/flame/rows.h"
#include <stdlib.h>

static uint32_t thread_of(struct flame_rows *r, const struct fold_key *k)
{
	uint64_t key = idmap_mix(hash_bytes(k->comm, strlen(k->comm), 0), (uint64_t)(uint32_t)k->pid << 32 | (uint32_t)k->tid);
	for (;; key++) {
		uint32_t *id = idmap_at(&r->threads, key);
		if (!*id) {
			*vec_push(&r->thread) = (struct flame_thread){ k->pid, k->tid, k->comm };
			*id = r->thread.n;
			return *id - 1;
		}
		const struct flame_thread *t = &r->thread.at[*id - 1];
		if (t->pid == k->pid && t->tid == k->tid && !strcmp(t->comm, k->comm))
			return *id - 1;
	}
}

void flame_rows_add(struct flame_rows *r, uint32_t node, const struct fold_key *k, uint64_t weight)
{
	uint32_t thread = thread_of(r, k);
	for (uint64_t key = idmap_mix((uint64_t)node << 32 | thread, k->time);; key++) {
		uint32_t *id = idmap_at(&r->piles, key);
		if (!*id) {
			*vec_push(&r->pile) = (struct flame_pile){ k->time, node, thread, weight };
			*id = r->pile.n;
			return;
		}
		struct flame_pile *p = &r->pile.at[*id - 1];
		if (p->node == node && p->thread == thread && p->time == k->time) {
			p->weight += weight;
			return;
		}
	}
}

static int by_node(const void *a, const void *b)
{
	const struct flame_row *x = a, *y = b;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->cut != y->cut)
		return x->cut ? 1 : -1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->span < y->span ? -1 : x->span > y->span;
}

/* Stacks that were cut at the same node are one. */
static void join_equal(struct flame_tree *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->row.n; i++) {
		struct flame_row *r = &t->row.at[i];
		if (n && !by_node(&t->row.at[n - 1], r))
			t->row.at[n - 1].weight += r->weight;
		else
			t->row.at[n++] = *r;
	}
	t->row.n = n;
}

static void find_spans(const struct flame_rows *r, struct flame_tree *t, uint64_t quantum)
{
	uint64_t last = 0;
	t->first = UINT64_MAX;
	vec_each(&r->pile, p) {
		if (!p->time)
			continue;
		t->first = p->time < t->first ? p->time : t->first;
		last = p->time > last ? p->time : last;
	}
	if (!last || !quantum || quantum == QUANTUM_NONE || (last - t->first) / quantum >= UINT32_MAX)
		return;
	t->quantum = quantum;
	t->spans = (last - t->first) / quantum + 1;
}

static uint32_t span_at(const struct flame_tree *t, uint64_t time)
{
	uint64_t i = time > t->first ? (time - t->first) / t->quantum : 0;
	return i < t->spans ? i : t->spans - 1;
}

void flame_rows_finish(struct flame_rows *r, struct flame_tree *t, const struct stacks *s, const uint32_t *place, const struct stackfold *f)
{
	find_spans(r, t, f->quantum);
	for (size_t i = 0; t->spans && i < f->gap.n; i++)
		*vec_push(&t->gap) = (struct flame_gap){ span_at(t, f->gap.at[i].from), span_at(t, f->gap.at[i].to) };
	vec_each(&r->pile, p) {
		uint32_t node = p->node;
		while (!place[node])
			node = s->at.at[node].parent;
		*vec_push(&t->row) = (struct flame_row){ place[node] - 1, p->thread, t->quantum && p->time ? (p->time - t->first) / t->quantum : 0,
							 node != p->node, p->weight };
	}
	vec_each(&r->thread, k)
		*vec_push(&t->thread) = *k;
	if (t->row.n)
		qsort(t->row.at, t->row.n, sizeof(*t->row.at), by_node);
	join_equal(t);
}

void flame_rows_release(struct flame_rows *r)
{
	vec_release(&r->pile);
	vec_release(&r->thread);
	idmap_release(&r->threads);
	idmap_release(&r->piles);
}

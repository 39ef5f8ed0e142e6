// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/callsum.h"
#include <string.h>

static struct engine_sum *row_of(struct callsum *c, const struct sysevent *e)
{
	struct { uint64_t id; int abi, nr; } key = { c->mode == SUMMARY_THREAD ? e->tid : 0, e->abi, e->nr };
	uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	size_t at = (size_t)u64map_get(&c->index, hash);
	if (at)
		return &c->rows.at[at - 1];
	struct engine_sum *r = vec_push(&c->rows);
	u64map_set(&c->index, hash, (void *)c->rows.n);
	r->id = key.id;
	r->abi = e->abi;
	r->nr = e->nr;
	r->min = UINT64_MAX;
	return r;
}

void callsum_add(struct callsum *c, const struct sysevent *e)
{
	if ((e->type != SYS_CALL && e->type != SYS_RESUMED) || !e->enter_time || e->no_return)
		return;
	struct engine_sum *r = row_of(c, e);
	uint64_t took = e->time - e->enter_time;
	if (c->mode == SUMMARY_THREAD) {
		r->pid = e->pid;
		r->tid = e->tid;
		memcpy(r->comm, e->comm, sizeof(r->comm));
	}
	r->count++;
	r->errors += (uint64_t)e->ret >= (uint64_t)-4095;
	r->total += took;
	r->min = took < r->min ? took : r->min;
	r->max = took > r->max ? took : r->max;
	r->hist[summary_bucket(took)]++;
}

void callsum_release(struct callsum *c)
{
	u64map_release(&c->index);
	vec_release(&c->rows);
}

uint64_t callsum_percentile(const struct engine_sum *r, double share)
{
	double want = share * r->count, seen = 0;
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++) {
		if (seen + r->hist[i] >= want && r->hist[i]) {
			double lo = summary_bucket_floor(i), hi = i + 1 < SUMMARY_BUCKETS ? summary_bucket_floor(i + 1) : r->max;
			double v = lo + (hi - lo) * (want - seen) / r->hist[i];
			return v < r->min ? r->min : v > r->max ? r->max : (uint64_t)v;
		}
		seen += r->hist[i];
	}
	return r->max;
}

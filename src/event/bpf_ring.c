// SPDX-License-Identifier: GPL-2.0-or-later
/* Merging by time without waiting for a quiet CPU: a program marks its CPU busy before it takes the
 * record's time and idle after the record is in place. So a CPU that is seen idle after the clock read T
 * can bring nothing older than T any more (but for the few nanoseconds a store takes to be seen, hence
 * MARGIN); of a busy one we only know that it comes after its latest record.
 *
 * The chosen ring is read on until another one's record, or the bound, is older: choosing costs nothing
 * in the common case. */
#include "event/bpf_ring.h"
#include <stdlib.h>
#include <string.h>
#include "base/str.h"
#include "kernel/clock.h"

enum { MARGIN = 5000, SLEEP_MIN = 50000, SLEEP_START = 200000, SLEEP_MAX = 10000000, NS_PER_BYTE = 2 /* a busy program's pace */ };

void bpf_rings_init(struct bpf_rings *r, struct cpu_ctl *ctl, const uint8_t *data, unsigned n_cpus, unsigned n_blocks)
{
	memset(r, 0, sizeof(*r));
	r->n = n_cpus;
	r->size = (uint64_t)n_blocks * BLOCK;
	r->sleep_ns = SLEEP_START;
	r->since = clock_ns();
	/* a burst after silence must find room until we wake up */
	r->sleep_max = r->size * NS_PER_BYTE < SLEEP_MAX ? r->size * NS_PER_BYTE : SLEEP_MAX;
	r->ring = xcalloc(n_cpus, sizeof(*r->ring));
	for (unsigned i = 0; i < n_cpus; i++) {
		r->ring[i].ctl = &ctl[i];
		r->ring[i].data = data + i * r->size;
	}
}

void bpf_rings_release(struct bpf_rings *r)
{
	free(r->ring);
	r->ring = NULL;
}

static void give_back(struct bpf_ring *g)
{
	if (g->given_back == g->pos)
		return;
	g->given_back = g->pos;
	__atomic_store_n(&g->ctl->tail, g->pos, __ATOMIC_RELEASE);
}

/* Takes every CPU's new head and the bound that goes with it. */
void bpf_rings_look(struct bpf_rings *r)
{
	r->now = clock_ns();
	uint64_t t = r->now - MARGIN;
	r->polls++;
	for (unsigned i = 0; i < r->n; i++) {
		struct bpf_ring *g = &r->ring[i];
		bool busy = __atomic_load_n(&g->ctl->busy, __ATOMIC_ACQUIRE);
		uint64_t last = __atomic_load_n(&g->ctl->last_time, __ATOMIC_ACQUIRE);
		uint64_t head = __atomic_load_n(&g->ctl->head, __ATOMIC_ACQUIRE);
		give_back(g);
		g->safe = !busy && t > g->safe ? t : last > g->safe ? last : g->safe;
		r->bytes += head - g->head;
		g->head = head;
	}
}

/* The record at the reading position, or NULL. Skips to the next block where the writer did. */
static const struct rec *peek(struct bpf_rings *r, struct bpf_ring *g)
{
	while (g->pos < g->head) {
		uint64_t off = g->pos & (BLOCK - 1);
		const struct rec *rec = (const struct rec *)(g->data + (g->pos & (r->size - 1)));
		if (off <= BLOCK - sizeof(struct rec) && rec->size) {
			if (rec->size >= sizeof(struct rec) && rec->size <= BLOCK - off && g->pos + rec->size <= g->head)
				return rec;
			r->damaged = true;
		}
		g->pos = (g->pos | (BLOCK - 1)) + 1;
	}
	return NULL;
}

/* The ring with the oldest record; NULL when none may be given out yet. */
static const struct rec *choose(struct bpf_rings *r)
{
	const struct rec *best = NULL;
	uint64_t second = UINT64_MAX;
	for (unsigned i = 0; i < r->n; i++) {
		struct bpf_ring *g = &r->ring[i];
		const struct rec *rec = peek(r, g);
		uint64_t t = rec ? rec->time : r->drained ? UINT64_MAX : g->safe;
		if (rec && (!best || t < best->time)) {
			if (best && best->time < second)
				second = best->time;
			best = rec;
			r->current = i;
		} else if (t < second) {
			second = t;
		}
	}
	r->until = second;
	return best && best->time <= second ? best : NULL;
}

const struct rec *bpf_rings_next(struct bpf_rings *r, unsigned *cpu)
{
	struct bpf_ring *g = &r->ring[r->current];
	const struct rec *rec;
	if (r->held) {
		g->pos += r->held->size;
		r->held = NULL;
		if (g->pos - g->given_back > r->size / 16)
			give_back(g);
	}
	rec = peek(r, g);
	if (!rec || rec->time > r->until)
		rec = choose(r);
	r->held = rec;
	*cpu = r->current;
	return rec;
}

void bpf_rings_skip(struct bpf_rings *r)
{
	bpf_rings_look(r);
	for (unsigned i = 0; i < r->n; i++) {
		struct bpf_ring *g = &r->ring[i];
		g->pos = g->head;
		give_back(g);
	}
	r->held = NULL;
}

/* Aims at waking when the fullest ring is an eighth full, at the pace of the time since the last sleep began; does not
 * sleep at all while half of that is there. */
uint64_t bpf_rings_pause(struct bpf_rings *r, uint64_t max)
{
	uint64_t aim = r->size / 8, unread = 0, most = 0;
	bpf_rings_look(r);
	for (unsigned i = 0; i < r->n; i++) {
		const struct bpf_ring *g = &r->ring[i];
		if (g->head - g->pos > unread)
			unread = g->head - g->pos;
		if (g->head - g->before > most)
			most = g->head - g->before;
	}
	if (unread > aim / 2)
		return 0;
	uint64_t bound = r->sleep_ns * 2 < r->sleep_max ? r->sleep_ns * 2 : r->sleep_max;
	uint64_t pace = most ? (r->now - r->since) * (aim - unread) / most : bound;
	r->sleep_ns = pace > bound ? bound : pace < SLEEP_MIN ? SLEEP_MIN : pace;
	r->since = r->now;
	for (unsigned i = 0; i < r->n; i++)
		r->ring[i].before = r->ring[i].head;
	r->sleeps++;
	return r->sleep_ns < max ? r->sleep_ns : max;
}

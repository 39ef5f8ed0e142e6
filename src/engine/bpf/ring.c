// SPDX-License-Identifier: GPL-2.0-or-later
/* Merging by time without waiting for a quiet CPU: a program takes its lane before it takes the record's time, and
 * gives it back after the record is in place. So a lane that is seen free after the clock read T can bring nothing older
 * than T any more (but for the few nanoseconds a store takes to be seen, hence MARGIN); of one that has an owner we
 * only know that it comes after its latest record. An owner that was preempted in the midst of a record holds back the
 * others' for at most HOLD_NS: then they go first.
 *
 * The chosen ring is read on until another one's record, or the bound, is older: choosing costs nothing
 * in the common case. */
#include "engine/bpf/ring.h"
#include <stdlib.h>
#include <string.h>
#include "base/str.h"
#include "kernel/clock.h"

enum { MARGIN = 5000, SLEEP_MIN = 50000, SLEEP_START = 200000, SLEEP_MAX = 10000000, HOLD_NS = 50000000,
       NS_PER_BYTE = 2, /* a busy program's pace */
       RARE_NS_PER_BYTE = 800 /* that of what does not wake us: forks, ends, signals */ };

void bpf_rings_init(struct bpf_rings *r, struct lane_frame *frames, const uint8_t *data, struct lane_reader *reader, unsigned n_cpus,
		    unsigned n_blocks)
{
	memset(r, 0, sizeof(*r));
	r->n = n_cpus * LANES;
	r->reader = reader;
	r->sleep_ns = SLEEP_START;
	r->clock = clock_ns;
	r->since = r->clock();
	r->ring = xcalloc(r->n, sizeof(*r->ring));
	r->live = xcalloc(r->n, sizeof(*r->live));
	for (unsigned i = 0; i < r->n; i++) {
		struct lane *l = &frames[i].lane;
		lane_init(l, i, n_cpus, n_blocks);
		r->ring[i].lane = l;
		r->ring[i].data = data + (uint64_t)l->first * BLOCK;
		r->ring[i].size = ((uint64_t)l->mask + 1) * BLOCK;
	}
	__atomic_store_n(&reader->seen, r->since, __ATOMIC_RELEASE);
}

void bpf_rings_release(struct bpf_rings *r)
{
	free(r->ring);
	free(r->live);
	r->ring = NULL;
	r->live = NULL;
}

static void give_back(struct bpf_ring *g)
{
	if (g->given_back == g->pos)
		return;
	g->given_back = g->pos;
	__atomic_store_n(&g->lane->tail, g->pos, __ATOMIC_RELEASE);
}

/* Is it in the midst of a record that is worth waiting for? */
static bool owned(const struct bpf_rings *r, struct bpf_ring *g, bool busy, uint64_t head)
{
	if (!busy || head != g->head || !g->owned_since)
		g->owned_since = busy ? r->now : 0;
	return busy && r->now - g->owned_since < HOLD_NS;
}

/* Programs see that we are at work, and we see whether we were. */
static void show_up(struct bpf_rings *r, uint64_t now)
{
	uint64_t late = now - r->reader->seen;
	if (late > r->slept + PATIENCE_NS)
		r->still_ns += late - r->slept;
	r->slept = 0;
	__atomic_store_n(&r->reader->seen, now, __ATOMIC_RELEASE);
}

/* Takes every lane's new head and the bound that goes with it. */
void bpf_rings_look(struct bpf_rings *r)
{
	r->now = r->clock();
	show_up(r, r->now);
	r->quiet = r->now - MARGIN;
	r->n_live = 0;
	r->polls++;
	for (unsigned i = 0; i < r->n; i++) {
		struct bpf_ring *g = &r->ring[i];
		bool busy = __atomic_load_n(&g->lane->busy, __ATOMIC_ACQUIRE);
		uint64_t last = __atomic_load_n(&g->lane->last_time, __ATOMIC_ACQUIRE);
		uint64_t head = __atomic_load_n(&g->lane->head, __ATOMIC_ACQUIRE);
		give_back(g);
		busy = owned(r, g, busy, head);
		g->safe = !busy && r->quiet > g->safe ? r->quiet : last > g->safe ? last : g->safe;
		r->bytes += head - g->head;
		g->head = head;
		if (busy || g->pos != head)
			r->live[r->n_live++] = i;
	}
}

/* The record at the reading position, or NULL. Skips to the next block where the writer did. */
static const struct rec *peek(struct bpf_rings *r, struct bpf_ring *g)
{
	while (g->pos < g->head) {
		uint64_t off = g->pos & (BLOCK - 1);
		const struct rec *rec = (const struct rec *)(g->data + (g->pos & (g->size - 1)));
		if (off <= BLOCK - sizeof(struct rec) && rec->size) {
			if (rec->size >= sizeof(struct rec) && !(rec->size & 7) && rec->size <= BLOCK - off && g->pos + rec->size <= g->head)
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
	uint64_t second = r->drained || r->n_live == r->n ? UINT64_MAX : r->quiet;
	for (unsigned k = 0; k < r->n_live; k++) {
		struct bpf_ring *g = &r->ring[r->live[k]];
		const struct rec *rec = peek(r, g);
		uint64_t t = rec ? rec->time : r->drained ? UINT64_MAX : g->safe;
		if (rec && (!best || t < best->time)) {
			if (best && best->time < second)
				second = best->time;
			best = rec;
			r->current = r->live[k];
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
		if (g->pos - g->given_back > g->size / 16) {
			give_back(g);
			show_up(r, r->clock());
		}
	}
	rec = peek(r, g);
	if (!rec || rec->time > r->until)
		rec = choose(r);
	r->held = rec;
	*cpu = r->current / LANES;
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

/* ---- sleeping ---- */

static void wake_me(struct bpf_ring *g, uint64_t at)
{
	__atomic_store_n(&g->lane->wake_at, at, __ATOMIC_SEQ_CST);
}

void bpf_rings_awake(struct bpf_rings *r)
{
	for (unsigned i = 0; r->armed && i < r->n; i += LANES)
		wake_me(&r->ring[i], UINT64_MAX);
	r->armed = false;
}

/* Asks programs to wake us; false: it is too late for that. A store that one of them does not see in time is seen by the
 * next record that matters. */
static bool arm(struct bpf_rings *r, bool any)
{
	bool in_time = true;
	r->armed = true;
	for (unsigned i = 0; i < r->n; i += LANES) {
		struct bpf_ring *g = &r->ring[i];
		uint64_t at = any ? g->head : g->head + g->size / 4;
		wake_me(g, at);
		in_time &= __atomic_load_n(&g->lane->head, __ATOMIC_SEQ_CST) <= at;
	}
	return in_time;
}

/* Aims at waking when the fullest ring is an eighth full, at the pace of the time since the last sleep began; does not
 * sleep at all while half of that is there. */
uint64_t bpf_rings_pause(struct bpf_rings *r, uint64_t max)
{
	uint64_t bound = r->sleep_ns * 2 < SLEEP_MAX ? r->sleep_ns * 2 : SLEEP_MAX, pace = bound;
	uint64_t risk = UINT64_MAX; /* how soon a quarter of a ring may be there */
	bool silent = r->sleep_ns == SLEEP_MAX;
	bpf_rings_look(r);
	for (unsigned i = 0; i < r->n; i++) {
		const struct bpf_ring *g = &r->ring[i];
		uint64_t aim = g->size / 8, unread = g->head - g->pos, came = g->head - g->before;
		if (unread > aim / 2)
			return 0;
		if (came && (r->now - r->since) * (aim - unread) / came < pace)
			pace = (r->now - r->since) * (aim - unread) / came;
		if (i % LANES == 0 && g->size * NS_PER_BYTE / 4 < risk)
			risk = g->size * NS_PER_BYTE / 4;
		silent &= !came;
	}
	r->sleep_ns = pace > SLEEP_MIN ? pace : SLEEP_MIN;
	r->since = r->now;
	for (unsigned i = 0; i < r->n; i++)
		r->ring[i].before = r->ring[i].head;
	r->sleeps++;
	if ((silent || r->sleep_ns > risk) && !arm(r, silent))
		return 0;
	uint64_t longest = silent ? 2 * risk * (RARE_NS_PER_BYTE / NS_PER_BYTE) : r->sleep_ns;
	r->slept = longest < max ? longest : max;
	return r->slept;
}

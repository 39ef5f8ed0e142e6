// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader's end of the eBPF engine's rings: records of all CPUs in the order of their times, room given back, damage
 * survived, sleeps that end in time. The writers are made up (unit/lane has the real ones), and so is the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "engine/bpf/ring.h"

enum { CPUS = 3, N_BLOCKS = 4, RINGS = CPUS * LANES };
enum { MARGIN = 5000, SLEEP_MIN = 50000, SLEEP_MAX = 10000000, HOLD_NS = 50000000 }; /* as in ring.c */

static struct lane_frame frames[RINGS];
static struct lane_reader reader;
static uint8_t *data;
static struct bpf_rings r;
static uint64_t now;

static uint64_t made_up_clock(void)
{
	return now;
}

static int start(void **state)
{
	(void)state;
	memset(frames, 0, sizeof(frames));
	data = calloc(lane_blocks(CPUS, N_BLOCKS), BLOCK); /* no byte more */
	now = 1000000000;
	bpf_rings_init(&r, frames, data, &reader, CPUS, N_BLOCKS);
	r.clock = made_up_clock;
	r.since = reader.seen = now;
	return 0;
}

static int end(void **state)
{
	(void)state;
	bpf_rings_release(&r);
	free(data);
	return 0;
}

/* ---- writers ---- */

static struct lane *lane(unsigned cpu, unsigned side)
{
	return &frames[cpu * LANES + side].lane;
}

static uint64_t size_of(const struct lane *l)
{
	return ((uint64_t)l->mask + 1) * BLOCK;
}

static uint8_t *place(const struct lane *l, uint64_t pos)
{
	return data + (uint64_t)l->first * BLOCK + (pos & (size_of(l) - 1));
}

/* Where a record of that size goes: not across the end of a block. */
static uint64_t reserve(const struct lane *l, uint32_t size)
{
	uint64_t pos = l->head, left = BLOCK - (pos & (BLOCK - 1));
	if (left >= size)
		return pos;
	if (left >= 4)
		memset(place(l, pos), 0, 4);
	return pos + left;
}

static bool has_room(const struct lane *l, uint32_t size)
{
	return reserve(l, size) + size - l->tail <= size_of(l);
}

static void put_record(struct lane *l, uint64_t time, uint32_t size, uint32_t tid)
{
	uint64_t pos = reserve(l, size);
	struct rec *rec = (struct rec *)place(l, pos);
	assert_true(has_room(l, size));
	memset(rec, tid & 0xff, size);
	*rec = (struct rec){ .size = size, .type = REC_CALL, .tid = tid, .time = time };
	l->head = pos + size;
	l->last_time = time;
}

static void comes(uint64_t time, unsigned of_cpu, uint32_t tid)
{
	unsigned cpu = 99;
	const struct rec *rec = bpf_rings_next(&r, &cpu);
	assert_non_null(rec);
	assert_int_equal(rec->time, time);
	assert_int_equal(cpu, of_cpu);
	assert_int_equal(rec->tid, tid);
}

static void nothing(void)
{
	unsigned cpu;
	assert_null(bpf_rings_next(&r, &cpu));
}

/* ---- order ---- */

static void by_time(void **state)
{
	(void)state;
	put_record(lane(0, 0), 100, 64, 1);
	put_record(lane(0, 0), 400, 64, 2);
	put_record(lane(1, 0), 200, 64, 3);
	put_record(lane(1, 1), 300, 64, 4); /* an interrupt's, on the same CPU */
	put_record(lane(2, 3), 50, 64, 5);
	put_record(lane(2, 0), 100, 64, 6);
	nothing(); /* not looked yet */
	bpf_rings_look(&r);
	comes(50, 2, 5);
	comes(100, 0, 1);
	comes(100, 2, 6);
	comes(200, 1, 3);
	comes(300, 1, 4);
	comes(400, 0, 2);
	nothing();
	put_record(lane(1, 0), 500, 64, 7);
	nothing(); /* it comes with the next look */
	bpf_rings_look(&r);
	comes(500, 1, 7);
	assert_int_equal(r.bytes, 7 * 64);
}

/* What is younger than the look less a margin: an older one may still be on its way from elsewhere. */
static void too_young(void **state)
{
	(void)state;
	put_record(lane(0, 0), now - MARGIN - 1, 64, 1);
	put_record(lane(0, 0), now - MARGIN, 64, 2);
	put_record(lane(0, 0), now - MARGIN + 1, 64, 3);
	bpf_rings_look(&r);
	comes(now - MARGIN - 1, 0, 1);
	comes(now - MARGIN, 0, 2);
	nothing();
	now += 1;
	put_record(lane(1, 0), now - MARGIN, 64, 4); /* there it is */
	bpf_rings_look(&r);
	comes(now - MARGIN, 0, 3);
	comes(now - MARGIN, 1, 4);
	nothing();
}

/* A program in the midst of its record: of it only is known that it comes after its lane's latest. */
static void in_the_midst(void **state)
{
	uint64_t from = now;
	(void)state;
	put_record(lane(1, 0), 100, 64, 1);
	lane(1, 0)->busy = 1;
	put_record(lane(0, 0), 50, 64, 2);
	put_record(lane(0, 0), 100, 64, 3);
	put_record(lane(0, 0), 150, 64, 4);
	bpf_rings_look(&r);
	comes(50, 0, 2);
	comes(100, 0, 3);
	comes(100, 1, 1);
	nothing(); /* 150 must wait */
	put_record(lane(1, 0), 120, 64, 5);
	lane(1, 0)->busy = 0;
	now += 10;
	bpf_rings_look(&r);
	comes(120, 1, 5);
	comes(150, 0, 4);
	nothing();
	/* one that never owned before holds back all */
	lane(2, 2)->busy = 1;
	put_record(lane(0, 0), from + 5, 64, 6);
	now = from + 2 * MARGIN;
	bpf_rings_look(&r);
	nothing();
	/* but not for ever: it was preempted, or its CPU is gone */
	now = from + 2 * MARGIN + HOLD_NS - 1;
	bpf_rings_look(&r);
	nothing();
	now++;
	bpf_rings_look(&r);
	comes(from + 5, 0, 6);
	/* one that makes progress is another's: it is waited for again */
	put_record(lane(2, 2), now, 64, 7);
	now += 2 * MARGIN;
	put_record(lane(0, 0), now - MARGIN, 64, 8);
	bpf_rings_look(&r);
	comes(now - 2 * MARGIN, 2, 7);
	nothing();
}

/* The programs are detached: nothing is held back any more, nor for an owner that will not give its lane back. */
static void drained(void **state)
{
	(void)state;
	lane(2, 0)->busy = 1;
	put_record(lane(0, 0), now + 5, 64, 1);
	put_record(lane(1, 0), now + 3, 64, 2);
	bpf_rings_look(&r);
	nothing();
	r.drained = true;
	bpf_rings_look(&r);
	comes(now + 3, 1, 2);
	comes(now + 5, 0, 1);
	nothing();
}

/* ---- room ---- */

/* What was given out is the caller's until the next call: its room is not. */
static void held(void **state)
{
	(void)state;
	struct lane *l = lane(0, 0);
	unsigned cpu;
	put_record(l, 100, BLOCK / 2, 1);
	put_record(l, 200, 64, 2);
	bpf_rings_look(&r);
	const struct rec *rec = bpf_rings_next(&r, &cpu);
	bpf_rings_look(&r);
	assert_int_equal(l->tail, 0);
	assert_int_equal(rec->tid, 1);
	comes(200, 0, 2);
	assert_int_equal(l->tail, BLOCK / 2); /* much, so it is given back at once */
	nothing();
	assert_int_equal(l->tail, BLOCK / 2); /* a little is not worth it */
	bpf_rings_look(&r);
	assert_int_equal(l->tail, BLOCK / 2 + 64);
	assert_int_equal(l->tail, l->head);
}

/* Round and round, records of all sizes: each comes out as it was written. */
static void round_and_round(void **state)
{
	static const uint32_t sizes[] = { sizeof(struct rec), 64, 256, 4096, BLOCK - sizeof(struct rec), BLOCK };
	uint32_t written = 0, read = 0;
	(void)state;
	srand(8);
	for (int i = 0; i < 3000; i++) {
		struct lane *l = lane(1, 0);
		uint32_t size = rand() % 4 ? sizeof(struct rec) + rand() % 500 * 8 : sizes[rand() % 6];
		if (has_room(l, size) && rand() % 3)
			put_record(l, ++now, size, ++written);
		if (rand() % 4)
			continue;
		now += 2 * MARGIN;
		bpf_rings_look(&r);
		for (int k = rand() % 40; k; k--) {
			unsigned cpu;
			const struct rec *rec = bpf_rings_next(&r, &cpu);
			if (!rec)
				break;
			assert_int_equal(rec->tid, ++read);
			for (uint32_t at = sizeof(*rec); at < rec->size; at++)
				assert_int_equal(((const uint8_t *)rec)[at], read & 0xff);
			assert_true(l->tail <= (uint64_t)((const uint8_t *)rec - place(l, 0)) + l->head); /* never beyond what was written */
		}
		assert_true(l->head - l->tail <= size_of(l));
	}
	now += 2 * MARGIN;
	bpf_rings_look(&r);
	unsigned cpu;
	while (bpf_rings_next(&r, &cpu))
		read++;
	assert_int_equal(read, written);
	assert_true(written > 300);
	assert_true(lane(1, 0)->head > 20 * size_of(lane(1, 0)));
	assert_false(r.damaged);
	bpf_rings_look(&r);
	assert_int_equal(lane(1, 0)->tail, lane(1, 0)->head);
}

static void thrown_away(void **state)
{
	(void)state;
	put_record(lane(0, 0), 100, 64, 1);
	put_record(lane(1, 2), 100, 64, 2);
	bpf_rings_look(&r);
	comes(100, 0, 1);
	put_record(lane(0, 0), 200, 64, 3);
	bpf_rings_skip(&r);
	nothing();
	for (unsigned i = 0; i < RINGS; i++)
		assert_int_equal(frames[i].lane.tail, frames[i].lane.head);
	put_record(lane(0, 0), 300, 64, 4);
	bpf_rings_look(&r);
	comes(300, 0, 4);
}

/* ---- damage ---- */

static void damaged(uint32_t size)
{
	struct lane *l = lane(0, 0);
	put_record(l, 100, 64, 1);
	put_record(l, 200, 64, 2);
	((struct rec *)place(l, 64))->size = size;
	put_record(l, 300, 64, 3);
	uint64_t next = (l->head | (BLOCK - 1)) + 1;
	l->head = next;
	put_record(l, 400, 64, 4);
	put_record(lane(1, 0), 250, 64, 5);
	bpf_rings_look(&r);
	comes(100, 0, 1);
	assert_false(r.damaged);
	comes(250, 1, 5); /* the others' are not touched */
	comes(400, 0, 4); /* it goes on in the next block */
	assert_true(r.damaged);
	nothing();
}

static void too_small(void **state)
{
	(void)state;
	damaged(8);
}

static void crooked(void **state)
{
	(void)state;
	damaged(100);
}

static void across_a_block(void **state)
{
	(void)state;
	damaged(BLOCK);
}

static void huge(void **state)
{
	(void)state;
	damaged(0xfffffff8);
}

/* Beyond what the program says is written: that would be read from what was there before. */
static void beyond_the_head(void **state)
{
	(void)state;
	struct lane *l = lane(0, 0);
	put_record(l, 100, 64, 1);
	((struct rec *)place(l, 0))->size = 128;
	bpf_rings_look(&r);
	nothing();
	assert_true(r.damaged);
}

/* Whatever is in the rings: no byte outside of them is read, and it ends. */
static void noise(void **state)
{
	(void)state;
	srand(9);
	for (int i = 0; i < 30; i++) {
		size_t n = lane_blocks(CPUS, N_BLOCKS) * (size_t)BLOCK;
		for (size_t k = 0; k < n; k += 8) {
			uint64_t v = rand() % 3 ? (uint64_t)rand() % 200 : ((uint64_t)rand() << 33 ^ rand());
			memcpy(data + k, &v, 8);
		}
		for (unsigned k = 0; k < RINGS; k++) {
			struct lane *l = &frames[k].lane;
			l->head = l->tail + rand() % (size_of(l) / 8 + 1) * 8;
			l->last_time = rand();
			l->busy = rand() % 8 == 0;
		}
		now += 10000000000ull;
		r.drained = rand() % 2;
		bpf_rings_look(&r);
		unsigned cpu;
		const struct rec *rec;
		uint64_t sum = 0, count = 0;
		while ((rec = bpf_rings_next(&r, &cpu)) && ++count < 1000000) {
			assert_true(cpu < CPUS);
			for (uint32_t k = 0; k < rec->size; k += 8)
				sum += ((const uint8_t *)rec)[k];
		}
		assert_true(count < 1000000);
		bpf_rings_skip(&r);
	}
	r.drained = false;
}

/* ---- sleeping ---- */

static void sleeps_as_long_as_it_may(void **state)
{
	uint64_t pause = 0;
	(void)state;
	/* silence: longer and longer, to the longest */
	for (int i = 0; i < 10; i++) {
		pause = bpf_rings_pause(&r, SLEEP_MAX * 100ull);
		if (!i) { /* twice what it begins with; a busy program may fill a quarter of a ring meanwhile, so it is to wake us then */
			assert_int_equal(pause, 2 * 200000);
			assert_true(r.armed);
			assert_int_equal(lane(0, 0)->wake_at, size_of(lane(0, 0)) / 4);
			assert_true(lane(0, 1)->wake_at == UINT64_MAX); /* the others are hardly ever used */
		}
		bpf_rings_awake(&r);
		now += pause;
	}
	/* then the next record wakes us; what does not is so rare that a ring is half full of it no sooner than this */
	assert_int_equal(pause, size_of(lane(0, 0)) / 2 * 800);
	assert_int_equal(r.sleeps, 10);
	assert_int_equal(bpf_rings_pause(&r, 1234), 1234); /* but no longer than asked for */
	assert_int_equal(r.still_ns, 0);
}

static void wakes_before_it_is_full(void **state)
{
	struct lane *l = lane(0, 0);
	(void)state;
	uint64_t size = size_of(l);
	bpf_rings_pause(&r, SLEEP_MAX);
	bpf_rings_awake(&r);
	/* an eighth of an eighth in a millisecond: seven more of those, and it is an eighth full */
	now += 1000000;
	while (l->head < size / 64)
		put_record(l, now - 2 * MARGIN, 64, 1);
	bpf_rings_look(&r);
	uint64_t pause = bpf_rings_pause(&r, SLEEP_MAX * 100ull);
	assert_in_range(pause, SLEEP_MIN, 7100000);
	bpf_rings_awake(&r);
	/* half of that is there already: no sleep at all */
	while (l->head < size / 16 + 64)
		put_record(l, now - 2 * MARGIN, 64, 1);
	assert_int_equal(bpf_rings_pause(&r, SLEEP_MAX), 0);
	bpf_rings_skip(&r);
	/* a flood, read as fast as it comes: short sleeps, but sleeps */
	for (int i = 0; i < 20; i++) {
		now += 100000;
		for (uint64_t to = l->head + size / 20; l->head < to;)
			put_record(l, now - 2 * MARGIN, 64, 1);
		bpf_rings_skip(&r);
		pause = bpf_rings_pause(&r, SLEEP_MAX);
		bpf_rings_awake(&r);
	}
	assert_in_range(pause, SLEEP_MIN, 400000);
}

/* All have been silent: the next record wakes the reader; one that came in between means no sleep. */
static void woken(void **state)
{
	struct lane *l = lane(0, 0);
	(void)state;
	put_record(l, 100, 64, 1);
	bpf_rings_skip(&r);
	for (unsigned i = 0; i < RINGS; i++)
		assert_true(frames[i].lane.wake_at == UINT64_MAX);
	for (int i = 0; i < 12; i++) {
		bpf_rings_awake(&r);
		now += bpf_rings_pause(&r, SLEEP_MAX);
	}
	assert_true(r.armed);
	assert_int_equal(l->wake_at, l->head); /* any record */
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		assert_true(lane(cpu, 0)->wake_at != UINT64_MAX);
	bpf_rings_awake(&r);
	for (unsigned i = 0; i < RINGS; i++)
		assert_true(frames[i].lane.wake_at == UINT64_MAX);
	assert_false(r.armed);
}

/* How long it stood still beyond what it slept: the programs did not wait for it then. */
static void stood_still(void **state)
{
	(void)state;
	bpf_rings_look(&r);
	assert_int_equal(reader.seen, now);
	uint64_t pause = bpf_rings_pause(&r, SLEEP_MAX);
	now += pause + PATIENCE_NS; /* a little late is no standing still */
	bpf_rings_look(&r);
	assert_int_equal(r.still_ns, 0);
	now += PATIENCE_NS + 1;
	bpf_rings_look(&r);
	assert_int_equal(r.still_ns, PATIENCE_NS + 1);
	assert_int_equal(reader.seen, now);
}

/* ---- any order ---- */

/* Programs on all lanes take a time, later have their record in place; the reader looks in between. All comes out, in
 * order. */
static void any_order(void **state)
{
	enum { STEPS = 30000 };
	uint64_t taken[RINGS] = { 0 }, last = 0;
	uint32_t written = 0, read = 0;
	const struct rec *rec;
	unsigned cpu;
	(void)state;
	srand(10);
	for (int i = 0; i < STEPS; i++) {
		unsigned k = rand() % RINGS;
		struct lane *l = &frames[k].lane;
		now += rand() % 1000;
		if (rand() % 10 == 0) {
			bpf_rings_look(&r);
			for (int n = rand() % 100; n && (rec = bpf_rings_next(&r, &cpu)); n--) {
				assert_true(rec->time >= last);
				last = rec->time;
				read++;
			}
		} else if (!l->busy) {
			l->busy = 1;
			taken[k] = now;
		} else if (has_room(l, 256)) {
			put_record(l, taken[k], 64 + rand() % 24 * 8, written++);
			l->busy = rand() % 4 == 0; /* the next one on the same lane at once */
			taken[k] = now;
		}
	}
	r.drained = true;
	bpf_rings_look(&r);
	while ((rec = bpf_rings_next(&r, &cpu))) {
		assert_true(rec->time >= last);
		last = rec->time;
		read++;
	}
	assert_int_equal(read, written);
	assert_true(written > STEPS / 4);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(by_time), TEST(too_young), TEST(in_the_midst), TEST(drained), TEST(held), TEST(round_and_round), TEST(thrown_away),
		TEST(too_small), TEST(crooked), TEST(across_a_block), TEST(huge), TEST(beyond_the_head), TEST(noise), TEST(sleeps_as_long_as_it_may),
		TEST(wakes_before_it_is_full), TEST(woken), TEST(stood_still), TEST(any_order),
	};
	return cmocka_run_group_tests_name("bpf_ring", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
// The programs' side of bpf/lane.h, the very text that runs in the kernel, in every order that programs of one CPU can get:
// each is a context of its own, which LANE_STEP leaves before every access, and all choices of who goes on are tried.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <ucontext.h>
#include "engine/bpf/ring.h"

static void step(void);
#define LANE_STEP() step()
#include "bpf/lane_code.h"

enum { PROGRAMS = 6, STACK = 64 << 10, N_BLOCKS = 4, SIZE = sizeof(struct rec_call), STEPS = 512 };

static struct lane_frame frames[LANES];
static uint8_t *data; /* the blocks */
static struct lane_reader reader;

static struct lane *lane_at(__u32 number)
{
	return number < LANES ? &frames[number].lane : NULL;
}

static void *lane_block(__u32 number)
{
	assert_true(number < lane_blocks(1, N_BLOCKS));
	return data + (size_t)number * BLOCK;
}

/* ---- programs ---- */

static struct program { ucontext_t context; bool done; } program[PROGRAMS];
static uint8_t *stacks;
static ucontext_t scheduler;
static unsigned n_programs, running;
static bool preempted; /* how they take their lane */
static unsigned occupied; /* lanes, from behind, whose owners are elsewhere */
static uint64_t ticks;

static void step(void)
{
	if (running < n_programs)
		swapcontext(&program[running].context, &scheduler);
}

/* A record whose every word says whose it is. */
static void run(void)
{
	unsigned self = running;
	struct lane *l = lane_at(0);
	if (!lane_take(l, preempted))
		l = lane_at(lane_find(0, 1, preempted));
	if (l) {
		struct rec_call *r = lane_reserve(l, RECORD_MIN);
		if (r) {
			uint64_t time = ++ticks;
			r->h.size = SIZE;
			r->h.type = REC_CALL;
			r->h.time = time;
			r->h.tid = self + 1;
			LANE_SET(r->ret, self + 1);
			for (int i = 0; i < 6; i++)
				r->args[i] = self + 1;
			r->h.lost = l->pending;
			l->pending = 0;
			lane_commit(l, SIZE, time);
		}
		lane_give(l);
	}
	program[self].done = true;
	swapcontext(&program[self].context, &scheduler);
}

static void start(unsigned i)
{
	program[i].done = false;
	getcontext(&program[i].context);
	program[i].context.uc_stack.ss_sp = stacks + (size_t)i * STACK;
	program[i].context.uc_stack.ss_size = STACK;
	program[i].context.uc_link = NULL;
	makecontext(&program[i].context, run, 0);
}

/* ---- what must hold ---- */

static bool whole(const struct rec_call *r)
{
	uint64_t id = r->h.tid;
	bool same = r->h.size == SIZE && r->h.type == REC_CALL && id && id <= n_programs && r->ret == (int64_t)id;
	for (int i = 0; i < 6; i++)
		same &= r->args[i] == id;
	return same;
}

/* What a reader that looks right now would find: only whole records. */
static bool sound(void)
{
	for (unsigned i = 0; i < LANES; i++) {
		const struct lane *l = &frames[i].lane;
		for (uint64_t pos = l->tail; pos < l->head;) {
			const struct rec_call *r = (const void *)(data + (l->first + (pos / BLOCK & l->mask)) * BLOCK + pos % BLOCK);
			if (!r->h.size || pos % BLOCK > BLOCK - sizeof(struct rec))
				pos = (pos | (BLOCK - 1)) + 1;
			else if (whole(r))
				pos += SIZE;
			else
				return false;
		}
	}
	return true;
}

/* At the end: what the real reader gives out, once each, in the order of their times; the rest is counted. */
static bool complete(struct bpf_rings *rings)
{
	uint64_t seen = 0, told = 0, last = 0, found = 0;
	unsigned cpu;
	rings->drained = true;
	bpf_rings_look(rings);
	for (const struct rec *r; (r = bpf_rings_next(rings, &cpu)); found++) {
		if (r->time < last || seen >> r->tid & 1)
			return false;
		last = r->time;
		seen |= 1ull << r->tid;
		told += r->lost;
	}
	for (unsigned i = 0; i < LANES; i++) {
		if (frames[i].lane.busy != (i >= LANES - occupied))
			return false;
		told += frames[i].lane.pending + frames[i].lane.missed;
	}
	return !rings->damaged && found + told == n_programs;
}

/* ---- every order ---- */

static struct { uint8_t chosen, left; } path[STEPS]; /* at each step: who went on of those who may; how many more may */
static unsigned depth;
enum order { FREE, NESTED /* who interrupts another ends first */ };

static bool started[PROGRAMS];
static unsigned stack_of[PROGRAMS], nested; /* NESTED: who was interrupted, the last one on top */

/* Who may go on, the one that runs first; it is left at most `switches` times before its end. */
static unsigned choices(enum order order, unsigned *who, unsigned switches)
{
	unsigned n = 0;
	bool on = running < n_programs && !program[running].done;
	if (on)
		who[n++] = running;
	if (on && !switches)
		return n;
	if (order == NESTED) {
		if (!on && nested)
			who[n++] = stack_of[nested - 1];
		for (unsigned i = 0; i < n_programs; i++)
			if (!started[i]) { /* they are all alike */
				who[n++] = i;
				break;
			}
		return n;
	}
	for (unsigned i = 0; i < n_programs; i++)
		if (i != running && started[i] && !program[i].done)
			who[n++] = i;
	for (unsigned i = 0; i < n_programs; i++)
		if (!started[i]) {
			who[n++] = i;
			break;
		}
	return n;
}

static void go_on_with(unsigned next, enum order order)
{
	bool was_on = running < n_programs && !program[running].done;
	if (order == NESTED && next != running) {
		if (nested && stack_of[nested - 1] == next)
			nested--;
		else if (was_on)
			stack_of[nested++] = running;
	}
	started[next] = true;
	running = next;
	swapcontext(&scheduler, &program[next].context);
}

static void set_up(struct bpf_rings *rings, uint64_t head, uint64_t tail)
{
	memset(frames, 0, sizeof(frames));
	memset(started, 0, sizeof(started));
	bpf_rings_init(rings, frames, data, &reader, 1, N_BLOCKS);
	frames[0].lane.head = rings->ring[0].head = head;
	frames[0].lane.tail = rings->ring[0].pos = rings->ring[0].given_back = tail;
	for (uint64_t pos = tail; pos < head; pos += BLOCK) /* nothing in them */
		memset(data + pos, 0, 8);
	for (unsigned i = LANES - occupied; i < LANES; i++)
		frames[i].lane.busy = 1;
	running = PROGRAMS;
	nested = depth = 0;
	ticks = 0;
	for (unsigned i = 0; i < n_programs; i++)
		start(i);
}

/* One run: the path's choices as far as it goes, the first of each from there on. */
static bool one_run(enum order order, unsigned switches, unsigned *known)
{
	unsigned who[PROGRAMS + 1], n;
	bool ok = true;
	while ((n = choices(order, who, switches))) {
		assert_true(depth < STEPS);
		if (depth >= *known) {
			path[depth].chosen = 0;
			path[depth].left = n - 1;
			*known = depth + 1;
		}
		unsigned next = who[path[depth++].chosen];
		if (running < n_programs && !program[running].done && next != running)
			switches--;
		go_on_with(next, order);
		ok &= sound();
	}
	return ok;
}

/* How many of all orders of n programs break something; *orders: how many there are. */
static unsigned long broken(unsigned n, enum order order, unsigned switches, uint64_t head, uint64_t tail, unsigned long *orders)
{
	unsigned long bad = 0;
	unsigned known = 0;
	n_programs = n;
	for (*orders = 0;; ++*orders) {
		struct bpf_rings rings;
		set_up(&rings, head, tail);
		bool ok = one_run(order, switches, &known);
		bad += !ok || !complete(&rings);
		bpf_rings_release(&rings);
		while (known && !path[known - 1].left)
			known--;
		if (!known)
			return bad;
		path[known - 1].left--;
		path[known - 1].chosen++;
	}
}

static void all_hold(unsigned n, enum order order, unsigned switches, uint64_t head, uint64_t tail, unsigned long at_least)
{
	unsigned long orders, bad = broken(n, order, switches, head, tail, &orders);
	print_message("  %u programs, %s, at most %u switches: %lu orders, %lu bad\n", n, order == NESTED ? "nested" : "free", switches, orders, bad);
	assert_int_equal(bad, 0);
	assert_true(orders >= at_least);
}

static void two_that_are_preempted(void **state)
{
	(void)state;
	preempted = true;
	all_hold(2, FREE, 99, 0, 0, 10000);
}

static void many_that_are_preempted(void **state)
{
	(void)state;
	preempted = true;
	all_hold(3, FREE, 3, 0, 0, 5000);
	all_hold(6, FREE, 2, 0, 0, 1000);
}

/* More of them than there are lanes: misses, counted. */
static void too_many(void **state)
{
	(void)state;
	preempted = true;
	for (occupied = 2; occupied <= LANES; occupied++)
		all_hold(3, FREE, 3, 0, 0, occupied < LANES ? 1000 : 100);
	assert_int_equal(frames[0].lane.missed, 3);
	occupied = 0;
}

/* A ring without room: each loss is told by the next record there, or counted at the end. */
static void full(void **state)
{
	(void)state;
	preempted = true;
	all_hold(3, FREE, 3, N_BLOCKS * BLOCK - 8, 0, 1000);
	assert_int_equal(frames[0].lane.lost, 3);
}

static void at_the_end_of_a_block(void **state)
{
	(void)state;
	preempted = true;
	all_hold(2, FREE, 5, BLOCK - RECORD_MIN - 8, BLOCK - RECORD_MIN - 8, 1000);
	all_hold(3, FREE, 2, BLOCK - 8, BLOCK - 8, 100);
	all_hold(3, FREE, 2, 3 * BLOCK - RECORD_MIN, 3 * BLOCK - RECORD_MIN, 100);
}

/* Interrupts: a look and a store are enough to take a lane. */
static void interrupts(void **state)
{
	(void)state;
	preempted = false;
	all_hold(2, NESTED, 99, 0, 0, 8);
	all_hold(4, NESTED, 99, 0, 0, 1000);
	all_hold(3, NESTED, 99, BLOCK - RECORD_MIN - 8, BLOCK - RECORD_MIN - 8, 100);
}

/* The same is not enough for who can be preempted: were this not seen, the others would prove nothing. */
static void would_be_seen(void **state)
{
	unsigned long orders;
	(void)state;
	preempted = false;
	assert_true(broken(2, FREE, 4, 0, 0, &orders) > 0);
}

/* ---- the reader that is not there ---- */

static void patience(void **state)
{
	struct lane *l = lane_at(0);
	enum { MS = 1000000 };
	(void)state;
	memset(frames, 0, sizeof(frames));
	lane_init(l, 0, 1, N_BLOCKS);
	reader.seen = 1000ull * MS;
	running = PROGRAMS;
	/* it slept for long, but has its time from when the ring is full */
	assert_true(lane_is_read(l, &reader, 5000ull * MS));
	assert_true(lane_is_read(l, &reader, 5099ull * MS));
	assert_false(lane_is_read(l, &reader, 5100ull * MS));
	assert_false(lane_is_read(l, &reader, 9000ull * MS));
	/* a sign of life */
	reader.seen = 9001ull * MS;
	assert_true(lane_is_read(l, &reader, 9002ull * MS));
	assert_true(lane_is_read(l, &reader, 9101ull * MS));
	assert_false(lane_is_read(l, &reader, 9102ull * MS));
	/* its progress is seen */
	reader.seen = 9103ull * MS;
	assert_true(lane_is_read(l, &reader, 9104ull * MS));
	reader.seen = 9190ull * MS;
	assert_true(lane_is_read(l, &reader, 9250ull * MS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_that_are_preempted),
		cmocka_unit_test(many_that_are_preempted),
		cmocka_unit_test(too_many),
		cmocka_unit_test(full),
		cmocka_unit_test(at_the_end_of_a_block),
		cmocka_unit_test(interrupts),
		cmocka_unit_test(would_be_seen),
		cmocka_unit_test(patience),
	};
	data = calloc(lane_blocks(1, N_BLOCKS), BLOCK);
	stacks = malloc((size_t)PROGRAMS * STACK);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(data);
	free(stacks);
	return failed;
}

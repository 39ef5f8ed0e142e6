// SPDX-License-Identifier: GPL-2.0-or-later
/* Other events among the calls, by time: records, calls and the clock are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "base/str.h"
#include "job/trace/mix.h"

enum { GRACE = 30000000 }; /* how long a record waits for a call that might come before it */
enum { ID = 77, DUMMY_ID = 78, NOBODY = 1 << 30 };

/* ---- made-up sources ---- */

struct engine { /* gives its events as soon as the clock has reached them */
	struct sysevent at[64];
	unsigned n, next;
	int end; /* what it says then: 0, or -errno */
	int timeout; /* as it was asked last */
};

static struct {
	VEC(struct perf_event_header *) ring; /* written already */
	VEC(struct perf_event_header *) later; /* come with the next pause */
	uint64_t now;
	unsigned drains, pauses;
	uint64_t lost; /* as the events themselves know */
	bool stopped, closed;
} world;

static int next(struct engine *g, struct sysevent *e, int timeout_ms)
{
	g->timeout = timeout_ms;
	if (g->next < g->n && g->at[g->next].time <= world.now) {
		*e = g->at[g->next++];
		return 1;
	}
	return g->next < g->n ? 0 : g->end;
}
static const struct engine_ops ops = { .name = "made-up", .next = next };

static void drain(void *ctx, mix_take *take, struct trace_mix *m)
{
	(void)ctx;
	vec_each(&world.ring, h) {
		take(m, *h);
		free(*h);
	}
	vec_clear(&world.ring);
	world.drains++;
}

static uint64_t now(void *ctx)
{
	(void)ctx;
	return world.now;
}

static void pause_shortly(void *ctx)
{
	(void)ctx;
	world.now += 1000000;
	world.pauses++;
	vec_each(&world.later, h)
		*vec_push(&world.ring) = *h;
	vec_clear(&world.later);
}

static void ids(void *ctx, size_t event, u64list *list)
{
	(void)ctx;
	*vec_push(list) = event ? DUMMY_ID : ID;
}

static uint64_t lost(void *ctx)
{
	(void)ctx;
	return world.lost;
}

static void stop(void *ctx)
{
	(void)ctx;
	world.stopped = true;
}

static void close_it(void *ctx)
{
	(void)ctx;
	world.closed = true;
}

static const struct mix_source source = { drain, now, pause_shortly, ids, lost, stop, close_it, NULL };
static event_list events;
static struct engine_options engine;

static struct trace_mix *mix_new(const char *event, bool whole)
{
	world.now = 1000000000;
	world.drains = world.pauses = world.lost = 0;
	world.stopped = world.closed = false;
	assert_int_equal(events_parse(&events, event), 0);
	struct trace_mix_options o = { .engine = &engine, .events = &events, .whole = whole, .source = &source };
	struct trace_mix *m = trace_mix_open(&o);
	if (!m)
		print_error("%s\n", error_message());
	assert_non_null(m);
	assert_int_equal(trace_mix_events(m), 2); /* and one for maps and names */
	return m;
}

static void mix_end(struct trace_mix *m)
{
	trace_mix_close(m);
	assert_true(world.closed);
	events_release(&events);
	events = (event_list){ 0 };
	vec_each(&world.ring, h)
		free(*h);
	vec_release(&world.ring);
	vec_release(&world.later);
	memset(&world.ring, 0, sizeof(world.ring));
	memset(&world.later, 0, sizeof(world.later));
}

/* ---- made-up records ---- */

static struct perf_event_header *record(uint32_t type, uint16_t misc, const struct str *body)
{
	struct perf_event_header *h = malloc(sizeof(*h) + body->len);
	*h = (struct perf_event_header){ .type = type, .misc = misc, .size = sizeof(*h) + body->len };
	memcpy(h + 1, body->buf, body->len);
	return h;
}

static void word(struct str *s, uint64_t v)
{
	str_addn(s, (const char *)&v, 8);
}

static void pair(struct str *s, uint32_t a, uint32_t b)
{
	word(s, a | (uint64_t)b << 32);
}

/* Of a software event: where it was and what it touched; raw bytes "abcd". */
static struct perf_event_header *sample_of(uint64_t id, uint64_t time, int tid, uint64_t addr, const uint64_t *chain, unsigned n)
{
	struct str s = STR_INIT;
	word(&s, id);
	word(&s, 0x401000);
	pair(&s, NOBODY, tid);
	word(&s, time);
	word(&s, addr);
	pair(&s, 2, 0);
	if (chain) {
		word(&s, n);
		for (unsigned i = 0; i < n; i++)
			word(&s, chain[i]);
	}
	pair(&s, 4, 'a' | 'b' << 8 | 'c' << 16 | 'd' << 24);
	struct perf_event_header *h = record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &s);
	str_release(&s);
	return h;
}

static struct perf_event_header *sample(uint64_t time, int tid)
{
	return sample_of(ID, time, tid, 0, NULL, 0);
}

static struct perf_event_header *with_end(uint32_t type, uint16_t misc, struct str *s, uint64_t time, int cpu)
{
	pair(s, NOBODY, NOBODY);
	word(s, time);
	pair(s, cpu, 0);
	word(s, DUMMY_ID);
	struct perf_event_header *h = record(type, misc, s);
	str_release(s);
	return h;
}

static struct perf_event_header *comm(uint64_t time, int tid, const char *name)
{
	struct str s = STR_INIT;
	char room[16] = "";
	strncpy(room, name, 15);
	pair(&s, NOBODY, tid);
	str_addn(&s, room, 16);
	return with_end(PERF_RECORD_COMM, 0, &s, time, 0);
}

static struct perf_event_header *fork_of(uint64_t time, int parent, int child)
{
	struct str s = STR_INIT;
	pair(&s, child, parent);
	pair(&s, child, parent);
	word(&s, time);
	return with_end(PERF_RECORD_FORK, 0, &s, time, 0);
}

static struct perf_event_header *loss(uint64_t time, int cpu, uint64_t n)
{
	struct str s = STR_INIT;
	word(&s, ID);
	word(&s, n);
	return with_end(PERF_RECORD_LOST, 0, &s, time, cpu);
}

static void write_ring(struct perf_event_header *h)
{
	*vec_push(&world.ring) = h;
}

static void calls(struct engine *g, unsigned n, const uint64_t *times)
{
	*g = (struct engine){ .n = n };
	for (unsigned i = 0; i < n; i++)
		g->at[i] = (struct sysevent){ .type = SYS_CALL, .nr = i, .time = times[i] };
}
#define CALLS(g, ...) calls(g, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8, (const uint64_t[]){ __VA_ARGS__ })

/* Runs to the end and checks the times and types: 'c' a call, 't' an event, 'l' a loss, 'r' a record. */
static void comes(struct trace_mix *m, struct engine *g, const char *types, const uint64_t *times)
{
	struct sysevent e;
	int r;
	g->end = -ENODATA;
	for (; *types; types++, times++) {
		r = trace_mix_next(m, &ops, g, &e, 0);
		assert_int_equal(r, 1);
		char type = e.type == SYS_CALL ? 'c' : e.type == SYS_TRACEPOINT ? 't' : e.type == SYS_LOST ? 'l' : 'r';
		assert_int_equal(type, *types);
		assert_int_equal(e.time, *times);
	}
	assert_int_equal(trace_mix_next(m, &ops, g, &e, 0), -ENODATA);
}
#define COMES(m, g, types, ...) comes(m, g, types, (const uint64_t[]){ __VA_ARGS__ })

/* ---- order ---- */

static void by_time(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g;
	(void)state;
	CALLS(&g, 100, 200, 300, 400);
	write_ring(sample(350, 1)); /* two CPUs: each in order, not both together */
	write_ring(sample(450, 1));
	write_ring(sample(50, 2));
	write_ring(sample(200, 2)); /* as old as a call: it comes first */
	write_ring(sample(250, 2));
	COMES(m, &g, "tctctctct", 50, 100, 200, 200, 250, 300, 350, 400, 450);
	mix_end(m);
}

/* What is as old as another stays in the order it came, however many there are. */
static void ties(void **state)
{
	enum { N = 500 };
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g = { .end = -ENODATA };
	struct sysevent e;
	(void)state;
	for (int i = 0; i < N; i++)
		write_ring(sample_of(ID, 1000 + i / 100, 1, i, NULL, 0));
	for (int i = 0; i < N; i++) {
		assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
		assert_int_equal(e.addr, i);
	}
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), -ENODATA);
	mix_end(m);
}

/* The call is younger than the last look at the rings: one that is older than it may still be on its way. */
static void late_record(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g;
	(void)state;
	CALLS(&g, 1000000000);
	*vec_push(&world.later) = sample(999999999, 1);
	COMES(m, &g, "tc", 999999999, 1000000000);
	assert_true(world.pauses >= 1);
	mix_end(m);
}

/* And the other way round: nothing comes from the engine, which may only be slow. */
static void slow_engine(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g = { .end = 0 };
	struct sysevent e;
	(void)state;
	write_ring(sample(1000000000, 1));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 500), 0);
	assert_int_equal(g.timeout, 500); /* nothing was known of then */
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 500), 0);
	assert_int_equal(g.timeout, 10); /* it must not wait for the engine's next */
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 0);
	assert_int_equal(g.timeout, 0);
	world.now = 1000000000 + GRACE - 1;
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 0);
	g.at[g.n++] = (struct sysevent){ .type = SYS_CALL, .time = 999999990 }; /* so it was */
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_CALL);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 0);
	world.now = 1000000000 + GRACE;
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_TRACEPOINT);
	mix_end(m);
}

/* Threads on many CPUs, rings looked at now and then: what comes out is in order, and all of it. */
static void any_order(void **state)
{
	enum { STEPS = 4000 };
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g = { .end = 0 };
	unsigned made = 0, got = 0;
	uint64_t last = 0;
	struct sysevent e;
	(void)state;
	srand(5);
	for (int i = 0; i < STEPS; i++) {
		world.now += 100000 + rand() % 3000000;
		if (rand() % 2) {
			write_ring(sample(world.now - rand() % 10000, rand() % 3)); /* it takes a moment to be written */
			made++;
		}
		if (rand() % 2) {
			g.n = g.next = g.n < 60 ? g.n : 0; /* all given by now */
			g.at[g.n++] = (struct sysevent){ .type = SYS_CALL, .time = world.now - rand() % 10000 };
			made++;
		}
		while (trace_mix_next(m, &ops, &g, &e, 0) == 1) {
			assert_true(e.time >= last);
			last = e.time;
			got++;
		}
	}
	trace_mix_stop(m);
	assert_true(world.stopped);
	g.end = -ENODATA;
	while (trace_mix_next(m, &ops, &g, &e, 0) == 1) {
		assert_true(e.time >= last);
		last = e.time;
		got++;
	}
	assert_int_equal(got, made);
	mix_end(m);
}

/* After the stop the engine's last calls are not held back for what cannot come. */
static void after_the_stop(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g;
	(void)state;
	CALLS(&g, 1000000000, 1000000001);
	world.now = 1000000001;
	write_ring(sample(1000000000, 1));
	trace_mix_stop(m);
	COMES(m, &g, "tcc", 1000000000, 1000000000, 1000000001);
	assert_int_equal(world.pauses, 0);
	mix_end(m);
	/* nor is what is queued, for an engine that has nothing */
	m = mix_new("page-faults", false);
	g = (struct engine){ .end = 0 };
	struct sysevent e;
	write_ring(sample(1000000000, 1));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 0);
	trace_mix_stop(m);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_TRACEPOINT);
	mix_end(m);
}

/* How the events are opened. */
static void attributes(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct perfdata_new_event new;
	u64list of = { 0 };
	(void)state;
	trace_mix_event(m, 0, &new, &of);
	assert_int_equal(new.attr->sample_period, 1000000); /* unless it is told */
	assert_false(new.attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_int_equal(new.attr->clockid, CLOCK_MONOTONIC);
	trace_mix_event(m, 1, &new, &of);
	assert_true(new.attr->task && new.attr->comm && new.attr->comm_exec);
	assert_false(new.attr->mmap2); /* nobody asks what is where */
	mix_end(m);
	engine.kernel_graph = true;
	m = mix_new("page-faults/period=7/", false);
	trace_mix_event(m, 0, &new, &of);
	assert_int_equal(new.attr->sample_period, 7);
	assert_true(new.attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_true(new.attr->exclude_callchain_user && !new.attr->exclude_callchain_kernel);
	engine.kernel_graph = false;
	mix_end(m);
	vec_release(&of);
}

static void engine_fails(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g = { .end = -EIO };
	struct sysevent e;
	(void)state;
	write_ring(sample(100, 1));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), -EIO);
	mix_end(m);
}

/* ---- losses ---- */

static void losses(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g;
	struct sysevent e;
	(void)state;
	CALLS(&g, 100, 300);
	write_ring(loss(200, 3, 42));
	write_ring(loss(250, 1, 8));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.time, 100);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_LOST); /* where it happened */
	assert_int_equal(e.time, 200);
	assert_int_equal(e.cpu, 3);
	assert_int_equal(e.lost, 42);
	COMES(m, &g, "lc", 250, 300);
	assert_int_equal(trace_mix_lost(m), 50);
	/* one that does not tell where and when counts all the same */
	struct str s = STR_INIT;
	word(&s, ID);
	word(&s, 5);
	write_ring(record(PERF_RECORD_LOST, 0, &s));
	str_release(&s);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_LOST);
	assert_int_equal(e.cpu, -1);
	assert_int_equal(trace_mix_lost(m), 55);
	mix_end(m);
}

/* The kernel tells of a loss with the next record that fits, and behind the last one there is none. */
static void last_losses(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g;
	struct sysevent e;
	(void)state;
	CALLS(&g, 300);
	write_ring(loss(200, 3, 42));
	write_ring(sample(400, 1));
	g.end = -ENODATA;
	world.lost = 142;
	for (int i = 0; i < 3; i++)
		assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.time, 400);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_LOST);
	assert_int_equal(e.lost, 100);
	assert_int_equal(trace_mix_lost(m), 142);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), -ENODATA);
	mix_end(m);
}

/* ---- who and what ---- */

static void names_in_their_time(void **state)
{
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g = { .end = -ENODATA };
	static const char *const want[] = { "first", "first", "second", "second", "?", "swapper" };
	struct sysevent e;
	(void)state;
	write_ring(comm(100, NOBODY + 1, "first"));
	write_ring(sample(150, NOBODY + 1));
	write_ring(sample(199, NOBODY + 1));
	write_ring(sample(250, NOBODY + 1));
	write_ring(comm(200, NOBODY + 1, "second"));
	write_ring(fork_of(300, NOBODY + 1, NOBODY + 2));
	write_ring(sample(350, NOBODY + 2)); /* as its parent is called */
	write_ring(sample(360, NOBODY + 3)); /* nobody knows */
	write_ring(sample(370, 0));
	for (int i = 0; i < 6; i++) {
		assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
		assert_int_equal(e.type, SYS_TRACEPOINT);
		assert_string_equal(e.comm, want[i]);
	}
	mix_end(m);
}

static void what_a_sample_has(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, 0xffffffff82000000, PERF_CONTEXT_USER, 0x401000, 0x402000, 0x403000 };
	engine.user_graph = GRAPH_FP;
	engine.kernel_graph = true;
	struct trace_mix *m = mix_new("page-faults", false);
	struct engine g = { .end = -ENODATA };
	struct sysevent e;
	(void)state;
	write_ring(sample_of(ID + 9, 90, 5, 0, chain, 7)); /* nobody's: not ours to show */
	write_ring(sample_of(ID, 100, 5, 0xdead, chain, 7));
	write_ring(sample_of(ID, 200, 6, 0, chain, 0));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.raw_event, 0);
	assert_int_equal(e.pid, NOBODY);
	assert_int_equal(e.tid, 5);
	assert_int_equal(e.cpu, 2);
	assert_int_equal(e.nr, -1);
	assert_int_equal(e.ip, 0x401000);
	assert_false(e.ip_kernel);
	assert_int_equal(e.addr, 0xdead);
	assert_int_equal(e.n_kstack, 2);
	assert_int_equal(e.kstack[1], 0xffffffff82000000);
	assert_int_equal(e.n_ustack, 3);
	assert_int_equal(e.ustack[0], 0x401000);
	assert_int_equal(e.ustack[2], 0x403000);
	assert_int_equal(e.raw_size, 4);
	assert_memory_equal(e.raw, "abcd", 4);
	assert_null(e.record);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.n_kstack + e.n_ustack, 0);
	assert_memory_equal(e.raw, "abcd", 4);
	engine.user_graph = GRAPH_NONE;
	engine.kernel_graph = false;
	mix_end(m);
}

/* A recording wants the records themselves, maps and names too. */
static void whole_records(void **state)
{
	struct trace_mix *m = mix_new("page-faults", true);
	struct engine g;
	struct sysevent e;
	(void)state;
	CALLS(&g, 150);
	write_ring(comm(100, 5, "name"));
	write_ring(sample(200, 5));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_RECORD);
	assert_int_equal(((const struct perf_event_header *)e.record)->type, PERF_RECORD_COMM);
	g.end = -ENODATA;
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(e.type, SYS_CALL);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	assert_int_equal(((const struct perf_event_header *)e.record)->type, PERF_RECORD_SAMPLE);
	assert_string_equal(e.comm, "name");
	u64list of = { 0 };
	struct perfdata_new_event new;
	trace_mix_event(m, 1, &new, &of);
	assert_int_equal(new.n_ids, 1);
	assert_int_equal(new.ids[0], DUMMY_ID);
	vec_release(&of);
	mix_end(m);
}

/* A map is known from its own time on. */
static void maps(void **state)
{
	struct symbols_options so = { .offline = true };
	struct symbols *syms = symbols_new(&so);
	struct str s = STR_INIT;
	struct frame f;
	struct sysevent e;
	struct engine g = { .end = -ENODATA };
	(void)state;
	world.now = 1000000000;
	assert_int_equal(events_parse(&events, "page-faults"), 0);
	struct trace_mix_options o = { .engine = &engine, .events = &events, .symbols = syms, .source = &source };
	struct trace_mix *m = trace_mix_open(&o);
	pair(&s, NOBODY, NOBODY);
	word(&s, 0x400000);
	word(&s, 0x10000);
	word(&s, 0);
	word(&s, 0);
	word(&s, 0);
	word(&s, 0);
	pair(&s, 5, 2);
	str_addn(&s, "/no/such\0\0\0\0\0\0\0", 16);
	write_ring(sample(100, 1));
	write_ring(with_end(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &s, 200, 0));
	write_ring(sample(300, 1));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	symbols_resolve(syms, NOBODY, e.ip, SYM_USER, &f);
	assert_null(f.dso);
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	symbols_resolve(syms, NOBODY, e.ip, SYM_USER, &f);
	assert_non_null(f.dso);
	assert_string_equal(f.dso->path, "/no/such");
	/* a child has its parent's, who execs has none */
	struct perf_event_header *exec = comm(400, NOBODY, "new");
	exec->misc = PERF_RECORD_MISC_COMM_EXEC;
	write_ring(fork_of(350, NOBODY, NOBODY + 1));
	write_ring(comm(360, NOBODY + 1, "only-a-name"));
	write_ring(exec);
	write_ring(sample(500, 1));
	assert_int_equal(trace_mix_next(m, &ops, &g, &e, 0), 1);
	symbols_resolve(syms, NOBODY + 1, e.ip, SYM_USER, &f);
	assert_non_null(f.dso);
	symbols_resolve(syms, NOBODY, e.ip, SYM_USER, &f);
	assert_null(f.dso);
	mix_end(m);
	symbols_free(syms);
}

/* ---- damage ---- */

/* Records cut anywhere, with lengths in them that lie: what is read beyond the end, the sanitizer sees. */
static void damaged(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 1, 2, 3 };
	engine.user_graph = GRAPH_FP;
	struct trace_mix *m = mix_new("page-faults", true);
	struct engine g = { .end = 0 };
	struct sysevent e;
	uint64_t sum = 0;
	(void)state;
	srand(6);
	for (int i = 0; i < 20000; i++) {
		struct perf_event_header *from = i % 4 == 0 ? sample_of(ID, 100, 1, 0, chain, 4) : i % 4 == 1 ? comm(100, 1, "x") :
						 i % 4 == 2 ? fork_of(100, 1, 2) : loss(100, 1, 1);
		size_t n = sizeof(*from) + rand() % ((from->size - sizeof(*from)) / 8 + 1) * 8;
		struct perf_event_header *h = malloc(n);
		memcpy(h, from, n);
		h->size = n;
		free(from);
		if (rand() % 2 && n > sizeof(*h) + 8) /* past the number that says whose it is */
			((uint8_t *)(h + 1))[8 + rand() % (n - sizeof(*h) - 8)] = rand();
		if (rand() % 8 == 0)
			h->type = rand() % PERF_RECORD_MAX;
		write_ring(h);
		world.now += 2 * GRACE;
		while (trace_mix_next(m, &ops, &g, &e, 0) == 1) {
			for (unsigned k = 0; k < e.n_ustack; k++)
				sum += e.ustack[k];
			for (unsigned k = 0; e.type == SYS_TRACEPOINT && k < e.raw_size; k++)
				sum += ((const uint8_t *)e.raw)[k];
		}
	}
	assert_true(sum);
	engine.user_graph = GRAPH_NONE;
	mix_end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_time), cmocka_unit_test(ties), cmocka_unit_test(late_record), cmocka_unit_test(slow_engine),
		cmocka_unit_test(any_order), cmocka_unit_test(after_the_stop), cmocka_unit_test(attributes), cmocka_unit_test(engine_fails), cmocka_unit_test(losses), cmocka_unit_test(last_losses),
		cmocka_unit_test(names_in_their_time), cmocka_unit_test(what_a_sample_has), cmocka_unit_test(whole_records),
		cmocka_unit_test(maps), cmocka_unit_test(damaged),
	};
	return cmocka_run_group_tests_name("trace_mix", tests, NULL, NULL);
}

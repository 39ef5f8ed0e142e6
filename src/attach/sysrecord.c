// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/sysrecord.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "base/error.h"
#include "bpf/chosen.h"
#include "bpf/sysrecord.h"
#include "bpf/sysrecord.skel.h"
#include "attach/chosen.h"
#include "kernel/bpf_programs.h"
#include "kernel/clock.h"
#include "kernel/root.h"

struct sysrecord {
	struct sysrecord_bpf *bpf;
	const struct target *target;
	struct ring_buffer *wake;
	int n_cpus;
	struct lane *lanes; /* LANES for each CPU */
	uint8_t *blocks;
	size_t lanes_size, blocks_size;
	uint64_t *told; /* of each lane: losses that a record of ours told */
	struct chosen chosen; /* empty when by CPU */
	uint32_t *on;
	uint64_t id; /* the event that losses are told of */
	bool off;
};

/* The attr of what the program writes; anything else in it is somebody's wish that the program knows nothing of. */
static bool is_ours(const struct perf_event_attr *a)
{
	struct perf_event_attr ours = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(ours), .config = a->config, .sample_period = 1,
		.sample_type = SYSREC_SAMPLE_TYPE, .sample_id_all = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.read_format = a->read_format, /* nothing is read with these samples */
		.watermark = 1, .wakeup_watermark = a->wakeup_watermark, /* its rings are its own */
	};
	struct perf_event_attr with_id = *a; /* with the tracker there are several events */
	with_id.sample_type |= PERF_SAMPLE_IDENTIFIER;
	return !memcmp(&with_id, &ours, sizeof(ours));
}

bool sysrecord_takes(const event_list *l, size_t i)
{
	const struct event *e = &l->at[i];
	if (e->kind != EVENT_TRACEPOINT || !e->system || strcmp(e->system, "raw_syscalls") ||
	    (strcmp(e->tracepoint, "sys_enter") && strcmp(e->tracepoint, "sys_exit")))
		return false;
	if (e->filter || e->cgroup || e->inherit || e->precise_max || e->group != (int)i || (i + 1 < l->n && l->at[i + 1].group == (int)i))
		return false; /* what an attr does not say */
	for (size_t k = 0; k < i; k++) /* the same one twice */
		if (l->at[k].system && !strcmp(l->at[k].system, e->system) && !strcmp(l->at[k].tracepoint, e->tracepoint))
			return false;
	return is_ours(&e->attr);
}

bool sysrecord_possible(void)
{
	return !root_is_fake() && chosen_possible();
}

static int load(struct sysrecord *s, const struct sysrecord_options *o, bool by_task)
{
	struct sysrecord_bpf *b = s->bpf = sysrecord_bpf__open();
	if (!b)
		return -errno;
	b->rodata->by_task = by_task;
	b->rodata->inherit = o->inherit;
	b->rodata->tid_max = chosen_size(&s->chosen, b->maps.tasks, by_task);
	b->rodata->enter_id = o->enter_id;
	b->rodata->exit_id = o->exit_id;
	b->rodata->enter_type = o->enter >= 0 ? (uint32_t)o->events->at[o->enter].attr.config : 0;
	b->rodata->exit_type = o->exit >= 0 ? (uint32_t)o->events->at[o->exit].attr.config : 0;
	bpf_map__set_max_entries(b->maps.blocks, lane_blocks(s->n_cpus, SYSREC_BLOCKS));
	bpf_map__set_max_entries(b->maps.lanes, (uint32_t)s->n_cpus * LANES);
	bool events = bpf_programs_preempted(); /* see bpf/trace_tp.bpf.c */
	bpf_program__set_autoload(b->progs.enter, o->enter >= 0 && !events);
	bpf_program__set_autoload(b->progs.leave, o->exit >= 0 && !events);
	bpf_program__set_autoload(b->progs.enter_event, o->enter >= 0 && events);
	bpf_program__set_autoload(b->progs.leave_event, o->exit >= 0 && events);
	bpf_program__set_autoload(b->progs.born, by_task);
	bpf_program__set_autoload(b->progs.execed, by_task);
	bpf_program__set_autoload(b->progs.ended, by_task);
	return sysrecord_bpf__load(b);
}

static int nothing(void *ctx, void *data, size_t n)
{
	(void)ctx;
	(void)data;
	(void)n;
	return 0;
}

static int map_memory(struct sysrecord *s)
{
	s->lanes_size = s->n_cpus * LANES * sizeof(*s->lanes);
	s->blocks_size = (size_t)lane_blocks(s->n_cpus, SYSREC_BLOCKS) * BLOCK;
	s->lanes = bpf_map_memory(s->bpf->maps.lanes, &s->lanes_size, PROT_READ | PROT_WRITE);
	s->blocks = bpf_map_memory(s->bpf->maps.blocks, &s->blocks_size, PROT_READ | PROT_WRITE);
	s->told = xcalloc(s->n_cpus * LANES, sizeof(*s->told));
	if (!s->lanes || !s->blocks || chosen_map(&s->chosen, s->bpf->maps.tasks))
		return -ENOMEM;
	s->on = &s->bpf->bss->on;
	s->wake = ring_buffer__new(bpf_map__fd(s->bpf->maps.wake), nothing, NULL, NULL);
	return s->wake ? 0 : -ENOMEM;
}

/* The next quarter of a ring wakes us. */
static void arm(struct lane *l)
{
	__atomic_store_n(&l->wake_at, l->tail + ((uint64_t)l->mask + 1) * BLOCK / 4, __ATOMIC_RELEASE);
}

static void set_up(struct sysrecord *s, bool by_task)
{
	for (int i = 0; i < s->n_cpus * LANES; i++) {
		lane_init(&s->lanes[i], i, s->n_cpus, SYSREC_BLOCKS);
		s->lanes[i].wanted = by_task || intlist_has(&s->target->cpus, i / LANES);
		arm(&s->lanes[i]);
	}
}

struct sysrecord *sysrecord_open(const struct sysrecord_options *o)
{
	struct sysrecord *s = xcalloc(1, sizeof(*s));
	bool by_task = target_by_task(o->target);
	libbpf_hushed(true);
	s->target = o->target;
	s->id = o->enter_id;
	s->n_cpus = libbpf_num_possible_cpus();
	int err = s->n_cpus > 0 ? load(s, o, by_task) : -EINVAL;
	if (!err)
		err = map_memory(s);
	if (!err) {
		set_up(s, by_task);
		if (o->at_exec)
			chosen_mark(&s->chosen, s->target, TASK_AT_EXEC);
		err = sysrecord_bpf__attach(s->bpf);
	}
	libbpf_hushed(false);
	if (!err)
		return s;
	note(1, "the BPF program that records system calls does not load (%s): perf's rings do it", strerror(-err));
	sysrecord_close(s);
	return NULL;
}

void sysrecord_enable(struct sysrecord *s)
{
	__atomic_store_n(s->on, 1, __ATOMIC_RELEASE);
	chosen_mark(&s->chosen, s->target, TASK_ON);
}

void sysrecord_disable(struct sysrecord *s)
{
	__atomic_store_n(s->on, 0, __ATOMIC_RELEASE);
	for (int i = 0; i < s->n_cpus * LANES; i++)
		__atomic_store_n(&s->lanes[i].wanted, 0, __ATOMIC_RELEASE);
	s->off = true;
}

int sysrecord_fd(const struct sysrecord *s)
{
	return ring_buffer__epoll_fd(s->wake);
}

/* The records of one block from pos on; how many bytes they are. */
static size_t stretch(const uint8_t *block, uint64_t pos, uint64_t head, void (*look)(void *, const struct perf_event_header *),
		      void *ctx)
{
	size_t off = pos % BLOCK, start = off;
	while (off + 8 <= BLOCK && pos < head) {
		const struct perf_event_header *h = (const void *)(block + off);
		if (h->size < 8 || h->size > BLOCK - off)
			break;
		look(ctx, h);
		off += h->size;
		pos += h->size;
	}
	return off - start;
}

static int drain_lane(struct sysrecord *s, struct lane *l, int (*take)(void *, const void *, size_t),
		      void (*look)(void *, const struct perf_event_header *), void *ctx)
{
	uint64_t head = __atomic_load_n(&l->head, __ATOMIC_ACQUIRE), pos = l->tail;
	bool some = pos < head;
	while (pos < head) {
		const uint8_t *block = s->blocks + ((size_t)l->first + (pos / BLOCK & l->mask)) * BLOCK;
		size_t n = stretch(block, pos, head, look, ctx);
		int err = n ? take(ctx, block + pos % BLOCK, n) : 0;
		if (err)
			return err;
		pos += n;
		if (pos < head && (!n || pos % BLOCK)) /* the rest of the block is empty */
			pos = (pos / BLOCK + 1) * BLOCK;
		__atomic_store_n(&l->tail, pos < head ? pos : head, __ATOMIC_RELEASE);
		__atomic_store_n(&s->bpf->bss->reader.seen, clock_ns(), __ATOMIC_RELEASE);
	}
	arm(l);
	return some;
}

/* Losses that no record of the program tells: it found no lane, or made none after the last one. */
static int tell_lost(struct sysrecord *s, int i, int (*take)(void *, const void *, size_t),
		     void (*look)(void *, const struct perf_event_header *), void *ctx)
{
	const struct lane *l = &s->lanes[i];
	uint64_t lost = __atomic_load_n(&l->missed, __ATOMIC_ACQUIRE) + (s->off ? l->pending : 0), n = lost - s->told[i];
	if (!n)
		return 0;
	struct sysrec_lost r = { .type = PERF_RECORD_LOST, .size = sizeof(r), .id = s->id, .lost = n, .time = clock_ns(),
				 .cpu = i / LANES, .identifier = s->id };
	s->told[i] = lost;
	look(ctx, (const struct perf_event_header *)&r);
	int err = take(ctx, &r, sizeof(r));
	return err ? err : 1;
}

int sysrecord_drain(struct sysrecord *s, int (*take)(void *ctx, const void *data, size_t n),
		    void (*look)(void *ctx, const struct perf_event_header *h), void *ctx)
{
	int some = 0;
	ring_buffer__consume(s->wake);
	for (int i = 0; i < s->n_cpus * LANES; i++) {
		int n = drain_lane(s, &s->lanes[i], take, look, ctx);
		if (n >= 0)
			some |= n;
		if (n >= 0)
			n = tell_lost(s, i, take, look, ctx);
		if (n < 0)
			return n;
		some |= n;
	}
	return some;
}

/* How often the kernel did not run a program that records. */
static void tell_left_out(const struct sysrecord *s)
{
	if (!s->bpf)
		return;
	struct bpf_program *const on_calls[] = { s->bpf->progs.enter, s->bpf->progs.leave, s->bpf->progs.enter_event, s->bpf->progs.leave_event };
	uint64_t n = 0;
	for (size_t i = 0; i < sizeof(on_calls) / sizeof(on_calls[0]); i++)
		n += bpf_program_left_out(bpf_program__fd(on_calls[i]));
	bpf_programs_warn_left_out(n);
}

void sysrecord_close(struct sysrecord *s)
{
	if (!s)
		return;
	if (s->lanes)
		munmap(s->lanes, s->lanes_size);
	if (s->blocks)
		munmap(s->blocks, s->blocks_size);
	chosen_release(&s->chosen);
	ring_buffer__free(s->wake);
	free(s->told);
	tell_left_out(s);
	sysrecord_bpf__destroy(s->bpf);
	free(s);
}

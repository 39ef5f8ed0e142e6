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
#include "kernel/root.h"

enum { RING = SYSREC_BLOCK * SYSREC_BLOCKS };

struct sysrecord {
	struct sysrecord_bpf *bpf;
	const struct target *target;
	struct ring_buffer *wake;
	int n_cpus;
	struct sysrec_ctl *ctl;
	uint8_t *blocks;
	size_t ctl_size, blocks_size;
	struct chosen chosen; /* empty when by CPU */
	uint32_t *on;
};

bool sysrecord_takes(const event_list *l, size_t i, const struct sampling *s)
{
	const struct event *e = &l->at[i];
	if (e->kind != EVENT_TRACEPOINT || !e->system || strcmp(e->system, "raw_syscalls") ||
	    (strcmp(e->tracepoint, "sys_enter") && strcmp(e->tracepoint, "sys_exit")))
		return false;
	if (e->filter || e->cgroup || e->exclude_user_given || e->attr.sample_period || e->call_graph || e->inherit ||
	    e->attr.exclude_idle || e->attr.pinned || e->group != (int)i || (i + 1 < l->n && l->at[i + 1].group == (int)i))
		return false;
	for (size_t k = 0; k < i; k++) /* the same one twice */
		if (l->at[k].system && !strcmp(l->at[k].system, e->system) && !strcmp(l->at[k].tracepoint, e->tracepoint))
			return false;
	return !s->freq && !s->freq_max && !s->period && s->call_graph == CALL_GRAPH_NONE && !s->branch && !s->per_thread_counts &&
	       !s->address && !s->weight && !s->transaction && !s->phys_address && !s->data_page && !s->code_page && !s->no_samples &&
	       !s->all_user && !s->all_kernel && !s->cgroups && !s->wake_each && !s->overwrite && s->clockid == CLOCK_MONOTONIC;
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
	bpf_map__set_max_entries(b->maps.blocks, (uint32_t)s->n_cpus * SYSREC_BLOCKS);
	bpf_map__set_max_entries(b->maps.ctl, (uint32_t)s->n_cpus);
	bpf_program__set_autoload(b->progs.enter, o->enter >= 0);
	bpf_program__set_autoload(b->progs.leave, o->exit >= 0);
	bpf_program__set_autoload(b->progs.forked, by_task);
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
	s->ctl_size = s->n_cpus * sizeof(*s->ctl);
	s->blocks_size = (size_t)s->n_cpus * RING;
	s->ctl = bpf_map_memory(s->bpf->maps.ctl, &s->ctl_size, PROT_READ | PROT_WRITE);
	s->blocks = bpf_map_memory(s->bpf->maps.blocks, &s->blocks_size, PROT_READ | PROT_WRITE);
	if (!s->ctl || !s->blocks || chosen_map(&s->chosen, s->bpf->maps.tasks))
		return -ENOMEM;
	s->on = &s->bpf->bss->on;
	s->wake = ring_buffer__new(bpf_map__fd(s->bpf->maps.wake), nothing, NULL, NULL);
	return s->wake ? 0 : -ENOMEM;
}

static void choose_cpus(struct sysrecord *s, bool by_task)
{
	for (int i = 0; i < s->n_cpus; i++)
		s->ctl[i].wanted = by_task || intlist_has(&s->target->cpus, i);
}

struct sysrecord *sysrecord_open(const struct sysrecord_options *o)
{
	struct sysrecord *s = xcalloc(1, sizeof(*s));
	bool by_task = target_by_task(o->target);
	libbpf_hushed(true);
	s->target = o->target;
	s->n_cpus = libbpf_num_possible_cpus();
	int err = s->n_cpus > 0 ? load(s, o, by_task) : -EINVAL;
	if (!err)
		err = map_memory(s);
	if (!err) {
		choose_cpus(s, by_task);
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
	for (int i = 0; i < s->n_cpus; i++)
		__atomic_store_n(&s->ctl[i].wanted, 0, __ATOMIC_RELEASE);
}

int sysrecord_fd(const struct sysrecord *s)
{
	return ring_buffer__epoll_fd(s->wake);
}

/* The records of one block from pos on; how many bytes they are. */
static size_t stretch(const uint8_t *block, uint64_t pos, uint64_t head, void (*look)(void *, const struct perf_event_header *),
		      void *ctx)
{
	size_t off = pos % SYSREC_BLOCK, start = off;
	while (off + 8 <= SYSREC_BLOCK && pos < head) {
		const struct perf_event_header *h = (const void *)(block + off);
		if (h->size < 8 || h->size > SYSREC_BLOCK - off)
			break;
		look(ctx, h);
		off += h->size;
		pos += h->size;
	}
	return off - start;
}

static int drain_cpu(struct sysrecord *s, int cpu, int (*take)(void *, const void *, size_t),
		     void (*look)(void *, const struct perf_event_header *), void *ctx)
{
	struct sysrec_ctl *c = &s->ctl[cpu];
	uint64_t head = __atomic_load_n(&c->head, __ATOMIC_ACQUIRE), pos = c->tail;
	if (head == pos)
		return 0;
	while (pos < head) {
		const uint8_t *block = s->blocks + (size_t)cpu * RING + pos / SYSREC_BLOCK % SYSREC_BLOCKS * SYSREC_BLOCK;
		size_t n = stretch(block, pos, head, look, ctx);
		int err = n ? take(ctx, block + pos % SYSREC_BLOCK, n) : 0;
		if (err)
			return err;
		pos += n;
		if (pos < head && (!n || pos % SYSREC_BLOCK)) /* the rest of the block is empty */
			pos = (pos / SYSREC_BLOCK + 1) * SYSREC_BLOCK;
		__atomic_store_n(&c->tail, pos < head ? pos : head, __ATOMIC_RELEASE);
	}
	return 1;
}

int sysrecord_drain(struct sysrecord *s, int (*take)(void *ctx, const void *data, size_t n),
		    void (*look)(void *ctx, const struct perf_event_header *h), void *ctx)
{
	int some = 0;
	ring_buffer__consume(s->wake);
	for (int i = 0; i < s->n_cpus; i++) {
		int n = drain_cpu(s, i, take, look, ctx);
		if (n < 0)
			return n;
		some |= n;
	}
	return some;
}

void sysrecord_close(struct sysrecord *s)
{
	if (!s)
		return;
	if (s->ctl)
		munmap(s->ctl, s->ctl_size);
	if (s->blocks)
		munmap(s->blocks, s->blocks_size);
	chosen_release(&s->chosen);
	ring_buffer__free(s->wake);
	sysrecord_bpf__destroy(s->bpf);
	free(s);
}

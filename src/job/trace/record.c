// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/record.h"
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include "base/error.h"
#include "base/map.h"
#include "job/disk.h"
#include "kernel/clock.h"
#include "attach/synth.h"
#include "engine/syspack.h"
#include "perfdata/writer.h"

struct trace_recorder {
	struct perfdata_writer *w;
	struct str pack;
	struct u64map names; /* tid -> char[16] as told */
	struct synth synth;
	bool maps; /* stacks are taken: the files that are mapped count */
	bool guard, full;
	struct disk_pace pace;
	uint64_t looked; /* at the disk, when so many bytes were written */
	unsigned in_round, round; /* how many so far; and at the end of this one */
};
/* After a round a reader can rely on what was written, should we be killed: short ones first. */
enum { FIRST_ROUND = 32, ROUND = 4096 };
enum { LOOK_BYTES = 64 << 10 }; /* so often the disk is looked at */

static int put_made(void *ctx, const struct perf_event_header *h)
{
	struct trace_recorder *r = ctx;
	return perfdata_put(r->w, h);
}

static void put_build_id(void *ctx, const char *path, const struct build_id *id, bool kernel)
{
	struct trace_recorder *r = ctx;
	perfdata_saw_build_id(r->w, path, id, kernel);
}

/* What was mapped before: of the kernel and of those who run already. */
static int put_maps(struct trace_recorder *r, const struct engine_options *o)
{
	int err = synth_kernel(&r->synth);
	vec_each(&o->pids, pid)
		err = err ? err : synth_process(&r->synth, *pid);
	vec_each(&o->tids, tid)
		err = err ? err : synth_process(&r->synth, *tid);
	return !err && o->all ? synth_all(&r->synth) : err;
}

static void add_events(struct trace_recorder *r, const struct trace_mix *mix)
{
	u64list ids = { 0 };
	struct perfdata_new_event e;
	for (size_t i = 0; i < trace_mix_events(mix); i++) {
		trace_mix_event(mix, i, &e, &ids);
		perfdata_add_event(r->w, &e);
	}
	vec_release(&ids);
}

struct trace_recorder *trace_recorder_open(const char *path, bool guard, char *const *argv, const struct engine_options *options, const struct trace_mix *mix)
{
	struct trace_recorder *r = xcalloc(1, sizeof(*r));
	struct perfdata_writer_options o = { .path = path, .argv = argv, .has_clock = true, .clockid = CLOCK_MONOTONIC };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
		.sample_id_all = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC, .comm = 1, .task = 1,
	};
	uint64_t id = 1;
	struct perfdata_new_event e = { .attr = &attr, .name = SYSPACK_EVENT, .ids = &id, .n_ids = 1 };
	str_init(&r->pack);
	r->round = FIRST_ROUND;
	r->guard = guard;
	r->w = perfdata_create(&o);
	r->synth = (struct synth){ .put = put_made, .build_id = put_build_id, .ctx = r };
	r->maps = options->user_graph || options->kernel_graph;
	if (r->w)
		perfdata_add_event(r->w, &e);
	if (r->w && mix)
		add_events(r, mix);
	if (!r->w || perfdata_begin(r->w) || (r->maps && put_maps(r, options))) {
		trace_recorder_free(r);
		return NULL;
	}
	return r;
}

/* Names the thread for perf, when that is new. */
static int put_name(struct trace_recorder *r, const struct sysevent *e)
{
	char *name = u64map_get(&r->names, e->tid);
	if (name && !memcmp(name, e->comm, 16))
		return 0;
	if (!name) {
		name = xcalloc(1, 16);
		u64map_set(&r->names, e->tid, name);
	}
	memcpy(name, e->comm, 16);
	struct { struct perf_event_header h; uint32_t pid, tid; char comm[16]; } comm = {
		.h = { .type = PERF_RECORD_COMM, .size = sizeof(comm) }, .pid = e->pid, .tid = e->tid,
	};
	memcpy(comm.comm, e->comm, 16);
	comm.comm[15] = 0;
	return perfdata_put(r->w, &comm.h);
}

static void saw_map(struct trace_recorder *r, const struct perf_event_header *h)
{
	const uint8_t *b = (const uint8_t *)(h + 1);
	const char *path = (const char *)b + 64;
	uint32_t pid, dev[2];
	uint64_t ino;
	if (h->size < sizeof(*h) + 72 || path[0] != '/' || !memchr(path, 0, h->size - sizeof(*h) - 64))
		return;
	memcpy(&pid, b, 4);
	memcpy(dev, b + 32, 8);
	memcpy(&ino, b + 40, 8);
	const struct build_id *id = ino ? synth_file_build_id(&r->synth, (int)pid, path, makedev(dev[0], dev[1]), ino) : NULL;
	if (id)
		perfdata_saw_build_id(r->w, path, id, false);
}

static void look_at_disk(struct trace_recorder *r)
{
	uint64_t written = perfdata_written(r->w);
	if (!r->guard || (r->looked && written - r->looked < LOOK_BYTES))
		return;
	r->looked = written;
	r->full = perfdata_room(r->w) < 4 * LOOK_BYTES;
}

static int round_done(struct trace_recorder *r)
{
	look_at_disk(r);
	if (++r->in_round < r->round)
		return 0;
	r->in_round = 0;
	r->round = r->round < ROUND ? r->round * 2 : ROUND;
	if (disk_pace_fast(&r->pace, perfdata_written(r->w), clock_ns())) {
		warn("the recording grows by more than %d MB a second", DISK_FAST_MB);
		hint("fewer calls (-e), shorter buffers (--string-limit), no --call-graph");
	}
	return perfdata_put_round(r->w);
}

/* As the kernel made it. */
static int put_record(struct trace_recorder *r, const struct sysevent *e)
{
	const struct perf_event_header *h = e->record;
	struct perf_event_header head = *h; /* no event here asks for maps with build-ids, but others' marks show: see recorder.c */
	if (h->type == PERF_RECORD_MMAP2)
		head.misc &= ~PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct iovec bytes[] = { { &head, sizeof(head) }, { (void *)(h + 1), h->size - sizeof(head) } };
	if (h->type == PERF_RECORD_MMAP2 && r->maps)
		saw_map(r, h);
	if (h->type == PERF_RECORD_SAMPLE)
		perfdata_saw_time(r->w, e->time, e->time);
	int err = perfdata_put_ring(r->w, bytes, 2);
	return err ? err : round_done(r);
}

int trace_recorder_put(struct trace_recorder *r, const struct sysevent *e)
{
	if (e->record)
		return put_record(r, e);
	struct perfdata_sample s = { .time = e->time, .pid = e->pid, .tid = e->tid, .cpu = e->cpu, .period = 1 };
	int err = e->type == SYS_LOST ? 0 : put_name(r, e);
	if (err)
		return err;
	str_clear(&r->pack);
	syspack_write(&r->pack, e);
	s.raw = r->pack.buf;
	s.raw_size = r->pack.len;
	err = perfdata_put_sample(r->w, 0, &s);
	return err ? err : round_done(r);
}

bool trace_recorder_full(const struct trace_recorder *r)
{
	return r && r->full;
}

int trace_recorder_finish(struct trace_recorder *r, uint64_t *bytes)
{
	int err = perfdata_finish(r->w);
	*bytes = perfdata_written(r->w);
	return err;
}

void trace_recorder_free(struct trace_recorder *r)
{
	uint64_t tid;
	size_t cursor = 0;
	void *name;
	if (!r)
		return;
	if (r->w)
		perfdata_writer_free(r->w);
	while (u64map_next(&r->names, &cursor, &tid, &name))
		free(name);
	u64map_release(&r->names);
	synth_release(&r->synth);
	str_release(&r->pack);
	free(r);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "event/trace_record.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/map.h"
#include "event/syspack.h"
#include "perfdata/writer.h"

struct trace_recorder {
	struct perfdata_writer *w;
	struct str pack;
	struct u64map names; /* tid -> char[16] as told */
	unsigned in_round;
};
enum { ROUND = 4096 };

struct trace_recorder *trace_recorder_open(const char *path, char *const *argv)
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
	r->w = perfdata_create(&o);
	if (r->w)
		perfdata_add_event(r->w, &e);
	if (!r->w || perfdata_begin(r->w)) {
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

int trace_recorder_put(struct trace_recorder *r, const struct sysevent *e)
{
	struct perfdata_sample s = { .time = e->time, .pid = e->pid, .tid = e->tid, .cpu = e->cpu, .period = 1 };
	int err = e->type == SYS_LOST ? 0 : put_name(r, e);
	if (err)
		return err;
	str_clear(&r->pack);
	syspack_write(&r->pack, e);
	s.raw = r->pack.buf;
	s.raw_size = r->pack.len;
	err = perfdata_put_sample(r->w, 0, &s);
	if (!err && ++r->in_round >= ROUND) {
		r->in_round = 0;
		err = perfdata_put_round(r->w);
	}
	return err;
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
	str_release(&r->pack);
	free(r);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The recorder's files: one, or one after the other (--switch-output), or a snapshot of the rings
 * whenever asked for (--overwrite). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "job/record/inner.h"
#include "symbol/file/debugfile.h"
#include "kernel/clock.h"

/* The ids of all descriptors of an event. */
static size_t event_ids(const struct recorder *r, int event, uint64_t *ids, size_t max)
{
	const struct opened *sets[] = { &r->opened, &r->tracking };
	size_t n = 0;
	if (r->sys && (event == r->sys_enter || event == r->sys_exit)) {
		ids[0] = r->sys_ids[event == r->sys_exit];
		return 1;
	}
	if (event == r->off_event) {
		ids[0] = r->off_id;
		return 1;
	}
	for (int i = 0; i < 2; i++)
		vec_each(&sets[i]->fds, f)
			if (f->event == event && n < max && !ioctl(f->fd, PERF_EVENT_IOC_ID, &ids[n]))
				n++;
	return n;
}

static int members_of(const event_list *l, int lead)
{
	int n = 0;
	vec_each(l, e)
		n += e->group == lead;
	return n;
}

static void add_events(struct recorder *r)
{
	size_t max = r->opened.fds.n + r->tracking.fds.n + 1;
	uint64_t *ids = xcalloc(max, sizeof(*ids));
	bool tasks = target_by_task(r->t);
	for (size_t i = 0; i < r->l->n; i++) {
		const struct event *e = &r->l->at[i];
		struct perf_event_attr a = e->attr;
		a.disabled = e->group == (int)i;
		a.inherit = tasks && !r->o->no_inherit && !r->o->per_thread && e->inherit >= 0;
		struct perfdata_new_event n = { .attr = &a, .name = e->name, .system = e->system, .tracepoint = e->tracepoint,
			.unit = e->unit, .ids = ids, .n_ids = event_ids(r, (int)i, ids, max), .group_leader = e->group };
		if (e->group == (int)i)
			n.group_members = members_of(r->l, (int)i);
		perfdata_add_event(r->w, &n);
	}
	free(ids);
}

static int create(struct recorder *r, const char *path)
{
	struct perfdata_writer_options o = { .path = path, .compress = r->o->compress, .argv = r->o->argv, .has_clock = true,
					     .clockid = r->o->sampling.clockid, .patient = true };
	r->w = perfdata_create(&o);
	if (!r->w)
		return error_code();
	add_events(r);
	r->time_pos = perfdata_time_pos(r->w);
	r->file_started = clock_ns();
	return perfdata_begin(r->w);
}

int files_open(struct recorder *r)
{
	free(r->path);
	r->path = xstrdup(r->o->output);
	return create(r, r->path);
}

/* synth's put */
static int keep(void *ctx, const struct perf_event_header *h)
{
	struct recorder *r = ctx;
	if (r->w)
		return perfdata_put(r->w, h);
	str_addn(&r->side_made, h, h->size);
	return 0;
}

static void keep_build_id(void *ctx, const char *path, const struct build_id *id, bool kernel)
{
	struct recorder *r = ctx;
	if (r->w)
		perfdata_saw_build_id(r->w, path, id, kernel);
}

/* Processes: the command's name, when it has not started yet; those that were asked for; or all. Once events are
 * inherited nobody knows which ones they have come to. */
static int synth_processes(struct recorder *r)
{
	struct synth *s = &r->synth;
	int err;
	if (!target_by_task(r->t) || r->started)
		return synth_all(s);
	if (r->t->workload)
		return synth_name(s, r->life.command.pid);
	/* With their children: one that was born after the events were opened and before the tracker was on has
	 * inherited the events, and nothing tells of its birth. */
	VEC(int) roots = { 0 };
	vec_each(&r->t->threads, th)
		if (!roots.n || roots.at[roots.n - 1] != th->pid)
			*vec_push(&roots) = th->pid;
	err = synth_tree(s, roots.at, roots.n);
	vec_release(&roots);
	return err;
}

int files_synth(struct recorder *r)
{
	struct synth *s = &r->synth;
	enum synth_what what = r->o->synth;
	int err = 0;
	s->put = keep;
	s->build_id = r->o->no_build_ids ? NULL : keep_build_id;
	s->ctx = r;
	s->data_maps = r->o->sampling.address || r->o->sampling.call_graph == CALL_GRAPH_DWARF;
	s->build_id_maps = r->o->sampling.build_id_maps && sampling_has_build_id() && !r->o->no_build_ids;
	s->no_maps = what == SYNTH_TASK;
	if (what != SYNTH_NONE && what != SYNTH_CGROUP && (err = synth_kernel(s)))
		return err;
	char *mount = r->o->sampling.cgroups && what != SYNTH_NONE && what != SYNTH_TASK && what != SYNTH_MMAP ? target_cgroup_mount() : NULL;
	err = mount ? synth_cgroups(s, mount) : 0;
	free(mount);
	return err || what == SYNTH_NONE || what == SYNTH_CGROUP ? err : synth_processes(r);
}

/* perf.data.2026111506203511: the second, and hundredths of it; the next one that is free. */
static char *dated(const char *path)
{
	struct timeval tv;
	struct tm tm;
	char when[32];
	gettimeofday(&tv, NULL);
	for (;;) {
		localtime_r(&tv.tv_sec, &tm);
		strftime(when, sizeof(when), "%Y%m%d%H%M%S", &tm);
		char *name = xasprintf("%s.%s%02u", path, when, (unsigned)(tv.tv_usec / 10000));
		if (access(name, F_OK))
			return name;
		free(name);
		tv.tv_usec += 10000;
		tv.tv_sec += tv.tv_usec / 1000000;
		tv.tv_usec %= 1000000;
	}
}

/* --switch-max-files: the oldest goes. */
static void remember(struct recorder *r, const char *path)
{
	if (!r->o->switch_files)
		return;
	*vec_push(&r->files) = xstrdup(path);
	if (r->files.n <= (size_t)r->o->switch_files)
		return;
	unlink(r->files.at[0]);
	free(r->files.at[0]);
	memmove(r->files.at, r->files.at + 1, --r->files.n * sizeof(r->files.at[0]));
}

static void rename_dated(struct recorder *r)
{
	char *name = dated(r->path);
	if (rename(r->path, name)) {
		warn("cannot name %s %s: %s", r->path, name, strerror(errno));
		free(name);
		return;
	}
	free(r->path);
	r->path = name;
	remember(r, name);
}

int files_close(struct recorder *r)
{
	int err = r->w ? perfdata_finish(r->w) : 0;
	if (r->w)
		r->bytes += perfdata_written(r->w);
	perfdata_writer_free(r->w);
	r->w = NULL;
	r->n_files++;
	if ((r->o->switch_output || r->o->timestamp_name) && strcmp(r->o->output, "-"))
		rename_dated(r);
	return err;
}

int files_switch(struct recorder *r)
{
	int err = files_close(r);
	if (!err && !r->o->quiet)
		warn("switched to a new file; %s is whole", r->path);
	if (!err)
		err = files_open(r);
	return err ? err : files_synth(r);
}

/* ---- flight recorder ---- */

/* The records of a ring that is written backward, oldest first. */
static int put_backward(struct recorder *r, struct perf_ring *ring)
{
	struct str all = STR_INIT, turned = STR_INIT;
	VEC(size_t) at = { 0 };
	int err = 0;
	perf_ring_begin(ring);
	for (struct perf_event_header *h; (h = perf_ring_next(ring));) {
		*vec_push(&at) = all.len;
		str_addn(&all, h, h->size);
		recorder_look(r, h);
	}
	for (size_t i = at.n; i-- > 0;) {
		const struct perf_event_header *h = (const void *)(all.buf + at.at[i]);
		str_addn(&turned, h, h->size);
	}
	if (turned.len) {
		struct iovec v = { turned.buf, turned.len };
		err = perfdata_put_ring(r->w, &v, 1);
	}
	vec_release(&at);
	str_release(&all);
	str_release(&turned);
	return err;
}

static void pause_rings(struct recorder *r, unsigned on)
{
	vec_each(&r->rings.place, p)
		(void)ioctl(p->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, on);
}

static int put_side(struct recorder *r)
{
	int err = 0;
	for (size_t at = 0; at < r->side_made.len && !err;) {
		const struct perf_event_header *h = (const void *)(r->side_made.buf + at);
		err = perfdata_put(r->w, h);
		at += h->size;
	}
	struct iovec v = { r->side_ring.buf, r->side_ring.len };
	return err || !v.iov_len ? err : perfdata_put_ring(r->w, &v, 1);
}

enum { HEADS_AND_TAILS = 1 << 20 };

/* Asked before the file is made: one of that name stays as it is when there is no room for another. */
static bool has_room(const struct recorder *r)
{
	return r->o->no_disk_guard ||
	       file_room_for(r->path) > r->side_made.len + r->side_ring.len + r->rings.at.n * r->rings.bytes + HEADS_AND_TAILS;
}

int files_snapshot(struct recorder *r, bool last)
{
	free(r->path);
	r->path = last ? xstrdup(r->o->output) : dated(r->o->output);
	r->samples = 0;
	if (!has_room(r)) {
		r->limit_met = r->disk_full = true;
		return 0;
	}
	pause_rings(r, 1);
	int err = create(r, r->path);
	if (!err)
		err = put_side(r);
	for (size_t i = 0; i < r->rings.at.n && !err; i++)
		err = put_backward(r, &r->rings.at.at[i]);
	pause_rings(r, 0);
	if (!err)
		err = perfdata_put_round(r->w);
	if (!err)
		err = perfdata_finish(r->w);
	r->bytes = perfdata_written(r->w);
	perfdata_writer_free(r->w);
	r->w = NULL;
	r->n_files++;
	if (!err && !last && !r->o->quiet)
		warn("snapshot: %s, %llu samples", r->path, (unsigned long long)r->samples);
	return err;
}

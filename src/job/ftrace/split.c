// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/split.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "tracedat/packer.h"
#include "tracedat/writer.h"

struct split_lane { int buffer, cpu, fd; struct ring_packer pack; uint64_t records; };
struct split_work {
	const struct ftrace_split *s;
	struct tracedat *t;
	VEC(struct split_lane) lane;
	struct ring_shape shape;
	uint64_t since, records; /* of the part */
	bool open; /* a part has been begun */
	int part;
};

static int no_file(void)
{
	return error_sys(errno, "cannot make a file in /tmp");
}

static int spool(void)
{
	char name[] = "/tmp/sonde-split-XXXXXX";
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

static struct split_lane *lane_of(struct split_work *w, const struct tracedat_record *r)
{
	vec_each(&w->lane, l)
		if (l->buffer == r->buffer && l->cpu == r->cpu)
			return l;
	return NULL;
}

/* A lane for each CPU of each buffer, also if nothing of it comes: the parts have them all. */
static int begin_part(struct split_work *w)
{
	const struct tracedat_buffer *b;
	size_t n = tracedat_buffers(w->t, &b);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < b[i].n_cpu; k++) {
			struct split_lane l = { .buffer = (int)i, .cpu = b[i].cpu[k].cpu, .fd = spool() };
			if (l.fd < 0)
				return no_file();
			ring_packer_init(&l.pack, &w->shape, l.fd, b[i].page_size);
			*vec_push(&w->lane) = l;
		}
	w->records = 0;
	w->open = true;
	w->part++;
	return 0;
}

static void drop_part(struct split_work *w)
{
	vec_each(&w->lane, l) {
		ring_packer_release(&l->pack);
		close(l->fd);
	}
	vec_release(&w->lane);
	w->open = false;
}

static int write_part(struct split_work *w)
{
	const struct tracedat_info *info = tracedat_info(w->t);
	const struct tracedat_buffer *b;
	struct tracedat_new n;
	size_t buffers = tracedat_buffers(w->t, &b);
	uint64_t bytes;
	char *path = xasprintf("%s.%d", w->s->output, w->part);
	struct tracedat_write_options o = { .path = path, .version = info->file_version, .consume = true,
		.packing = w->s->packing ? w->s->packing : info->packing ? info->packing : "none" };
	tracedat_new_init(&n);
	int err = tracedat_new_from_file(&n, w->t);
	for (size_t i = 0; i < buffers && !err; i++) {
		struct new_buffer *nb = vec_push(&n.buffers);
		*nb = (struct new_buffer){ .name = xstrdup(b[i].name), .clock = xstrdup(b[i].clock), .text = STR_INIT };
		vec_each(&w->lane, l) {
			if (l->buffer != (int)i)
				continue;
			int failed = ring_packer_flush(&l->pack);
			if (failed)
				err = error_sys(-failed, "cannot write the records of CPU %d", l->cpu);
			*vec_push(&nb->cpu) = (struct new_pages){ .cpu = l->cpu, .fd = l->fd, .size = l->pack.written };
		}
	}
	if (!err)
		err = tracedat_write(&n, &o, &bytes);
	if (!err)
		note(0, "%s: %llu records", path, (unsigned long long)w->records);
	tracedat_new_release(&n);
	free(path);
	return err;
}

static bool part_is_full(const struct split_work *w, const struct tracedat_record *r)
{
	const struct ftrace_split *s = w->s;
	if (s->ns)
		return r->time - w->since >= s->ns;
	if (s->events && !s->per_cpu)
		return w->records >= s->events;
	vec_each(&w->lane, l)
		if ((s->events && l->records >= s->events) || (s->pages && l->pack.written / l->pack.page_size >= s->pages))
			return true;
	return false;
}

static int put(struct split_work *w, const struct tracedat_record *r)
{
	int err = 0;
	if (!w->open) {
		if ((err = begin_part(w)))
			return err;
		w->since = r->time;
	}
	struct split_lane *l = lane_of(w, r);
	err = l ? ring_packer_put(&l->pack, r->raw_time, r->data, r->size, r->lost) : -EINVAL;
	if (err)
		return error_sys(-err, "cannot put a record of CPU %d into a part", r->cpu);
	l->records++;
	w->records++;
	return 0;
}

static int split(struct split_work *w)
{
	const struct ftrace_split *s = w->s;
	struct tracedat_record r;
	int got, err = 0;
	while (!err && (got = tracedat_next(w->t, &r)) != 0) {
		if (got < 0)
			return got;
		if (r.time < s->start || (s->cpu >= 0 && r.cpu != s->cpu))
			continue;
		if (s->end && r.time > s->end)
			break;
		if (w->open && part_is_full(w, &r)) {
			err = write_part(w);
			drop_part(w);
			if (!s->repeat)
				return err;
		}
		if (!err)
			err = put(w, &r);
	}
	if (!err && w->open)
		err = write_part(w);
	if (!err && !w->part)
		err = error_set(ENODATA, "%s has no records there: no part was written", s->input);
	return err;
}

int ftrace_split_run(const struct ftrace_split *s)
{
	struct split_work w = { .s = s, .t = tracedat_open(s->input) };
	if (!w.t)
		return error_code();
	w.shape = tracedat_shape(w.t);
	int err = split(&w);
	drop_part(&w);
	tracedat_close(w.t);
	return err;
}

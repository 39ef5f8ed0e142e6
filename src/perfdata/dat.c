// SPDX-License-Identifier: GPL-2.0-or-later
/* A trace.dat in place of a perf.data: its events are tracepoints with one sample a record, its names of threads are COMM
 * records in front, what was lost is a LOST record in its place. So all that reads recordings reads it. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "perfdata/dat.h"
#include "tracedat/reader.h"

struct dat_source {
	struct tracedat *t;
	int *index; /* of an event by its id, -1: the file has no format of it */
	size_t comm; /* next one to tell */
	struct tracedat_record waits; bool has_waiting; /* behind a LOST record */
	uint64_t header[8]; /* of the record that was handed out */
};

bool dat_is(const struct perfdata *p)
{
	return p->map && tracedat_is(p->map, p->map_len);
}

static void add_event(struct perfdata *p, const struct tracedat_format *f, struct tep_event *tep)
{
	struct perfdata_event *e = xcalloc(1, sizeof(*e));
	p->events = xrealloc(p->events, (p->n_events + 1) * sizeof(*p->events));
	p->events[p->n_events] = e;
	p->dat->index[f->id] = (int)p->n_events++;
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.size = sizeof(e->attr);
	e->attr.config = (uint64_t)f->id;
	e->attr.sample_period = 1;
	e->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
	e->name = xasprintf("%s:%s", f->system, f->name);
	e->ids = xcalloc(1, sizeof(*e->ids));
	e->ids[0] = p->n_events;
	e->n_ids = 1;
	e->tep = tep;
	e->group_leader = -1;
}

/* Only events that occur are events of the recording: a file has the formats of whole systems. */
static void find_events(struct perfdata *p)
{
	struct dat_source *d = p->dat;
	const struct tracedat_format *f;
	struct tracedat_record r;
	bool *seen = xcalloc(65536, sizeof(*seen)), any = false;
	while (tracedat_next(d->t, &r) > 0) {
		if (r.type >= 0)
			seen[r.type] = true;
		if (!any)
			p->info.first_sample = r.time;
		p->info.last_sample = r.time;
		any = true;
	}
	error_clear(); /* told again where it matters */
	tracedat_rewind(d->t);
	for (size_t i = 0; (f = tracedat_format_at(d->t, i)); i++) {
		struct tep_event *tep = f->id >= 0 && seen[f->id] && d->index[f->id] < 0 ? tracedat_event(d->t, f->id) : NULL;
		if (tep)
			add_event(p, f, tep);
	}
	free(seen);
}

static char *keep(struct perfdata *p, char *z)
{
	*vec_push(&p->strings) = z;
	return z;
}

/* "Linux guest 6.1.0-56-cloud-amd64 x86_64" */
static void read_uname(struct perfdata *p, const char *text)
{
	char *copy = keep(p, xstrdup(text)), *save = NULL, *word[4] = { NULL };
	for (int i = 0; i < 4; i++)
		word[i] = strtok_r(i ? NULL : copy, " \n", &save);
	p->info.hostname = word[1];
	p->info.osrelease = word[2];
	p->info.arch = word[3];
}

int dat_open(struct perfdata *p)
{
	int fd = dup(p->fd);
	struct tracedat *t = fd < 0 ? NULL : tracedat_open_fd(fd, p->path);
	if (!t)
		return fd < 0 ? error_sys(errno, "cannot open %s", p->path) : error_code();
	p->dat = xcalloc(1, sizeof(*p->dat));
	p->dat->t = t;
	p->dat->index = xcalloc(65536, sizeof(int));
	for (int i = 0; i < 65536; i++)
		p->dat->index[i] = -1;
	const struct tracedat_info *info = tracedat_info(t);
	if (info->uname)
		read_uname(p, info->uname);
	p->info.version = info->traced_by;
	p->info.nr_cpus_online = p->info.nr_cpus_avail = info->cpus;
	p->info.other_endian = info->big_endian;
	p->tep = tracedat_tep(t);
	find_events(p);
	p->uniform = false;
	return 0;
}

void dat_close(struct perfdata *p)
{
	if (!p->dat)
		return;
	tracedat_close(p->dat->t);
	free(p->dat->index);
	free(p->dat);
	p->tep = NULL; /* it was the file's */
}

const char *perfdata_function(void *p, uint64_t addr, uint64_t *start)
{
	return tracedat_function(((struct perfdata *)p)->dat->t, addr, start);
}

bool perfdata_names_functions(const struct perfdata *p)
{
	return p->dat != NULL;
}

/* ---- records ---- */

static void begin(struct perfdata *p, struct perfdata_record *r, uint32_t type, size_t size)
{
	struct perf_event_header *h = (struct perf_event_header *)p->dat->header;
	*h = (struct perf_event_header){ .type = type, .size = (uint16_t)size };
	*r = (struct perfdata_record){ .header = h, .pid = -1, .tid = -1, .cpu = -1, .event_index = -1 };
	if (p->n_events) { /* as perf gives its other records the id of one */
		r->event = p->events[0];
		r->event_index = 0;
	}
}

static bool next_comm(struct perfdata *p, struct perfdata_record *r)
{
	const char *comm;
	int pid;
	if (!tracedat_comm_at(p->dat->t, p->dat->comm, &pid, &comm))
		return false;
	p->dat->comm++;
	begin(p, r, PERF_RECORD_COMM, sizeof(struct perf_event_header) + 24);
	char *body = (char *)(p->dat->header + 1);
	memset(body, 0, 24);
	memcpy(body, &pid, 4);
	memcpy(body + 4, &pid, 4);
	strncat(body + 8, comm, 15);
	r->pid = r->tid = pid;
	return true;
}

static void lost(struct perfdata *p, struct perfdata_record *r, const struct tracedat_record *rec)
{
	uint64_t n = rec->lost > 0 ? (uint64_t)rec->lost : 1; /* some: at least one */
	begin(p, r, PERF_RECORD_LOST, sizeof(struct perf_event_header) + 16);
	p->dat->header[1] = p->n_events ? p->events[0]->ids[0] : 0;
	p->dat->header[2] = n;
	r->time = rec->time;
	r->cpu = rec->cpu;
	p->stats.lost_records++;
	p->stats.lost_events += n;
}

static void sample(struct perfdata *p, struct perfdata_record *r, const struct tracedat_record *rec, int index)
{
	begin(p, r, PERF_RECORD_SAMPLE, sizeof(struct perf_event_header));
	r->file_offset = rec->offset;
	r->time = rec->time;
	r->event = p->events[index];
	r->event_index = index;
	r->id = r->event->ids[0];
	r->pid = r->tid = rec->pid;
	r->cpu = rec->cpu;
	r->period = 1;
	r->raw = rec->data;
	r->raw_size = rec->size;
	p->stats.samples++;
	p->stats.bytes += rec->size;
}

int dat_next(struct perfdata *p, struct perfdata_record *r)
{
	struct dat_source *d = p->dat;
	struct tracedat_record rec;
	if (next_comm(p, r))
		return 1;
	for (;;) {
		int got = 1;
		if (d->has_waiting)
			rec = d->waits;
		else
			got = tracedat_next(d->t, &rec);
		if (got <= 0)
			return got;
		if (rec.lost && !d->has_waiting) {
			d->waits = rec;
			d->waits.lost = 0;
			d->has_waiting = true;
			lost(p, r, &rec);
			return 1;
		}
		d->has_waiting = false;
		int index = rec.type >= 0 ? d->index[rec.type] : -1;
		if (index >= 0) {
			sample(p, r, &rec, index);
			return 1;
		}
		p->stats.unknown++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What `perf data convert --to-json` writes: a head, and an object for each sample. perf leaves out which event a sample is
 * of and what it weighs; both are added behind the rest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "base/json.h"
#include "ui/export/formats.h"
#include "ui/export/tracks.h"
#include "ui/export/walked.h"

struct perfjson {
	struct json j;
	struct tracks tracks;
	struct str room;
};

static int send(struct exporter *x)
{
	return sink_str(&x->sink, &x->text);
}

static void add_text(struct perfjson *p, const char *key, const char *z)
{
	if (!z)
		return;
	str_clear(&p->room);
	str_add_safez(&p->room, z);
	json_kstr(&p->j, key, p->room.buf);
}

static void add_date(struct json *j, uint64_t seconds)
{
	time_t t = seconds;
	struct tm tm;
	char buf[40];
	if (gmtime_r(&t, &tm) && strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%SZ", &tm))
		json_kstr(j, "captured-on", buf);
}

static void add_headers(struct exporter *x, struct perfjson *p)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	struct json *j = &p->j;
	json_key(j, "headers");
	json_open(j, '{');
	json_ku64(j, "header-version", 1);
	add_date(j, i->captured_at);
	add_text(p, "hostname", i->hostname);
	add_text(p, "os-release", i->osrelease);
	add_text(p, "arch", i->arch);
	add_text(p, "cpu-desc", i->cpudesc);
	add_text(p, "cpuid", i->cpuid);
	json_ku64(j, "nrcpus-online", i->nr_cpus_online);
	json_ku64(j, "nrcpus-avail", i->nr_cpus_avail);
	if (i->has_clock) {
		json_ku64(j, "clockid", i->clockid);
		json_ku64(j, "clock-time", i->clock_ns);
		json_key(j, "real-time");
		str_addf(&x->text, "%" PRIu64, i->clock_wall_ns); /* a number there, however large */
		j->after_key = false;
	}
	add_text(p, "perf-version", i->version);
	json_key(j, "cmdline");
	json_open(j, '[');
	for (size_t k = 0; i->cmdline && k < i->cmdline->n; k++) {
		str_clear(&p->room);
		str_add_safez(&p->room, i->cmdline->at[k]);
		json_strz(j, p->room.buf);
	}
	json_close(j, ']');
	json_close(j, '}');
}

static int perfjson_begin(struct exporter *x)
{
	struct perfjson *p = x->state;
	str_init(&p->room);
	json_init(&p->j, &x->text);
	json_open(&p->j, '{');
	json_ku64(&p->j, "linux-perf-json-version", 1);
	add_headers(x, p);
	json_key(&p->j, "samples");
	json_open(&p->j, '[');
	return send(x);
}

static void add_frame(struct perfjson *p, const struct frame *f)
{
	char ip[24];
	snprintf(ip, sizeof(ip), "0x%" PRIx64, f->ip);
	json_open(&p->j, '{');
	json_kstr(&p->j, "ip", ip);
	if (f->sym) {
		add_text(p, "symbol", f->sym);
		add_text(p, "dso", f->dso ? f->dso->name : NULL);
	}
	json_close(&p->j, '}');
}

static void add_chain(struct exporter *x, struct perfjson *p, const struct perfdata_record *r)
{
	struct frame frame[CALLCHAIN_MAX];
	int n = export_walked(x, r, frame);
	json_key(&p->j, "callchain");
	json_open(&p->j, '[');
	for (int i = 0; i < n; i++)
		add_frame(p, &frame[i]);
	json_close(&p->j, ']');
}

/* perf writes such a name twice, of which readers keep one. */
static bool is_taken(const char *name)
{
	static const char *const own[] = { "timestamp", "pid", "tid", "cpu", "comm", "callchain", "event", "period" };
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcmp(own[i], name))
			return true;
	return false;
}

static void add_field(struct perfjson *p, const struct tp_field *fd, const struct perfdata_record *r)
{
	char *other = is_taken(fd->name) ? xasprintf("field_%s", fd->name) : NULL;
	str_clear(&p->room);
	tp_field_raw(fd, &p->room, r->raw, r->raw_size);
	json_kstr(&p->j, other ? other : fd->name, p->room.buf);
	free(other);
}

static void add_fields(struct exporter *x, struct perfjson *p, const struct perfdata_record *r)
{
	const struct track *k = track_of(&p->tracks, x, r->event_index);
	size_t n = 0;
	const struct tp_field *fd = k->format && r->raw ? tp_format_fields(k->format, &n) : NULL;
	for (size_t i = 0; i < n; i++)
		if (!fd[i].common)
			add_field(p, &fd[i], r);
}

static int perfjson_sample(struct exporter *x, const struct export_sample *s)
{
	struct perfjson *p = x->state;
	const struct perfdata_record *r = s->r;
	uint64_t wall = x->o->wall_clock ? export_wall(x, r->time) : 0;
	struct json *j = &p->j;
	json_open(j, '{');
	json_key(j, "timestamp");
	str_addf(&x->text, "%" PRIu64, wall ? wall : r->time);
	j->after_key = false;
	json_ks64(j, "pid", s->t->pid);
	json_ks64(j, "tid", s->t->tid);
	if (export_has(r, PERF_SAMPLE_CPU))
		json_ks64(j, "cpu", r->cpu);
	add_text(p, "comm", s->t->comm);
	add_chain(x, p, r);
	add_fields(x, p, r);
	json_kstr(j, "event", export_event_of(x, r->event_index)->name);
	json_ku64(j, "period", r->period);
	json_close(j, '}');
	str_addc(&x->text, '\n');
	return send(x);
}

static int perfjson_end(struct exporter *x, bool write)
{
	struct perfjson *p = x->state;
	json_close(&p->j, ']');
	json_close(&p->j, '}');
	str_addc(&x->text, '\n');
	int err = write ? send(x) : 0;
	tracks_release(&p->tracks);
	str_release(&p->room);
	return err;
}

const struct export_format export_json = { .name = "json", .what = "the JSON of perf data convert --to-json", .suffix = "json",
	.state = sizeof(struct perfjson), .begin = perfjson_begin, .sample = perfjson_sample, .end = perfjson_end };

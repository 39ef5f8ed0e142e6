// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/writer.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "base/signals.h"
#include "perfdata/writer_inner.h"

enum { BUFFER = 256 << 10, RECORD_MAX = 65528, SLICE = 1 << 20 };

int writer_failed(struct perfdata_writer *w, int err)
{
	if (!w->err) {
		w->err = -err;
		error_sys(err, "cannot write to %s", w->path);
		if (err == ENOSPC)
			error_hint("the disk is full: what was written so far can be read");
		else if (err == EFBIG)
			error_hint("the limit on the size of files was met (ulimit -f)");
	}
	return w->err;
}

/* All pieces, in order, however the kernel splits them. */
static int write_out(struct perfdata_writer *w, struct iovec *v, int n)
{
	while (n && !w->err) {
		ssize_t k = signals_writev(w->fd, v, n);
		if (k <= 0)
			return writer_failed(w, k < 0 ? errno : EIO);
		w->offset += k;
		for (; n && (size_t)k >= v->iov_len; v++, n--)
			k -= v->iov_len;
		if (n) {
			v->iov_base = (char *)v->iov_base + k;
			v->iov_len -= k;
		}
	}
	return w->err;
}

int writer_flush(struct perfdata_writer *w)
{
	struct iovec v = { w->buf.buf, w->buf.len };
	int err = w->buf.len ? write_out(w, &v, 1) : w->err;
	str_clear(&w->buf);
	return err;
}

static int add(struct perfdata_writer *w, const void *p, size_t n)
{
	str_addn(&w->buf, p, n);
	return w->buf.len >= BUFFER ? writer_flush(w) : w->err;
}

/* ---- opening ---- */

static int open_file(struct perfdata_writer *w, bool keep_old)
{
	struct stat st;
	if (!keep_old && !lstat(w->path, &st) && S_ISREG(st.st_mode) && st.st_size) {
		char *old = xasprintf("%s.old", w->path);
		if (rename(w->path, old))
			note(1, "cannot keep the earlier %s as %s", w->path, old);
		free(old);
	}
	w->fd = file_create(w->path, O_RDWR, 0600);
	return w->fd < 0 ? w->fd : 0;
}

struct perfdata_writer *perfdata_create(const struct perfdata_writer_options *o)
{
	struct perfdata_writer *w = xcalloc(1, sizeof(*w));
	w->pipe = !strcmp(o->path, "-");
	w->path = xstrdup(w->pipe ? "standard output" : o->path);
	w->fd = -1;
	str_init(&w->buf);
	str_init(&w->mark);
	for (char *const *a = o->argv; a && *a; a++)
		wordlist_add(&w->cmdline, *a);
	w->has_clock = o->has_clock;
	w->clockid = o->clockid;
	w->level = o->compress;
	w->counts = o->counts;
	w->patient = o->patient;
	w->source = o->source;
	if (w->pipe && isatty(1)) {
		error_set(EINVAL, "a recording is not written to a terminal");
		error_hint("pipe it: sonde record -o - ... | sonde report -i -");
		goto fail;
	}
	if (w->pipe) {
		signal(SIGPIPE, SIG_IGN); /* a reader that leaves is an error like others: the command is ended properly */
		w->fd = fcntl(1, F_DUPFD_CLOEXEC, 3);
	}
	if (!w->pipe && open_file(w, o->keep_old))
		goto fail;
	if (w->level) {
		w->zstd = ZSTD_createCStream();
		ZSTD_initCStream(w->zstd, w->level);
	}
	return w;
fail:
	perfdata_writer_free(w);
	return NULL;
}

void perfdata_add_event(struct perfdata_writer *w, const struct perfdata_new_event *e)
{
	struct written_event *n = vec_push(&w->events);
	n->attr = *e->attr;
	if (!n->attr.size)
		n->attr.size = sizeof(n->attr);
	n->name = xstrdup(e->name);
	n->system = e->system ? xstrdup(e->system) : NULL;
	n->tracepoint = e->tracepoint ? xstrdup(e->tracepoint) : NULL;
	n->unit = e->unit ? xstrdup(e->unit) : NULL;
	n->ids = xmalloc(e->n_ids * sizeof(*n->ids) + 1);
	n->n_ids = e->n_ids;
	if (e->n_ids)
		memcpy(n->ids, e->ids, e->n_ids * sizeof(*n->ids));
	n->group_leader = e->group_leader;
	n->group_members = e->group_members;
	layout_init(&n->layout, &n->attr);
}

/* ---- the start ---- */

static uint64_t now(int clock)
{
	struct timespec t;
	return clock_gettime(clock, &t) ? 0 : t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void attr_record(struct perfdata_writer *w, const struct written_event *e)
{
	/* ids that do not fit into one record are left out here: perf then takes the events by place */
	size_t most = (RECORD_MAX - 8 - sizeof(e->attr)) / 8, n = e->n_ids < most ? e->n_ids : most;
	struct perf_event_header h = { RECORD_HEADER_ATTR, 0, 8 + sizeof(e->attr) + n * 8 };
	add(w, &h, sizeof(h));
	add(w, &e->attr, sizeof(e->attr));
	add(w, e->ids, n * 8);
}

static void name_record(struct perfdata_writer *w, const struct written_event *e)
{
	static const char zero[8];
	size_t len = strnlen(e->name, 4096) + 1, pad = (8 - len % 8) % 8;
	struct { struct perf_event_header h; uint64_t type, id; } r = {
		{ RECORD_EVENT_UPDATE, 0, 24 + len + pad }, UPDATE_NAME, e->n_ids ? e->ids[0] : 0,
	};
	add(w, &r, sizeof(r));
	add(w, e->name, len - 1);
	add(w, zero, pad + 1);
}

static void feature_record(struct perfdata_writer *w, unsigned feature)
{
	struct str s = STR_INIT;
	writer_feature(w, feature, &s);
	while (s.len % 8)
		str_addc(&s, 0);
	struct { struct perf_event_header h; uint64_t feature; } r = {
		{ RECORD_HEADER_FEATURE, 0, sizeof(r) + s.len }, feature,
	};
	if (s.len && s.len + sizeof(r) <= RECORD_MAX) {
		add(w, &r, sizeof(r));
		add(w, s.buf, s.len);
	}
	str_release(&s);
}

static void tracing_record(struct perfdata_writer *w)
{
	static const char zero[8];
	if (!w->tracing.len)
		return;
	size_t pad = (8 - w->tracing.len % 8) % 8;
	uint32_t size = w->tracing.len + pad;
	struct perf_event_header h = { RECORD_HEADER_TRACING_DATA, 0, 12 }; /* the reader goes on right behind it */
	add(w, &h, sizeof(h));
	add(w, &size, 4);
	add(w, w->tracing.buf, w->tracing.len);
	add(w, zero, pad);
}

/* A pipe: what describes the rest, as records. */
static void describe(struct perfdata_writer *w)
{
	static const unsigned features[] = { FEATURE_HOSTNAME, FEATURE_OSRELEASE, FEATURE_VERSION, FEATURE_ARCH,
		FEATURE_NRCPUS, FEATURE_CPUDESC, FEATURE_CPUID, FEATURE_TOTAL_MEM, FEATURE_CMDLINE, FEATURE_EVENT_DESC,
		FEATURE_CPU_TOPOLOGY, FEATURE_NUMA_TOPOLOGY, FEATURE_STAT, FEATURE_CACHE, FEATURE_PMU_MAPPINGS,
		FEATURE_GROUP_DESC, FEATURE_CLOCK_DATA, FEATURE_COMPRESSED };
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		feature_record(w, features[i]);
	vec_each(&w->events, e)
		name_record(w, e);
	tracing_record(w);
}

static int begin_pipe(struct perfdata_writer *w)
{
	const uint64_t head[2] = { PERFDATA_MAGIC, PERFDATA_PIPE_HEADER };
	add(w, head, sizeof(head));
	vec_each(&w->events, e)
		attr_record(w, e);
	describe(w);
	return w->patient ? w->err : writer_flush(w);
}

/* In one write, with the first mark: there is no moment at which the file is not whole. */
static int begin_file(struct perfdata_writer *w)
{
	struct perfdata_file_header *h = &w->header;
	*h = (struct perfdata_file_header){ PERFDATA_MAGIC, sizeof(*h), sizeof(struct perf_event_attr) + 16,
					    { 0 }, { 0 }, { 0 }, { 0 } };
	uint64_t at = sizeof(*h);
	vec_each(&w->events, e)
		at += e->n_ids * 8;
	h->attrs = (struct perfdata_section){ at, w->events.n * h->attr_size };
	str_addn(&w->buf, h, sizeof(*h));
	vec_each(&w->events, e)
		str_addn(&w->buf, e->ids, e->n_ids * 8);
	at = sizeof(*h);
	vec_each(&w->events, e) {
		struct perfdata_section ids = { at, e->n_ids * 8 };
		str_addn(&w->buf, &e->attr, sizeof(e->attr));
		str_addn(&w->buf, &ids, sizeof(ids));
		at += ids.size;
	}
	checkpoint_sections(w);
	h->data.offset = w->buf.len;
	str_addn(&w->buf, w->mark.buf, w->mark.len); /* perf takes a file without any data for damaged: a mark is data, too */
	return checkpoint_put(w);
}

int perfdata_begin(struct perfdata_writer *w)
{
	w->wall = now(CLOCK_REALTIME);
	w->clock = now(w->clockid);
	int err = writer_tracing(w);
	if (err)
		return err;
	w->trailer = w->events.n ? w->events.at[0].layout.id_words * 8 : 0;
	return w->pipe ? begin_pipe(w) : begin_file(w);
}

/* ---- data ---- */

static void set_word(uint64_t *trailer, size_t words, int back, uint64_t value)
{
	if (back > 0 && (size_t)back <= words)
		trailer[words - back] = value;
}

int perfdata_put_at(struct perfdata_writer *w, const struct perf_event_header *h, uint64_t id, uint64_t time, int cpu)
{
	uint64_t trailer[8] = { 0 };
	struct perf_event_header x = *h;
	size_t words = w->trailer / 8;
	if (h->size + w->trailer > RECORD_MAX)
		return w->err;
	if (w->events.n) {
		const struct written_event *e = &w->events.at[0];
		set_word(trailer, words, e->layout.time_back, time);
		if (e->attr.sample_type & PERF_SAMPLE_CPU)
			set_word(trailer, words, 1 + !!(e->attr.sample_type & PERF_SAMPLE_IDENTIFIER), cpu < 0 ? 0 : (uint32_t)cpu);
		set_word(trailer, words, e->layout.id_back, id);
	}
	x.size += w->trailer;
	add(w, &x, sizeof(x));
	add(w, h + 1, h->size - sizeof(*h));
	return add(w, trailer, w->trailer);
}

int perfdata_put_of(struct perfdata_writer *w, const struct perf_event_header *h, uint64_t id)
{
	return perfdata_put_at(w, h, id, 0, -1);
}

int perfdata_put(struct perfdata_writer *w, const struct perf_event_header *h)
{
	return perfdata_put_of(w, h, 0);
}

/* Bytes of a ring as COMPRESSED records, each flushed: none unpacks to more than was put in. */
static int put_packed(struct perfdata_writer *w, const void *data, size_t n)
{
	char out[RECORD_MAX - 8];
	ZSTD_inBuffer in = { data, n, 0 };
	size_t left;
	do {
		ZSTD_outBuffer o = { out, sizeof(out), 0 };
		left = ZSTD_compressStream2(w->zstd, &o, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return error_set(EIO, "cannot compress: %s", ZSTD_getErrorName(left));
		if (!o.pos)
			continue;
		struct perf_event_header h = { RECORD_COMPRESSED, 0, 8 + o.pos };
		add(w, &h, sizeof(h));
		add(w, out, o.pos);
		w->squeezed += o.pos;
	} while (left);
	return w->err;
}

static int put_slices(struct perfdata_writer *w, const struct iovec *piece)
{
	for (size_t at = 0; at < piece->iov_len; at += SLICE) {
		size_t n = piece->iov_len - at < SLICE ? piece->iov_len - at : SLICE;
		int err = put_packed(w, (const char *)piece->iov_base + at, n);
		if (err)
			return err;
	}
	return 0;
}

int perfdata_put_ring(struct perfdata_writer *w, const struct iovec *piece, int n)
{
	struct iovec v[3];
	for (int i = 0; i < n; i++)
		w->packed += piece[i].iov_len;
	if (w->level) {
		int err = 0;
		for (int i = 0; i < n && !err; i++)
			err = put_slices(w, &piece[i]);
		return err;
	}
	v[0] = (struct iovec){ w->buf.buf, w->buf.len };
	memcpy(v + 1, piece, n * sizeof(*v));
	int err = write_out(w, v, n + 1);
	str_clear(&w->buf);
	return err;
}

int perfdata_put_record(struct perfdata_writer *w, const struct perf_event_header *h)
{
	return add(w, h, h->size);
}

int perfdata_put_build_id(struct perfdata_writer *w, const char *path, const struct build_id *id, bool kernel)
{
	struct written_build_id b = { *id, (char *)path, kernel };
	struct str s = STR_INIT;
	writer_put_build_id(&b, RECORD_HEADER_BUILD_ID, &s);
	int err = add(w, s.buf, s.len);
	str_release(&s);
	return err;
}

int perfdata_put_round(struct perfdata_writer *w)
{
	struct perf_event_header h = { RECORD_FINISHED_ROUND, 0, 8 };
	add(w, &h, sizeof(h));
	return checkpoint_due(w) ? checkpoint_put(w) : writer_flush(w);
}

static void word(struct str *s, uint64_t v)
{
	str_addn(s, &v, 8);
}

static void pair(struct str *s, uint32_t a, uint32_t b)
{
	str_addn(s, &a, 4);
	str_addn(s, &b, 4);
}

static void sample_tail(struct str *s, uint64_t t, const struct perfdata_sample *p)
{
	if (t & PERF_SAMPLE_CALLCHAIN) {
		word(s, p->n_chain);
		str_addn(s, p->chain, p->n_chain * 8);
	}
	if (t & PERF_SAMPLE_RAW) {
		uint32_t size = ((p->raw_size + 4 + 7) & ~7u) - 4;
		str_addn(s, &size, 4);
		str_addn(s, p->raw, p->raw_size);
		while (s->len % 8)
			str_addc(s, 0);
	}
	if (t & PERF_SAMPLE_CGROUP)
		word(s, p->cgroup);
}

int perfdata_put_sample(struct perfdata_writer *w, int event, const struct perfdata_sample *p)
{
	const struct written_event *e = &w->events.at[event];
	const uint64_t t = e->attr.sample_type, id = e->n_ids ? e->ids[0] : 0;
	struct perf_event_header h = { PERF_RECORD_SAMPLE, p->misc, 0 };
	struct str *s = &w->sample;
	str_clear(s);
	str_addn(s, &h, sizeof(h));
	if (t & PERF_SAMPLE_IDENTIFIER)
		word(s, id);
	if (t & PERF_SAMPLE_IP)
		word(s, p->ip);
	if (t & PERF_SAMPLE_TID)
		pair(s, p->pid, p->tid);
	if (t & PERF_SAMPLE_TIME)
		word(s, p->time);
	if (t & PERF_SAMPLE_ADDR)
		word(s, p->addr);
	if (t & PERF_SAMPLE_ID)
		word(s, id);
	if (t & PERF_SAMPLE_STREAM_ID)
		word(s, id);
	if (t & PERF_SAMPLE_CPU)
		pair(s, p->cpu, 0);
	if (t & PERF_SAMPLE_PERIOD)
		word(s, p->period);
	sample_tail(s, t, p);
	if (s->len > RECORD_MAX)
		return error_set(E2BIG, "a sample of %zu bytes does not fit into a record", s->len);
	h.size = s->len;
	memcpy(s->buf, &h, sizeof(h));
	perfdata_saw_time(w, p->time, p->time);
	if (!w->level)
		return add(w, s->buf, s->len);
	struct iovec v = { s->buf, s->len };
	return perfdata_put_ring(w, &v, 1);
}

/* ---- what the header will say ---- */

void perfdata_saw_time(struct perfdata_writer *w, uint64_t first, uint64_t last)
{
	if (first && (!w->first || first < w->first))
		w->first = first;
	if (last > w->last)
		w->last = last;
}

void perfdata_saw_build_id(struct perfdata_writer *w, const char *path, const struct build_id *id, bool kernel)
{
	if (!id->n || strmap_has(&w->seen, path))
		return;
	strmap_set(&w->seen, path, NULL);
	struct written_build_id *b = vec_push(&w->build_ids);
	b->id = *id;
	b->path = xstrdup(path);
	b->kernel = kernel;
}

uint64_t perfdata_written(const struct perfdata_writer *w)
{
	return w->offset + w->buf.len;
}

uint64_t perfdata_tail(const struct perfdata_writer *w)
{
	uint64_t n = w->header.data.offset + FEATURE_END * sizeof(struct perfdata_section) + 64; /* those in the gap, again */
	vec_each(&w->build_ids, b)
		n += sizeof(struct perfdata_build_id_record) + 64 + strlen(b->path);
	return n;
}

uint64_t perfdata_room(const struct perfdata_writer *w)
{
	uint64_t room = file_room(w->fd), taken = w->buf.len + perfdata_tail(w);
	return room == UINT64_MAX ? room : room > taken ? room - taken : 0;
}

int perfdata_time_pos(const struct perfdata_writer *w)
{
	int pos = w->events.n ? w->events.at[0].layout.time_pos : -1;
	vec_each(&w->events, e)
		if (e->layout.time_pos != pos)
			return -1;
	return pos;
}

/* ---- the end ---- */

static int write_features(struct perfdata_writer *w)
{
	struct perfdata_section table[FEATURE_END];
	struct str s = STR_INIT, all = STR_INIT;
	unsigned n = 0;
	uint64_t at;
	for (unsigned f = FEATURE_TRACING_DATA; f < FEATURE_END; f++) {
		str_clear(&s);
		writer_feature(w, f, &s);
		if (!s.len)
			continue;
		table[n++] = (struct perfdata_section){ all.len, s.len };
		str_addn(&all, s.buf, s.len);
		w->header.features[f / 64] |= 1ull << f % 64;
	}
	at = w->offset + n * sizeof(table[0]);
	for (unsigned i = 0; i < n; i++)
		table[i].offset += at;
	add(w, table, n * sizeof(table[0]));
	add(w, all.buf, all.len);
	str_release(&s);
	str_release(&all);
	return writer_flush(w);
}

int perfdata_finish(struct perfdata_writer *w)
{
	writer_flush(w);
	if (w->finished || w->pipe || w->err) { /* after a failure the file stays as a killed writer leaves it: readable */
		w->finished = true;
		return w->err;
	}
	w->finished = true;
	w->header.data.size = w->offset - w->header.data.offset;
	memset(w->header.features, 0, sizeof(w->header.features));
	if (write_features(w)) { /* no room for them: the data still counts */
		if (ftruncate(w->fd, w->header.data.offset + w->header.data.size))
			note(1, "cannot cut %s", w->path);
		return w->err;
	}
	if (pwrite(w->fd, &w->header, sizeof(w->header), 0) != sizeof(w->header))
		return writer_failed(w, errno);
	return 0;
}

void perfdata_writer_free(struct perfdata_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	vec_each(&w->events, e) {
		free(e->name);
		free(e->system);
		free(e->tracepoint);
		free(e->unit);
		free(e->ids);
	}
	vec_release(&w->events);
	vec_each(&w->build_ids, b)
		free(b->path);
	vec_release(&w->build_ids);
	strmap_release(&w->seen);
	wordlist_release(&w->cmdline);
	str_release(&w->buf);
	str_release(&w->sample);
	str_release(&w->tracing);
	str_release(&w->mark);
	ZSTD_freeCStream(w->zstd);
	free(w->path);
	free(w);
}

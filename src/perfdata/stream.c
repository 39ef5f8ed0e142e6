// SPDX-License-Identifier: GPL-2.0-or-later
/* Records in time order. The scan finds the boundaries and times of records in file order and makes
 * runs of them (see internal.h); the heap merges the runs. A record is delivered
 *   - at once when it has no time, or is one of perf's own (type 64 and up);
 *   - else at the FINISHED_ROUND after the one that closed its round: what is older than everything
 *     seen by the round before cannot be overtaken any more. The end delivers all.
 * Equal times keep the file's order. */
#include "perfdata/dat.h"
#include "perfdata/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "perfdata/overlong.h"

enum { BLOCK = 64 << 10, UNPACK = 256 << 10, AHEAD_MAX = 256 << 20, DROP = 32 << 20, KEEP = 64 << 20 };

/* Its last page may still be there, and read as zeros. */
static bool was_cut(const struct perfdata *p)
{
	struct stat st;
	return p->shrunk || (p->map && !fstat(p->fd, &st) && (uint64_t)st.st_size < p->map_len);
}

int perfdata_damaged(const struct perfdata *p, uint64_t offset, const char *what)
{
	if (was_cut(p)) {
		error_set(EINVAL, "%s was cut off while it was read: offset %#llx is gone", p->path, (unsigned long long)offset);
		return error_hint("wait until its writer has ended, or read a copy");
	}
	return error_set(EINVAL, "%s is damaged at offset %#llx: %s", p->path, (unsigned long long)offset, what);
}

static struct chunk *chunk_new(struct perfdata *p, size_t cap)
{
	struct chunk *c = xcalloc(1, sizeof(*c));
	c->data = xmalloc(cap);
	c->owned = true;
	c->runs = 1; /* the scan's own hold */
	p->live += cap;
	return c;
}

static void chunk_put(struct perfdata *p, struct chunk *c, size_t cap)
{
	if (!c || --c->runs || !c->owned)
		return;
	p->live -= cap < p->live ? cap : p->live;
	free((void *)c->data);
	free(c);
}

static uint64_t offset_of(const struct chunk *c, const uint8_t *at)
{
	return c->file_offset + (c->flat ? at - c->data : 0);
}

/* ---- bytes ---- */

static size_t read_some(struct perfdata *p, uint8_t *to, size_t room)
{
	ssize_t n;
	do
		n = read(p->fd, to, room);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		p->eof = true;
	return n > 0 ? n : 0;
}

/* A pipe: a new block that starts with what is left of the old one. It grows with what has come, not with what is
 * announced. */
static void next_block(struct perfdata *p)
{
	struct source *s = &p->base;
	size_t have = s->end - s->pos, cap = have * 2 > BLOCK ? have * 2 : BLOCK;
	struct chunk *c = chunk_new(p, cap);
	memcpy((void *)c->data, s->pos, have);
	c->len = cap;
	c->flat = true;
	c->file_offset = offset_of(s->chunk, s->pos);
	struct chunk *old = s->chunk;
	*s = (struct source){ c, c->data, c->data + have };
	chunk_put(p, old, old->len);
}

/* How many of the n bytes at the base's position can be looked at (fewer only at the end). */
static size_t need(struct perfdata *p, size_t n)
{
	struct source *s = &p->base;
	if ((size_t)(s->end - s->pos) >= n || !p->stream)
		return s->end - s->pos;
	while ((size_t)(s->end - s->pos) < n && !p->eof) {
		size_t room = s->chunk->data + s->chunk->len - s->end;
		if (!room) {
			next_block(p);
			continue;
		}
		s->end += read_some(p, (uint8_t *)s->end, room);
	}
	return s->end - s->pos;
}

/* ---- compression ---- */

static int zstd_start(struct perfdata *p)
{
	if (p->zstd)
		return 0;
	p->zstd = ZSTD_createDStream();
	if (!p->zstd)
		return error_set(ENOMEM, "no memory to unpack %s", p->path);
	ZSTD_initDStream(p->zstd);
	/* 8 MiB are what every level up to 19 needs; a few bytes may ask for gigabytes. */
	ZSTD_DCtx_setParameter(p->zstd, ZSTD_d_windowLogMax, p->info.compress_level > 19 ? 27 : 23);
	p->packed = xmalloc(65536);
	return 0;
}

static void keep_rest(struct perfdata *p, const uint8_t *at, size_t n)
{
	if (p->rest_cap < n)
		p->rest = xrealloc(p->rest, p->rest_cap = n);
	if (n)
		memcpy(p->rest, at, n);
	p->rest_len = n;
}

/* Unpacks the next stretch of the COMPRESSED record into a new inner chunk. 0 when there is no more. */
static int unpack_more(struct perfdata *p, uint64_t offset)
{
	if (p->zin.pos >= p->zin.size && !p->zfull)
		return 0;
	struct chunk *c = chunk_new(p, p->rest_len + UNPACK);
	if (p->rest_len)
		memcpy((void *)c->data, p->rest, p->rest_len);
	ZSTD_outBuffer out = { (void *)(c->data + p->rest_len), UNPACK, 0 };
	size_t r = 0;
	while (out.pos < out.size) {
		size_t in0 = p->zin.pos, out0 = out.pos;
		r = ZSTD_decompressStream(p->zstd, &out, &p->zin);
		if (ZSTD_isError(r) || (p->zin.pos == in0 && out.pos == out0))
			break;
	}
	p->zfull = out.pos == out.size;
	c->len = p->rest_len + out.pos;
	c->data = xrealloc((void *)c->data, c->len ? c->len : 1);
	p->live -= UNPACK - out.pos;
	c->file_offset = offset;
	p->inner = (struct source){ c, c->data, c->data + p->rest_len + out.pos };
	p->rest_len = 0;
	if (ZSTD_isError(r)) {
		p->zin.pos = p->zin.size;
		p->zfull = false;
		p->fail = "the compressed data cannot be unpacked";
		p->fail_offset = offset;
	}
	return 1;
}

static void leave_inner(struct perfdata *p)
{
	struct chunk *c = p->inner.chunk;
	keep_rest(p, p->inner.pos, p->inner.end - p->inner.pos);
	p->inner = (struct source){ 0 };
	chunk_put(p, c, c->len);
}

/* ---- the scan ---- */

static uint64_t time_of_sample(const struct perfdata *p, const uint8_t *rec, size_t n)
{
	const struct id_layout *l = &p->common;
	if (!p->uniform) {
		int pos = p->n_events ? p->layouts[0].id_pos : -1;
		int i = pos < 0 || (size_t)pos >= n ? -1 : perfdata_event_of(p, get64(rec + 8 + 8 * pos, p->swap));
		if (i < 0)
			return 0;
		l = &p->layouts[i];
	}
	return l->time_pos < 0 || (size_t)l->time_pos >= n ? 0 : get64(rec + 8 + 8 * l->time_pos, p->swap);
}

static uint64_t time_of(const struct perfdata *p, const uint8_t *rec, uint32_t type, size_t size)
{
	if (type == PERF_RECORD_SAMPLE)
		return time_of_sample(p, rec, (size - 8) / 8);
	if (type >= RECORD_USER_FIRST)
		return 0;
	const struct id_layout *l = &p->common;
	size_t n = (overlong_size(type, rec, size, p->n_events ? 8 * p->layouts[0].id_words : 0) - 8) / 8;
	const uint8_t *end = rec + 8 + n * 8;
	if (!p->uniform && p->n_events) {
		int back = p->layouts[0].id_back;
		int i = back < 0 || (size_t)back > n ? -1 : perfdata_event_of(p, get64(end - 8 * back, p->swap));
		l = &p->layouts[i < 0 ? 0 : i];
	}
	return l->time_back < 0 || (size_t)l->time_back > n ? 0 : get64(end - 8 * l->time_back, p->swap);
}

static bool before(const struct sorted_run *a, const struct sorted_run *b)
{
	return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

static void sift_down(struct perfdata *p)
{
	struct sorted_run *h = p->heap.at, top = h[0];
	size_t n = p->heap.n, i = 0;
	for (;;) {
		size_t k = 2 * i + 1;
		if (k >= n)
			break;
		if (k + 1 < n && before(&h[k + 1], &h[k]))
			k++;
		if (!before(&h[k], &top))
			break;
		h[i] = h[k];
		i = k;
	}
	h[i] = top;
}

static void close_run(struct perfdata *p)
{
	if (!p->open.pos)
		return;
	struct sorted_run r = p->open;
	size_t i = p->heap.n;
	vec_push(&p->heap);
	while (i && before(&r, &p->heap.at[(i - 1) / 2])) {
		p->heap.at[i] = p->heap.at[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	p->heap.at[i] = r;
	p->open.pos = NULL;
}

static void string_up(struct perfdata *p, struct source *s, const uint8_t *rec, size_t size, uint64_t time)
{
	if (time > p->max_time)
		p->max_time = time;
	if (p->open.pos && p->open.end == rec && p->open.chunk == s->chunk && time >= p->open_last) {
		p->open.end = rec + size;
		p->open_last = time;
		return;
	}
	close_run(p);
	p->open = (struct sorted_run){ rec, rec + size, time, s->chunk, size, p->seq++ };
	p->open_last = time;
	s->chunk->runs++;
}

/* A base record that is cut: the end of a recording that was killed or copied in part. */
static int cut(struct perfdata *p, size_t have)
{
	uint64_t at = offset_of(p->base.chunk, p->base.pos);
	p->base.pos = p->base.end;
	if (!have)
		return 0;
	if (!p->unfinished && !p->stream) {
		p->fail = "a record goes beyond the end of the data";
		p->fail_offset = at;
		return 0;
	}
	if (!p->stopped)
		warn("%s ends inside a record at offset %#llx: what came before is read", p->path,
		     (unsigned long long)at);
	p->stopped = true;
	return 0;
}

enum scan { SCAN_END, SCAN_RECORD, SCAN_ROUND, SCAN_FULL };

/* The next whole record of the source now read; NULL at its end. */
static const uint8_t *whole_record(struct perfdata *p, struct source *s, size_t *size)
{
	size_t have = s == &p->base ? need(p, 8) : (size_t)(s->end - s->pos);
	if (have < 8)
		goto short_one;
	*size = get16(s->pos + 6, p->swap);
	if (*size < 8) {
		p->fail = "a record with a length below 8";
		p->fail_offset = offset_of(s->chunk, s->pos);
		return NULL;
	}
	have = s == &p->base ? need(p, *size) : have;
	if (have >= *size)
		return s->pos;
short_one:
	if (s == &p->base)
		cut(p, have);
	return NULL;
}

/* Bytes that follow a record and belong to it (trace data). */
static uint64_t bytes_behind(const struct perfdata *p, uint32_t type, const uint8_t *rec, size_t size)
{
	if (type == RECORD_HEADER_TRACING_DATA && size >= 12)
		return (get32(rec + 8, p->swap) + 7ull) & ~7ull;
	if (type == RECORD_AUXTRACE && size >= 16)
		return get64(rec + 8, p->swap);
	return 0;
}

/* Steps over one of perf's own records and what is behind it, taking in what it says. *rec: where it
 * is now (a pipe's block may have moved). 0, 1 when the data ends here, or -errno. */
static int take_own(struct perfdata *p, struct source *s, uint32_t type, size_t size, const uint8_t **rec)
{
	uint64_t behind = bytes_behind(p, type, s->pos, size);
	if (behind > AHEAD_MAX) {
		p->fail = "more data announced than can be true";
		p->fail_offset = offset_of(s->chunk, s->pos);
		return 1;
	}
	size_t have = s == &p->base ? need(p, size + behind) : (size_t)(s->end - s->pos);
	if (have < size + behind) {
		if (s == &p->base)
			cut(p, have);
		p->fail = s == &p->base ? p->fail : "a record goes beyond the unpacked data";
		p->fail_offset = s == &p->base ? p->fail_offset : s->chunk->file_offset;
		return 1;
	}
	*rec = s->pos;
	struct perf_event_header h = { .type = type, .misc = get16(s->pos + 4, p->swap), .size = size };
	int err = perfdata_header_record(p, &h, s->pos + 8, size - 8, s->pos + size, behind, offset_of(s->chunk, s->pos));
	s->pos += size + behind;
	return err;
}

static int unpack_begin(struct perfdata *p, const uint8_t *rec, uint32_t type, size_t size)
{
	size_t at = type == RECORD_COMPRESSED2 ? 16 : 8, n = size - 8;
	if (type == RECORD_COMPRESSED2) {
		n = size >= 16 ? get64(rec + 8, p->swap) : 0;
		if (size < 16 || n > size - 16) {
			p->fail = "a compressed record that is longer than its frame";
			p->fail_offset = offset_of(p->base.chunk, rec);
			return -EINVAL;
		}
	}
	int err = zstd_start(p);
	if (err)
		return err;
	p->info.compressed = true;
	memcpy(p->packed, rec + at, n);
	p->zin = (ZSTD_inBuffer){ p->packed, n, 0 };
	p->zfull = false;
	p->zsize = size;
	return 0;
}

/* Goes on to the source that has bytes: the unpacked ones first. NULL: an end or a failure. */
static struct source *current(struct perfdata *p)
{
	for (;;) {
		if (p->fail)
			return NULL;
		if (!p->inner.chunk)
			return &p->base;
		size_t left = p->inner.end - p->inner.pos;
		if (left >= 8 && left >= get16(p->inner.pos + 6, p->swap))
			return &p->inner;
		leave_inner(p);
		if (!unpack_more(p, offset_of(p->base.chunk, p->base.pos)))
			p->base.pos += p->zsize;
	}
}

/* What a record without a time asks for. */
static int scan_untimed(struct perfdata *p, struct source *s, uint32_t type, const uint8_t **rec, size_t size)
{
	if (type == RECORD_FINISHED_ROUND || type < RECORD_USER_FIRST) {
		s->pos += size;
		return type == RECORD_FINISHED_ROUND ? SCAN_ROUND : SCAN_RECORD;
	}
	int err = take_own(p, s, type, size, rec);
	return err < 0 ? err : err ? SCAN_END : SCAN_RECORD;
}

/* What waits for the end of its round takes more memory than a recording of this size should: the order of time is
 * given up for it. */
static bool too_much(const struct perfdata *p)
{
	uint64_t bytes = p->stream ? offset_of(p->base.chunk, p->base.pos) : p->map_len;
	return (p->live > KEEP && p->live / 4 > p->map_len) || p->heap.n > bytes / 48 + 1024;
}

/* Goes on in file order until something has to be done: a record without a time (*rec), a round, the end. */
static int scan(struct perfdata *p, const uint8_t **rec, size_t *rec_size, struct source **src)
{
	for (;;) {
		struct source *s = *src = current(p);
		if (!s || !(*rec = whole_record(p, s, rec_size)))
			return SCAN_END;
		size_t size = *rec_size;
		uint32_t type = get32(*rec, p->swap);
		uint64_t time = time_of(p, *rec, type, size);
		if (time && time != UINT64_MAX) {
			string_up(p, s, *rec, size, time);
			s->pos += size;
			if (too_much(p))
				return SCAN_FULL;
			continue;
		}
		if ((type != RECORD_COMPRESSED && type != RECORD_COMPRESSED2) || s != &p->base)
			return scan_untimed(p, s, type, rec, size);
		int err = unpack_begin(p, *rec, type, size);
		if (err)
			return p->fail ? SCAN_END : err;
		if (!unpack_more(p, offset_of(s->chunk, *rec)))
			s->pos += size;
	}
}

/* ---- delivery ---- */

static int deliver_at(struct perfdata *p, const uint8_t *rec, size_t size, bool own, uint64_t offset, struct perfdata_record *r)
{
	int err = perfdata_decode(p, rec, size, own, r);
	r->file_offset = offset;
	if (err)
		return perfdata_damaged(p, r->file_offset, "a record is shorter than its contents");
	return 1;
}

static int deliver(struct perfdata *p, const uint8_t *rec, size_t size, const struct chunk *c, struct perfdata_record *r)
{
	return deliver_at(p, rec, size, c->owned, offset_of(c, rec), r);
}

/* The size of the record at the start of a run; 0 when it is not the one that the scan saw: then the run is over. */
static size_t run_size(struct perfdata *p, const struct sorted_run *r)
{
	size_t left = r->end - r->pos, size = left >= 8 ? get16(r->pos + 6, p->swap) : 0;
	if (size >= 8 && size <= left)
		return size;
	if (left && !p->fail) {
		p->fail = "it was written to while it was read";
		p->fail_offset = offset_of(r->chunk, r->pos);
	}
	return 0;
}

/* The oldest record up to the limit; NULL when there is none. */
static const uint8_t *pop(struct perfdata *p, struct chunk **c, size_t *size)
{
	if (!p->heap.n || p->heap.at[0].time > p->limit)
		return NULL;
	struct sorted_run *top = &p->heap.at[0];
	const uint8_t *rec = top->pos;
	*c = top->chunk;
	p->stats.out_of_order += top->time < p->last_out;
	p->last_out = top->time;
	*size = top->size;
	top->pos += top->size;
	top->size = run_size(p, top);
	if (top->size) {
		top->time = time_of(p, top->pos, get32(top->pos, p->swap), top->size);
	} else {
		p->held = top->chunk;
		*top = p->heap.at[--p->heap.n];
	}
	if (p->heap.n > 1)
		sift_down(p);
	return rec;
}

/* Gives back the pages of the mapping that nobody will look at again. */
static void drop_behind(struct perfdata *p)
{
	const uint8_t *low = p->base.pos;
	if (!p->map || p->heap.n > 4096 || (size_t)(low - p->dropped) < DROP)
		return;
	for (size_t i = 0; i < p->heap.n; i++)
		if (p->heap.at[i].chunk == p->base.chunk && p->heap.at[i].pos < low)
			low = p->heap.at[i].pos;
	uintptr_t a = (uintptr_t)p->dropped, b = (uintptr_t)low & ~(uintptr_t)65535;
	if (b > a && b - a >= DROP) {
		madvise((void *)a, b - a, MADV_DONTNEED);
		p->dropped = (const uint8_t *)b;
	}
}

static void flush(struct perfdata *p, uint64_t limit)
{
	close_run(p);
	p->limit = limit;
	p->flushing = true;
}

static void release_held(struct perfdata *p)
{
	if (p->held)
		chunk_put(p, p->held, p->held->len);
	p->held = NULL;
}

static int next_record(struct perfdata *p, struct perfdata_record *r)
{
	const uint8_t *rec;
	struct chunk *c;
	struct source *s;
	size_t size;
	release_held(p);
	for (;;) {
		if (p->flushing) {
			rec = pop(p, &c, &size);
			if (rec)
				return deliver(p, rec, size, c, r);
			p->flushing = false;
			drop_behind(p);
			if (p->due.waits) {
				p->due.waits = false;
				return deliver_at(p, (const uint8_t *)&p->due.header, 8, true, p->due.offset, r);
			}
		}
		if (p->finished)
			return p->fail ? perfdata_damaged(p, p->fail_offset, p->fail) : 0;
		switch (scan(p, &rec, &size, &s)) {
		case SCAN_RECORD:
			return deliver(p, rec, size, s->chunk, r);
		case SCAN_ROUND:
			flush(p, p->next_limit);
			p->next_limit = p->max_time;
			p->due = p->round;
			memcpy(&p->round.header, rec, sizeof(p->round.header));
			p->round.header.size = p->swap ? __builtin_bswap16(8) : 8;
			p->round.offset = offset_of(s->chunk, rec);
			p->round.waits = true;
			break;
		case SCAN_FULL:
			flush(p, p->max_time);
			break;
		case SCAN_END:
			p->finished = true;
			p->due = p->round;
			flush(p, UINT64_MAX);
			break;
		default:
			return error_code();
		}
	}
}

int perfdata_next(struct perfdata *p, struct perfdata_record *r)
{
	if (p->dat)
		return dat_next(p, r);
	for (;;) {
		if (p->split.left && split_next(p, r))
			return 1;
		int n = next_record(p, r);
		if (n <= 0 || !split_begin(p, r))
			return n;
	}
}

/* Pipe mode: takes in the records that describe the rest, so that events are known after opening. */
static int read_ahead(struct perfdata *p)
{
	while (!p->fail && need(p, 8) >= 8) {
		uint32_t type = get32(p->base.pos, p->swap);
		uint16_t size = get16(p->base.pos + 6, p->swap);
		const uint8_t *rec;
		bool describes = (type >= RECORD_HEADER_ATTR && type <= RECORD_HEADER_BUILD_ID) ||
				 type == RECORD_EVENT_UPDATE || type == RECORD_HEADER_FEATURE;
		if (!describes || size < 8 || need(p, size) < size)
			break;
		int err = take_own(p, &p->base, type, size, &rec);
		if (err)
			return err < 0 ? err : 0;
	}
	return 0;
}

int perfdata_stream_init(struct perfdata *p)
{
	struct chunk *c;
	p->scratch = xmalloc(65536 + 64);
	if (p->stream) {
		c = chunk_new(p, BLOCK);
		c->len = BLOCK;
		c->flat = true;
		c->file_offset = PERFDATA_PIPE_HEADER;
		p->base = (struct source){ c, c->data, c->data };
	} else {
		c = xcalloc(1, sizeof(*c));
		*c = (struct chunk){ .data = p->map, .len = p->map_len, .flat = true, .runs = 1 };
		p->base = (struct source){ c, p->map + p->data_offset, p->map + p->data_end };
		p->dropped = p->map;
	}
	return p->pipe ? read_ahead(p) : 0;
}

void perfdata_stream_release(struct perfdata *p)
{
	u64map_release(&p->split.counted);
	release_held(p);
	close_run(p);
	for (size_t i = 0; i < p->heap.n; i++)
		chunk_put(p, p->heap.at[i].chunk, 0);
	vec_release(&p->heap);
	if (p->inner.chunk)
		chunk_put(p, p->inner.chunk, 0);
	if (p->base.chunk && !p->base.chunk->owned)
		free(p->base.chunk);
	else
		chunk_put(p, p->base.chunk, 0);
	ZSTD_freeDStream(p->zstd);
	free(p->packed);
	free(p->rest);
	free(p->scratch);
}

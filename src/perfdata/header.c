// SPDX-License-Identifier: GPL-2.0-or-later
/* Opening: the file header, the events with their ids, and the same things when they come as
 * records (pipe mode). */
#include <errno.h>
#include <math.h>
#include <traceevent/event-parse.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "perfdata/internal.h"

enum { ATTR_MIN = 64, IDS_MAX = 1 << 20, DENSE = 1 << 10, DENSE_MAX = 1 << 17 };

/* ---- events ---- */

static uint8_t mirror(uint8_t b)
{
	uint8_t r = 0;
	for (int i = 0; i < 8; i++)
		r |= (b >> i & 1) << (7 - i);
	return r;
}

/* The flag bits start at the other end of each byte there; the rest are words and half-words. */
static void swap_attr(struct perf_event_attr *a)
{
	uint8_t *b = (uint8_t *)a, *flags = (uint8_t *)(&a->read_format + 1), saved[8];
	for (int i = 0; i < 8; i++)
		saved[i] = mirror(flags[i]);
	static const struct { uint8_t at, size; } fields[] = {
		{ 0, 4 }, { 4, 4 }, { 8, 8 }, { 16, 8 }, { 24, 8 }, { 32, 8 }, { 48, 4 }, { 52, 4 }, { 56, 8 }, { 64, 8 },
		{ 72, 8 }, { 80, 8 }, { 88, 4 }, { 92, 4 }, { 96, 8 }, { 104, 4 }, { 108, 2 }, { 112, 4 }, { 120, 8 },
	};
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint8_t *f = b + fields[i].at;
		if (fields[i].size == 8) {
			uint64_t v = get64(f, true);
			memcpy(f, &v, 8);
		} else if (fields[i].size == 4) {
			uint32_t v = get32(f, true);
			memcpy(f, &v, 4);
		} else {
			uint16_t v = get16(f, true);
			memcpy(f, &v, 2);
		}
	}
	memcpy(flags, saved, 8);
}

static int add_attr(struct perfdata *p, const uint8_t *raw, size_t size, uint64_t offset, struct perfdata_event **out)
{
	if (size < ATTR_MIN)
		return perfdata_damaged(p, offset, "an event description shorter than 64 bytes");
	if (p->n_events >= IDS_MAX)
		return perfdata_damaged(p, offset, "more than a million events");
	struct perfdata_event *e = xcalloc(1, sizeof(*e));
	e->group_leader = -1;
	memcpy(&e->attr, raw, size < sizeof(e->attr) ? size : sizeof(e->attr));
	if (p->swap)
		swap_attr(&e->attr);
	if (e->attr.size < sizeof(e->attr) && e->attr.size >= ATTR_MIN) /* what is behind its size is not its own */
		memset((char *)&e->attr + e->attr.size, 0, sizeof(e->attr) - e->attr.size);
	if (!(p->n_events & (p->n_events - 1)))
		p->events = xrealloc(p->events, (p->n_events ? p->n_events * 2 : 1) * sizeof(*p->events));
	p->events[p->n_events++] = e;
	*out = e;
	return 0;
}

static void add_ids(const struct perfdata *p, struct perfdata_event *e, const uint8_t *at, size_t n)
{
	e->ids = n ? xmalloc(n * sizeof(*e->ids)) : NULL;
	for (e->n_ids = 0; e->n_ids < n; e->n_ids++)
		e->ids[e->n_ids] = get64(at + 8 * e->n_ids, p->swap);
}

static const char *const hardware[] = { "cycles", "instructions", "cache-references", "cache-misses", "branches",
	"branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles" };
static const char *const software[] = { "cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
	"minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches" };

static char *name_from_attr(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_HARDWARE && a->config < sizeof(hardware) / sizeof(hardware[0]))
		return xstrdup(hardware[a->config]);
	if (a->type == PERF_TYPE_SOFTWARE && a->config < sizeof(software) / sizeof(software[0]))
		return xstrdup(software[a->config]);
	if (a->type == PERF_TYPE_TRACEPOINT)
		return xasprintf("tracepoint %llu", (unsigned long long)a->config);
	if (a->type == PERF_TYPE_RAW)
		return xasprintf("r%llx", (unsigned long long)a->config);
	return xasprintf("type %u config %#llx", a->type, (unsigned long long)a->config);
}

/* Names that neither EVENT_DESC nor an EVENT_UPDATE gave, and the formats of tracepoints. */
static void name_event(struct perfdata *p, struct perfdata_event *e)
{
	if (e->attr.type == PERF_TYPE_TRACEPOINT && p->tep && !e->tep)
		e->tep = tep_find_event(p->tep, (int)e->attr.config);
	if (e->name && !(e->made_name && e->tep))
		return;
	free(e->name);
	e->made_name = !e->tep;
	e->name = e->tep ? xasprintf("%s:%s", e->tep->system, e->tep->name) : name_from_attr(&e->attr);
}

static void name_events(struct perfdata *p)
{
	for (size_t i = 0; i < p->n_events; i++)
		name_event(p, p->events[i]);
}

/* Ids come in one stretch as a rule: those near the first are found in a table. */
static void index_id(struct perfdata *p, uint64_t id, size_t event)
{
	p->n_ids++;
	if (!p->id_table)
		p->id_base = id > DENSE ? id - DENSE : 0;
	size_t place = id - p->id_base, need = place + 1;
	if (place < 2 * p->n_ids + 2 * DENSE && place < DENSE_MAX && place >= p->id_table_n) {
		need = need < 2 * DENSE ? 2 * DENSE : need + need / 4;
		p->id_table = xrealloc(p->id_table, need * sizeof(*p->id_table));
		memset(p->id_table + p->id_table_n, 0, (need - p->id_table_n) * sizeof(*p->id_table));
		p->id_table_n = need;
	}
	if (place < p->id_table_n)
		p->id_table[place] = event + 1;
	else
		u64map_set(&p->ids, id, (void *)(event + 1));
}

/* Only what is new, since in a pipe a description may come with each record. */
/* After events were added, each with all its ids: layouts, look-up table, names. */
static void settle(struct perfdata *p)
{
	for (size_t i = p->settled; i < p->n_events; i++) {
		if (!(i & (i - 1)))
			p->layouts = xrealloc(p->layouts, (i ? i * 2 : 1) * sizeof(*p->layouts));
		struct id_layout *l = &p->layouts[i], *first = p->layouts;
		layout_init(l, &p->events[i]->attr);
		if (l->time_pos != first->time_pos || l->id_pos != first->id_pos || l->time_back != first->time_back ||
		    l->id_back != first->id_back)
			p->uniform = false;
		for (size_t k = 0; k < p->events[i]->n_ids; k++)
			index_id(p, p->events[i]->ids[k], i);
		name_event(p, p->events[i]);
	}
	if (p->n_events)
		p->common = p->layouts[0];
	p->settled = p->n_events;
}

/* ---- pipe mode ---- */

static int attr_record(struct perfdata *p, const uint8_t *body, size_t n, uint64_t offset)
{
	struct perfdata_event *e;
	if (!p->pipe)
		return 0;
	if (n < ATTR_MIN)
		return perfdata_damaged(p, offset, "an event description shorter than 64 bytes");
	size_t size = get32(body + 4, p->swap);
	if (size < ATTR_MIN)
		size = sizeof(struct perf_event_attr);
	if (size > n)
		return perfdata_damaged(p, offset, "an event description longer than its record");
	int err = add_attr(p, body, size, offset, &e);
	size_t ids = (size + 7) & ~7ul;
	if (!err && ids < n)
		add_ids(p, e, body + ids, (n - ids) / 8);
	settle(p);
	return err;
}

static int update_record(struct perfdata *p, const uint8_t *body, size_t n)
{
	if (n < 17)
		return 0;
	int i = perfdata_event_of(p, get64(body + 8, p->swap));
	if (i < 0)
		return 0;
	struct perfdata_event *e = p->events[i];
	const char *text = (const char *)body + 16;
	size_t len = strnlen(text, n - 16);
	if (get64(body, p->swap) == UPDATE_NAME && len) {
		free(e->name);
		e->name = xstrndup(text, len);
		e->made_name = false;
	} else if (get64(body, p->swap) == UPDATE_UNIT && len) {
		free(e->unit);
		e->unit = xstrndup(text, len);
	} else if (get64(body, p->swap) == UPDATE_SCALE && n >= 24) {
		uint64_t bits = get64(body + 16, p->swap);
		memcpy(&e->scale, &bits, sizeof(e->scale));
		if (!isfinite(e->scale))
			e->scale = 0;
	}
	return 0;
}

static void keep_feature(struct perfdata *p, unsigned feature, const uint8_t *data, size_t n)
{
	if (feature >= FEATURE_END || !p->pipe)
		return;
	str_clear(&p->kept[feature]);
	str_addn(&p->kept[feature], data, n);
}

static int feature_record(struct perfdata *p, const uint8_t *body, size_t n, uint64_t offset)
{
	uint64_t feature = n >= 8 ? get64(body, p->swap) : 0;
	if (!feature || feature >= FEATURE_BITS)
		return 0;
	keep_feature(p, feature, body + 8, n - 8);
	return perfdata_feature(p, feature, body + 8, n - 8, offset + 16);
}

int perfdata_header_record(struct perfdata *p, const struct perf_event_header *h, const uint8_t *body, size_t n,
			   const uint8_t *data, size_t data_len, uint64_t offset)
{
	switch (h->type) {
	case RECORD_HEADER_ATTR:
		return attr_record(p, body, n, offset);
	case RECORD_EVENT_UPDATE:
		return update_record(p, body, n);
	case RECORD_HEADER_FEATURE:
		return feature_record(p, body, n, offset);
	case RECORD_HEADER_BUILD_ID:
		return perfdata_build_id_section(p, body - 8, n + 8, offset);
	case RECORD_HEADER_TRACING_DATA: {
		int err = 0;
		if (!p->tep) {
			keep_feature(p, FEATURE_TRACING_DATA, data, data_len);
			err = perfdata_tracing(p, data, data_len, offset + h->size);
			name_events(p);
		}
		return err;
	}
	default:
		return 0;
	}
}

/* ---- file mode ---- */

static bool inside(const struct perfdata *p, const struct perfdata_section *s)
{
	return s->offset <= p->map_len && s->size <= p->map_len - s->offset;
}

static struct perfdata_section section_at(const struct perfdata *p, uint64_t offset)
{
	return (struct perfdata_section){ get64(p->map + offset, p->swap), get64(p->map + offset + 8, p->swap) };
}

static int read_attrs(struct perfdata *p, const struct perfdata_section *attrs, uint64_t attr_size)
{
	uint64_t all_ids = 0;
	for (uint64_t at = attrs->offset; at + attr_size <= attrs->offset + attrs->size; at += attr_size) {
		struct perfdata_event *e;
		struct perfdata_section ids = section_at(p, at + attr_size - 16);
		int err = add_attr(p, p->map + at, attr_size - 16, at, &e);
		if (err)
			return err;
		if (!inside(p, &ids) || ids.size % 8 || ids.size / 8 > IDS_MAX)
			return perfdata_damaged(p, at + attr_size - 16, "an event's ids lie outside of the file");
		all_ids += ids.size;
		if (all_ids > p->map_len)
			return perfdata_damaged(p, at + attr_size - 16, "events share their ids, which are more than the file holds");
		add_ids(p, e, p->map + ids.offset, ids.size / 8);
	}
	return 0;
}

/* The table of feature sections lies behind the data. */
static int read_features(struct perfdata *p)
{
	uint64_t at = p->features_at;
	for (unsigned f = 0; f < FEATURE_BITS; f++) {
		if (!(p->features[f / 64] >> (f % 64) & 1))
			continue;
		if (at > p->map_len || p->map_len - at < 16) {
			warn("%s has no header features: the table at offset %#llx is cut off", p->path,
			     (unsigned long long)at);
			return 0;
		}
		p->section[f] = section_at(p, at);
		at += 16;
		if (f == FEATURE_MARK)
			p->section[f].size = 0;
		else if (!inside(p, &p->section[f]))
			return perfdata_damaged(p, at - 16, "a header section lies outside of the file");
	}
	for (unsigned f = 0; f < FEATURE_BITS; f++) {
		const struct perfdata_section *s = &p->section[f];
		int err = s->size ? perfdata_feature(p, f, p->map + s->offset, s->size, s->offset) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* A recording of ours that was killed, or cut: its data starts with a table of the features that were known
 * then (see checkpoint.c). */
static int read_mark(struct perfdata *p)
{
	const uint8_t *at = p->map + p->data_offset;
	size_t left = p->map_len - p->data_offset, size = left >= sizeof(struct perfdata_mark) ? get16(at + 6, p->swap) : 0;
	if (size < sizeof(struct perfdata_mark) + 32 || size > left || get32(at, p->swap) != RECORD_HEADER_EVENT_TYPE ||
	    get16(at + 4, p->swap) != PERFDATA_MARK)
		return 0;
	for (int i = 0; i < 4; i++)
		p->features[i] = get64(at + size - 32 + 8 * i, p->swap);
	p->features_at = p->data_offset;
	return read_features(p);
}

/* Other perf versions wrote the bitmap in words of 32 bits: where byte orders differ, bit HOSTNAME
 * (always there) tells which. */
static void read_feature_bits(struct perfdata *p, const uint8_t *at)
{
	for (int i = 0; i < 4; i++)
		p->features[i] = get64(at + 8 * i, p->swap);
	if (!p->swap || p->features[0] >> FEATURE_HOSTNAME & 1)
		return;
	for (int i = 0; i < 4; i++)
		p->features[i] = (uint64_t)get32(at + 8 * i + 4, true) << 32 | get32(at + 8 * i, true);
	if (!(p->features[0] >> FEATURE_HOSTNAME & 1))
		for (int i = 0; i < 4; i++)
			p->features[i] = get64(at + 8 * i, true);
}

static void data_bounds(struct perfdata *p, const struct perfdata_section *data)
{
	p->data_offset = data->offset;
	p->data_end = data->offset + data->size;
	if (p->features[0] & 1 << FEATURE_MARK || (!data->size && p->map_len > data->offset)) {
		p->unfinished = true;
		warn("%s was not closed (its recorder was killed): reading it up to its end", p->path);
	} else if (data->size > p->map_len - data->offset) {
		p->unfinished = true;
		warn("%s is cut off: it ends at offset %#llx, its data should go to %#llx", p->path,
		     (unsigned long long)p->map_len, (unsigned long long)(data->offset + data->size));
	}
	p->features_at = p->data_end;
	if (p->unfinished)
		p->data_end = p->map_len;
}

static int read_file_header(struct perfdata *p)
{
	if (p->map_len < PERFDATA_FILE_HEADER)
		return perfdata_damaged(p, p->map_len, "the header is cut off");
	uint64_t attr_size = get64(p->map + 16, p->swap);
	struct perfdata_section attrs = section_at(p, 24), data = section_at(p, 40);
	if (attr_size < ATTR_MIN + 16 || attr_size > 4096)
		return perfdata_damaged(p, 16, "the size of an event description makes no sense");
	if (!inside(p, &attrs))
		return perfdata_damaged(p, 24, "the event descriptions lie outside of the file");
	if (data.offset > p->map_len || data.size > UINT64_MAX - data.offset)
		return perfdata_damaged(p, 40, "the data lies outside of the file");
	read_feature_bits(p, p->map + 72);
	data_bounds(p, &data);
	int err = read_attrs(p, &attrs, attr_size);
	if (err)
		return err;
	settle(p);
	err = p->unfinished ? read_mark(p) : read_features(p);
	name_events(p);
	return err;
}

static int read_magic(struct perfdata *p, const uint8_t *at)
{
	uint64_t magic = get64(at, false);
	if (magic != PERFDATA_MAGIC && bswap_64(magic) != PERFDATA_MAGIC) {
		error_set(EINVAL, "%s is not a perf.data file: it starts with other bytes at offset 0", p->path);
		if (memcmp(at, "PERFFILE", 8))
			error_hint("sonde record, sonde trace record and perf record make them");
		else
			error_hint("it is of the first version of the format, from before Linux 3.6");
		return -EINVAL;
	}
	p->swap = magic != PERFDATA_MAGIC;
	uint64_t size = get64(at + 8, p->swap);
	p->pipe = size == PERFDATA_PIPE_HEADER;
	if (!p->pipe && size != PERFDATA_FILE_HEADER) {
		error_set(EINVAL, "%s has a header of %llu bytes at offset 8, where 104 (or 16 in a pipe) are known", p->path,
			  (unsigned long long)size);
		error_hint("it may be from a newer perf than any known when this sonde was made");
		return -EINVAL;
	}
	p->info.other_endian = p->swap;
	return 0;
}

static int read_stream_header(struct perfdata *p)
{
	uint8_t head[PERFDATA_PIPE_HEADER];
	size_t n = 0;
	while (n < sizeof(head)) {
		ssize_t k = read(p->fd, head + n, sizeof(head) - n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break;
		n += k;
	}
	if (n < sizeof(head)) {
		error_set(EINVAL, "%s gave %zu bytes, and no recording", p->path, n);
		error_hint("the recorder in front of the pipe failed, or wrote to a file: use record -o -");
		return -EINVAL;
	}
	int err = read_magic(p, head);
	if (!err && !p->pipe)
		return error_set(EINVAL, "%s is a recording in file form, which cannot come through a pipe", p->path);
	return err;
}

int perfdata_read_header(struct perfdata *p)
{
	if (p->stream)
		return read_stream_header(p);
	if (p->map_len < PERFDATA_PIPE_HEADER)
		return error_set(EINVAL, "%s is not a perf.data file: it ends at offset %zu, inside the header", p->path, p->map_len);
	int err = read_magic(p, p->map);
	if (err)
		return err;
	if (p->pipe) {
		p->data_offset = PERFDATA_PIPE_HEADER;
		p->data_end = p->map_len;
		p->unfinished = true; /* nothing tells where it should end */
		return 0;
	}
	return read_file_header(p);
}

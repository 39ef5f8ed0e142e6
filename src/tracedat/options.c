// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of a trace.dat, and where they say that its buffers are. */
#include <errno.h>
#include <stdlib.h>
#include "tracedat/inner.h"

static char *text_of(struct tracedat *t, const uint8_t *data, uint32_t n)
{
	char *z = xstrndup((const char *)data, n);
	*vec_push(&t->owned) = z;
	return z;
}

/* "local [global] counter": what stands in brackets, or the whole word. Owned. */
static char *clock_of(const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	return close ? xstrndup(open + 1, close - open - 1) : xstrndup(text, strcspn(text, " \n"));
}

/* So many CPUs more? */
static bool room_for(struct tracedat *t, uint32_t cpus)
{
	t->reels += cpus;
	return t->buffer.n < TRACEDAT_BUFFERS_MAX && t->reels <= TRACEDAT_REELS_MAX;
}

int buffer_add(struct tracedat *t, const struct tracedat_buffer *b, bool packed)
{
	struct buffer_inner in = { .name = (char *)b->name, .clock = (char *)b->clock, .cpus = b->cpu, .packed = packed };
	struct tracedat_buffer copy = *b;
	uint64_t at = 0;
	in.reel = b->n_cpu ? xcalloc(b->n_cpu, sizeof(*in.reel)) : NULL;
	in.n_reel = b->n_cpu;
	for (size_t i = 0; i < b->n_cpu; i++) {
		const struct tracedat_cpu *c = &b->cpu[i];
		in.reel[i] = (struct reel){ .cpu = c->cpu, .from = c->offset, .size = c->size };
		reel_rewind(&in.reel[i]);
		if (c->size > t->size - t->pages)
			at = at ? at : c->offset; /* the same ones again */
		else
			t->pages += c->size;
		if (c->size && (c->offset > t->size || c->size > t->size - c->offset))
			at = at ? at : c->offset;
	}
	*vec_push(&t->buffer) = copy;
	*vec_push(&t->inner) = in;
	return at ? tracedat_damaged(t, at, "the pages of a CPU would be behind its end, or another's") : 0;
}

static int buffer_v7(struct tracedat *t, struct dat_taker *k)
{
	struct tracedat_buffer b = { .offset = take_number(k, 8) };
	struct section s;
	b.name = take_text(k);
	b.clock = take_text(k);
	b.page_size = take_number(k, 4);
	uint32_t n = take_number(k, 4);
	if (!k->bad && n <= (k->end - k->pos) / 20 && room_for(t, n)) {
		b.cpu = xcalloc(n + 1, sizeof(*b.cpu));
		for (uint32_t i = 0; i < n; i++) {
			uint32_t cpu = take_number(k, 4);
			uint64_t offset = take_number(k, 8), size = take_number(k, 8);
			b.cpu[b.n_cpu++] = (struct tracedat_cpu){ (int)(cpu % TRACEDAT_CPUS_MAX), offset, size };
		}
	}
	if (!b.cpu || k->bad || b.page_size < 64 || b.page_size > TRACEDAT_PAGE_MAX) {
		free((char *)b.name);
		free((char *)b.clock);
		free(b.cpu);
		return tracedat_damaged(t, taker_offset(k), "the description of a buffer is no such");
	}
	int err = section_head(t, b.offset, PART_FLYRECORD, &s);
	int err2 = buffer_add(t, &b, !err && s.flags & SECTION_PACKED);
	return err ? err : err2;
}

static int buffer_text(struct tracedat *t, struct dat_taker *k)
{
	struct tracedat_buffer b = { .offset = take_number(k, 8), .text = true, .page_size = t->info.page_size };
	b.name = take_text(k);
	b.clock = take_text(k);
	if (k->bad || !room_for(t, 0)) {
		free((char *)b.name);
		free((char *)b.clock);
		return tracedat_damaged(t, taker_offset(k), "the description of a buffer is no such");
	}
	return buffer_add(t, &b, false);
}

/* One of version 6 has only an offset and a name; its data begins with where each CPU's is. */
static int buffer_v6(struct tracedat *t, struct dat_taker *k)
{
	uint64_t at = take_number(k, 8);
	char *name = take_text(k);
	struct dat_taker d = { .t = t, .pos = at, .end = t->size };
	if (!name || at > t->size || !take_bytes(&d, 10)) {
		free(name);
		take_release(&d);
		return tracedat_damaged(t, taker_offset(k), "the description of a buffer is no such");
	}
	int err = buffers_v6(t, &d, t->info.cpus);
	take_release(&d);
	if (err) {
		free(name);
		return err;
	}
	free(vec_last(&t->inner)->name);
	vec_last(&t->inner)->name = name;
	vec_last(&t->buffer)->name = name;
	vec_last(&t->buffer)->offset = at;
	return 0;
}

/* After "flyrecord": offset and size for each CPU, then the clock. */
int buffers_v6(struct tracedat *t, struct dat_taker *k, int cpus)
{
	struct tracedat_buffer b = { .page_size = t->info.page_size, .offset = k->pos };
	if ((uint64_t)cpus > (k->end - k->pos) / 16)
		return tracedat_damaged(t, k->pos, "it ends before it says where the data of its CPUs is");
	if (!room_for(t, (uint32_t)cpus))
		return tracedat_damaged(t, k->pos, "so many buffers are not to be had");
	b.cpu = xcalloc(cpus + 1, sizeof(*b.cpu));
	for (int i = 0; i < cpus; i++) {
		uint64_t offset = take_number(k, 8), size = take_number(k, 8);
		b.cpu[b.n_cpu++] = (struct tracedat_cpu){ i, offset, size };
	}
	size_t n;
	char *clock = take_block(k, 8, &n); /* older ones have none */
	b.name = xstrdup("");
	b.clock = clock_of(clock && *clock ? clock : "local");
	free(clock);
	k->bad = false;
	return buffer_add(t, &b, false);
}

static int part(struct tracedat *t, uint16_t id, uint64_t at)
{
	static int (*const takes[])(struct tracedat *, struct dat_taker *) = {
		[PART_HEADER] = meta_headers, [PART_FTRACE_FORMATS] = meta_ftrace_formats, [PART_FORMATS] = meta_formats,
		[PART_PRINTK] = meta_printk, [PART_CMDLINES] = meta_cmdlines,
	};
	struct section s;
	struct dat_taker k;
	uint8_t *owned;
	int err = section_head(t, at, id, &s);
	if (err)
		return err;
	if (id == PART_KALLSYMS) {
		t->kallsyms.at = at;
		t->kallsyms.section = true;
		return 0;
	}
	err = section_open(t, &s, &k, &owned);
	if (!err)
		err = takes[id](t, &k);
	take_release(&k);
	free(owned);
	return err;
}

static void number_text(int64_t *v, const struct tracedat *t, const uint8_t *data, uint32_t n)
{
	char *z = xstrndup((const char *)data, n);
	(void)t;
	*v = strtoll(z, NULL, 0);
	free(z);
}

static int buffer_option(struct tracedat *t, struct dat_taker *k)
{
	return t->info.file_version >= 7 ? buffer_v7(t, k) : buffer_v6(t, k);
}

static void tsc_option(struct tracedat *t, struct dat_taker *k)
{
	t->tsc_mult = take_number(k, 4);
	t->tsc_shift = take_number(k, 4);
	t->tsc_offset = take_number(k, 8);
	t->info.has_tsc = !k->bad && t->tsc_mult && t->tsc_shift < 64;
}

static bool worth_keeping(const struct tracedat *t, uint16_t id)
{
	return t->option.n < TRACEDAT_OPTIONS_MAX && (id < PART_STRINGS || id == PART_TEXT);
}

int option_take(struct tracedat *t, uint16_t id, const uint8_t *data, uint32_t n, uint64_t offset)
{
	struct dat_taker k = { .t = t, .mem = data, .end = n, .base = offset };
	t->info.options++;
	if (worth_keeping(t, id) && id != OPTION_DONE) {
		uint8_t *copy = (uint8_t *)xstrndup("", 0);
		copy = xrealloc(copy, n + 1);
		memcpy(copy, data, n);
		*vec_push(&t->option) = (struct kept_option){ id, n, copy };
	}
	switch (id) {
	case OPTION_DATE:
		number_text(&t->date, t, data, n);
		t->date = (int64_t)((uint64_t)t->date * 1000); /* it counts microseconds */
		t->info.has_date = true;
		return 0;
	case OPTION_OFFSET:
		number_text(&t->file_offset, t, data, n);
		return 0;
	case OPTION_CPUSTAT:
		wordlist_add(&t->cpustats, text_of(t, data, n));
		return 0;
	case OPTION_UNAME:
		t->info.uname = text_of(t, data, n);
		return 0;
	case OPTION_VERSION:
		t->info.traced_by = text_of(t, data, n);
		return 0;
	case OPTION_PROCMAPS:
		t->info.maps = text_of(t, data, n);
		return 0;
	case OPTION_CPUCOUNT:
		t->info.cpus = (int)(take_number(&k, 4) % (TRACEDAT_CPUS_MAX + 1));
		return 0;
	case OPTION_TRACEID:
		t->info.trace_id = take_number(&k, 8);
		return 0;
	case OPTION_TSC2NSEC:
		tsc_option(t, &k);
		return 0;
	case OPTION_BUFFER:
		return buffer_option(t, &k);
	case PART_TEXT:
		return buffer_text(t, &k);
	case PART_HEADER: case PART_FTRACE_FORMATS: case PART_FORMATS: case PART_KALLSYMS: case PART_PRINTK: case PART_CMDLINES:
		return part(t, id, take_number(&k, 8));
	default:
		return 0;
	}
}

bool tracedat_option_at(const struct tracedat *t, size_t i, struct tracedat_option *o)
{
	if (i >= t->option.n)
		return false;
	const struct kept_option *k = &t->option.at[i];
	*o = (struct tracedat_option){ k->id, k->size, k->data };
	return true;
}

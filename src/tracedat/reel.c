// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of one CPU, and of all in order. Each CPU is read a block at a time into one of two pieces of memory, so that the
 * record that was handed out last stays where it is while the next is looked at. */
#include <errno.h>
#include <stdlib.h>
#include <byteswap.h>
#include "tracedat/inner.h"

enum { BLOCK = 64 << 10 };

void reel_rewind(struct reel *c)
{
	c->pos = c->from;
	c->pieces = c->pieces_left = 0;
	c->block_len = c->block_pos = 0;
	c->in_page = c->ready = false;
	c->ended = !c->size;
}

void reel_release(struct reel *c)
{
	free(c->block[0]);
	free(c->block[1]);
}

/* NULL: pending error. */
static uint8_t *other_block(struct tracedat *t, struct reel *c, size_t n)
{
	c->which = !c->which;
	if (c->cap[c->which] < n) {
		if (n > TRACEDAT_BLOCKS_MAX - t->blocks) {
			tracedat_damaged(t, c->pos, "pages of so many CPUs at once are not to be had");
			return NULL;
		}
		t->blocks += n - c->cap[c->which];
		free(c->block[c->which]);
		c->block[c->which] = xmalloc(n);
		c->cap[c->which] = n;
	}
	return c->block[c->which];
}

static uint32_t get_word(const struct tracedat *t, const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, 4);
	return t->swap ? bswap_32(v) : v;
}

/* The next piece of packed pages. */
static int load_piece(struct tracedat *t, struct reel *c, uint32_t page_size)
{
	uint64_t end = c->from + c->size + (t->size - c->from - c->size < 4 ? 0 : 4); /* the size does not count their number */
	uint8_t head[8];
	int err;
	if (c->pos == c->from) {
		if (c->size < 4)
			return tracedat_damaged(t, c->pos, "no packed pages begin there");
		if ((err = tracedat_read_at(t, c->pos, head, 4)))
			return err;
		c->pieces_left = get_word(t, head);
		c->pos += 4;
	}
	if (!c->pieces_left || end - c->pos < 8)
		return c->pieces_left ? tracedat_damaged(t, c->pos, "packed pages are cut off") : 0;
	if ((err = tracedat_read_at(t, c->pos, head, 8)))
		return err;
	uint32_t n = get_word(t, head), out = get_word(t, head + 4);
	if (n > end - c->pos - 8 || !out || out > TRACEDAT_PIECE_MAX)
		return tracedat_damaged(t, c->pos, "the sizes of packed pages cannot be");
	/* what is not in use of the last page may be missing */
	uint32_t whole = (out + page_size - 1) / page_size * page_size;
	uint8_t *to = other_block(t, c, whole);
	if (!to)
		return error_code();
	uint8_t *packed = xmalloc(n + 1);
	memset(to + out, 0, whole - out);
	err = tracedat_read_at(t, c->pos + 8, packed, n);
	if (!err && !unpack(t->packing, packed, n, to, out))
		err = tracedat_damaged(t, c->pos, "pages cannot be unpacked");
	free(packed);
	c->block_at = c->piece_at = c->pos;
	c->pos += 8 + (uint64_t)n;
	c->pieces_left--;
	c->block_len = whole;
	return err ? err : 1;
}

uint64_t tracedat_unpacked(const struct tracedat *t, size_t buffer, size_t k)
{
	const struct tracedat_cpu *c = &t->buffer.at[buffer].cpu[k];
	uint64_t pos = c->offset + 4, end = c->offset + c->size + 4, all = 0;
	uint8_t head[8];
	if (!t->inner.at[buffer].packed || c->size < 4)
		return c->size;
	if (!tracedat_read_at(t, c->offset, head, 4))
		for (uint32_t left = get_word(t, head); left && end - pos >= 8 && !tracedat_read_at(t, pos, head, 8); left--) {
			uint32_t n = get_word(t, head);
			if (n > end - pos - 8)
				break;
			all += get_word(t, head + 4);
			pos += 8 + (uint64_t)n;
		}
	error_clear(); /* a file that is damaged there is told of by who reads its records */
	return all;
}

static int load_plain(struct tracedat *t, struct reel *c, uint32_t page_size)
{
	uint64_t left = c->from + c->size - c->pos, want = BLOCK > page_size ? BLOCK - BLOCK % page_size : page_size;
	if (left < page_size) /* a page that was cut off has nothing that could be told from nothing */
		return left ? tracedat_damaged(t, c->pos, "a page is cut off") : 0;
	if (want > left)
		want = left - left % page_size;
	uint8_t *to = other_block(t, c, want);
	int err = to ? tracedat_read_at(t, c->pos, to, want) : error_code();
	c->block_at = c->pos;
	c->pos += want;
	c->block_len = want;
	return err ? err : 1;
}

/* 1: a page lies open; 0: no more. */
static int next_page(struct tracedat *t, struct reel *c, int buffer)
{
	uint32_t page_size = t->buffer.at[buffer].page_size;
	if (c->block_pos + page_size > c->block_len) {
		int got = t->inner.at[buffer].packed ? load_piece(t, c, page_size) : load_plain(t, c, page_size);
		c->block_pos = 0;
		if (got <= 0)
			return got;
	}
	const uint8_t *page = c->block[c->which] + c->block_pos;
	uint64_t at = t->inner.at[buffer].packed ? c->piece_at : c->block_at + c->block_pos;
	c->block_pos += page_size;
	if (!ring_page_begin(&c->page, &t->shape, page, page_size))
		return tracedat_damaged(t, at, "a page says that there is more in it than it can hold");
	return 1;
}

static uint64_t offset_of(const struct tracedat *t, const struct reel *c, int buffer, const uint8_t *data)
{
	return t->inner.at[buffer].packed ? c->piece_at : c->block_at + (uint64_t)(data - c->block[c->which]);
}

static void set_head(struct tracedat *t, struct reel *c, int buffer, const struct ring_event *e)
{
	const uint8_t *d = e->data;
	struct tracedat_record *r = &c->head;
	*r = (struct tracedat_record){ .time = times_of(t, e->time, t->inner.at[buffer].tsc), .raw_time = e->time, .data = d, .size = e->size, .cpu = c->cpu,
		.buffer = buffer, .lost = e->lost, .page_start = e->page_start, .type = -1, .pid = -1 };
	r->offset = offset_of(t, c, buffer, d);
	if (e->size >= 2)
		r->type = t->shape.big ? d[0] << 8 | d[1] : d[1] << 8 | d[0];
	if (e->size >= 8) {
		r->flags = d[2];
		r->preempt = d[3];
		r->pid = (int)get_word(t, d + 4);
	}
}

/* 1: c->head is there; 0: the end; -errno. */
static int reel_peek(struct tracedat *t, struct reel *c, int buffer)
{
	struct ring_event e;
	if (c->ready)
		return 1;
	while (!c->ended && !c->off) {
		int got = c->in_page ? ring_page_next(&c->page, &e) : 0;
		if (got > 0) {
			set_head(t, c, buffer, &e);
			c->ready = true;
			return 1;
		}
		c->in_page = false;
		if (got < 0) {
			c->ended = true;
			return tracedat_damaged(t, offset_of(t, c, buffer, c->page.pos), "a record goes beyond its page");
		}
		got = next_page(t, c, buffer);
		if (got <= 0) {
			c->ended = true;
			return got;
		}
		c->in_page = true;
	}
	return 0;
}

/* ---- all of them, in order ---- */

/* Who comes first, and up to where: most records come in runs of one CPU. */
static int pick(struct tracedat *t)
{
	struct reel *best = NULL;
	t->limit = NULL;
	for (size_t b = 0; b < t->inner.n; b++)
		for (size_t i = 0; i < t->inner.at[b].n_reel; i++) {
			struct reel *c = &t->inner.at[b].reel[i];
			int got = reel_peek(t, c, (int)b);
			if (got < 0)
				return got;
			if (!got)
				continue;
			if (!best || c->head.time < best->head.time) {
				t->limit = best ? &best->head : NULL;
				best = c;
				t->best_buffer = (int)b;
			} else if (!t->limit || c->head.time < t->limit->time) {
				t->limit = &c->head;
			}
		}
	t->best = best;
	return best != NULL;
}

int tracedat_next(struct tracedat *t, struct tracedat_record *r)
{
	int got = t->best ? reel_peek(t, t->best, t->best_buffer) : 0;
	if (got < 0)
		return got;
	/* equal times: only pick() knows whose turn it is */
	if (!got || (t->limit && t->best->head.time >= t->limit->time)) {
		got = pick(t);
		if (got <= 0)
			return got;
	}
	*r = t->best->head;
	t->best->ready = false;
	return 1;
}

int tracedat_peek(struct tracedat *t, int buffer, int cpu, bool take, struct tracedat_record *r)
{
	struct reel *best = NULL;
	if (buffer < 0 || (size_t)buffer >= t->inner.n)
		return 0;
	for (size_t i = 0; i < t->inner.at[buffer].n_reel; i++) {
		struct reel *c = &t->inner.at[buffer].reel[i];
		int got = cpu < 0 || c->cpu == cpu ? reel_peek(t, c, buffer) : 0;
		if (got < 0)
			return got;
		if (got && (!best || c->head.time < best->head.time))
			best = c;
	}
	if (!best)
		return 0;
	*r = best->head;
	if (take) {
		best->ready = false;
		t->best = NULL; /* another may be due now */
	}
	return 1;
}

void tracedat_rewind(struct tracedat *t)
{
	vec_each(&t->inner, in)
		for (size_t i = 0; i < in->n_reel; i++)
			reel_rewind(&in->reel[i]);
	t->best = NULL;
	t->limit = NULL;
}

void tracedat_choose(struct tracedat *t, const intlist *cpus)
{
	vec_each(&t->inner, in)
		for (size_t i = 0; i < in->n_reel; i++)
			in->reel[i].off = !intlist_has(cpus, in->reel[i].cpu);
	tracedat_rewind(t);
}

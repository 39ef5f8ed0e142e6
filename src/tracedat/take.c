// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes of a trace.dat, one part after the other, and version 7's sections. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <byteswap.h>
#include "tracedat/inner.h"

int tracedat_damaged(const struct tracedat *t, uint64_t offset, const char *what)
{
	return error_set(EINVAL, "%s is damaged at offset %#llx: %s", t->path, (unsigned long long)offset, what);
}

int tracedat_read_at(const struct tracedat *t, uint64_t offset, void *to, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t r = pread(t->fd, (char *)to + done, n - done, (off_t)(offset + done));
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return error_sys(errno, "cannot read %s", t->path);
		if (!r)
			return tracedat_damaged(t, offset + done, "it ends there");
		done += r;
	}
	return 0;
}

const uint8_t *take_bytes(struct dat_taker *k, uint64_t n)
{
	if (k->bad || n > k->end - k->pos || (!k->mem && n > TRACEDAT_PART_MAX)) {
		k->bad = true;
		return NULL;
	}
	uint64_t at = k->pos;
	k->pos += n;
	if (k->mem)
		return k->mem + at;
	if (n > k->cap || !k->buf) {
		k->cap = n < 4096 ? 4096 : n;
		k->buf = xrealloc(k->buf, k->cap);
	}
	if (tracedat_read_at(k->t, at, k->buf, n)) {
		error_clear();
		k->bad = true;
		return NULL;
	}
	return k->buf;
}

uint64_t take_number(struct dat_taker *k, unsigned size)
{
	uint16_t h;
	uint32_t w;
	uint64_t d;
	const uint8_t *at = take_bytes(k, size);
	if (!at)
		return 0;
	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&h, at, 2);
		return k->t->swap ? bswap_16(h) : h;
	case 4:
		memcpy(&w, at, 4);
		return k->t->swap ? bswap_32(w) : w;
	default:
		memcpy(&d, at, 8);
		return k->t->swap ? bswap_64(d) : d;
	}
}

char *take_text(struct dat_taker *k)
{
	uint64_t left = k->end - k->pos, at = k->pos;
	uint64_t n = left < 4096 ? left : 4096;
	const uint8_t *z = take_bytes(k, n);
	size_t len = z ? strnlen((const char *)z, n) : n;
	if (k->bad || len == n) {
		k->bad = true;
		return NULL;
	}
	char *copy = xstrndup((const char *)z, len);
	k->pos = at + len + 1;
	return copy;
}

char *take_block(struct dat_taker *k, unsigned size_bytes, size_t *n)
{
	uint64_t want = take_number(k, size_bytes);
	const uint8_t *at = take_bytes(k, want);
	*n = want;
	return at ? xstrndup((const char *)at, want) : NULL;
}

void take_release(struct dat_taker *k)
{
	free(k->buf);
	k->buf = NULL;
}

uint64_t taker_offset(const struct dat_taker *k)
{
	return k->base + k->pos;
}

int section_head(const struct tracedat *t, uint64_t offset, int id, struct section *s)
{
	struct dat_taker k = { .t = (struct tracedat *)t, .pos = offset, .end = t->size };
	if (offset > t->size || t->size - offset < SECTION_HEAD)
		return tracedat_damaged(t, offset, "a section would begin behind its end");
	s->at = offset;
	s->id = take_number(&k, 2);
	s->flags = take_number(&k, 2);
	take_number(&k, 4); /* a name for people */
	s->size = take_number(&k, 8);
	s->data = offset + SECTION_HEAD;
	take_release(&k);
	if (id >= 0 && s->id != id)
		return tracedat_damaged(t, offset, "another section is there than the one that is looked for");
	if (s->size > t->size - s->data)
		return tracedat_damaged(t, offset, "a section goes beyond its end");
	return 0;
}

static int section_unpack(struct tracedat *t, const struct section *s, struct dat_taker *k, uint8_t **owned)
{
	struct dat_taker head = { .t = t, .pos = s->data, .end = s->data + s->size };
	uint64_t n = take_number(&head, 4), out = take_number(&head, 4), at = head.pos;
	bool bad = head.bad || n > head.end - head.pos;
	take_release(&head);
	if (bad || out > TRACEDAT_PART_MAX || out / 4096 > n + 1) /* what is packed better than that is made up */
		return tracedat_damaged(t, s->at, "the sizes of a packed section cannot be");
	uint8_t *packed = xmalloc(n + 1);
	int err = tracedat_read_at(t, at, packed, n);
	if (!err) {
		*owned = xmalloc(out + 1);
		if (!unpack(t->packing, packed, n, *owned, out)) {
			free(*owned);
			*owned = NULL;
			err = tracedat_damaged(t, at, "a section cannot be unpacked");
		}
	}
	free(packed);
	*k = (struct dat_taker){ .t = t, .mem = *owned, .end = out, .base = at };
	return err;
}

int section_open(struct tracedat *t, const struct section *s, struct dat_taker *k, uint8_t **owned)
{
	*owned = NULL;
	*k = (struct dat_taker){ .t = t, .pos = s->data, .end = s->data + s->size };
	int err = s->flags & SECTION_PACKED ? section_unpack(t, s, k, owned) : 0;
	t->parts += err ? 0 : k->end - k->pos;
	if (err || t->parts <= t->size + TRACEDAT_PART_MAX)
		return err;
	free(*owned);
	*owned = NULL;
	return tracedat_damaged(t, s->at, "it tells the same again and again");
}

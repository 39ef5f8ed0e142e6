// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include "base/error.h"
#include "base/vec.h"
#include "script/saved/inner.h"

enum { PARAMS_MOST = 4096, PROGRAMS_MOST = 4096 };
enum { HAS_SYMBOLS = 1, HAS_DWARF = 2 };
static const char magic[8] = { (char)0x89, 'S', 'o', 'n', 'd', 'e', 'R', '\n' };

void saved_release(struct saved *v)
{
	str_release(&v->name);
	str_release(&v->text);
	wordlist_release(&v->params);
	vec_each(&v->programs, p) {
		free(p->path);
		for (unsigned i = 0; i < p->n_images; i++)
			str_release(&p->images[i].elf);
	}
	vec_release(&v->programs);
}

/* ---- writing ---- */

static void put_u64(struct str *out, uint64_t v)
{
	str_addn(out, &v, sizeof(v));
}

static void put_bytes(struct str *out, const void *p, size_t n)
{
	put_u64(out, n);
	str_addn(out, p, n);
}

static void put_program(struct str *out, const struct saved_program *p)
{
	put_bytes(out, p->path, strlen(p->path));
	put_bytes(out, p->id.id, p->id.n);
	put_u64(out, p->n_images);
	for (unsigned i = 0; i < p->n_images; i++) {
		put_u64(out, (p->images[i].symbols ? HAS_SYMBOLS : 0) | (p->images[i].dwarf ? HAS_DWARF : 0));
		put_bytes(out, p->images[i].elf.buf, p->images[i].elf.len);
	}
}

void saved_encode_body(const struct saved *v, struct str *out)
{
	put_u64(out, v->guru);
	put_u64(out, v->max_entries);
	put_bytes(out, v->name.buf, v->name.len);
	put_bytes(out, v->text.buf, v->text.len);
	put_u64(out, v->params.n);
	for (size_t i = 0; i < v->params.n; i++)
		put_bytes(out, v->params.at[i], strlen(v->params.at[i]));
	put_u64(out, v->programs.n);
	vec_each(&v->programs, p)
		put_program(out, p);
}

int saved_encode(const struct saved *v, struct str *out)
{
	struct str body = STR_INIT;
	struct saved_head h = { .version = SAVED_VERSION, .dialect = v->dialect };
	saved_encode_body(v, &body);
	if (body.len > SAVED_MOST) {
		str_release(&body);
		error_set(EFBIG, "the debug information of its programs has more than %d MB: too much for a saved script", SAVED_MOST >> 20);
		return error_hint("without names of variables, types and lines only the symbols are saved");
	}
	size_t room = ZSTD_compressBound(body.len);
	char *packed = xmalloc(room);
	h.length = ZSTD_compress(packed, room, body.buf, body.len, 3);
	h.plain = body.len;
	memcpy(h.magic, magic, sizeof(magic));
	h.check = (uint32_t)crc32_z(crc32_z(0, NULL, 0), (const void *)packed, h.length);
	h.check_head = saved_head_check(&h);
	str_addn(out, &h, sizeof(h));
	str_addn(out, packed, h.length);
	free(packed);
	str_release(&body);
	return 0;
}

/* ---- reading ---- */

struct saved_cursor { const char *p; size_t left; bool bad; };

static uint64_t take_u64(struct saved_cursor *c, uint64_t most)
{
	uint64_t v = 0;
	if (c->bad || c->left < sizeof(v)) {
		c->bad = true;
		return 0;
	}
	memcpy(&v, c->p, sizeof(v));
	c->p += sizeof(v);
	c->left -= sizeof(v);
	c->bad = v > most;
	return c->bad ? 0 : v;
}

static const char *take_bytes(struct saved_cursor *c, size_t *n)
{
	const char *at;
	*n = take_u64(c, SAVED_MOST);
	if (*n > c->left)
		c->bad = true;
	if (c->bad)
		*n = 0;
	at = c->p;
	c->p += *n;
	c->left -= *n;
	return at;
}

/* Text of one line or more: no NUL in it. */
static char *take_text(struct saved_cursor *c)
{
	size_t n;
	const char *at = take_bytes(c, &n);
	c->bad |= memchr(at, 0, n) != NULL;
	return xstrndup(at, n);
}

static void take_str(struct saved_cursor *c, struct str *s)
{
	char *text = take_text(c);
	str_add(s, text);
	free(text);
}

static void take_program(struct saved_cursor *c, struct saved_program *p)
{
	size_t n;
	p->path = take_text(c);
	const char *id = take_bytes(c, &n);
	c->bad |= n < 2 || n > sizeof(p->id.id);
	if (c->bad)
		return;
	memcpy(p->id.id, id, n);
	p->id.n = (uint8_t)n;
	uint64_t images = take_u64(c, sizeof(p->images) / sizeof(p->images[0]));
	while (p->n_images < images && !c->bad) {
		uint64_t has = take_u64(c, HAS_SYMBOLS | HAS_DWARF);
		const char *elf = take_bytes(c, &n);
		struct saved_image *i = &p->images[p->n_images++];
		*i = (struct saved_image){ .symbols = has & HAS_SYMBOLS, .dwarf = has & HAS_DWARF, .elf = STR_INIT };
		str_addn(&i->elf, elf, n);
	}
}

int saved_decode_body(struct saved *v, const void *p, size_t n)
{
	struct saved_cursor c = { p, n, false };
	v->guru = take_u64(&c, 1);
	v->max_entries = take_u64(&c, UINT32_MAX);
	take_str(&c, &v->name);
	take_str(&c, &v->text);
	for (uint64_t left = take_u64(&c, PARAMS_MOST); left && !c.bad; left--) {
		char *word = take_text(&c);
		wordlist_add(&v->params, word);
		free(word);
	}
	for (uint64_t left = take_u64(&c, PROGRAMS_MOST); left && !c.bad; left--)
		take_program(&c, vec_push(&v->programs));
	return c.bad || c.left ? -EBADMSG : 0;
}

uint32_t saved_head_check(const struct saved_head *h)
{
	return (uint32_t)crc32_z(crc32_z(0, NULL, 0), (const void *)h, offsetof(struct saved_head, check_head));
}

enum saved_dialect saved_head_kind(const struct saved_head *h)
{
	if (memcmp(h->magic, magic, sizeof(magic)))
		return SAVED_NONE;
	return h->dialect == SAVED_STAP ? SAVED_STAP : SAVED_BPFTRACE;
}

static int damaged(const char *name, const char *how)
{
	error_set(EBADMSG, "%s is a saved script, but it is damaged: %s", name, how);
	return error_hint("copy it once more, or save the script again: sonde run --save FILE SCRIPT");
}

static int check_head(const struct saved_head *h, size_t n, const char *name)
{
	if (h->version != SAVED_VERSION) {
		error_set(ENOTSUP, "%s is a saved script of version %u, and this sonde knows version %u", name, h->version, SAVED_VERSION);
		return error_hint("save it again with this sonde, or run it with the one that it was saved by");
	}
	if (h->check_head != saved_head_check(h) || (h->dialect != SAVED_BPFTRACE && h->dialect != SAVED_STAP))
		return damaged(name, "its head is not what was written");
	if (h->length > n - sizeof(*h))
		return damaged(name, "its end is missing");
	if (h->length < n - sizeof(*h))
		return damaged(name, "there is something behind its end");
	return h->plain > SAVED_MOST ? damaged(name, "its lengths cannot be") : 0;
}

enum { RATIO_MOST = 1 << 16 }; /* zstd packs no block of 128 kB into less than three bytes */
/* A few bytes that claim to become a gigabyte get no memory for it. */
static int unpack(const struct saved_head *h, const void *packed, struct saved *v)
{
	if (h->plain / RATIO_MOST > h->length || ZSTD_getFrameContentSize(packed, h->length) != h->plain)
		return -EBADMSG;
	char *body = xmalloc(h->plain + 1);
	size_t n = ZSTD_decompress(body, h->plain, packed, h->length);
	int err = ZSTD_isError(n) || n != h->plain ? -EBADMSG : saved_decode_body(v, body, n);
	free(body);
	return err;
}

int saved_decode(struct saved *v, const void *p, size_t n, const char *name)
{
	struct saved_head h = { 0 };
	memcpy(&h, p, n < sizeof(h) ? n : sizeof(h));
	if (n < sizeof(h.magic) || saved_head_kind(&h) == SAVED_NONE)
		return error_set(ENOEXEC, "%s is no saved script", name);
	if (n < sizeof(h))
		return damaged(name, "its end is missing");
	int err = check_head(&h, n, name);
	if (err)
		return err;
	const char *packed = (const char *)p + sizeof(h);
	if ((uint32_t)crc32_z(crc32_z(0, NULL, 0), (const void *)packed, h.length) != h.check)
		return damaged(name, "its checksum is another");
	v->dialect = h.dialect;
	return unpack(&h, packed, v) ? damaged(name, "its parts do not fit together") : 0;
}

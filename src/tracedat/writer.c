// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers are written in the byte order of the pages. Places that are known later (where options and pages are) are left
 * empty and filled in at the end, so that a file that was not finished says so. */
#include "tracedat/writer.h"
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/out.h"

enum { PAGES_IN_PIECE = 16, COPY = 1 << 20, HEAD_OF_OPTION = 6, LEVEL = 1 };

struct dat {
	const struct tracedat_new *n;
	const struct tracedat_write_options *o;
	int fd;
	uint64_t at; /* end of what was written */
	bool swap;
	uint8_t packing;
	struct str buf; /* the part being made */
	struct str strings; /* v7: what sections are called */
	struct str options; /* v7: of the options section */
	ZSTD_CCtx *zstd;
	int err;
};

static int failed(struct dat *d, int err)
{
	error_sys(err, "cannot write %s", d->o->path);
	d->err = out_explain(err);
	d->err = -err;
	return d->err;
}

static void put_at(struct dat *d, uint64_t at, const void *p, size_t n)
{
	for (size_t done = 0; done < n && !d->err;) {
		ssize_t r = pwrite(d->fd, (const char *)p + done, n - done, (off_t)(at + done));
		if (r < 0 && errno != EINTR)
			failed(d, errno);
		else if (r > 0)
			done += (size_t)r;
	}
}

static void put(struct dat *d, const void *p, size_t n)
{
	put_at(d, d->at, p, n);
	d->at += n;
}

static void put_str(struct dat *d, struct str *s)
{
	put(d, s->buf, s->len);
	str_clear(s);
}

static void add_number(const struct dat *d, struct str *s, uint64_t v, unsigned size)
{
	uint16_t h = (uint16_t)v;
	uint32_t w = (uint32_t)v;
	if (d->swap) {
		h = bswap_16(h);
		w = bswap_32(w);
		v = bswap_64(v);
	}
	str_add_bytes(s, size == 2 ? (void *)&h : size == 4 ? (void *)&w : (void *)&v, size);
}

static void put_number_at(struct dat *d, uint64_t at, uint64_t v, unsigned size)
{
	struct str s = STR_INIT;
	add_number(d, &s, v, size);
	put_at(d, at, s.buf, s.len);
	str_release(&s);
}

static void add_block(const struct dat *d, struct str *s, const struct str *text, unsigned size_bytes)
{
	add_number(d, s, text->len, size_bytes);
	str_add_bytes(s, text->buf, text->len);
}

static void add_option(const struct dat *d, struct str *s, uint16_t id, const void *data, size_t n)
{
	add_number(d, s, id, 2);
	add_number(d, s, n, 4);
	str_add_bytes(s, data, n);
}

static void pad_to_page(struct dat *d)
{
	uint64_t page = (uint64_t)d->n->page_size, to = (d->at + page - 1) / page * page;
	static const char zeros[4096];
	while (d->at < to && !d->err)
		put(d, zeros, to - d->at < sizeof(zeros) ? to - d->at : sizeof(zeros));
}

/* ---- parts that both versions have ---- */

static void part_headers(const struct dat *d, struct str *s)
{
	str_addn(s, "header_page", 12);
	add_block(d, s, &d->n->header_page, 8);
	str_addn(s, "header_event", 13);
	add_block(d, s, &d->n->header_event, 8);
}

static void add_format(const struct dat *d, struct str *s, const struct new_format *f)
{
	size_t n = strlen(f->text);
	add_number(d, s, n, 8);
	str_add_bytes(s, f->text, n);
}

static bool is_own(const struct new_format *f)
{
	return !strcmp(f->system, "ftrace");
}

static void part_ftrace(const struct dat *d, struct str *s)
{
	uint32_t n = 0;
	vec_each(&d->n->formats, f)
		n += is_own(f);
	add_number(d, s, n, 4);
	vec_each(&d->n->formats, f)
		if (is_own(f))
			add_format(d, s, f);
}

/* How many of the same system stand from there on. */
static uint32_t same_system(const struct tracedat_new *n, size_t from)
{
	uint32_t k = 0;
	while (from + k < n->formats.n && !strcmp(n->formats.at[from + k].system, n->formats.at[from].system))
		k++;
	return k;
}

static void part_formats(const struct dat *d, struct str *s)
{
	uint32_t systems = 0, k;
	for (size_t i = 0; i < d->n->formats.n; i += same_system(d->n, i))
		systems += !is_own(&d->n->formats.at[i]);
	add_number(d, s, systems, 4);
	for (size_t i = 0; i < d->n->formats.n; i += k) {
		k = same_system(d->n, i);
		if (is_own(&d->n->formats.at[i]))
			continue;
		str_addn(s, d->n->formats.at[i].system, strlen(d->n->formats.at[i].system) + 1);
		add_number(d, s, k, 4);
		for (uint32_t e = 0; e < k; e++)
			add_format(d, s, &d->n->formats.at[i + e]);
	}
}

static void part_kallsyms(const struct dat *d, struct str *s)
{
	add_block(d, s, &d->n->kallsyms, 4);
}

static void part_printk(const struct dat *d, struct str *s)
{
	add_block(d, s, &d->n->printk, 4);
}

static void part_cmdlines(const struct dat *d, struct str *s)
{
	add_block(d, s, &d->n->cmdlines, 8);
}

static void head(struct dat *d)
{
	struct str *s = &d->buf;
	str_addn(s, TRACEDAT_MAGIC, TRACEDAT_MAGIC_LEN);
	str_addc(s, d->o->version == 6 ? '6' : '7');
	str_addc(s, 0);
	str_addc(s, d->n->big_endian);
	str_addc(s, (char)d->n->long_size);
	add_number(d, s, (uint64_t)d->n->page_size, 4);
}

/* ---- pages ---- */

static void drop_copied(const struct dat *d, const struct new_pages *c, uint64_t upto)
{
	if (d->o->consume) /* best effort: not every file system can */
		(void)fallocate(c->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)c->from, (off_t)upto);
}

static bool read_pages(struct dat *d, const struct new_pages *c, uint64_t at, void *to, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t r = pread(c->fd, (char *)to + done, n - done, (off_t)(c->from + at + done));
		if (r > 0) {
			done += (size_t)r;
		} else if (!r || errno != EINTR) {
			d->err = error_sys(r ? errno : EIO, "cannot read the pages of CPU %d back", c->cpu);
			return false;
		}
	}
	return true;
}

static void copy_pages(struct dat *d, const struct new_pages *c, void *work)
{
	for (uint64_t at = 0; at < c->size && !d->err;) {
		size_t n = c->size - at < COPY ? c->size - at : COPY;
		if (!read_pages(d, c, at, work, n))
			return;
		put(d, work, n);
		at += n;
		drop_copied(d, c, at);
	}
}

static size_t pack(struct dat *d, void *to, size_t room, const void *from, size_t n)
{
	if (d->packing == PACKING_ZSTD) {
		size_t out = ZSTD_compressCCtx(d->zstd, to, room, from, n, LEVEL);
		return ZSTD_isError(out) ? 0 : out;
	}
	uLongf out = room;
	return compress2(to, &out, from, n, LEVEL) == Z_OK ? out : 0;
}

static size_t pack_bound(size_t n)
{
	size_t a = ZSTD_compressBound(n), b = compressBound(n);
	return a > b ? a : b;
}

/* Pieces of a few pages each, their number in front; that is not counted in the size (trace-cmd has it so). */
static uint64_t pack_pages(struct dat *d, const struct new_pages *c, uint8_t *work)
{
	size_t piece = (size_t)PAGES_IN_PIECE * (size_t)d->n->page_size, room = pack_bound(piece);
	uint64_t from = d->at, dropped = 0;
	uint8_t *packed = xmalloc(room);
	add_number(d, &d->buf, (c->size + piece - 1) / piece, 4);
	for (uint64_t at = 0; at < c->size && !d->err; at += piece) {
		size_t n = c->size - at < piece ? c->size - at : piece;
		if (!read_pages(d, c, at, work, n))
			break;
		size_t out = pack(d, packed, room, work, n);
		if (!out)
			d->err = error_set(EIO, "%s cannot pack its pages", d->o->packing);
		add_number(d, &d->buf, out, 4);
		add_number(d, &d->buf, n, 4);
		str_add_bytes(&d->buf, packed, out);
		if (d->buf.len < COPY && at + piece < c->size)
			continue;
		put_str(d, &d->buf);
		if (at - dropped > 64 * COPY / 4) {
			drop_copied(d, c, at);
			dropped = at;
		}
	}
	put_str(d, &d->buf);
	free(packed);
	drop_copied(d, c, c->size);
	return d->at - from - 4;
}

/* ---- version 6 ---- */

/* Where each CPU's pages are; the places are filled in when they are known. */
static void buffer_v6(struct dat *d, const struct new_buffer *b, void *work)
{
	struct str *s = &d->buf;
	str_addn(s, "flyrecord", 10);
	uint64_t table = d->at + s->len;
	for (int i = 0; i < d->n->cpus * 2; i++)
		add_number(d, s, 0, 8);
	char *clock = xasprintf("[%s]", b->clock);
	add_number(d, s, strlen(clock) + 1, 8);
	str_addn(s, clock, strlen(clock) + 1);
	free(clock);
	put_str(d, s);
	pad_to_page(d);
	for (int i = 0; i < d->n->cpus; i++)
		put_number_at(d, table + (uint64_t)i * 16, d->at, 8);
	vec_each(&b->cpu, c) {
		if (c->cpu < 0 || c->cpu >= d->n->cpus)
			continue;
		put_number_at(d, table + (uint64_t)c->cpu * 16, d->at, 8);
		put_number_at(d, table + (uint64_t)c->cpu * 16 + 8, c->size, 8);
		copy_pages(d, c, work);
	}
}

static void clock_option(const struct dat *d, struct str *s)
{
	char *clock = xasprintf("[%s]", d->n->buffers.at[0].clock);
	add_option(d, s, OPTION_TRACECLOCK, clock, strlen(clock) + 1);
	free(clock);
}

static int write_v6(struct dat *d, void *work)
{
	struct str *s = &d->buf;
	const struct new_buffer *top = d->n->buffers.at;
	VEC(uint64_t) places = { 0 };
	head(d);
	part_headers(d, s);
	part_ftrace(d, s);
	part_formats(d, s);
	part_kallsyms(d, s);
	part_printk(d, s);
	part_cmdlines(d, s);
	add_number(d, s, (uint64_t)d->n->cpus, 4);
	str_addn(s, "options  ", 10);
	clock_option(d, s);
	vec_each(&d->n->options, o)
		add_option(d, s, o->id, o->data.buf, o->data.len);
	for (size_t i = 1; i < d->n->buffers.n; i++) {
		const char *name = d->n->buffers.at[i].name;
		add_number(d, s, OPTION_BUFFER, 2);
		add_number(d, s, 8 + strlen(name) + 1, 4);
		*vec_push(&places) = d->at + s->len;
		add_number(d, s, 0, 8);
		str_addn(s, name, strlen(name) + 1);
	}
	add_number(d, s, 0, 2);
	if (top->is_text) {
		str_addn(s, "latency  ", 10);
		str_add_bytes(s, top->text.buf, top->text.len);
		put_str(d, s);
	} else {
		buffer_v6(d, top, work);
	}
	for (size_t i = 1; i < d->n->buffers.n && !d->err; i++) {
		pad_to_page(d);
		put_number_at(d, places.at[i - 1], d->at, 8);
		buffer_v6(d, &d->n->buffers.at[i], work);
	}
	vec_release(&places);
	return d->err;
}

/* ---- version 7 ---- */

/* A section's head; its size is filled in by section_end(). Returns where it is. */
static uint64_t section_begin(struct dat *d, uint16_t id, bool packed, const char *what)
{
	uint64_t at = d->at;
	struct str s = STR_INIT;
	add_number(d, &s, id, 2);
	add_number(d, &s, packed ? SECTION_PACKED : 0, 2);
	add_number(d, &s, d->strings.len, 4);
	add_number(d, &s, 0, 8);
	str_addn(&d->strings, what, strlen(what) + 1);
	put_str(d, &s);
	str_release(&s);
	return at;
}

static void section_end(struct dat *d, uint64_t at)
{
	put_number_at(d, at + 8, d->at - at - SECTION_HEAD, 8);
}

static void place_option(struct dat *d, uint16_t id, uint64_t at)
{
	struct str s = STR_INIT;
	add_number(d, &s, at, 8);
	add_option(d, &d->options, id, s.buf, s.len);
	str_release(&s);
}

/* What was added to d->buf, as a section, packed if the file is. */
static void section(struct dat *d, uint16_t id, const char *what)
{
	bool packed = d->packing != PACKING_NONE;
	uint64_t at = section_begin(d, id, packed, what);
	if (packed) {
		size_t room = pack_bound(d->buf.len);
		uint8_t *to = xmalloc(room);
		size_t out = pack(d, to, room, d->buf.buf, d->buf.len);
		struct str s = STR_INIT;
		add_number(d, &s, out, 4);
		add_number(d, &s, d->buf.len, 4);
		str_add_bytes(&s, to, out);
		put_str(d, &s);
		str_release(&s);
		free(to);
		str_clear(&d->buf);
	} else {
		put_str(d, &d->buf);
	}
	section_end(d, at);
	place_option(d, id, at);
}

static void pages_v7(struct dat *d, const struct new_buffer *b, uint8_t *work)
{
	char *what = xasprintf("buffer flyrecord %s", b->name);
	uint64_t at = section_begin(d, PART_FLYRECORD, d->packing != PACKING_NONE, what);
	struct str option = STR_INIT;
	free(what);
	add_number(d, &option, at, 8);
	str_addn(&option, b->name, strlen(b->name) + 1);
	str_addn(&option, b->clock, strlen(b->clock) + 1);
	add_number(d, &option, (uint64_t)d->n->page_size, 4);
	add_number(d, &option, b->cpu.n, 4);
	vec_each(&b->cpu, c) {
		pad_to_page(d);
		uint64_t from = d->at, size = c->size;
		if (c->size && d->packing != PACKING_NONE)
			size = pack_pages(d, c, work);
		else
			copy_pages(d, c, work);
		add_number(d, &option, (uint64_t)c->cpu, 4);
		add_number(d, &option, from, 8);
		add_number(d, &option, size, 8);
	}
	section_end(d, at);
	add_option(d, &d->options, OPTION_BUFFER, option.buf, option.len);
	str_release(&option);
}

static void text_v7(struct dat *d, const struct new_buffer *b)
{
	uint64_t at = section_begin(d, PART_TEXT, false, "buffer text");
	struct str option = STR_INIT;
	put(d, b->text.buf, b->text.len);
	section_end(d, at);
	add_number(d, &option, at, 8);
	str_addn(&option, b->name, strlen(b->name) + 1);
	str_addn(&option, b->clock, strlen(b->clock) + 1);
	add_option(d, &d->options, PART_TEXT, option.buf, option.len);
	str_release(&option);
}

static void options_v7(struct dat *d)
{
	struct str *s = &d->options, done = STR_INIT;
	uint64_t at = section_begin(d, PART_OPTIONS, false, "options");
	clock_option(d, s);
	vec_each(&d->n->options, o)
		add_option(d, s, o->id, o->data.buf, o->data.len);
	add_number(d, &done, (uint64_t)d->n->cpus, 4);
	add_option(d, s, OPTION_CPUCOUNT, done.buf, done.len);
	str_clear(&done);
	add_number(d, &done, 0, 8);
	add_option(d, s, OPTION_DONE, done.buf, done.len);
	str_release(&done);
	put_str(d, s);
	section_end(d, at);
	at = section_begin(d, PART_STRINGS, false, "strings");
	put_str(d, &d->strings);
	section_end(d, at);
}

static int write_v7(struct dat *d, void *work)
{
	static const struct { uint16_t id; void (*add)(const struct dat *d, struct str *s); const char *what; } parts[] = {
		{ PART_HEADER, part_headers, "headers" }, { PART_FTRACE_FORMATS, part_ftrace, "ftrace events" },
		{ PART_FORMATS, part_formats, "events format" }, { PART_KALLSYMS, part_kallsyms, "kallsyms" },
		{ PART_PRINTK, part_printk, "printk" }, { PART_CMDLINES, part_cmdlines, "command lines" },
	};
	static const char *const names[] = { "none", "zstd", "zlib" };
	const char *version = d->packing == PACKING_ZSTD ? ZSTD_VERSION_STRING : d->packing == PACKING_ZLIB ? ZLIB_VERSION : "";
	head(d);
	str_addn(&d->buf, names[d->packing], strlen(names[d->packing]) + 1);
	str_addn(&d->buf, version, strlen(version) + 1);
	uint64_t place = d->at + d->buf.len;
	add_number(d, &d->buf, 0, 8);
	put_str(d, &d->buf);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !d->err; i++) {
		parts[i].add(d, &d->buf);
		section(d, parts[i].id, parts[i].what);
	}
	for (size_t i = 0; i < d->n->buffers.n && !d->err; i++) {
		if (d->n->buffers.at[i].is_text)
			text_v7(d, &d->n->buffers.at[i]);
		else
			pages_v7(d, &d->n->buffers.at[i], work);
	}
	uint64_t at = d->at;
	options_v7(d);
	put_number_at(d, place, at, 8); /* now it is whole */
	return d->err;
}

/* ---- */

static bool packing_of(const char *name, uint8_t *packing)
{
	*packing = !strcmp(name, "zstd") || !strcmp(name, "any") ? PACKING_ZSTD : !strcmp(name, "zlib") ? PACKING_ZLIB : PACKING_NONE;
	return *packing != PACKING_NONE || !strcmp(name, "none");
}

int tracedat_check(const struct tracedat_write_options *o)
{
	uint8_t packing;
	if (o->version != 6 && o->version != 7)
		return error_set(EINVAL, "trace.dat has versions 6 and 7, not %d", o->version);
	if (!packing_of(o->packing, &packing)) {
		error_set(EINVAL, "'%s' is no way to pack a trace.dat", o->packing);
		return error_hint("there are zstd, zlib, none and any");
	}
	if (o->version == 6 && packing != PACKING_NONE)
		return error_set(EINVAL, "version 6 of trace.dat is never packed: leave out --compression");
	return 0;
}

int tracedat_write(const struct tracedat_new *n, const struct tracedat_write_options *o, uint64_t *bytes)
{
	const uint16_t one = 1;
	bool host_big = !*(const uint8_t *)&one;
	struct dat d = { .n = n, .o = o, .buf = STR_INIT, .strings = STR_INIT, .options = STR_INIT, .swap = n->big_endian != host_big };
	int err = tracedat_check(o);
	if (err)
		return err;
	packing_of(o->packing, &d.packing);
	d.fd = file_create(o->path, O_WRONLY, 0666);
	if (d.fd < 0)
		return d.fd;
	d.zstd = ZSTD_createCCtx();
	size_t piece = (size_t)PAGES_IN_PIECE * (size_t)n->page_size;
	void *work = xmalloc(piece > COPY ? piece : COPY);
	if (o->version == 6)
		write_v6(&d, work);
	else
		write_v7(&d, work);
	if (close(d.fd) && !d.err)
		failed(&d, errno);
	*bytes = d.at;
	free(work);
	ZSTD_freeCCtx(d.zstd);
	str_release(&d.buf);
	str_release(&d.strings);
	str_release(&d.options);
	return d.err;
}
